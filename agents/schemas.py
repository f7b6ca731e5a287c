"""What goes over the wire about agents; shared by every door.

The first four fields are the document's, the others ours. A process's memory is told only of one.
"""

from typing import Any, Self

from pydantic import Field

from agents.menus import Option
from agents.processes import Usage
from agents.registry import Agent, Change, Kind
from agents.rules import State
from agents.states import Reading, Verdict
from terminals.schemas import Asked, Text, Wire


class OptionOut(Wire):
    number: int
    label: str
    key: str = Field(description="the key that chooses it at once, if there is one")
    selected: bool

    @classmethod
    def of(cls, option: Option) -> Self:
        return cls(number=option.number, label=option.label, key=option.key,
                   selected=option.selected)  # fmt: skip


class AgentOut(Wire):
    name: str
    runtime: str
    work_dir: str
    attached: bool = Field(description="whether a person's terminal shows its session")
    state: State
    question: str
    options: list[OptionOut]
    session: str
    window_id: str
    pane_id: str

    @classmethod
    def of(cls, agent: Agent) -> Self:
        return cls(**_fields(agent))


class AgentDetailOut(AgentOut):
    pid: int
    memory_bytes: int | None = Field(description="with the processes that it started")
    cpu_seconds: float | None

    @classmethod
    def detailed(cls, agent: Agent, usage: Usage | None) -> Self:
        return cls(
            **_fields(agent), pid=agent.pid,
            memory_bytes=usage.memory if usage else None,
            cpu_seconds=round(usage.cpu, 2) if usage else None,
        )  # fmt: skip


class RuleOut(Wire):
    name: str
    state: State
    region: str
    pattern: str
    priority: int
    evidence: str | None = Field(description="the line that it matched; null: it did not")


class ExplainOut(Wire):
    runtime: str
    state: State = Field(description="what this screen shows")
    believed: State | None = Field(description="what is said of the agent: rest must last")
    rule: str
    evidence: str
    question: str
    options: list[OptionOut]
    composer: str | None = Field(description="what stands in the input box; null: none is seen")
    rules: list[RuleOut]
    screen: list[str]

    @classmethod
    def of(
        cls, runtime: str, reading: Reading, verdicts: list[Verdict], screen: list[str],
        *, believed: State | None = None,
    ) -> Self:  # fmt: skip
        return cls(
            runtime=runtime, state=reading.state, believed=believed, rule=reading.rule,
            evidence=reading.evidence, question=reading.question,
            options=[OptionOut.of(option) for option in reading.options],
            composer=reading.composer, rules=[_rule(verdict) for verdict in verdicts],
            screen=screen,
        )  # fmt: skip


class NewPrompt(Asked):
    prompt: Text = Field(min_length=1, description="Enter is implied")
    key: str = Field("", description="the same one makes a retry harmless, for ten minutes")


class NewAnswer(Asked):
    answer: Text = Field(min_length=1, description="the number or the words of an option")
    question: Text = Field("", description="refuse if it asks another one by now")


class ReceiptOut(Wire):
    id: str
    pasted: bool
    submitted: bool
    turn_started: bool
    attempts: int
    ms: int
    became: str = Field(
        "prompt",
        description="what the agent takes it for: prompt, command (a slash command), or answer",
    )


class DeliveredOut(Wire):
    """`ok` only if the screen shows that it was submitted; else `error` says what stands there."""

    ok: bool
    receipt: ReceiptOut
    error: str = ""


class VoiceOut(Wire):
    available: bool
    reason: str = Field(description="empty if it is available, else what to set")


class TranscriptOut(Wire):
    text: str


def event(change: Change) -> dict[str, Any]:
    """As the document has it: of one that is gone only the name."""
    if change.kind is Kind.REMOVED:
        return {"type": change.kind.value, "name": change.agent.name}
    return {"type": change.kind.value, "agent": wire(change.agent)}


def wire(agent: Agent) -> dict[str, Any]:
    return AgentOut.of(agent).model_dump(mode="json")


def _fields(agent: Agent) -> dict[str, Any]:
    return {
        "name": agent.name,
        "runtime": agent.runtime,
        "work_dir": agent.work_dir,
        "attached": agent.attached,
        "state": agent.state,
        "question": agent.question,
        "options": [OptionOut.of(option) for option in agent.options],
        "session": agent.session,
        "window_id": agent.window_id,
        "pane_id": agent.pane_id,
    }


def _rule(verdict: Verdict) -> RuleOut:
    rule = verdict.rule
    return RuleOut(
        name=rule.name, state=rule.state, region=rule.region, pattern=rule.pattern.pattern,
        priority=rule.priority, evidence=verdict.evidence,
    )  # fmt: skip
