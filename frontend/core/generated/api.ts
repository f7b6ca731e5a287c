// Generated from the schemas of the server by `make wire-types`. Do not edit.
export interface paths {
    "/api/{owners}/{owner}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Notes
         * @description Returns the Markdown text, its tasks and the board.
         */
        get: operations["read_notes"];
        /**
         * Write Notes
         * @description Replaces the whole text. Refused while the source is Notion.
         */
        put: operations["write_notes"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/{owners}/{owner}/notion/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Link Notion Page
         * @description Links a page that is shared with the integration. Does not change the source.
         */
        post: operations["link_notion_page"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/{owners}/{owner}/notion/page": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create Notion Page
         * @description Creates a page with the current notes and links it.
         */
        post: operations["create_notion_page"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/{owners}/{owner}/notion/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sync Notes
         * @description Reads the page now instead of within a minute.
         */
        post: operations["sync_notes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/{owners}/{owner}/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Tasks
         * @description `status` filters the list of tasks; the board is always complete.
         */
        get: operations["list_tasks"];
        put?: never;
        /**
         * Update Task
         * @description Changes one task in place. Indexes shift: pass `expectedVersion` or `expectedText`.
         */
        post: operations["update_task"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/{owners}/{owner}/tasks/{key}/handed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Hand Task
         * @description Sets the task to WIP and links it to a window. The prompt is a separate request.
         */
        put: operations["hand_task"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Judge Task
         * @description Accepts the work of the window, which sets the task to CM, or declines it.
         */
        patch: operations["judge_task"];
        trace?: never;
    };
    "/api/{owners}/{owner}/tasks/{key}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Task History
         * @description Who changed this task, when and how; newest first.
         */
        get: operations["task_history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Agents
         * @description The agents that run now, by name.
         */
        get: operations["list_agents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Agent
         * @description One agent, with the memory and CPU time of its processes.
         */
        get: operations["get_agent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{name}/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer Agent
         * @description Answer the question that an agent is waiting with.
         */
        post: operations["answer_agent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{name}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain Agent
         * @description What hook, journal, screen and process say about it, and who decided its state.
         */
        get: operations["explain_agent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{name}/prompt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send Prompt
         * @description Type a prompt and submit it. The receipt says what the screen showed of that.
         */
        post: operations["send_prompt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/{name}/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run Prompt
         * @description Send a prompt, wait until its turn has ended or asks something, and return the reply.
         */
        post: operations["run_prompt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/agents/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start Agent
         * @description Start an agent in a new window, with hooks for this launch only, and send its first prompt.
         *     Nothing is answered for it: if it asks something first, the prompt is not sent.
         */
        post: operations["start_agent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search Chat
         * @description Search the chat of all windows for words, "phrases" and prefixes (`wor*`), newest first.
         */
        get: operations["search_chat"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/connect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe Connection
         * @description How to connect an MCP client; `tools`: only these sets, such as workspace,notes.
         */
        get: operations["describe_connection"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/directories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Complete Directory
         * @description The directories whose path begins with `prefix`. Needs the scope to start sessions.
         */
        get: operations["complete_directory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Hooks Status
         * @description For each runtime, whether its hooks are installed, and in which files.
         */
        get: operations["hooks_status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hooks/install": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Install Hooks
         * @description Add hooks to the settings of agents. Other hooks and settings are kept.
         */
        post: operations["install_hooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/hooks/uninstall": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Uninstall Hooks
         * @description Remove the hooks. Files that were not changed since are restored byte by byte.
         */
        post: operations["uninstall_hooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/local/{owners}/{owner}/source": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set Source
         * @description To `notion`: the lines of both sides are written to the linked page, which is authoritative
         *     from then on. To `local`: the last copy stays and can be edited.
         */
        patch: operations["set_source"];
        trace?: never;
    };
    "/api/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Notes
         * @description All notes with tasks, without those of closed windows.
         */
        get: operations["list_notes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/notion": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Notion Status
         * @description Whether a token is configured, and what to do if not. Sends no request to Notion.
         */
        get: operations["notion_status"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/panes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Panes
         * @description All panes, or those of a session or window: `work`, `work:2`, `@7`, or a window's key.
         */
        get: operations["list_panes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/panes/{pane}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Kill Pane
         * @description End a pane. A window ends with its last pane.
         */
        delete: operations["kill_pane"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/panes/{pane}/capture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Capture
         * @description The text on the screen, or of the given lines.
         */
        get: operations["capture"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/panes/{pane}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send Keys
         * @description Press keys by their tmux names.
         */
        post: operations["send_keys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/panes/{pane}/log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Log
         * @description The last lines of a pane's log.
         */
        get: operations["read_log"];
        put?: never;
        /**
         * Start Log
         * @description Log everything that the pane prints from now on. Continues while webtmux is stopped.
         */
        post: operations["start_log"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/panes/{pane}/log/bytes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream Log
         * @description A part of a pane's log from a byte offset. Offsets stay valid as long as the log exists.
         */
        get: operations["stream_log"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/panes/{pane}/recording": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start Recording
         * @description Record a pane from now on, starting with its screen. Continues while webtmux is stopped.
         */
        post: operations["start_recording"];
        /**
         * Stop Recording
         * @description Stop recording a pane. The recording is kept; the pane is not touched.
         */
        delete: operations["stop_recording"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/panes/{pane}/resize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resize Pane
         * @description Resize a pane to a width or height in cells, or by an amount in a direction.
         */
        post: operations["resize_pane"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/panes/{pane}/restart": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restart Pane
         * @description Start the program of a pane again, after it has ended.
         */
        post: operations["restart_pane"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/panes/{pane}/select": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Select Pane */
        post: operations["select_pane"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/panes/{pane}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send Text
         * @description Type text. Enter is pressed only with `submit`. Without it nothing is executed: control
         *     characters are refused, and so are line breaks and tabs that the program would take as keys.
         */
        post: operations["send_text"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/panes/{pane}/split": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Split Pane
         * @description Split a pane into two, side by side or one above the other. Returns the new pane.
         */
        post: operations["split_pane"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/panes/{pane}/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit
         * @description Press Enter.
         */
        post: operations["submit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/panes/{pane}/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Save Upload
         * @description Save a file near a pane, as a drop on its terminal does, but type nothing.
         */
        post: operations["save_upload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/panes/{pane}/zoom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Zoom Pane
         * @description Toggle whether a pane fills its window.
         */
        post: operations["zoom_pane"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Projects
         * @description All projects, including those whose session is gone.
         */
        get: operations["list_projects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/projects/{project}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename Project
         * @description Rename a project. Its session keeps its name.
         */
        patch: operations["rename_project"];
        trace?: never;
    };
    "/api/projects/{project}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Timeline
         * @description Prompts, turns, changes of tasks, calls of tools and attachments, newest first.
         */
        get: operations["read_timeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/recordings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Recordings
         * @description Newest first. Optionally of a window (its key) or a project (its name).
         */
        get: operations["list_recordings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/recordings/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get Recording */
        get: operations["get_recording"];
        put?: never;
        post?: never;
        /**
         * Delete Recording
         * @description Delete a recording with its file and shares. A running recording is stopped first.
         */
        delete: operations["delete_recording"];
        options?: never;
        head?: never;
        /** Rename Recording */
        patch: operations["rename_recording"];
        trace?: never;
    };
    "/api/recordings/{key}/cast": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download Recording
         * @description As asciicast v2. A running recording is sent as far as it is written.
         */
        get: operations["download_recording"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/recordings/{key}/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search Recording
         * @description Where a text was printed, with the time in seconds from the start.
         */
        get: operations["search_recording"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/recordings/{key}/shares": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List Shares */
        get: operations["list_shares"];
        put?: never;
        /**
         * Share Recording
         * @description Create a secret link. Everyone who has it can see this recording and nothing else.
         */
        post: operations["share_recording"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/recordings/{key}/shares/{share}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke Share
         * @description Revoke a share. Its link stops working.
         */
        delete: operations["revoke_share"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/runtimes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Runtimes
         * @description The kinds of agents that can be started, installed ones first. Needs the scope to start.
         */
        get: operations["list_runtimes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Sessions
         * @description The current sessions of tmux.
         */
        get: operations["list_sessions"];
        put?: never;
        /**
         * Create Session
         * @description Start a session, and tmux itself if it is not running.
         */
        post: operations["create_session"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sessions/{session}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Kill Session
         * @description End a session and its windows. Its project and notes are kept.
         */
        delete: operations["kill_session"];
        options?: never;
        head?: never;
        /**
         * Rename Session
         * @description Rename a session. Its project stays the same.
         */
        patch: operations["rename_session"];
        trace?: never;
    };
    "/api/sessions/{session}/windows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create Window
         * @description Open a window in a session, given by its name or its id ($1).
         */
        post: operations["create_window"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sign-in-links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create Sign In Link
         * @description An address with a one-time code that signs another browser in as the same user.
         */
        post: operations["create_sign_in_link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search Tasks
         * @description Searches the tasks of all projects and windows, the last changed first.
         */
        get: operations["search_tasks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Project Usage
         * @description The same for all windows of a project.
         */
        get: operations["read_project_usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/voice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Describe Voice
         * @description Whether speech can be transcribed, and if not, which setting is missing.
         */
        get: operations["describe_voice"];
        put?: never;
        /**
         * Transcribe
         * @description The text of a recording of up to 10 MB. Only the configured server receives it.
         */
        post: operations["transcribe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/windows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Windows
         * @description All windows, or those of a session. With `gone`, also windows that have ended.
         */
        get: operations["list_windows"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/windows/{window}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get Window
         * @description A window by its key, which survives a restart of tmux, or by its id (@1).
         */
        get: operations["get_window"];
        put?: never;
        post?: never;
        /**
         * Kill Window
         * @description End a window and the programs in it.
         */
        delete: operations["kill_window"];
        options?: never;
        head?: never;
        /**
         * Rename Window
         * @description Rename a window. Afterwards tmux no longer renames it automatically.
         */
        patch: operations["rename_window"];
        trace?: never;
    };
    "/api/windows/{window}/chat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Chat History
         * @description Every line that was submitted to a window, and every recorded capture of its output.
         */
        get: operations["read_chat_history"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/windows/{window}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Chat Messages
         * @description The same as a conversation: from the journal of the agent, else from the screen.
         */
        get: operations["read_chat_messages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/windows/{window}/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move Window
         * @description Move a window before or after another window of its session. Changes tmux's own order.
         */
        post: operations["move_window"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/windows/{window}/pin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pin Window
         * @description Pin a window to the top of the list of windows on every page, or unpin it.
         */
        post: operations["pin_window"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/windows/{window}/recording": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Record Window
         * @description Record every current pane of a window, or none if one of them cannot be recorded.
         */
        post: operations["record_window"];
        /** Stop Window */
        delete: operations["stop_window"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/windows/{window}/select": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Select Window
         * @description Show a window in the terminal that was used last.
         */
        post: operations["select_window"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/windows/{window}/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Summarize Window
         * @description What happened in a window, in bullets. `by` says who wrote them.
         */
        get: operations["summarize_window"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/windows/{window}/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Usage
         * @description Tokens and cost of the conversations in a window, as far as the agents' journals say them.
         */
        get: operations["read_usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AgentDetailOut: {
            /** @description whether a user's terminal shows its session */
            attached: boolean;
            cpuSeconds: number | null;
            /** @description who decided the state */
            decidedBy: components["schemas"]["Witness"];
            /** @description whether the witnesses contradict each other */
            disputed: boolean;
            /** @description including the processes that it started */
            memoryBytes: number | null;
            name: string;
            /** @description of its question */
            options: components["schemas"]["OptionOut"][];
            paneId: string;
            pid: number;
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
        /** @enum {string} */
        AgentState: "working" | "waiting" | "idle" | "unknown";
        CaptureOut: {
            lines: number;
            paneId: string;
            text: string;
        };
        CaptureQuery: {
            end?: number | null;
            /**
             * @description include colours
             * @default false
             */
            escapes?: boolean;
            /**
             * @description from the oldest line that tmux keeps
             * @default false
             */
            history?: boolean;
            /**
             * @description join wrapped lines
             * @default false
             */
            join?: boolean;
            /** @description number of lines: from `start`, else the last with text */
            lines?: number | null;
            /** @description 0 is the top of the screen, -1 the line above it */
            start?: number | null;
        };
        CardOut: {
            index: number;
            text: string;
        };
        ChatFoundOut: {
            hasMore: boolean;
            items: components["schemas"]["FoundOut"][];
        };
        ChatPageOut: {
            /** @description there are older records: pass the smallest ts as `before` */
            hasMore: boolean;
            /**
             * @description set only with `after` and `around`
             * @default false
             */
            hasNewer: boolean;
            messages: components["schemas"]["ChatRecordOut"][];
            window: components["schemas"]["WindowOut"];
        };
        ChatPlace: {
            /** @description the next records after this ts */
            after?: number | null;
            /** @description half of the records before this ts, half after it */
            around?: number | null;
            /** @description only records before this ts */
            before?: number | null;
            /** @default 50 */
            limit?: number;
            /** @description only records from this ts on */
            since?: number | null;
        };
        ChatQuery: {
            /** @description only records before this ts */
            before?: number | null;
            /** @default 50 */
            limit?: number;
            /** @default 0 */
            offset?: number;
            /** @description words, "phrases", the beginning of a wor* */
            q: string;
            /**
             * @default
             * @enum {string}
             */
            role?: "" | "user" | "assistant";
            /** @description only records from this ts on */
            since?: number | null;
            /**
             * @description the window's key or tmux id
             * @default
             */
            window?: string;
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
        /** @description Without names: to install, the agents that have settings; to uninstall, all. */
        ChosenRuntimes: {
            runtimes?: string[];
        };
        ConnectOut: {
            needsToken: boolean;
            snippets: components["schemas"]["SnippetOut"][];
            toolSets: string[];
            url: string;
        };
        /** @description `ok` only if the screen shows that it was submitted; otherwise `error` says what it shows. */
        DeliveredOut: {
            /** @default  */
            error: string;
            ok: boolean;
            receipt: components["schemas"]["ReceiptOut"];
        };
        DirectoriesOut: {
            /** @description the directory that relative paths are relative to */
            base: string;
            /** @description written like `prefix`, with a `/` at the end */
            directories: string[];
            truncated: boolean;
        };
        DirectoriesQuery: {
            /**
             * @description what the user has typed so far
             * @default
             */
            prefix?: string;
        };
        ErrorDetail: {
            code: string;
            /**
             * @description of the request; absent if it is not about one
             * @default null
             */
            field: string | null;
            message: string;
        };
        ErrorOut: {
            error: components["schemas"]["ErrorDetail"];
        };
        /** @enum {string} */
        EventKind: "session-started" | "session-ended" | "prompt-submitted" | "turn-started" | "turn-ended" | "turn-failed" | "tool-starting" | "tool-ended" | "permission-asked" | "permission-resolved";
        /** @description What a hook or a journal last reported; never its text. */
        EventOut: {
            ageSeconds: number;
            event: components["schemas"]["EventKind"];
            /** @description of the journal of the session, if it is known */
            path: string;
            session: string;
            /** @description what the events so far say together */
            state: components["schemas"]["AgentState"];
            tool: string;
        };
        /** @description What each witness says about an agent, and what is believed. */
        ExplainOut: {
            /** @description the reported state: a new state must last before it is reported */
            believed: components["schemas"]["AgentState"] | null;
            /** @description the text in the input box; null: no box is visible */
            composer: string | null;
            /** @description who decided the reported state */
            decidedBy: components["schemas"]["Witness"] | null;
            disputed: boolean;
            evidence: string;
            /** @description null: no hook has reported anything */
            hook: components["schemas"]["EventOut"] | null;
            journal: components["schemas"]["EventOut"] | null;
            options: components["schemas"]["OptionOut"][];
            process: components["schemas"]["ProcessOut"] | null;
            question: string;
            /** @description the reported question, with its subject */
            reportedQuestion: components["schemas"]["QuestionOut"] | null;
            rule: string;
            rules: components["schemas"]["RuleOut"][];
            runtime: string;
            screen: string[];
            /** @description what this screen shows */
            state: components["schemas"]["AgentState"];
        };
        FoundOut: {
            /** @description the key of the window */
            key: string;
            /** @enum {string} */
            role: "user" | "assistant";
            session: string;
            /**
             * @description `journal`: a message; `screen`: a submitted line or a screen
             * @default screen
             * @enum {string}
             */
            source: "journal" | "screen";
            text: string;
            /** @description ms since 1970, strictly increasing in a window */
            ts: number;
            /** @description tmux's id of the window, such as @7 */
            window: string;
        };
        /** @description A task in the results of a search over all projects. */
        FoundTaskOut: {
            changedAt: string;
            index: number;
            key: string;
            project: string;
            /** @enum {string} */
            scope: "project" | "window";
            session: string;
            source: components["schemas"]["NoteSource"];
            status: components["schemas"]["Status"];
            text: string;
            window: components["schemas"]["WindowOut"] | null;
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
            attempts?: number;
            id: string;
            /** @default 0 */
            ms?: number;
            /** @description the agent was seen starting to work */
            turnStarted: boolean;
        };
        HitOut: {
            after: string;
            before: string;
            match: string;
            time: number;
        };
        HitsOut: {
            /** @description false: there may be more, later in the recording */
            complete: boolean;
            hits: components["schemas"]["HitOut"][];
        };
        /** @description Whether agents that are started by hand report to webtmux. */
        HooksOut: {
            runtimes: components["schemas"]["RuntimeHooksOut"][];
        };
        /** @enum {string} */
        HookState: "installed" | "outdated" | "missing" | "failed";
        Keys: {
            /** @description tmux key names: Enter, C-c, M-Left … */
            keys: string[];
        };
        LogOut: {
            content: string;
            lines: number;
            paneId: string;
            truncated: boolean;
        };
        LogPieceOut: {
            chunk: string;
            eof: boolean;
            next: number;
            paneId: string;
            start: number;
            truncated: boolean;
        };
        LogRangeQuery: {
            /**
             * @description `next` of the previous response
             * @default 0
             */
            fromByte?: number;
            /** @default 65536 */
            maxBytes?: number;
            /** @default false */
            stripAnsi?: boolean;
        };
        LogTailQuery: {
            /**
             * @description number of last lines
             * @default 500
             */
            lines?: number;
            /**
             * @description remove colours and other escapes
             * @default false
             */
            stripAnsi?: boolean;
        };
        MarkerOut: {
            label: string;
            time: number;
        };
        MessageOut: {
            /**
             * @description the agent itself reported this text, by its journal or a hook
             * @default false
             */
            confirmed: boolean;
            /**
             * @description `tool`: a tool call; `answer`: to a dialog
             * @default text
             * @enum {string}
             */
            kind: "text" | "thinking" | "tool" | "answer";
            /** @enum {string} */
            role: "user" | "assistant";
            /**
             * @default screen
             * @enum {string}
             */
            source: "journal" | "hook" | "screen";
            text: string;
            tool: components["schemas"]["ToolCallOut"] | null;
            ts: number;
            /** @description of the reply of the model, on its first part */
            usage: components["schemas"]["UsageOut"] | null;
        };
        MessagePlace: {
            /** @description the next records after this ts */
            after?: number | null;
            /** @description half of the records before this ts, half after it */
            around?: number | null;
            /** @description only records before this ts */
            before?: number | null;
            /** @default 50 */
            limit?: number;
            /**
             * @description as the screen alone shows it, without journals
             * @default false
             */
            screen?: boolean;
            /** @description only records from this ts on */
            since?: number | null;
            /**
             * @description also what the model thought, where it is known
             * @default false
             */
            thinking?: boolean;
        };
        MessagesPageOut: {
            hasMore: boolean;
            /**
             * @description set only with `after` and `around`
             * @default false
             */
            hasNewer: boolean;
            messages: components["schemas"]["MessageOut"][];
            window: components["schemas"]["WindowOut"];
        };
        /** @description Exactly one of the two. */
        MoveWindow: {
            /** @default  */
            after?: string;
            /**
             * @description a window of the same session: its key or id (@1)
             * @default
             */
            before?: string;
        };
        NewAgent: {
            /** @description arguments for its program */
            args?: string[];
            /**
             * @description an existing directory; empty: that of the session, or the default one
             * @default
             */
            cwd?: string;
            /**
             * @description of the prompt, as for `POST /api/agents/NAME/prompt`
             * @default
             */
            key?: string;
            /**
             * @description of the window; empty: the name of the program
             * @default
             */
            name?: string;
            /**
             * @description sent when it is ready; Enter is implied
             * @default
             */
            prompt?: string;
            /** @description see `GET /api/runtimes` */
            runtime: string;
            /**
             * @description its name; created if there is none. Empty: named after the directory
             * @default
             */
            session?: string;
        };
        NewAnswer: {
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
        NewHanding: {
            /**
             * @description the name of the agent
             * @default
             */
            agent?: string;
            /**
             * @description refused with 409 if the task's text differs
             * @default
             */
            expectedText?: string;
            /** @description the receipt of the prompt, if one was sent */
            receipt?: components["schemas"]["HandedReceipt"] | null;
            /** @description the key or id of the window whose agent gets the task */
            window: string;
        };
        NewJudgement: {
            done: boolean;
        };
        NewLink: {
            /** @description the page's id, or its address in Notion */
            page: string;
        };
        NewName: {
            name: string;
        };
        NewNotes: {
            /** @description refused with 409 if the notes have a different version now */
            expectedVersion?: number | null;
            notes: string;
        };
        NewPage: {
            /**
             * @description the page to create it under; default: WEBTMUX_NOTION_PARENT
             * @default
             */
            parent?: string;
            /**
             * @description default: the name of the project or window
             * @default
             */
            title?: string;
        };
        NewPrompt: {
            /**
             * @description a retry with the same key within ten minutes is harmless
             * @default
             */
            key?: string;
            /** @description Enter is implied */
            prompt: string;
        };
        NewRecording: {
            /**
             * @description empty: named after the window and pane
             * @default
             */
            title?: string;
        };
        NewSession: {
            /**
             * @description one line, run by the user's login shell
             * @default
             */
            command?: string;
            /**
             * @description also ~, ~user, or relative to the work directory or home
             * @default
             */
            cwd?: string;
            /**
             * @description the pane stays when `command` has ended
             * @default true
             */
            keep?: boolean;
            name: string;
            /** @default  */
            windowName?: string;
        };
        NewSessionOut: {
            /** Format: date-time */
            activityAt: string;
            /** @description users' terminals; webtmux's own clients do not count */
            attached: number;
            /** Format: date-time */
            createdAt: string;
            group: string;
            paneId: string;
            path: string;
            project: string | null;
            session: string;
            sessionId: string;
            window: components["schemas"]["WindowOut"];
            windows: number;
        };
        NewShare: {
            /** @default 24 */
            hours?: number;
        };
        NewShareOut: {
            by: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            key: string;
            /** @description the link below this server's address; shown only once */
            path: string;
        };
        NewSource: {
            source: components["schemas"]["NoteSource"];
        };
        NewTitle: {
            title: string;
        };
        NewWindow: {
            /**
             * @description do not make it the session's active window
             * @default false
             */
            background?: boolean;
            /**
             * @description one line, run by the user's login shell
             * @default
             */
            command?: string;
            /**
             * @description also ~, ~user, or relative to the work directory or home
             * @default
             */
            cwd?: string;
            /**
             * @description the pane stays when `command` has ended
             * @default true
             */
            keep?: boolean;
            /** @default  */
            name?: string;
        };
        NewWindowOut: {
            active: boolean;
            alive: boolean;
            /** Format: date-time */
            createdAt: string;
            /** @description stays the same when tmux is restarted */
            key: string;
            /** Format: date-time */
            lastSeenAt: string;
            paneId: string;
            /** @description shown at the top of the page's list of windows */
            pinned: boolean;
            project: string;
            session: string;
            version: number;
            windowId: string;
            windowIndex: number;
            windowName: string;
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
        NotionStatusOut: {
            available: boolean;
            /** @description what is missing and what to do; empty if it is available */
            reason: string;
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
        Page_AgentOut_: {
            count: number;
            items: components["schemas"]["AgentOut"][];
            limit: number;
            offset: number;
        };
        Page_FoundTaskOut_: {
            count: number;
            items: components["schemas"]["FoundTaskOut"][];
            limit: number;
            offset: number;
        };
        Page_NotesOut_: {
            count: number;
            items: components["schemas"]["NotesOut"][];
            limit: number;
            offset: number;
        };
        Page_PaneOut_: {
            count: number;
            items: components["schemas"]["PaneOut"][];
            limit: number;
            offset: number;
        };
        Page_ProjectOut_: {
            count: number;
            items: components["schemas"]["ProjectOut"][];
            limit: number;
            offset: number;
        };
        Page_RecordingOut_: {
            count: number;
            items: components["schemas"]["RecordingOut"][];
            limit: number;
            offset: number;
        };
        Page_SessionOut_: {
            count: number;
            items: components["schemas"]["SessionOut"][];
            limit: number;
            offset: number;
        };
        Page_TaskHistoryOut_: {
            count: number;
            items: components["schemas"]["TaskHistoryOut"][];
            limit: number;
            offset: number;
        };
        Page_WindowOut_: {
            count: number;
            items: components["schemas"]["WindowOut"][];
            limit: number;
            offset: number;
        };
        /** @description The query parameters of every paginated list. */
        Paging: {
            /** @default 100 */
            limit?: number;
            /** @default 0 */
            offset?: number;
        };
        PaneOut: {
            active: boolean;
            alternate: boolean;
            command: string;
            dead: boolean;
            /** @description the signal that ended its program, or 0 */
            deadSignal: number;
            /** @description exit status of its program, if `dead` */
            deadStatus: number;
            height: number;
            historyLines: number;
            inMode: boolean;
            left: number;
            paneId: string;
            paneIndex: number;
            path: string;
            pid: number;
            piped: boolean;
            session: string;
            sessionId: string;
            title: string;
            top: number;
            tty: string;
            width: number;
            windowId: string;
            windowIndex: number;
        };
        PinWindow: {
            pinned: boolean;
        };
        ProcessOut: {
            /** @description whether it reads the keys of its terminal */
            foreground: boolean;
            pid: number;
            stopped: boolean;
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
        PromptRun: {
            /**
             * @description a retry with the same key within ten minutes is harmless
             * @default
             */
            key?: string;
            /** @description Enter is implied */
            prompt: string;
            /**
             * @description wait at most so long
             * @default 300
             */
            seconds?: number;
        };
        /** @description The receipt of a prompt, and how its turn ended. */
        PromptRunOut: {
            /** @description ended, waiting (it asks something), failed, agent_ended, time_out; empty: the prompt was not submitted */
            end: string;
            /** @default  */
            error: string;
            /** @description from the call to the end of the turn */
            ms: number;
            ok: boolean;
            receipt: components["schemas"]["ReceiptOut"];
            /** @description the reply, or why the turn failed */
            text: string;
            /** @description who says so: hook, journal, screen; empty: no text */
            textFrom: string;
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
            /** @description whether the agent received exactly the text that was sent; null: unknown */
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
        RecordingDetailOut: {
            by: string;
            columns: number;
            /** @description seconds; for a running recording, until now */
            duration: number;
            endedAt: string | null;
            key: string;
            markers: components["schemas"]["MarkerOut"][];
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
        /** @enum {string} */
        RecordingState: "recording" | "done" | "broken";
        /** @description A sheet as it is stored. */
        RecordOut: {
            /** @description by the task's key */
            handed: {
                [key: string]: components["schemas"]["HandedOut"];
            };
            notes: string;
            notion: components["schemas"]["NotionOut"] | null;
            notionPageId: string | null;
            project: string;
            /** @enum {string} */
            scope: "project" | "window";
            session: string;
            source: components["schemas"]["NoteSource"];
            updatedAt: string | null;
            version: number;
            window: components["schemas"]["WindowOut"] | null;
        };
        Resize: {
            /** @default 5 */
            amount?: number;
            direction?: ("up" | "down" | "left" | "right") | null;
            height?: number | null;
            width?: number | null;
        };
        RuleOut: {
            /** @description the line that it matched; null: it did not match */
            evidence: string | null;
            name: string;
            pattern: string;
            priority: number;
            region: string;
            state: components["schemas"]["AgentState"];
        };
        RuntimeHooksOut: {
            files: string[];
            problem: string;
            runtime: string;
            state: components["schemas"]["HookState"];
        };
        /** @description A kind of agent that webtmux knows. */
        RuntimeOut: {
            /** @description a command that installs it */
            install: string;
            /** @description the path of its program; empty if it is not installed */
            program: string;
            runtime: string;
            /** @description the name of the product */
            title: string;
        };
        Send: {
            /**
             * @description press Enter afterwards
             * @default false
             */
            submit?: boolean;
            text: string;
        };
        SentOut: {
            paneId: string;
            /** @enum {string} */
            status: "typed" | "sent" | "entered" | "pressed";
            submitted: boolean;
            windowId: string;
        };
        SessionOut: {
            /** Format: date-time */
            activityAt: string;
            /** @description users' terminals; webtmux's own clients do not count */
            attached: number;
            /** Format: date-time */
            createdAt: string;
            group: string;
            path: string;
            project: string | null;
            session: string;
            sessionId: string;
            windows: number;
        };
        ShareOut: {
            by: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            expiresAt: string;
            key: string;
        };
        SignInLinkOut: {
            address: string;
            image: string;
            minutes: number;
        };
        SnippetOut: {
            client: string;
            note: string;
            text: string;
            where: string;
        };
        Split: {
            /** @default  */
            command?: string;
            /** @default  */
            cwd?: string;
            /**
             * @description a horizontal divider: one pane above the other
             * @default false
             */
            horizontal?: boolean;
            /**
             * @description in cells, or a percentage such as 50%
             * @default
             */
            size?: string;
        };
        /**
         * @description `ok` only if it runs and its first prompt, if any, was submitted. `error` says what
         *     happened; its window stays, also if its program has ended.
         */
        StartedAgentOut: {
            /** @description null: it has ended, or was not detected */
            agent: components["schemas"]["AgentOut"] | null;
            error: string;
            ok: boolean;
            /** @description of a program that has ended */
            output: string;
            paneId: string;
            /** @description of the first prompt; null: none was sent */
            receipt: components["schemas"]["ReceiptOut"] | null;
            window: components["schemas"]["WindowOut"];
        };
        /** @enum {string} */
        Status: "NS" | "WIP" | "BL" | "CM";
        SummaryOut: {
            /**
             * @description `model`: written by a language model; `extract`: quotations and counts
             * @enum {string}
             */
            by: "model" | "extract";
            /** @default  */
            model: string;
            summary: string[];
            window: components["schemas"]["WindowOut"];
        };
        /**
         * @description The arguments that an action needs: add `text`, set_status `index` and `status`, set_text
         *     `index` and `text`, set_description `index` and `text` (several lines; an empty one removes it),
         *     remove `index`, move `index` and `toIndex`. add also accepts `toIndex`, and move also `status`:
         *     a card that is dropped changes its place and column at once.
         */
        TaskChange: {
            /** @enum {string} */
            action: "add" | "set_status" | "set_text" | "set_description" | "remove" | "move";
            /**
             * @description refused with 409 if the task at `index` differs
             * @default
             */
            expectedText?: string;
            expectedVersion?: number | null;
            index?: number | null;
            status?: components["schemas"]["Status"] | null;
            /** @default  */
            text?: string;
            toIndex?: number | null;
        };
        /**
         * @description `before` and `after` are statuses or texts. `handed`: `after` names the window. `judged`:
         *     `after` is `done` or `not yet done`. `changed`: an older entry without details.
         */
        TaskDifference: {
            after: string;
            before: string;
            /** @enum {string} */
            kind: "added" | "status" | "text" | "description" | "handed" | "judged" | "changed";
        };
        TaskFilter: {
            /** @default  */
            project?: string;
            /**
             * @description words that must all occur in the task
             * @default
             */
            q?: string;
            source?: components["schemas"]["NoteSource"] | null;
            status?: components["schemas"]["Status"] | null;
        };
        /** @description One change of a task. */
        TaskHistoryOut: {
            action: string;
            at: string;
            /** @description a name for people, such as `You (browser)` */
            by: string;
            changes: components["schemas"]["TaskDifference"][];
        };
        /** @description A plain dictionary, because each change of a long list creates a thousand of them. */
        TaskOut: {
            description?: string;
            index: number;
            key: string;
            status: components["schemas"]["Status"];
            text: string;
        };
        TasksOut: {
            kanban: {
                [key: string]: components["schemas"]["CardOut"][];
            };
            /** @enum {string} */
            scope: "project" | "window";
            session: string;
            /**
             * @default {
             *       "NS": "Not started",
             *       "WIP": "In progress",
             *       "BL": "Blocked",
             *       "CM": "Completed"
             *     }
             */
            statusLabels: {
                [key: string]: string;
            };
            tasks: components["schemas"]["TaskOut"][];
            version: number;
            window: components["schemas"]["WindowOut"] | null;
        };
        TimelineItemOut: {
            /** @description the tool that was called, or what was done to the notes */
            action: string;
            /** @description who did it; empty: a user at a local terminal */
            by: string;
            detail: string;
            /** @description its position in the list: pass the last one as `before` */
            key: string;
            kind: components["schemas"]["TimelineKind"];
            text: string;
            /** @description ms since 1970 */
            ts: number;
            /** @description the key of the window it happened in */
            window: string | null;
            windowName: string;
        };
        /** @enum {string} */
        TimelineKind: "attachment" | "call" | "prompt" | "task" | "turn";
        TimelineOut: {
            hasMore: boolean;
            items: components["schemas"]["TimelineItemOut"][];
            project: string;
        };
        TimelinePaging: {
            /**
             * @description the `key` of the last item of the previous page
             * @default
             */
            before?: string;
            /**
             * @description some of attachment,call,prompt,task,turn; empty: all
             * @default
             */
            kinds?: string;
            /** @default 50 */
            limit?: number;
        };
        ToolCallOut: {
            /**
             * @description the command or path, else JSON; shortened
             * @default
             */
            input: string;
            name: string;
            /**
             * @description shortened
             * @default
             */
            outcome: string;
            /** @enum {string} */
            status: "running" | "done" | "failed" | "refused";
        };
        TranscriptOut: {
            text: string;
        };
        UpdatedOut: {
            /** @enum {string} */
            action: "add" | "set_status" | "set_text" | "set_description" | "remove" | "move";
            kanban: {
                [key: string]: components["schemas"]["CardOut"][];
            };
            record: components["schemas"]["RecordOut"];
            /** @enum {string} */
            scope: "project" | "window";
            session: string;
            tasks: components["schemas"]["TaskOut"][];
            window: components["schemas"]["WindowOut"] | null;
        };
        UploadOut: {
            name: string;
            /** @description for programs in the pane; absolute for images */
            path: string;
            /** @description bytes */
            size: number;
        };
        UsageOut: {
            cached: number;
            /** @description US dollars; 0 if the agent does not say */
            cost: number;
            /** @description tokens, without those read from the cache */
            input: number;
            output: number;
        };
        UsageTotalOut: {
            cached: number;
            /** @description US dollars; 0 if the agent does not say */
            cost: number;
            /** @description tokens, without those read from the cache */
            input: number;
            output: number;
            /** @description of models, whose usage a journal says */
            replies: number;
            sessions: number;
        };
        VoiceOut: {
            available: boolean;
            /** @description which setting is missing; empty if voice is available */
            reason: string;
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
        /** @enum {string} */
        Witness: "hook" | "journal" | "screen" | "process";
        WrittenOut: {
            record: components["schemas"]["RecordOut"];
            /** @enum {string} */
            scope: "project" | "window";
            session: string;
            window: components["schemas"]["WindowOut"] | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type AgentDetailOut = components['schemas']['AgentDetailOut'];
export type AgentOut = components['schemas']['AgentOut'];
export type AgentQuery = components['schemas']['AgentQuery'];
export type AgentState = components['schemas']['AgentState'];
export type CaptureOut = components['schemas']['CaptureOut'];
export type CaptureQuery = components['schemas']['CaptureQuery'];
export type CardOut = components['schemas']['CardOut'];
export type ChatFoundOut = components['schemas']['ChatFoundOut'];
export type ChatPageOut = components['schemas']['ChatPageOut'];
export type ChatPlace = components['schemas']['ChatPlace'];
export type ChatQuery = components['schemas']['ChatQuery'];
export type ChatRecordOut = components['schemas']['ChatRecordOut'];
export type ChosenRuntimes = components['schemas']['ChosenRuntimes'];
export type ConnectOut = components['schemas']['ConnectOut'];
export type DeliveredOut = components['schemas']['DeliveredOut'];
export type DirectoriesOut = components['schemas']['DirectoriesOut'];
export type DirectoriesQuery = components['schemas']['DirectoriesQuery'];
export type ErrorDetail = components['schemas']['ErrorDetail'];
export type ErrorOut = components['schemas']['ErrorOut'];
export type EventKind = components['schemas']['EventKind'];
export type EventOut = components['schemas']['EventOut'];
export type ExplainOut = components['schemas']['ExplainOut'];
export type FoundOut = components['schemas']['FoundOut'];
export type FoundTaskOut = components['schemas']['FoundTaskOut'];
export type HandedOut = components['schemas']['HandedOut'];
export type HandedReceipt = components['schemas']['HandedReceipt'];
export type HitOut = components['schemas']['HitOut'];
export type HitsOut = components['schemas']['HitsOut'];
export type HooksOut = components['schemas']['HooksOut'];
export type HookState = components['schemas']['HookState'];
export type Keys = components['schemas']['Keys'];
export type LogOut = components['schemas']['LogOut'];
export type LogPieceOut = components['schemas']['LogPieceOut'];
export type LogRangeQuery = components['schemas']['LogRangeQuery'];
export type LogTailQuery = components['schemas']['LogTailQuery'];
export type MarkerOut = components['schemas']['MarkerOut'];
export type MessageOut = components['schemas']['MessageOut'];
export type MessagePlace = components['schemas']['MessagePlace'];
export type MessagesPageOut = components['schemas']['MessagesPageOut'];
export type MoveWindow = components['schemas']['MoveWindow'];
export type NewAgent = components['schemas']['NewAgent'];
export type NewAnswer = components['schemas']['NewAnswer'];
export type NewHanding = components['schemas']['NewHanding'];
export type NewJudgement = components['schemas']['NewJudgement'];
export type NewLink = components['schemas']['NewLink'];
export type NewName = components['schemas']['NewName'];
export type NewNotes = components['schemas']['NewNotes'];
export type NewPage = components['schemas']['NewPage'];
export type NewPrompt = components['schemas']['NewPrompt'];
export type NewRecording = components['schemas']['NewRecording'];
export type NewSession = components['schemas']['NewSession'];
export type NewSessionOut = components['schemas']['NewSessionOut'];
export type NewShare = components['schemas']['NewShare'];
export type NewShareOut = components['schemas']['NewShareOut'];
export type NewSource = components['schemas']['NewSource'];
export type NewTitle = components['schemas']['NewTitle'];
export type NewWindow = components['schemas']['NewWindow'];
export type NewWindowOut = components['schemas']['NewWindowOut'];
export type NoteSource = components['schemas']['NoteSource'];
export type NotesOut = components['schemas']['NotesOut'];
export type NotionOut = components['schemas']['NotionOut'];
export type NotionStatusOut = components['schemas']['NotionStatusOut'];
export type OptionOut = components['schemas']['OptionOut'];
export type PageAgentOut = components['schemas']['Page_AgentOut_'];
export type PageFoundTaskOut = components['schemas']['Page_FoundTaskOut_'];
export type PageNotesOut = components['schemas']['Page_NotesOut_'];
export type PagePaneOut = components['schemas']['Page_PaneOut_'];
export type PageProjectOut = components['schemas']['Page_ProjectOut_'];
export type PageRecordingOut = components['schemas']['Page_RecordingOut_'];
export type PageSessionOut = components['schemas']['Page_SessionOut_'];
export type PageTaskHistoryOut = components['schemas']['Page_TaskHistoryOut_'];
export type PageWindowOut = components['schemas']['Page_WindowOut_'];
export type Paging = components['schemas']['Paging'];
export type PaneOut = components['schemas']['PaneOut'];
export type PinWindow = components['schemas']['PinWindow'];
export type ProcessOut = components['schemas']['ProcessOut'];
export type ProjectOut = components['schemas']['ProjectOut'];
export type PromptRun = components['schemas']['PromptRun'];
export type PromptRunOut = components['schemas']['PromptRunOut'];
export type QuestionKind = components['schemas']['QuestionKind'];
export type QuestionOut = components['schemas']['QuestionOut'];
export type ReceiptOut = components['schemas']['ReceiptOut'];
export type RecordingDetailOut = components['schemas']['RecordingDetailOut'];
export type RecordingOut = components['schemas']['RecordingOut'];
export type RecordingState = components['schemas']['RecordingState'];
export type RecordOut = components['schemas']['RecordOut'];
export type Resize = components['schemas']['Resize'];
export type RuleOut = components['schemas']['RuleOut'];
export type RuntimeHooksOut = components['schemas']['RuntimeHooksOut'];
export type RuntimeOut = components['schemas']['RuntimeOut'];
export type Send = components['schemas']['Send'];
export type SentOut = components['schemas']['SentOut'];
export type SessionOut = components['schemas']['SessionOut'];
export type ShareOut = components['schemas']['ShareOut'];
export type SignInLinkOut = components['schemas']['SignInLinkOut'];
export type SnippetOut = components['schemas']['SnippetOut'];
export type Split = components['schemas']['Split'];
export type StartedAgentOut = components['schemas']['StartedAgentOut'];
export type Status = components['schemas']['Status'];
export type SummaryOut = components['schemas']['SummaryOut'];
export type TaskChange = components['schemas']['TaskChange'];
export type TaskDifference = components['schemas']['TaskDifference'];
export type TaskFilter = components['schemas']['TaskFilter'];
export type TaskHistoryOut = components['schemas']['TaskHistoryOut'];
export type TaskOut = components['schemas']['TaskOut'];
export type TasksOut = components['schemas']['TasksOut'];
export type TimelineItemOut = components['schemas']['TimelineItemOut'];
export type TimelineKind = components['schemas']['TimelineKind'];
export type TimelineOut = components['schemas']['TimelineOut'];
export type TimelinePaging = components['schemas']['TimelinePaging'];
export type ToolCallOut = components['schemas']['ToolCallOut'];
export type TranscriptOut = components['schemas']['TranscriptOut'];
export type UpdatedOut = components['schemas']['UpdatedOut'];
export type UploadOut = components['schemas']['UploadOut'];
export type UsageOut = components['schemas']['UsageOut'];
export type UsageTotalOut = components['schemas']['UsageTotalOut'];
export type VoiceOut = components['schemas']['VoiceOut'];
export type WindowOut = components['schemas']['WindowOut'];
export type Witness = components['schemas']['Witness'];
export type WrittenOut = components['schemas']['WrittenOut'];
export type $defs = Record<string, never>;
export interface operations {
    read_notes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                owner: string;
                owners: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotesOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    write_notes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                owner: string;
                owners: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewNotes"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    link_notion_page: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                owner: string;
                owners: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewLink"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    create_notion_page: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                owner: string;
                owners: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPage"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    sync_notes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                owner: string;
                owners: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    list_tasks: {
        parameters: {
            query?: {
                status?: components["schemas"]["Status"] | null;
            };
            header?: never;
            path: {
                owner: string;
                owners: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TasksOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    update_task: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                owner: string;
                owners: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TaskChange"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdatedOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    hand_task: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
                owner: string;
                owners: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewHanding"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotesOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    judge_task: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
                owner: string;
                owners: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewJudgement"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotesOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    task_history: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path: {
                key: string;
                owner: string;
                owners: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_TaskHistoryOut_"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    list_agents: {
        parameters: {
            query?: {
                excludePathFilter?: string;
                excludeSessionFilter?: string;
                /** @description RE2 pattern on the directory */
                includePathFilter?: string;
                /** @description RE2 pattern on the session's name */
                includeSessionFilter?: string;
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_AgentOut_"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    get_agent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentDetailOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    answer_agent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAnswer"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveredOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    explain_agent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExplainOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    send_prompt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPrompt"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveredOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    run_prompt: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PromptRun"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PromptRunOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    start_agent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAgent"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StartedAgentOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    search_chat: {
        parameters: {
            query: {
                /** @description only records before this ts */
                before?: number | null;
                limit?: number;
                offset?: number;
                /** @description words, "phrases", the beginning of a wor* */
                q: string;
                role?: "" | "user" | "assistant";
                /** @description only records from this ts on */
                since?: number | null;
                /** @description the window's key or tmux id */
                window?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatFoundOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    describe_connection: {
        parameters: {
            query?: {
                tools?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    complete_directory: {
        parameters: {
            query?: {
                /** @description what the user has typed so far */
                prefix?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DirectoriesOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    hooks_status: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HooksOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    install_hooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChosenRuntimes"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HooksOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    uninstall_hooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChosenRuntimes"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HooksOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    set_source: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                owner: string;
                owners: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSource"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WrittenOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    list_notes: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_NotesOut_"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    notion_status: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NotionStatusOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    list_panes: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                target?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_PaneOut_"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    kill_pane: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pane: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaneOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    capture: {
        parameters: {
            query?: {
                end?: number | null;
                /** @description include colours */
                escapes?: boolean;
                /** @description from the oldest line that tmux keeps */
                history?: boolean;
                /** @description join wrapped lines */
                join?: boolean;
                /** @description number of lines: from `start`, else the last with text */
                lines?: number | null;
                /** @description 0 is the top of the screen, -1 the line above it */
                start?: number | null;
            };
            header?: never;
            path: {
                pane: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CaptureOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    send_keys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pane: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Keys"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    read_log: {
        parameters: {
            query?: {
                /** @description number of last lines */
                lines?: number;
                /** @description remove colours and other escapes */
                stripAnsi?: boolean;
            };
            header?: never;
            path: {
                pane: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    start_log: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pane: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogPieceOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    stream_log: {
        parameters: {
            query?: {
                /** @description `next` of the previous response */
                fromByte?: number;
                maxBytes?: number;
                stripAnsi?: boolean;
            };
            header?: never;
            path: {
                pane: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogPieceOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    start_recording: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pane: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRecording"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordingOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    stop_recording: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pane: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordingOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    resize_pane: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pane: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Resize"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaneOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    restart_pane: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pane: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaneOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    select_pane: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pane: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaneOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    send_text: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pane: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Send"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    split_pane: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pane: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Split"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaneOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    submit: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pane: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SentOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    save_upload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pane: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * File
                     * Format: binary
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    zoom_pane: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pane: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaneOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    list_projects: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_ProjectOut_"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    rename_project: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                project: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewName"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    read_timeline: {
        parameters: {
            query?: {
                /** @description the `key` of the last item of the previous page */
                before?: string;
                /** @description some of attachment,call,prompt,task,turn; empty: all */
                kinds?: string;
                limit?: number;
            };
            header?: never;
            path: {
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TimelineOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    list_recordings: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                project?: string;
                window?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_RecordingOut_"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    get_recording: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordingDetailOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    delete_recording: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordingOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    rename_recording: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTitle"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordingOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    download_recording: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    search_recording: {
        parameters: {
            query: {
                q: string;
            };
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HitsOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    list_shares: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShareOut"][];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    share_recording: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewShare"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewShareOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    revoke_share: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
                share: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ShareOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    list_runtimes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuntimeOut"][];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    list_sessions: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_SessionOut_"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    create_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSession"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewSessionOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    kill_session: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    rename_session: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewName"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    create_window: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                session: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWindow"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewWindowOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    create_sign_in_link: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInLinkOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    search_tasks: {
        parameters: {
            query?: {
                limit?: number;
                offset?: number;
                project?: string;
                /** @description words that must all occur in the task */
                q?: string;
                source?: components["schemas"]["NoteSource"] | null;
                status?: components["schemas"]["Status"] | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_FoundTaskOut_"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    read_project_usage: {
        parameters: {
            query: {
                project: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageTotalOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    describe_voice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VoiceOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    transcribe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * File
                     * Format: binary
                     */
                    file: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TranscriptOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    list_windows: {
        parameters: {
            query?: {
                gone?: boolean;
                limit?: number;
                offset?: number;
                session?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Page_WindowOut_"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    get_window: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                window: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WindowOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    kill_window: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                window: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WindowOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    rename_window: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                window: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewName"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WindowOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    read_chat_history: {
        parameters: {
            query?: {
                /** @description the next records after this ts */
                after?: number | null;
                /** @description half of the records before this ts, half after it */
                around?: number | null;
                /** @description only records before this ts */
                before?: number | null;
                limit?: number;
                /** @description only records from this ts on */
                since?: number | null;
            };
            header?: never;
            path: {
                window: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChatPageOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    read_chat_messages: {
        parameters: {
            query?: {
                /** @description the next records after this ts */
                after?: number | null;
                /** @description half of the records before this ts, half after it */
                around?: number | null;
                /** @description only records before this ts */
                before?: number | null;
                limit?: number;
                /** @description as the screen alone shows it, without journals */
                screen?: boolean;
                /** @description only records from this ts on */
                since?: number | null;
                /** @description also what the model thought, where it is known */
                thinking?: boolean;
            };
            header?: never;
            path: {
                window: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagesPageOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    move_window: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                window: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MoveWindow"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WindowOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    pin_window: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                window: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PinWindow"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WindowOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    record_window: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                window: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRecording"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordingOut"][];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    stop_window: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                window: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordingOut"][];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    select_window: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                window: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WindowOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    summarize_window: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                window: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SummaryOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
    read_usage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                window: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageTotalOut"];
                };
            };
            /** @description Refused. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Not found: no object has this name or id. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Conflict: the name is ambiguous, or the object has changed since you read it. */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description The request is too large. */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description Invalid request: the message says what is accepted. */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description tmux, Notion or the transcription server returned an error. */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
            /** @description No tmux server is running at the moment. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorOut"];
                };
            };
        };
    };
}
