// Generated from the schemas of the server by `make wire-types`. Do not edit.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AgentAdded: {
            agent: components["schemas"]["AgentOut"];
            /**
             * @default agent-added
             * @constant
             */
            type: "agent-added";
        };
        AgentOut: {
            /** @description whether a user's terminal shows its session */
            attached: boolean;
            /** @description who decided the state */
            decidedBy: components["schemas"]["Witness"];
            /** @description whether the witnesses contradict each other */
            disputed: boolean;
            name: string;
            /** @description of its question */
            options: components["schemas"]["OptionOut"][];
            paneId: string;
            /** @description null: it asks nothing */
            question: components["schemas"]["QuestionOut"] | null;
            runtime: string;
            session: string;
            state: components["schemas"]["AgentState"];
            /** @description since when it is known to be in this state, ms since 1970 */
            stateSince: number;
            windowId: string;
            workDir: string;
        };
        /** @description The query parameters of the list of agents. */
        AgentQuery: {
            /** @default  */
            excludePathFilter?: string;
            /** @default  */
            excludeSessionFilter?: string;
            /**
             * @description RE2 pattern on the directory
             * @default
             */
            includePathFilter?: string;
            /**
             * @description RE2 pattern on the session's name
             * @default
             */
            includeSessionFilter?: string;
        };
        /** @description As tmux-adapter's document prescribes: a removed agent is only named. */
        AgentRemoved: {
            name: string;
            /**
             * @default agent-removed
             * @constant
             */
            type: "agent-removed";
        };
        AgentsCount: {
            totalAgents: number;
            /**
             * @default agents-count
             * @constant
             */
            type: "agents-count";
        };
        /** @enum {string} */
        AgentState: "working" | "waiting" | "idle" | "unknown";
        AgentUpdated: {
            agent: components["schemas"]["AgentOut"];
            /**
             * @default agent-updated
             * @constant
             */
            type: "agent-updated";
        };
        AnswerRequest: {
            agent: string;
            /** @description the number or the words of an option */
            answer: string;
            /**
             * @description the id of the question: refuse if the agent asks something else by now
             * @default
             */
            question?: string;
            /**
             * @description words for the agent, with an option that takes them
             * @default
             */
            reason?: string;
        };
        CardOut: {
            index: number;
            text: string;
        };
        ChatAdded: {
            /** @description the key of the window */
            key: string;
            record: components["schemas"]["ChatRecordOut"];
            /**
             * @default chat-added
             * @constant
             */
            type: "chat-added";
        };
        ChatRecordOut: {
            /** @enum {string} */
            role: "user" | "assistant";
            session: string;
            text: string;
            /** @description ms since 1970, strictly increasing in a window */
            ts: number;
            /** @description tmux's id of the window, such as @7 */
            window: string;
        };
        ChatRequest: {
            /** @description the key or tmux id of a window */
            window: string;
        };
        /** @description A task that a window works on: the window's key, and whether the work was declined. */
        HandedOut: {
            agent?: string;
            at: string;
            declined: boolean;
            receipt?: components["schemas"]["HandedReceipt"];
            window: string;
        };
        /** @description The receipt of the prompt with which a task was handed to an agent: see `send-prompt`. */
        HandedReceipt: {
            /** @default 1 */
            attempts: number;
            id: string;
            /** @default 0 */
            ms: number;
            /** @description the agent was seen starting to work */
            turnStarted: boolean;
        };
        Hello: {
            /**
             * @description of FEATURES in ws.py; others are ignored
             * @default []
             */
            features?: string[];
        };
        HelloOut: {
            features: string[];
            /**
             * @default true
             * @constant
             */
            ok: true;
            version: number;
        };
        /** @description The document's response to `list-agents`, without `ok`. */
        ListedAgentsOut: {
            agents: components["schemas"]["AgentOut"][];
        };
        MessagesChanged: {
            /** @description the key of the window */
            key: string;
            /**
             * @default messages-changed
             * @constant
             */
            type: "messages-changed";
        };
        /** @enum {string} */
        NoteSource: "local" | "notion";
        /** @description A sheet with its tasks and its board. */
        NotesOut: {
            /** @description by the task's key */
            handed: {
                [key: string]: components["schemas"]["HandedOut"];
            };
            kanban: {
                [key: string]: components["schemas"]["CardOut"][];
            };
            notes: string;
            notion: components["schemas"]["NotionOut"] | null;
            notionPageId: string | null;
            project: string;
            /** @enum {string} */
            scope: "project" | "window";
            session: string;
            source: components["schemas"]["NoteSource"];
            tasks: components["schemas"]["TaskOut"][];
            updatedAt: string | null;
            version: number;
            window: components["schemas"]["WindowOut"] | null;
        };
        /** @description The notes of one project or window; without either, those of all. */
        NotesRequest: {
            /** @default  */
            session?: string;
            /** @default  */
            window?: string;
        };
        NotesUpdated: {
            action: string;
            by: string;
            /** @description by the task's key */
            handed: {
                [key: string]: components["schemas"]["HandedOut"];
            };
            kanban: {
                [key: string]: components["schemas"]["CardOut"][];
            };
            notes: string;
            notion: components["schemas"]["NotionOut"] | null;
            notionPageId: string | null;
            project: string;
            /** @enum {string} */
            scope: "project" | "window";
            session: string;
            source: components["schemas"]["NoteSource"];
            tasks: components["schemas"]["TaskOut"][];
            /**
             * @default notes-updated
             * @constant
             */
            type: "notes-updated";
            updatedAt: string | null;
            version: number;
            window: components["schemas"]["WindowOut"] | null;
        };
        /** @description The linked Notion page, and how current our copy of it is. */
        NotionOut: {
            editedAt: string | null;
            /** @description why the last sync failed; the copy here is the last good one */
            error: string;
            /** @description when Notion was last reached */
            syncedAt: string | null;
            title: string;
            url: string;
        };
        OptionOut: {
            /** @description the key that chooses it at once, if there is one */
            key: string;
            label: string;
            number: number;
            selected: boolean;
            /** @description whether `reason` of an answer can be sent with it */
            takesWords: boolean;
        };
        /** @description tmux is not available; the output continues once it is. */
        OutputAway: {
            agent: string;
            /**
             * @default output-away
             * @constant
             */
            type: "output-away";
        };
        OutputEnded: {
            agent: string;
            reason: string;
            /**
             * @default output-ended
             * @constant
             */
            type: "output-ended";
        };
        OutputName: {
            /** @description the name of an agent, or the id of a pane or window */
            agent: string;
        };
        OutputOut: {
            /**
             * @description only without `stream`
             * @default
             */
            history?: string;
            /**
             * @default true
             * @constant
             */
            ok: true;
        };
        OutputRequest: {
            /** @description the name of an agent, or the id of a pane or window */
            agent: string;
            /**
             * @description false: only the history, once
             * @default true
             */
            stream?: boolean;
        };
        ProjectOut: {
            alive: boolean;
            /** Format: date-time */
            createdAt: string;
            project: string;
            session: string;
            /** Format: date-time */
            updatedAt: string;
            version: number;
        };
        /** @description `DeliveredOut` of a prompt or answer that was submitted. */
        PromptDelivered: {
            /**
             * @default true
             * @constant
             */
            ok: true;
            receipt: components["schemas"]["ReceiptOut"];
        };
        PromptRequest: {
            agent: string;
            /**
             * @description a retry with the same key is harmless
             * @default
             */
            key?: string;
            /** @description Enter is implied */
            prompt: string;
        };
        /** @enum {string} */
        QuestionKind: "command" | "edit" | "write" | "fetch" | "plan" | "choice" | "trust" | "other";
        /** @description What a waiting agent asks. Everything but `id`, `kind` and `cut` is text of the agent. */
        QuestionOut: {
            /** @description whether a part was left out because of its size */
            cut: boolean;
            /** @description lines that begin with +, -, @ or a blank */
            diff: string;
            /** @description names this very dialog: an answer for another id is refused */
            id: string;
            kind: components["schemas"]["QuestionKind"];
            options: components["schemas"]["OptionOut"][];
            path: string;
            /** @description what the model wrote about it */
            reason: string;
            /** @description the command, the address or the plan */
            subject: string;
            /** @description the agent's own question */
            title: string;
        };
        ReceiptOut: {
            /**
             * @description what the agent changed in the text, such as: tabs became spaces
             * @default
             */
            altered: string;
            attempts: number;
            /**
             * @description what the agent took it for: prompt, command (a slash command), or answer
             * @default prompt
             */
            became: string;
            /**
             * @description who says that it was submitted: hook, journal, screen; empty: no one
             * @default
             */
            confirmedBy: string;
            /**
             * @description whether the agent received exactly the text that was sent; null: unknown
             * @default null
             */
            exact: boolean | null;
            id: string;
            ms: number;
            pasted: boolean;
            submitted: boolean;
            /**
             * @description the turn that it began, for `wait_for`; empty: none
             * @default
             */
            turn: string;
            turnStarted: boolean;
        };
        RecordingOut: {
            by: string;
            columns: number;
            /** @description seconds; for a running recording, until now */
            duration: number;
            endedAt: string | null;
            key: string;
            paneId: string;
            /** @description why it ended before it was stopped */
            problem: string;
            project: string;
            rows: number;
            session: string;
            /** @description bytes */
            size: number;
            /** Format: date-time */
            startedAt: string;
            state: components["schemas"]["RecordingState"];
            title: string;
            version: number;
            /** @description the key of its window, unless that was deleted */
            window: string | null;
            windowId: string;
            windowName: string;
        };
        RecordingsOut: {
            /**
             * @default true
             * @constant
             */
            ok: true;
            /** @description the running ones */
            recordings: components["schemas"]["RecordingOut"][];
        };
        /** @enum {string} */
        RecordingState: "recording" | "done" | "broken";
        RecordingsUpdated: {
            /** @description the keys of deleted ones */
            gone: string[];
            recordings: components["schemas"]["RecordingOut"][];
            /**
             * @default recordings-updated
             * @constant
             */
            type: "recordings-updated";
        };
        Requests: {
            "answer-agent": components["schemas"]["AnswerRequest"];
            hello: components["schemas"]["Hello"];
            "list-agents": components["schemas"]["AgentQuery"];
            "list-windows": components["schemas"]["SocketRequest"];
            ping: components["schemas"]["SocketRequest"];
            "send-prompt": components["schemas"]["PromptRequest"];
            "subscribe-agents": components["schemas"]["AgentQuery"];
            "subscribe-chat": components["schemas"]["ChatRequest"];
            "subscribe-notes": components["schemas"]["NotesRequest"];
            "subscribe-output": components["schemas"]["OutputRequest"];
            "subscribe-recordings": components["schemas"]["SocketRequest"];
            "subscribe-windows": components["schemas"]["SocketRequest"];
            "subscribe-workspace": components["schemas"]["SocketRequest"];
            "unsubscribe-agents": components["schemas"]["SocketRequest"];
            "unsubscribe-chat": components["schemas"]["ChatRequest"];
            "unsubscribe-notes": components["schemas"]["NotesRequest"];
            "unsubscribe-output": components["schemas"]["OutputName"];
            "unsubscribe-recordings": components["schemas"]["SocketRequest"];
            "unsubscribe-windows": components["schemas"]["SocketRequest"];
            "unsubscribe-workspace": components["schemas"]["SocketRequest"];
        };
        Responses: {
            "answer-agent": components["schemas"]["PromptDelivered"];
            hello: components["schemas"]["HelloOut"];
            "list-agents": components["schemas"]["ListedAgentsOut"];
            "list-windows": components["schemas"]["SubscribedWindowsOut"];
            ping: components["schemas"]["SocketAnswer"];
            "send-prompt": components["schemas"]["PromptDelivered"];
            "subscribe-agents": components["schemas"]["SubscribedAgentsOut"];
            "subscribe-chat": components["schemas"]["SubscribedChatOut"];
            "subscribe-notes": components["schemas"]["SubscribedNotesOut"];
            "subscribe-output": components["schemas"]["OutputOut"];
            "subscribe-recordings": components["schemas"]["RecordingsOut"];
            "subscribe-windows": components["schemas"]["SubscribedWindowsOut"];
            "subscribe-workspace": components["schemas"]["WorkspaceOut"];
            "unsubscribe-agents": components["schemas"]["SocketAnswer"];
            "unsubscribe-chat": components["schemas"]["SocketAnswer"];
            "unsubscribe-notes": components["schemas"]["SocketAnswer"];
            "unsubscribe-output": components["schemas"]["SocketAnswer"];
            "unsubscribe-recordings": components["schemas"]["SocketAnswer"];
            "unsubscribe-windows": components["schemas"]["SocketAnswer"];
            "unsubscribe-workspace": components["schemas"]["SocketAnswer"];
        };
        ShownPaneOut: {
            active: boolean;
            alternate: boolean;
            command: string;
            dead: boolean;
            deadSignal: number;
            deadStatus: number;
            height: number;
            inMode: boolean;
            left: number;
            paneId: string;
            paneIndex: number;
            path: string;
            title: string;
            top: number;
            width: number;
        };
        /** @description `layout`: tmux's layout string. `activity`: when it last printed, in seconds since 1970. */
        ShownWindowOut: {
            active: boolean;
            activity: number;
            attached: number;
            bell: boolean;
            layout: string;
            panes: components["schemas"]["ShownPaneOut"][];
            session: string;
            sessionId: string;
            windowId: string;
            windowIndex: number;
            windowName: string;
            zoomed: boolean;
        };
        /** @description The response to a request that succeeded. */
        SocketAnswer: {
            /**
             * @default true
             * @constant
             */
            ok: true;
        };
        SocketEvent: components["schemas"]["OutputAway"] | components["schemas"]["OutputEnded"] | components["schemas"]["RecordingsUpdated"] | components["schemas"]["SocketFailed"] | components["schemas"]["WindowsUpdated"] | components["schemas"]["WorkspaceUpdated"] | components["schemas"]["AgentAdded"] | components["schemas"]["AgentUpdated"] | components["schemas"]["AgentRemoved"] | components["schemas"]["AgentsCount"] | components["schemas"]["ChatAdded"] | components["schemas"]["MessagesChanged"] | components["schemas"]["NotesUpdated"];
        /** @description The error of a binary frame, or of a message that is no request. */
        SocketFailed: {
            error: string;
            /**
             * @default false
             * @constant
             */
            ok: false;
            /**
             * @default error
             * @constant
             */
            type: "error";
        };
        /**
         * @description A request of the socket; `type` and `id` come from the exchange. Used for documentation and
         *     for the types of the page: the handlers in each app's ws.py read the fields themselves.
         */
        SocketRequest: Record<string, never>;
        /** @enum {string} */
        Status: "NS" | "WIP" | "BL" | "CM";
        SubscribedAgentsOut: {
            agents: components["schemas"]["AgentOut"][];
            /**
             * @default true
             * @constant
             */
            ok: true;
            /** @description also those that the filter hides */
            totalAgents: number;
        };
        /** @description The newest page of a window's chat. */
        SubscribedChatOut: {
            /** @description there are older records: pass the smallest ts as `before` */
            hasMore: boolean;
            messages: components["schemas"]["ChatRecordOut"][];
            /**
             * @default true
             * @constant
             */
            ok: true;
            window: components["schemas"]["WindowOut"];
        };
        SubscribedNotesOut: {
            /** @description absent in a subscription to all notes */
            notes?: components["schemas"]["NotesOut"];
            /**
             * @default true
             * @constant
             */
            ok: true;
        };
        SubscribedWindowsOut: {
            /**
             * @default true
             * @constant
             */
            ok: true;
            windows: components["schemas"]["WindowOut"][];
        };
        /** @description A plain dictionary, because each change of a long list creates a thousand of them. */
        TaskOut: {
            description?: string;
            index: number;
            key: string;
            status: components["schemas"]["Status"];
            text: string;
        };
        WindowOut: {
            active: boolean;
            alive: boolean;
            /** Format: date-time */
            createdAt: string;
            /** @description stays the same when tmux is restarted */
            key: string;
            /** Format: date-time */
            lastSeenAt: string;
            /** @description shown at the top of the page's list of windows */
            pinned: boolean;
            project: string;
            session: string;
            version: number;
            windowId: string;
            windowIndex: number;
            windowName: string;
        };
        WindowsUpdated: {
            projects: components["schemas"]["ProjectOut"][];
            /**
             * @default windows-updated
             * @constant
             */
            type: "windows-updated";
            windows: components["schemas"]["WindowOut"][];
        };
        /** @enum {string} */
        Witness: "hook" | "journal" | "screen" | "process";
        WorkspaceOut: {
            /**
             * @default true
             * @constant
             */
            ok: true;
            /** @description why tmux is not available; then there are no windows */
            problem: string;
            /** @description how a shell on this machine runs tmux with this socket */
            tmuxCommand: string;
            windows: components["schemas"]["ShownWindowOut"][];
        };
        WorkspaceUpdated: {
            gone: string[];
            problem: string;
            /**
             * @default workspace-updated
             * @constant
             */
            type: "workspace-updated";
            windows: components["schemas"]["ShownWindowOut"][];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type AgentAdded = components['schemas']['AgentAdded'];
export type AgentOut = components['schemas']['AgentOut'];
export type AgentQuery = components['schemas']['AgentQuery'];
export type AgentRemoved = components['schemas']['AgentRemoved'];
export type AgentsCount = components['schemas']['AgentsCount'];
export type AgentState = components['schemas']['AgentState'];
export type AgentUpdated = components['schemas']['AgentUpdated'];
export type AnswerRequest = components['schemas']['AnswerRequest'];
export type CardOut = components['schemas']['CardOut'];
export type ChatAdded = components['schemas']['ChatAdded'];
export type ChatRecordOut = components['schemas']['ChatRecordOut'];
export type ChatRequest = components['schemas']['ChatRequest'];
export type HandedOut = components['schemas']['HandedOut'];
export type HandedReceipt = components['schemas']['HandedReceipt'];
export type Hello = components['schemas']['Hello'];
export type HelloOut = components['schemas']['HelloOut'];
export type ListedAgentsOut = components['schemas']['ListedAgentsOut'];
export type MessagesChanged = components['schemas']['MessagesChanged'];
export type NoteSource = components['schemas']['NoteSource'];
export type NotesOut = components['schemas']['NotesOut'];
export type NotesRequest = components['schemas']['NotesRequest'];
export type NotesUpdated = components['schemas']['NotesUpdated'];
export type NotionOut = components['schemas']['NotionOut'];
export type OptionOut = components['schemas']['OptionOut'];
export type OutputAway = components['schemas']['OutputAway'];
export type OutputEnded = components['schemas']['OutputEnded'];
export type OutputName = components['schemas']['OutputName'];
export type OutputOut = components['schemas']['OutputOut'];
export type OutputRequest = components['schemas']['OutputRequest'];
export type ProjectOut = components['schemas']['ProjectOut'];
export type PromptDelivered = components['schemas']['PromptDelivered'];
export type PromptRequest = components['schemas']['PromptRequest'];
export type QuestionKind = components['schemas']['QuestionKind'];
export type QuestionOut = components['schemas']['QuestionOut'];
export type ReceiptOut = components['schemas']['ReceiptOut'];
export type RecordingOut = components['schemas']['RecordingOut'];
export type RecordingsOut = components['schemas']['RecordingsOut'];
export type RecordingState = components['schemas']['RecordingState'];
export type RecordingsUpdated = components['schemas']['RecordingsUpdated'];
export type Requests = components['schemas']['Requests'];
export type Responses = components['schemas']['Responses'];
export type ShownPaneOut = components['schemas']['ShownPaneOut'];
export type ShownWindowOut = components['schemas']['ShownWindowOut'];
export type SocketAnswer = components['schemas']['SocketAnswer'];
export type SocketEvent = components['schemas']['SocketEvent'];
export type SocketFailed = components['schemas']['SocketFailed'];
export type SocketRequest = components['schemas']['SocketRequest'];
export type Status = components['schemas']['Status'];
export type SubscribedAgentsOut = components['schemas']['SubscribedAgentsOut'];
export type SubscribedChatOut = components['schemas']['SubscribedChatOut'];
export type SubscribedNotesOut = components['schemas']['SubscribedNotesOut'];
export type SubscribedWindowsOut = components['schemas']['SubscribedWindowsOut'];
export type TaskOut = components['schemas']['TaskOut'];
export type WindowOut = components['schemas']['WindowOut'];
export type WindowsUpdated = components['schemas']['WindowsUpdated'];
export type Witness = components['schemas']['Witness'];
export type WorkspaceOut = components['schemas']['WorkspaceOut'];
export type WorkspaceUpdated = components['schemas']['WorkspaceUpdated'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
