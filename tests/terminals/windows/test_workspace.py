"""The live workspace: differences between two states, and updates over a real socket."""

from collections.abc import Callable
from typing import Any

from terminals.schemas import ShownWindowOut
from terminals.windows.workspace import EMPTY, WorkspaceState
from tests.terminals.served import Client, Served, client


def window(number: int, **fields: Any) -> ShownWindowOut:
    return ShownWindowOut.model_validate(
        {
            "window_id": f"@{number}", "window_index": 0, "window_name": "sh", "session": "work",
            "session_id": "$0", "active": True, "zoomed": False, "bell": False, "layout": "",
            "activity": 1, "attached": 0, "panes": [], **fields,
        }
    )  # fmt: skip


def test_an_update_contains_only_the_difference() -> None:
    before = WorkspaceState({"@1": window(1), "@2": window(2), "@3": window(3)})
    after = WorkspaceState({"@1": window(1), "@2": window(2, activity=2)})
    update: Any = after.since(before)
    assert update is not None
    assert [each["windowId"] for each in update["windows"]] == ["@2"]
    assert update["gone"] == ["@3"]
    assert after.since(after) is None


def test_a_tmux_that_goes_away_is_a_difference() -> None:
    update = WorkspaceState({}, "no tmux server").since(EMPTY)
    assert update is not None
    assert update["problem"] == "no tmux server"


async def test_windows_and_panes_are_sent_as_they_appear_and_end(served: Served) -> None:
    new_session(served, "watched")
    async with client(served) as page:
        first = await page.ask("subscribe-workspace")
        while not (watched := of_session(first, "watched")):  # tmux reports it a moment later
            first = await page.event("workspace-updated")
        assert (watched[0]["active"], first["problem"]) == (True, "")
        assert watched[0]["layout"].split(",")[1] == "80x24"
        served.tmux("split-window", "-h", "-t", "=watched:")
        split = await updated(page, "watched", lambda window: len(window["panes"]) == 2)
        assert "{" in split["layout"]
        window = served.tmux("new-window", "-dP", "-F", "#{window_id}", "-t", "=watched:", "sh")
        await updated(page, "watched", lambda each: each["windowId"] == window)
        served.tmux("kill-window", "-t", window)
        while window not in (await page.event("workspace-updated"))["gone"]:
            pass
        assert (await page.ask("unsubscribe-workspace"))["ok"]


async def test_all_subscribed_pages_get_the_same_update(served: Served) -> None:
    new_session(served, "renaming")
    async with client(served) as first, client(served) as second:
        await first.ask("subscribe-workspace")
        await second.ask("subscribe-workspace")
        served.tmux("rename-window", "-t", "=renaming:", "renamed")
        for page in (first, second):
            await updated(page, "renaming", lambda window: window["windowName"] == "renamed")


def new_session(served: Served, name: str) -> None:
    served.tmux("new-session", "-d", "-s", name, "-x", "80", "-y", "24", "exec sh")


def of_session(update: dict[str, Any], session: str) -> list[dict[str, Any]]:
    return [window for window in update["windows"] if window["session"] == session]


async def updated(
    page: Client, session: str, wanted: Callable[[dict[str, Any]], bool]
) -> dict[str, Any]:
    """The first window of this session that fits, in the next updates."""
    while True:
        for window in of_session(await page.event("workspace-updated"), session):
            if wanted(window):
                return window
