"""Drives terminals on the page: shell prompts, actions, toasts, and comparison with tmux."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import expect

from tests.flows.page_driver import MS, PageDriver
from tests.terminals.tmux.cells import READ_ROWS, Differences, read_pane

# Records all toasts, and still shows them.
RECORD_TOASTS = """() => {
  window.toasts = []
  const stack = document.querySelector('toast-stack')
  const show = stack.show?.bind(stack)
  stack.show = (toast) => { window.toasts.push(toast); show?.(toast) }
}"""
HAS_PROMPT = r"""(name) => /[$#] *\s*$/.test(
  document.querySelector(`tmux-adapter-web[name='${name}']`)?.text?.() ?? '')"""
# The cells of a terminal; null while it is not ready. An addon is how xterm.js is reached.
READ_CELLS = (
    """(name) => {
  const element = document.querySelector(`tmux-adapter-web[name='${name}']`)
  let terminal
  element?.use({ activate: (given) => { terminal = given }, dispose: () => {} })
  return terminal ? ("""
    + READ_ROWS
    + """)(terminal) : null
}"""
)


def open_terminal(driver: PageDriver, pane: str) -> None:
    """Opens the window of a pane and waits for the prompt of its shell."""
    driver.open_window(pane)
    driver.page.evaluate(RECORD_TOASTS)
    wait_for_prompt(driver, pane)


def wait_for_prompt(driver: PageDriver, pane: str) -> None:
    driver.wait_for(HAS_PROMPT, pane)


def run_action(driver: PageDriver, name: str, **arguments: Any) -> None:
    """Runs an action of the page."""
    driver.page.evaluate(
        "(detail) => document.dispatchEvent(new CustomEvent('action', { detail }))",
        {"name": name, **arguments},
    )


def type_line(driver: PageDriver, text: str) -> None:
    driver.page.keyboard.type(text)
    driver.page.keyboard.press("Enter")


def focus_pane(driver: PageDriver, pane: str) -> None:
    driver.terminal(pane).click(position={"x": 40, "y": 60})
    driver.wait_for("(name) => document.activeElement?.getAttribute('name') === name", pane)


def split_pane(driver: PageDriver, pane: str, direction: str = "-h") -> str:
    """Splits a pane with tmux, bypassing the page."""
    return driver.tmux(
        "split-window", direction, "-P", "-F", "#{pane_id}", "-t", pane, "-e", "PS1=$ ", "exec sh"
    )


def size_of(driver: PageDriver, pane: str) -> str:
    return driver.tmux("display-message", "-p", "-t", pane, "#{window_width}x#{window_height}")


def expect_same_screen(driver: PageDriver, pane: str, *, lines: int = 0) -> None:
    """Waits until the page shows the same cells as tmux: characters, colours and attributes.

    `lines`: how many rows of the history are compared, too. Only after a join: a terminal that
    followed the output since may have other rows, such as those of an earlier width.
    """
    different = Differences()

    def is_same() -> bool:
        nonlocal different
        different = Differences()
        shown = driver.page.evaluate(READ_CELLS, pane)
        if shown is None:
            return False
        expected = read_pane(driver.tmux, pane, driver.directory, lines)
        different.add(expected.screen, shown["screen"], shown["cols"])
        if lines:
            different.add(expected.history, shown["history"][-lines:], shown["cols"])
        return different.cells == 0

    try:
        driver.wait_until(is_same)
    except AssertionError as error:
        raise AssertionError(f"tmux and the page differ in {different.examples[:5]}") from error


def toasts(driver: PageDriver) -> list[str]:
    texts: list[str] = driver.page.evaluate("window.toasts.map(({ text }) => text)")
    return texts


def wait_for_toast(driver: PageDriver, text: str) -> None:
    driver.wait_for("(expected) => window.toasts.some(({ text }) => text.includes(expected))", text)


@contextmanager
def attached_terminal(driver: PageDriver, pane: str, *, columns: int, rows: int) -> Iterator[None]:
    """Attaches a terminal of this size to the session of a pane, outside of the page."""
    controller, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    session = driver.tmux("display-message", "-p", "-t", pane, "#{session_name}")
    client = subprocess.Popen(
        ["tmux", "-S", driver.served.env["WEBTMUX_TMUX_SOCKET"], "attach", "-t", f"={session}"],
        stdin=terminal, stdout=terminal, stderr=terminal, start_new_session=True,
        env={"TERM": "xterm", "PATH": os.environ["PATH"]},
    )  # fmt: skip
    try:
        yield
    finally:
        client.kill()
        client.wait()
        os.close(controller)
        os.close(terminal)


def expect_status(driver: PageDriver, text: str) -> None:
    """Waits for a text in the status line; a size is given as 80x24."""
    text = text.replace("x", "\N{MULTIPLICATION SIGN}")
    expect(driver.page.locator(".terminal-status")).to_contain_text(
        re.compile(re.escape(text)), timeout=MS
    )
