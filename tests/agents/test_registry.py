"""What is different between two looks, told once and in an order that a client can follow."""

from dataclasses import replace
from typing import Any, cast

import pytest

from agents import registry
from agents.registry import Agent, Kind, Registry
from agents.schemas import event, wire
from agents.states import Option, State
from terminals.errors import NotFound

WORK = Agent("work", "claude", "/home/u/code", True, "%1", "@1", "work", 10)
OPS = Agent("ops", "codex", "/srv", False, "%2", "@2", "ops", 11, State.IDLE)


def kinds(changes: list[registry.Change]) -> list[tuple[Kind, str]]:
    return [(change.kind, change.agent.name) for change in changes]


def test_what_comes_changes_and_goes_is_told_once() -> None:
    held = Registry()
    assert kinds(held.replace([WORK])) == [(Kind.ADDED, "work")]
    assert held.replace([WORK]) == []
    busy = replace(WORK, state=State.WORKING)
    assert kinds(held.replace([busy, OPS])) == [(Kind.ADDED, "ops"), (Kind.UPDATED, "work")]
    assert kinds(held.replace([OPS])) == [(Kind.REMOVED, "work")]
    assert held.agents == {"ops": OPS}


def test_another_process_under_the_same_name_is_another_agent() -> None:
    held = Registry()
    held.replace([WORK])
    told = held.replace([replace(WORK, pid=99)])
    assert kinds(told) == [(Kind.REMOVED, "work"), (Kind.ADDED, "work")]


def test_an_agent_that_is_not_there_is_said_in_the_documents_words() -> None:
    with pytest.raises(NotFound, match=r"^agent not found$"):
        Registry().find("work")


def test_names_resolve_to_panes_in_this_processs_registry() -> None:
    held = registry.current()
    held.replace([WORK])
    try:
        assert held.find("work") is WORK
        assert registry.pane_of(cast(Any, None), "work") == "%1"
        assert registry.pane_of(cast(Any, None), "%1") is None
    finally:
        held.replace(())


def test_the_wire_form_is_the_documents_with_our_fields_more() -> None:
    asking = replace(
        WORK,
        state=State.WAITING,
        question="Do you want to proceed?",
        options=(Option(1, "Yes", "1", selected=True), Option(2, "No", "2")),
    )
    assert wire(asking) == {
        "name": "work",
        "runtime": "claude",
        "workDir": "/home/u/code",
        "attached": True,
        "state": "waiting",
        "question": "Do you want to proceed?",
        "options": [
            {"number": 1, "label": "Yes", "key": "1", "selected": True},
            {"number": 2, "label": "No", "key": "2", "selected": False},
        ],
        "session": "work",
        "windowId": "@1",
        "paneId": "%1",
    }


def test_of_one_that_is_gone_only_the_name_is_told() -> None:
    held = Registry()
    [added] = held.replace([OPS])
    assert event(added) == {"type": "agent-added", "agent": wire(OPS)}
    [removed] = held.replace([])
    assert event(removed) == {"type": "agent-removed", "name": "ops"}
