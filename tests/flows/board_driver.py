"""Drives a board in the browser, and changes it through MCP and REST."""

from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, TimeoutError, expect

from tests.flows.page_driver import HTTP, MS, PageDriver

# With a service worker, requests cannot be intercepted.
NO_WORKER: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}, "service_workers": "block"}
COLUMNS = ("NS", "WIP", "BL", "CM")
# The texts of the cards, column by column.
SHOWN_CARDS = """() => {
  const list = (column) => [...column.querySelectorAll('.task-text')]
  const texts = (column) => list(column).map((text) => text.textContent)
  const columns = [...document.querySelectorAll('board-screen .column')]
  return Object.fromEntries(columns.map((column) => [column.dataset.status, texts(column)]))
}"""
SHOWS = f"""(expected) => {{
  const shown = ({SHOWN_CARDS})()
  const same = ([status, texts]) => JSON.stringify(shown[status]) === JSON.stringify(texts)
  return Object.entries(expected).every(same)
}}"""


@dataclass
class Board:
    driver: PageDriver
    project: str = ""
    window: str = ""  # the key of its window, for the board of a window

    @property
    def page(self) -> Page:
        return self.driver.page

    @property
    def owner(self) -> str:
        return f"/windows/{self.window}" if self.window else f"/projects/{self.project}"

    def open(self) -> None:
        place = f"window/{self.window}" if self.window else f"project/{self.project}"
        self.driver.open(f"#/{place}/board")
        expect(self.page.locator(".board[aria-busy=false]")).to_be_visible(timeout=MS)

    # --- the page ---

    def shows(self, **columns: list[str]) -> None:
        """Waits until these columns contain exactly these cards."""
        try:
            self.page.wait_for_function(SHOWS, arg=columns, timeout=MS)
        except TimeoutError:
            pytest.fail(f"the board shows {self.page.evaluate(SHOWN_CARDS)}, not {columns}")

    def card(self, text: str) -> Locator:
        return self.page.locator("board-screen .task").filter(has_text=text)

    def column(self, status: str) -> Locator:
        return self.page.locator(f'board-screen .column[data-status="{status}"]')

    def focus(self, text: str) -> None:
        self.card(text).focus()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    # --- the server ---

    def read(self) -> dict[str, Any]:
        """The notes of the server, once it has confirmed the changes of an open board."""
        for board in self.page.locator(".board").all():
            expect(board).to_have_attribute("data-waiting", "0", timeout=MS)
        sheet: dict[str, Any] = self.driver.rest("GET", f"{self.owner}/notes")
        return sheet

    def write(self, notes: str) -> None:
        self.driver.rest("PUT", f"{self.owner}/notes", json={"notes": notes})

    def holds(self, notes: str) -> None:
        """Waits until the server has these notes: the page may be ahead of it."""
        self.page.wait_for_function(
            """async ([path, notes]) => (await (await fetch(path)).json()).notes === notes""",
            arg=[f"/api{self.owner}/notes", notes],
            timeout=MS,
            polling=100,
        )

    def stores(self, *tasks: tuple[str, str]) -> None:
        """Waits until the server has tasks with these statuses and texts, among others."""
        self.driver.wait_until(
            lambda: {(task["status"], task["text"]) for task in self.read()["tasks"]} >= {*tasks}
        )

    def call_mcp(self, action: str, **fields: Any) -> None:
        """Calls `update_task` as an agent does."""
        call_mcp(
            self.driver.address, scope="project", session=self.project, action=action, **fields
        )


def call_mcp(address: str, **arguments: Any) -> dict[str, Any]:
    params = {"name": "update_task", "arguments": {"mode": "execute", **arguments}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    headers = {"Accept": "application/json"}
    response = HTTP.post(f"{address}/mcp", json=body, headers=headers).json()
    result: dict[str, Any] = response["result"]
    return result


def new_board(driver: PageDriver, notes: str = "", name: str = "a") -> Board:
    """The board of the project of a new session."""
    driver.session(name)
    board = Board(driver, f"{driver.prefix}-{name}")
    if notes:
        board.write(notes)
    return board


def center(locator: Locator) -> tuple[float, float]:
    box = locator.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(board: Board, text: str, to: Locator, *, above: bool = False) -> None:
    """Drags a card with the mouse, onto the upper half of a card or into a column."""
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
    """Drags a card with one finger: press, move, release."""
    session = board.page.context.new_cdp_session(board.page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        touches = [{"x": x, "y": y} for x, y in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    (x, y), (to_x, to_y) = center(board.card(text)), center(to)
    touch("touchStart", (x, y))
    expect(board.page.locator(".sortable-chosen")).to_have_count(1, timeout=MS)
    for step in range(1, 13):
        touch("touchMove", (x + (to_x - x) * step / 12, y + (to_y - y) * step / 12))
    touch("touchMove", (to_x, to_y + 2))
    touch("touchEnd")
