"""The wire models of agents, shared by REST, the socket and MCP.

A field that is added to `AgentOut` here appears in all three, if `registry.Agent` has an attribute
of the same name. The first four fields of an agent are prescribed by tmux-adapter's document, the
others are ours. Memory and CPU time are only part of the answer about a single agent.
"""

from typing import Literal, Self

from pydantic import ConfigDict, Field

from agents.delivery.receipts import Receipt
from agents.detection.scanner import Usage
from agents.registry import Agent, AgentChange, ChangeKind
from agents.runtimes.loader import AgentState
from agents.screen.states import Reading, RuleResult
from agents.screen.subjects import QuestionKind
from agents.starting import AgentProgram, StartedAgent
from agents.waiting.turns import PromptRunResult
from agents.waiting.wait import WAIT_LIMIT_SECONDS
from agents.witnesses.belief import ProcessEvidence, Report, Witness
from agents.witnesses.evidence import AgentEvent, EventKind
from core.wire import RequestBody, SocketAnswer, SocketMessage, SocketRequest, Text, Wire
from terminals.schemas import WindowOut


class OptionOut(Wire):
    model_config = ConfigDict(from_attributes=True)

    number: int
    label: str
    key: str = Field(description="the key that chooses it at once, if there is one")
    selected: bool
    takes_words: bool = Field(description="whether `reason` of an answer can be sent with it")


class QuestionOut(Wire):
    """What a waiting agent asks. Everything but `id`, `kind` and `cut` is text of the agent."""

    model_config = ConfigDict(from_attributes=True)

    id: str = Field(description="names this very dialog: an answer for another id is refused")
    kind: QuestionKind
    title: str = Field(description="the agent's own question")
    subject: str = Field(description="the command, the address or the plan")
    path: str
    diff: str = Field(description="lines that begin with +, -, @ or a blank")
    reason: str = Field(description="what the model wrote about it")
    cut: bool = Field(description="whether a part was left out because of its size")
    options: list[OptionOut]


class AgentOut(Wire):
    model_config = ConfigDict(from_attributes=True)

    name: str
    runtime: str
    work_dir: str
    attached: bool = Field(description="whether a user's terminal shows its session")
    state: AgentState
    question: QuestionOut | None = Field(description="null: it asks nothing")
    options: list[OptionOut] = Field(description="of its question")
    decided_by: Witness = Field(description="who decided the state")
    disputed: bool = Field(description="whether the witnesses contradict each other")
    state_since: int = Field(
        description="since when it is known to be in this state, ms since 1970"
    )
    session: str
    window_id: str
    pane_id: str

    @classmethod
    def of(cls, agent: Agent) -> Self:
        return cls.model_validate(agent)


class AgentDetailOut(AgentOut):
    pid: int
    memory_bytes: int | None = Field(description="including the processes that it started")
    cpu_seconds: float | None

    @classmethod
    def detailed(cls, agent: Agent, usage: Usage | None) -> Self:
        return cls.model_validate(
            {
                **dict(AgentOut.of(agent)),
                "pid": agent.pid,
                "memory_bytes": usage.memory if usage else None,
                "cpu_seconds": round(usage.cpu, 2) if usage else None,
            }
        )


class AgentQuery(Wire):
    """The query parameters of the list of agents."""

    include_session_filter: str = Field("", description="RE2 pattern on the session's name")
    exclude_session_filter: str = ""
    include_path_filter: str = Field("", description="RE2 pattern on the directory")
    exclude_path_filter: str = ""


class RuleOut(Wire):
    name: str
    state: AgentState
    region: str
    pattern: str
    priority: int
    evidence: str | None = Field(description="the line that it matched; null: it did not match")


class EventOut(Wire):
    """What a hook or a journal last reported; never its text."""

    event: EventKind
    state: AgentState = Field(description="what the events so far say together")
    age_seconds: float
    session: str
    tool: str
    path: str = Field(description="of the journal of the session, if it is known")

    @classmethod
    def of(cls, event: AgentEvent, report: Report | None, now: float) -> Self:
        return cls(
            event=event.kind,
            state=report.state if report else AgentState.UNKNOWN,
            age_seconds=round(max(0.0, now - event.timestamp), 1),
            session=event.session_id,
            tool=event.tool_name,
            path=event.transcript_path,
        )


class ProcessOut(Wire):
    model_config = ConfigDict(from_attributes=True)

    pid: int
    foreground: bool = Field(description="whether it reads the keys of its terminal")
    stopped: bool


class ExplainOut(Wire):
    """What each witness says about an agent, and what is believed."""

    runtime: str
    state: AgentState = Field(description="what this screen shows")
    believed: AgentState | None = Field(
        description="the reported state: a new state must last before it is reported"
    )
    decided_by: Witness | None = Field(description="who decided the reported state")
    disputed: bool
    hook: EventOut | None = Field(description="null: no hook has reported anything")
    journal: EventOut | None
    process: ProcessOut | None
    rule: str
    evidence: str
    question: str
    reported_question: QuestionOut | None = Field(
        description="the reported question, with its subject"
    )
    options: list[OptionOut]
    composer: str | None = Field(description="the text in the input box; null: no box is visible")
    rules: list[RuleOut]
    screen: list[str]

    @classmethod
    def of(
        cls, runtime: str, reading: Reading, results: list[RuleResult], screen: list[str]
    ) -> Self:
        """The screen alone; `with_agent` adds the other witnesses."""
        return cls(
            runtime=runtime,
            state=reading.state,
            believed=None,
            decided_by=None,
            disputed=False,
            hook=None,
            journal=None,
            process=None,
            rule=reading.rule,
            evidence=reading.evidence,
            question=reading.question,
            reported_question=None,
            options=[OptionOut.model_validate(option) for option in reading.options],
            composer=reading.composer,
            rules=[_rule(result) for result in results],
            screen=screen,
        )

    def with_agent(
        self,
        agent: Agent,
        process: ProcessEvidence,
        hook: EventOut | None = None,
        journal: EventOut | None = None,
    ) -> Self:
        return self.model_copy(
            update={
                "believed": agent.state,
                "decided_by": agent.decided_by,
                "disputed": agent.disputed,
                "reported_question": QuestionOut.model_validate(agent.question)
                if agent.question
                else None,
                "hook": hook,
                "journal": journal,
                "process": ProcessOut.model_validate(process),
            }
        )


def _rule(result: RuleResult) -> RuleOut:
    rule = result.rule
    return RuleOut(
        name=rule.name,
        state=rule.state,
        region=rule.region,
        pattern=rule.pattern.pattern,
        priority=rule.priority,
        evidence=result.evidence,
    )


class NewPrompt(RequestBody):
    prompt: Text = Field(min_length=1, description="Enter is implied")
    key: str = Field("", description="a retry with the same key within ten minutes is harmless")


class NewAnswer(RequestBody):
    answer: Text = Field(min_length=1, description="the number or the words of an option")
    question: Text = Field(
        "", description="the id of the question: refuse if the agent asks something else by now"
    )
    reason: Text = Field("", description="words for the agent, with an option that takes them")


class ReceiptOut(Wire):
    id: str
    pasted: bool
    submitted: bool
    turn_started: bool
    attempts: int
    ms: int
    became: str = Field(
        "prompt",
        description="what the agent took it for: prompt, command (a slash command), or answer",
    )
    confirmed_by: str = Field(
        "", description="who says that it was submitted: hook, journal, screen; empty: no one"
    )
    exact: bool | None = Field(
        None,
        description="whether the agent received exactly the text that was sent; null: unknown",
    )
    altered: str = Field(
        "", description="what the agent changed in the text, such as: tabs became spaces"
    )
    turn: str = Field("", description="the turn that it began, for `wait_for`; empty: none")


class DeliveredOut(Wire):
    """`ok` only if the screen shows that it was submitted; otherwise `error` says what it shows."""

    ok: bool
    receipt: ReceiptOut
    error: str = ""

    @classmethod
    def of(cls, receipt: Receipt) -> Self:
        sent = ReceiptOut.model_validate(
            {"id": receipt.id, "turn": receipt.turn, **receipt.outcome.stored()}
        )
        return cls(ok=receipt.ok, receipt=sent, error="" if receipt.ok else receipt.error)

    def message(self) -> dict[str, object]:  # JSON
        """For the socket, whose answers have an `error` only if they are not ok."""
        return self.model_dump(mode="json", exclude={"error"} if self.ok else None)


class PromptRun(RequestBody):
    prompt: Text = Field(min_length=1, description="Enter is implied")
    key: str = Field("", description="a retry with the same key within ten minutes is harmless")
    seconds: float = Field(300.0, gt=0, le=WAIT_LIMIT_SECONDS, description="wait at most so long")


class PromptRunOut(DeliveredOut):
    """The receipt of a prompt, and how its turn ended."""

    end: str = Field(
        description="ended, waiting (it asks something), failed, agent_ended, time_out; empty: the"
        " prompt was not submitted"
    )
    text: str = Field(description="the reply, or why the turn failed")
    text_from: str = Field(description="who says so: hook, journal, screen; empty: no text")
    ms: int = Field(description="from the call to the end of the turn")

    @classmethod
    def of_run(cls, run: PromptRunResult) -> Self:
        return cls(
            **dict(DeliveredOut.of(run.receipt)),
            end=run.end,
            text=run.reply.text,
            text_from=run.reply.source,
            ms=int(run.seconds * 1000),
        )


class RuntimeOut(Wire):
    """A kind of agent that webtmux knows."""

    runtime: str
    title: str = Field(description="the name of the product")
    program: str = Field(description="the path of its program; empty if it is not installed")
    install: str = Field(description="a command that installs it")

    @classmethod
    def of(cls, program: AgentProgram) -> Self:
        rules = program.rules
        return cls(
            runtime=rules.runtime, title=rules.title, program=program.path, install=rules.install
        )


class NewAgent(RequestBody):
    runtime: str = Field(description="see `GET /api/runtimes`")
    cwd: Text = Field(
        "", description="an existing directory; empty: that of the session, or the default one"
    )
    session: Text = Field(
        "", description="its name; created if there is none. Empty: named after the directory"
    )
    name: Text = Field("", description="of the window; empty: the name of the program")
    args: list[Text] = Field(default_factory=list, description="arguments for its program")
    prompt: Text = Field("", description="sent when it is ready; Enter is implied")
    key: str = Field("", description="of the prompt, as for `POST /api/agents/NAME/prompt`")


class StartedAgentOut(Wire):
    """`ok` only if it runs and its first prompt, if any, was submitted. `error` says what
    happened; its window stays, also if its program has ended."""

    ok: bool
    error: str
    output: str = Field(description="of a program that has ended")
    window: WindowOut
    pane_id: str
    agent: AgentOut | None = Field(description="null: it has ended, or was not detected")
    receipt: ReceiptOut | None = Field(description="of the first prompt; null: none was sent")

    @classmethod
    def of(cls, started: StartedAgent) -> Self:
        return cls(
            ok=started.ok,
            error=started.error,
            output=started.ended.output if started.ended else "",
            window=WindowOut.of(started.window),
            pane_id=started.pane_id,
            agent=AgentOut.of(started.agent) if started.agent else None,
            receipt=DeliveredOut.of(started.receipt).receipt if started.receipt else None,
        )


class VoiceOut(Wire):
    available: bool
    reason: str = Field(description="which setting is missing; empty if voice is available")


class TranscriptOut(Wire):
    text: str


# --- the socket ---------------------------------------------------------------------------------


class ListedAgentsOut(SocketMessage):
    """The document's response to `list-agents`, without `ok`."""

    agents: list[AgentOut]


class SubscribedAgentsOut(SocketAnswer):
    agents: list[AgentOut]
    total_agents: int = Field(description="also those that the filter hides")


class PromptRequest(SocketRequest):
    agent: Text
    prompt: Text = Field(description="Enter is implied")
    key: Text = Field("", description="a retry with the same key is harmless")


class AnswerRequest(SocketRequest):
    agent: Text
    answer: Text = Field(description="the number or the words of an option")
    question: Text = Field(
        "", description="the id of the question: refuse if the agent asks something else by now"
    )
    reason: Text = Field("", description="words for the agent, with an option that takes them")


class PromptDelivered(SocketAnswer):
    """`DeliveredOut` of a prompt or answer that was submitted."""

    receipt: ReceiptOut


class AgentAdded(SocketMessage):
    type: Literal["agent-added"] = "agent-added"
    agent: AgentOut


class AgentUpdated(SocketMessage):
    type: Literal["agent-updated"] = "agent-updated"
    agent: AgentOut


class AgentRemoved(SocketMessage):
    """As tmux-adapter's document prescribes: a removed agent is only named."""

    type: Literal["agent-removed"] = "agent-removed"
    name: str


class AgentsCount(SocketMessage):
    type: Literal["agents-count"] = "agents-count"
    total_agents: int


def event(change: AgentChange) -> dict[str, object]:
    match change.kind:
        case ChangeKind.REMOVED:
            return AgentRemoved(name=change.agent.name).message()
        case ChangeKind.ADDED:
            return AgentAdded(agent=AgentOut.of(change.agent)).message()
        case ChangeKind.UPDATED:
            return AgentUpdated(agent=AgentOut.of(change.agent)).message()
