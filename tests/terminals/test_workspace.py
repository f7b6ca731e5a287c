"""What pages are told of tmux as it is now: by value, and over a real socket."""

from collections.abc import Iterator
from typing import Any

import pytest

from terminals.workspace import NOTHING, Shown, ShownWindowOut
from tests.terminals.served import Served, client, served_tmux


@pytest.fixture
def served() -> Iterator[Served]:
    with served_tmux() as served:
        yield served


def window(number: int, **fields: Any) -> ShownWindowOut:
    return ShownWindowOut.model_validate(
        {
            "window_id": f"@{number}", "window_index": 0, "window_name": "sh", "session": "work",
            "session_id": "$0", "active": True, "zoomed": False, "bell": False, "layout": "",
            "activity": 1, "attached": 0, "panes": [], **fields,
        }
    )  # fmt: skip


def test_only_what_is_different_is_told() -> None:
    before = Shown({"@1": window(1), "@2": window(2), "@3": window(3)})
    after = Shown({"@1": window(1), "@2": window(2, activity=2)})
    told = after.since(before)
    assert told is not None
    assert [each["windowId"] for each in told["windows"]] == ["@2"]
    assert told["gone"] == ["@3"]
    assert after.since(after) is None


def test_a_tmux_that_goes_away_is_a_difference() -> None:
    told = Shown({}, "no tmux server").since(NOTHING)
    assert told is not None
    assert told["problem"] == "no tmux server"


async def test_windows_and_panes_are_told_as_they_come_and_go(served: Served) -> None:
    async with client(served) as page:
        first = await page.ask("subscribe-workspace")
        [work] = first["windows"]
        assert (work["session"], work["active"], first["problem"]) == ("work", True, "")
        assert work["layout"].split(",")[1] == "80x24"
        served.tmux("split-window", "-h", "-t", "work")
        told = await page.event("workspace-updated")
        while len(told["windows"][0]["panes"]) < 2:
            told = await page.event("workspace-updated")
        assert "{" in told["windows"][0]["layout"]
        pane = served.new_pane("exec sh")
        while pane not in _panes(told := await page.event("workspace-updated")):
            pass
        served.tmux("kill-window", "-t", pane)
        while not (told := await page.event("workspace-updated"))["gone"]:
            pass
        assert (await page.ask("unsubscribe-workspace"))["ok"]


async def test_two_pages_hear_the_same(served: Served) -> None:
    async with client(served) as one, client(served) as other:
        await one.ask("subscribe-workspace")
        await other.ask("subscribe-workspace")
        served.tmux("rename-window", "-t", "work", "renamed")
        for page in (one, other):
            while (told := await page.event("workspace-updated"))["windows"] == []:
                pass
            assert told["windows"][0]["windowName"] == "renamed"


def _panes(told: dict[str, Any]) -> list[str]:
    return [pane["paneId"] for window in told["windows"] for pane in window["panes"]]
