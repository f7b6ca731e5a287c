"""Chats for flows: records written past the recorder, and what the page shows of them."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing

from playwright.sync_api import Locator

from tests.flows.desk import Desk

COLUMNS = "window_id, ts, role, text, pane, runtime, columns, full"
BEGIN = 1_794_800_000_000  # ms: some day in the past of the clock of the tests
Said = tuple[int, str, str]  # ms after the beginning, role, text


def write(desk: Desk, window: str, said: Sequence[Said], *, runtime: str = "") -> None:
    """Into the database of the running server; nobody is told."""
    database = next((desk.served.directory / "data").glob("*.sqlite3"))
    with closing(sqlite3.connect(database, timeout=15)) as connection, connection:
        row = connection.execute("SELECT id FROM terminals_window WHERE key = ?", (window,))
        (number,) = row.fetchone()
        connection.executemany(
            f"INSERT INTO agents_chatrecord ({COLUMNS}) VALUES (?, ?, ?, ?, '%0', ?, 100, 0)",
            [(number, BEGIN + ts, role, text, runtime) for ts, role, text in said],
        )


def turns(count: int, *, first: int = 0) -> list[Said]:
    """`echo N` and a screen that shows it with its answer, a minute apart."""
    told: list[Said] = []
    for number in range(first, first + count):
        answer = "\n".join(f"answer {number} line {line}" for line in range(1 + number % 4))
        told.append((number * 60_000, "user", f"echo {number}"))
        told.append((number * 60_000 + 900, "assistant", f"$ echo {number}\n{answer}\n$"))
    return told


def rows(desk: Desk, role: str = "") -> Locator:
    return desk.page.locator(f".chat-row{f'.{role}' if role else ''}")


def row(desk: Desk, text: str) -> Locator:
    return desk.page.locator(".chat-row", has_text=text)


def scroll(desk: Desk, pixels: int) -> None:
    """As a wheel does: from where it is, up or down."""
    desk.page.locator("virtual-list").evaluate("(list, by) => list.scrollBy(0, by)", pixels)


def is_at_end(desk: Desk) -> bool:
    script = "(list) => list.scrollTop + list.clientHeight >= list.scrollHeight - 3"
    told: bool = desk.page.locator("virtual-list").evaluate(script)
    return told
