"""The window and project of a call, from its arguments and from tmux."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from mcp_gateway.audit.locations import CallLocation, find


@dataclass
class Pane:
    pane_id: str


@dataclass
class Shown:
    window_id: str
    window_index: int
    window_name: str
    session: str
    panes: list[Pane] = field(default_factory=list)


WINDOWS = {
    "@1": Shown("@1", 0, "sh", "work", [Pane("%1"), Pane("%2")]),
    "@2": Shown("@2", 1, "logs", "work", [Pane("%3")]),
    "@3": Shown("@3", 0, "sh", "play", [Pane("%4")]),
}


@pytest.mark.parametrize(
    ("arguments", "place"),
    [
        ({"windowId": "@2", "session": "play"}, CallLocation("@2")),
        ({"windowId": "abcdefghjk"}, CallLocation("abcdefghjk")),
        ({"pane": "%2"}, CallLocation("@1")),
        ({"target": "%9"}, CallLocation("")),
        ({"target": "@3"}, CallLocation("@3")),
        ({"target": "work:1"}, CallLocation("", "work")),
        ({"agent": "claude", "prompt": "hello"}, CallLocation("@3")),
        ({"session": "work"}, CallLocation("", "work")),
        ({"session": "work", "windowIndex": 1}, CallLocation("@2", "work")),
        ({"session": "work", "windowName": "logs"}, CallLocation("@2", "work")),
        ({"windowName": "logs"}, CallLocation("@2")),
        ({"windowName": "sh"}, CallLocation("")),
        ({}, CallLocation()),
    ],
)
def test_a_call_has_a_location(arguments: dict[str, Any], place: CallLocation) -> None:
    assert find(arguments, WINDOWS, {"claude": "@3"}) == place
