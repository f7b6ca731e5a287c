"""What the flows of the terminal share: ready shells, actions by name, toasts that are kept."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import expect

from tests.flows.desk import SECONDS, Desk

# Beside whatever shows them.
KEEP_TOASTS = """() => {
  window.toasts = []
  const stack = document.querySelector('toast-stack')
  const own = stack.show?.bind(stack)
  stack.show = (toast) => { window.toasts.push(toast); own?.(toast) }
}"""
PROMPTED = r"""(name) => /[$#] *\s*$/.test(
  document.querySelector(`tmux-adapter-web[name='${name}']`)?.text?.() ?? '')"""
SHOWN = """(name) => {
  const terminal = document.querySelector(`tmux-adapter-web[name='${name}']`)
  return { cols: terminal.cols, rows: terminal.rows, text: terminal.text() }
}"""


def opened(desk: Desk, pane: str) -> None:
    """The page at this pane, whose shell shows its prompt."""
    desk.open_window(pane)
    desk.page.evaluate(KEEP_TOASTS)
    prompted(desk, pane)


def prompted(desk: Desk, pane: str) -> None:
    desk.wait_for(PROMPTED, pane)


def act(desk: Desk, name: str, **given: Any) -> None:
    """What a button or the palette does."""
    desk.page.evaluate(
        "(detail) => document.dispatchEvent(new CustomEvent('action', { detail }))",
        {"name": name, **given},
    )


def enter(desk: Desk, text: str) -> None:
    desk.page.keyboard.type(text)
    desk.page.keyboard.press("Enter")


def focus(desk: Desk, pane: str) -> None:
    desk.terminal(pane).click(position={"x": 40, "y": 60})
    desk.wait_for("(name) => document.activeElement?.getAttribute('name') === name", pane)


def split(desk: Desk, pane: str, direction: str = "-h") -> str:
    """Past the page, as somebody else does it."""
    return desk.tmux(
        "split-window", direction, "-P", "-F", "#{pane_id}", "-t", pane, "-e", "PS1=$ ", "exec sh"
    )


def size_of(desk: Desk, pane: str) -> str:
    return desk.tmux("display-message", "-p", "-t", pane, "#{window_width}x#{window_height}")


def until(desk: Desk, check: Callable[[], bool], *, seconds: float = SECONDS) -> None:
    """Until something outside of the page is so; looked at each time the page has drawn."""
    frame = "() => new Promise((done) => requestAnimationFrame(done))"
    for _ in range(int(seconds * 20)):
        if check():
            return
        desk.page.wait_for_timeout(50)
        desk.page.evaluate(frame)
    raise AssertionError("it did not come true")


def same_screen(desk: Desk, pane: str) -> None:
    """The page ends up with the very screen that tmux has."""

    def alike() -> bool:
        shown = desk.page.evaluate(SHOWN, pane)
        rows = [row.rstrip() for row in shown["text"].split("\n")][-shown["rows"] :]
        return rows == screen_rows(desk, pane, shown["rows"])

    until(desk, alike)


def screen_rows(desk: Desk, pane: str, rows: int) -> list[str]:
    found = [row.rstrip() for row in desk.screen(pane).split("\n")]
    return (found + [""] * rows)[:rows]


def toasts(desk: Desk) -> list[str]:
    found: list[str] = desk.page.evaluate("window.toasts.map(({ text }) => text)")
    return found


def wait_for_toast(desk: Desk, words: str) -> None:
    desk.wait_for("(words) => window.toasts.some(({ text }) => text.includes(words))", words)


@contextmanager
def attached(desk: Desk, pane: str, *, columns: int, rows: int) -> Iterator[None]:
    """A person's own terminal of this size on the pane's session."""
    controller, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    session = desk.tmux("display-message", "-p", "-t", pane, "#{session_name}")
    person = subprocess.Popen(
        ["tmux", "-S", desk.served.env["WEBTMUX_TMUX_SOCKET"], "attach", "-t", f"={session}"],
        stdin=terminal, stdout=terminal, stderr=terminal, start_new_session=True,
        env={"TERM": "xterm", "PATH": os.environ["PATH"]},
    )  # fmt: skip
    try:
        yield
    finally:
        person.kill()
        person.wait()
        os.close(controller)
        os.close(terminal)


def status_says(desk: Desk, words: str) -> None:
    """A size is written as tmux does, 80x24."""
    words = words.replace("x", "\N{MULTIPLICATION SIGN}")
    expect(desk.page.locator(".terminal-status")).to_contain_text(
        re.compile(re.escape(words)), timeout=SECONDS * 1000
    )
