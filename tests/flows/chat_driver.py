"""Writes chat records into the database, and finds them on the chat page."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing

from playwright.sync_api import Locator

from tests.flows.page_driver import PageDriver
from tests.terminals.served import Served
from tests.waiting import LONGEST_SECONDS

COLUMNS = "window_id, ts, role, text, pane, runtime, columns, full"
START = 1_794_800_000_000  # ms: a day in the past
Record = tuple[int, str, str]  # ms after START, role, text


def write_records(
    driver: PageDriver, window: str, records: Sequence[Record], *, runtime: str = ""
) -> None:
    """Writes records into the database of the running server, without events."""
    database = next((driver.served.directory / "data").glob("*.sqlite3"))
    with closing(sqlite3.connect(database, timeout=LONGEST_SECONDS)) as connection, connection:
        row = connection.execute("SELECT id FROM terminals_window WHERE key = ?", (window,))
        (number,) = row.fetchone()
        connection.executemany(
            f"INSERT INTO agents_chatrecord ({COLUMNS}) VALUES (?, ?, ?, ?, '%0', ?, 100, 0)",
            [(number, START + ts, role, text, runtime) for ts, role, text in records],
        )


MESSAGE_COLUMNS = "window_id, ts, key, pane, session_id, role, kind, text, tool"


def write_messages(
    served: Served, window: str, messages: Sequence[tuple[str, str, str, str | None]]
) -> None:
    """Writes messages of a journal: role, kind, text, and a tool as JSON."""
    database = next((served.directory / "data").glob("*.sqlite3"))
    with closing(sqlite3.connect(database, timeout=LONGEST_SECONDS)) as connection, connection:
        row = connection.execute("SELECT id FROM terminals_window WHERE key = ?", (window,))
        (number,) = row.fetchone()
        connection.executemany(
            f"INSERT INTO agents_chatmessage ({MESSAGE_COLUMNS})"
            " VALUES (?, ?, ?, '%0', 's', ?, ?, ?, ?)",
            [(number, START + ts, f"{ts}", *message) for ts, message in enumerate(messages)],
        )


def turns(count: int, *, first: int = 0) -> list[Record]:
    """Turns a minute apart: the prompt `echo N`, and a screen with its answer."""
    records: list[Record] = []
    for number in range(first, first + count):
        answer = "\n".join(f"answer {number} line {line}" for line in range(1 + number % 4))
        records.append((number * 60_000, "user", f"echo {number}"))
        records.append((number * 60_000 + 900, "assistant", f"$ echo {number}\n{answer}\n$"))
    return records


def rows(driver: PageDriver, role: str = "") -> Locator:
    return driver.page.locator(f".chat-row{f'.{role}' if role else ''}")


def row(driver: PageDriver, text: str) -> Locator:
    return driver.page.locator(".chat-row", has_text=text)


def scroll(driver: PageDriver, pixels: int) -> None:
    """Scrolls by a number of pixels, up or down."""
    driver.page.locator("virtual-list").evaluate("(list, by) => list.scrollBy(0, by)", pixels)


def wait_for_end(driver: PageDriver) -> None:
    """Waits until the list is scrolled to its end."""
    driver.wait_for("""() => {
      const list = document.querySelector('virtual-list')
      return list.scrollTop + list.clientHeight >= list.scrollHeight - 3
    }""")
