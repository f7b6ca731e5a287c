"""A board before a person's eyes, and the other hands on it: MCP and REST. No test by itself."""

from dataclasses import dataclass
from typing import Any

import httpx
import pytest
from playwright.sync_api import Locator, Page, TimeoutError, expect

from tests.flows.desk import Desk

MS = 20_000
# Past a service worker requests are neither held up nor told.
NO_WORKER: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}, "service_workers": "block"}
COLUMNS = ("NS", "WIP", "BL", "CM")
# The board as it is seen: the texts of the cards, column by column.
SEEN = """() => {
  const list = (column) => [...column.querySelectorAll('.task-text')]
  const texts = (column) => list(column).map((text) => text.textContent)
  const columns = [...document.querySelectorAll('board-screen .column')]
  return Object.fromEntries(columns.map((column) => [column.dataset.status, texts(column)]))
}"""
SHOWS = f"""(wanted) => {{
  const seen = ({SEEN})()
  const same = ([status, texts]) => JSON.stringify(seen[status]) === JSON.stringify(texts)
  return Object.entries(wanted).every(same)
}}"""


@dataclass
class Board:
    desk: Desk
    project: str = ""
    window: str = ""  # its key, where the board is a window's

    @property
    def page(self) -> Page:
        return self.desk.page

    @property
    def owner(self) -> str:
        return f"/windows/{self.window}" if self.window else f"/projects/{self.project}"

    def open(self) -> None:
        place = f"window/{self.window}" if self.window else f"project/{self.project}"
        self.desk.open(f"#/{place}/board")
        expect(self.page.locator(".board[aria-busy=false]")).to_be_visible(timeout=MS)

    # --- what is seen ---

    def shows(self, **columns: list[str]) -> None:
        """Waits until these columns hold exactly these cards."""
        try:
            self.page.wait_for_function(SHOWS, arg=columns, timeout=MS)
        except TimeoutError:
            pytest.fail(f"the board shows {self.page.evaluate(SEEN)}, not {columns}")

    def card(self, text: str) -> Locator:
        return self.page.locator("board-screen .task").filter(has_text=text)

    def column(self, status: str) -> Locator:
        return self.page.locator(f'board-screen .column[data-status="{status}"]')

    def focus(self, text: str) -> None:
        self.card(text).focus()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    # --- what is stored ---

    def read(self) -> dict[str, Any]:
        told: dict[str, Any] = self.desk.rest("GET", f"{self.owner}/notes")
        return told

    def write(self, notes: str) -> None:
        self.desk.rest("PUT", f"{self.owner}/notes", json={"notes": notes})

    def holds(self, notes: str) -> None:
        """Waits until the server has these notes: what is seen may be ahead of it."""
        self.page.wait_for_function(
            """async ([path, notes]) => (await (await fetch(path)).json()).notes === notes""",
            arg=[f"/api{self.owner}/notes", notes],
            timeout=MS,
            polling=100,
        )

    def call_mcp(self, action: str, **fields: Any) -> None:
        """`update_task` of an agent."""
        call_mcp(self.desk.address, scope="project", session=self.project, action=action, **fields)


def call_mcp(address: str, **arguments: Any) -> dict[str, Any]:
    params = {"name": "update_task", "arguments": {"mode": "execute", **arguments}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    headers = {"Accept": "application/json"}
    told = httpx.post(f"{address}/mcp", json=body, headers=headers, timeout=20).json()
    result: dict[str, Any] = told["result"]
    return result


def new_board(desk: Desk, notes: str = "", name: str = "a") -> Board:
    """Of the project of a new session."""
    desk.session(name)
    board = Board(desk, f"{desk.prefix}-{name}")
    if notes:
        board.write(notes)
    return board


def center(locator: Locator) -> tuple[float, float]:
    box = locator.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(board: Board, text: str, to: Locator, *, above: bool = False) -> None:
    """With the mouse, onto a card's upper half or into a column."""
    mouse = board.page.mouse
    mouse.move(*center(board.card(text)))
    mouse.down()
    x, y = center(to)
    start = center(board.card(text).first)
    mouse.move(start[0] + 8, start[1] + 8, steps=3)
    expect(board.page.locator(".task-place")).to_have_count(1, timeout=MS)
    mouse.move(x, y - (8 if above else 0), steps=12)
    mouse.move(x, y - (10 if above else 2), steps=3)
    mouse.up()


def drag_by_touch(board: Board, text: str, to: Locator) -> None:
    """A finger that holds, carries and lets go."""
    session = board.page.context.new_cdp_session(board.page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        told = [{"x": x, "y": y} for x, y in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": told})

    (x, y), (to_x, to_y) = center(board.card(text)), center(to)
    touch("touchStart", (x, y))
    expect(board.page.locator(".sortable-chosen")).to_have_count(1, timeout=MS)
    for step in range(1, 13):
        touch("touchMove", (x + (to_x - x) * step / 12, y + (to_y - y) * step / 12))
    touch("touchMove", (to_x, to_y + 2))
    touch("touchEnd")
