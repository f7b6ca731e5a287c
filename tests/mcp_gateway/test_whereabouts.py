"""Where a call acts, by what its arguments say and what tmux shows."""

from dataclasses import dataclass, field
from typing import Any

import pytest

from mcp_gateway.whereabouts import Whereabouts, find


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
        ({"windowId": "@2", "session": "play"}, Whereabouts("@2")),
        ({"windowId": "abcdefghjk"}, Whereabouts("abcdefghjk")),
        ({"pane": "%2"}, Whereabouts("@1")),
        ({"target": "%9"}, Whereabouts("")),
        ({"target": "@3"}, Whereabouts("@3")),
        ({"target": "work:1"}, Whereabouts("", "work")),
        ({"agent": "claude", "prompt": "hello"}, Whereabouts("@3")),
        ({"session": "work"}, Whereabouts("", "work")),
        ({"session": "work", "windowIndex": 1}, Whereabouts("@2", "work")),
        ({"session": "work", "windowName": "logs"}, Whereabouts("@2", "work")),
        ({"windowName": "logs"}, Whereabouts("@2")),
        ({"windowName": "sh"}, Whereabouts("")),
        ({}, Whereabouts()),
    ],
)
def test_a_call_is_placed(arguments: dict[str, Any], place: Whereabouts) -> None:
    assert find(arguments, WINDOWS, {"claude": "@3"}) == place
