"""Differences between two scans: reported once, in an order that clients can follow."""

from dataclasses import replace
from typing import Any, cast

import pytest

from agents import registry
from agents.questions import Question
from agents.registry import Agent, ChangeKind, Registry
from agents.runtimes.loader import AgentState
from agents.schemas import AgentOut, event
from agents.screen.menus import Option
from agents.screen.subjects import QuestionKind
from core.errors import NotFound

WORK = Agent("work", "claude", "/home/u/code", True, "%1", "@1", "work", 10, state_since=1)
OPS = Agent("ops", "codex", "/srv", False, "%2", "@2", "ops", 11, AgentState.IDLE, state_since=1)


def kinds(changes: list[registry.AgentChange]) -> list[tuple[ChangeKind, str]]:
    return [(change.kind, change.agent.name) for change in changes]


def test_added_updated_and_removed_agents_are_reported_once() -> None:
    agents = Registry()
    assert kinds(agents.replace([WORK])) == [(ChangeKind.ADDED, "work")]
    assert agents.replace([WORK]) == []
    busy = replace(WORK, state=AgentState.WORKING)
    assert kinds(agents.replace([busy, OPS])) == [
        (ChangeKind.ADDED, "ops"),
        (ChangeKind.UPDATED, "work"),
    ]
    assert kinds(agents.replace([OPS])) == [(ChangeKind.REMOVED, "work")]
    assert agents.agents == {"ops": OPS}


def test_another_process_with_the_same_name_is_another_agent() -> None:
    agents = Registry()
    agents.replace([WORK])
    changes = agents.replace([replace(WORK, pid=99)])
    assert kinds(changes) == [(ChangeKind.REMOVED, "work"), (ChangeKind.ADDED, "work")]


def test_an_unknown_agent_has_the_documented_error() -> None:
    with pytest.raises(NotFound, match=r"^agent not found$"):
        Registry().find("work")


def test_names_resolve_to_panes() -> None:
    agents = registry.current()
    agents.replace([WORK])
    try:
        assert agents.find("work") is WORK
        assert registry.pane_of(cast(Any, None), "work") == "%1"
        assert registry.pane_of(cast(Any, None), "%1") is None
    finally:
        agents.replace(())


OPTIONS = (Option(1, "Yes", "1", selected=True), Option(2, "No", "2"))


def test_the_wire_form_has_the_documented_fields_and_ours() -> None:
    asking = replace(
        WORK,
        state=AgentState.WAITING,
        question=Question(
            id="q0",
            kind=QuestionKind.COMMAND,
            title="Do you want to proceed?",
            subject="make build",
            options=OPTIONS,
        ),
        options=OPTIONS,
    )
    options = [
        {"number": 1, "label": "Yes", "key": "1", "selected": True, "takesWords": False},
        {"number": 2, "label": "No", "key": "2", "selected": False, "takesWords": True},
    ]
    assert AgentOut.of(asking).model_dump(mode="json") == {
        "name": "work",
        "runtime": "claude",
        "workDir": "/home/u/code",
        "attached": True,
        "state": "waiting",
        "question": {
            "id": "q0",
            "kind": "command",
            "title": "Do you want to proceed?",
            "subject": "make build",
            "path": "",
            "diff": "",
            "reason": "",
            "cut": False,
            "options": options,
        },
        "options": options,
        "decidedBy": "screen",
        "disputed": False,
        "stateSince": 1,
        "session": "work",
        "windowId": "@1",
        "paneId": "%1",
    }


def test_a_removed_agent_is_only_named() -> None:
    agents = Registry()
    [added] = agents.replace([OPS])
    assert event(added) == {
        "type": "agent-added",
        "agent": AgentOut.of(OPS).model_dump(mode="json"),
    }
    [removed] = agents.replace([])
    assert event(removed) == {"type": "agent-removed", "name": "ops"}


def test_the_time_of_a_state_is_kept_until_the_state_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = iter((10.0, 20.0, 30.0, 40.0, 50.0))
    monkeypatch.setattr("agents.registry.time.time", lambda: next(clock))
    agents = Registry()
    idle = replace(OPS, state_since=0)
    times = []
    for agent in (idle, idle, replace(idle, state=AgentState.WAITING), replace(idle, pid=12)):
        agents.replace([agent])
        times.append(agents.find("ops").state_since)
    assert times == [10_000, 10_000, 30_000, 40_000]
    assert agents.replace([replace(idle, pid=12, state_since=7)]) == []
