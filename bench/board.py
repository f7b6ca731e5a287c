"""`make bench-board`: from an MCP `update_task` to the open board that shows it.

End to end: HTTP, gate, MCP, SQLite, socket, page. Both ends read the same clock. With
`soak`: two browsers and an MCP client move cards at random at once (`make soak-board`).
"""

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
from playwright.sync_api import Page, sync_playwright

from bench.private_tmux import ms
from tests.browser.launch import FLAGS, browser_program
from tests.flows.board_driver import Board
from tests.flows.concurrent_moves import move_at_random
from tests.flows.conftest import WIDE
from tests.flows.page_driver import RECORD_VIOLATIONS, PageDriver
from tests.terminals.served import served_tmux

TASKS = 40
CALLS = 200
WARM = 20
GOAL_P95 = 0.100  # seconds
MOVES = 500
WRITERS = 3
# When the board first showed a status of a task: by the page's own clock, which is the machine's.
OBSERVE = """() => {
  window.shown = new Map()
  new MutationObserver(() => {
    const card = [...document.querySelectorAll('.task')].find((each) => each.textContent.includes('task 0 '))
    const state = `${card?.dataset.status} ${card?.querySelector('.task-text')?.textContent}`
    if (!window.shown.has(state)) window.shown.set(state, Date.now())
  }).observe(document.querySelector('board-screen'), { subtree: true, childList: true, characterData: true, attributes: true })
}"""  # noqa: E501
SHOWN = "(state) => window.shown.get(state)"


@contextmanager
def open_boards(count: int) -> Iterator[list[Board]]:
    with (
        served_tmux() as served,
        tempfile.TemporaryDirectory() as directory,
        sync_playwright() as play,
    ):
        browser = play.chromium.launch(executable_path=browser_program(), args=FLAGS)
        boards = []
        for _ in range(count):
            context = browser.new_context(**WIDE)
            context.add_init_script(RECORD_VIOLATIONS)
            boards.append(
                Board(PageDriver(context.new_page(), served, Path(directory), "b"), "work")
            )
        statuses = ("NS", "WIP", "BL", "CM")
        lines = (f"[{statuses[number % 4]}] task {number} of many" for number in range(TASKS))
        boards[0].write("\n".join(lines))
        for board in boards:
            board.open()
        yield boards
        browser.close()


def delays(board: Board) -> list[float]:
    """The delay of each call in seconds."""
    board.page.evaluate(OBSERVE)
    with httpx.Client(base_url=board.driver.address, timeout=20) as client:
        return [_delay(client, board.page, number) for number in range(WARM + CALLS)][WARM:]


def _delay(client: httpx.Client, page: Page, number: int) -> float:
    status = ("WIP", "BL", "CM", "NS")[number % 4]
    arguments = {
        "mode": "execute", "scope": "project", "session": "work", "action": "set_status",
        "index": 0, "status": status,
    }  # fmt: skip
    params = {"name": "update_task", "arguments": arguments}
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    state = f"{status} task 0 of many"
    page.evaluate("() => window.shown.clear()")
    sent = time.time()
    client.post("/mcp", json=request, headers={"Accept": "application/json"}).raise_for_status()
    shown = page.wait_for_function(SHOWN, arg=state, timeout=20_000).json_value()
    return float(shown) / 1000 - sent


def bench() -> None:
    with open_boards(1) as [board]:
        timings = sorted(delays(board))
    p95 = timings[int(len(timings) * 0.95)]
    print(f"\n{TASKS} tasks; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    print(f"  update_task to the board   {ms(timings)}   (goal: p95 {GOAL_P95 * 1000:.0f} ms)")
    print(f"  p95 {p95 * 1000:.0f} ms: goal {'met' if p95 <= GOAL_P95 else 'MISSED'}")


def soak() -> None:
    with open_boards(WRITERS - 1) as boards:
        began = time.monotonic()
        outcome = move_at_random(boards, each=MOVES // WRITERS + 1)
        seconds = time.monotonic() - began
    same = all(board == outcome.stored for board in outcome.boards)
    print(f"\n{WRITERS} writers, {len(outcome.versions)} changes in {seconds:.0f} s")
    print(f"  lost updates: {outcome.lost}; changes of the wrong card: {outcome.misdirected}")
    print(f"  boards equal to the database: {same}")
    if outcome.lost or outcome.misdirected or not same:
        sys.exit(1)


if __name__ == "__main__":
    soak() if sys.argv[1:] == ["soak"] else bench()
