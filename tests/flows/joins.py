"""Joins a pane in the browser as the page does, and compares every cell with tmux.

The terminal is <tmux-adapter-web>, with the options of the page, and the snapshot comes over a
WebSocket. A recorded output is written to the tty of the pane in pieces, so that a join can happen
between any two bytes of it.
"""

import os
import random
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from tests.flows.page_driver import PageDriver
from tests.terminals.tmux.cells import READ_ROWS, Differences, PaneCells, read_pane

ATTEMPTS = 50  # to see the same cells before and after a join
TERMINAL = (
    """async () => {
  const element = document.createElement('tmux-adapter-web')
  element.style.cssText = 'position: fixed; inset: 0; z-index: 99'
  element.setAttribute('size', '80x24')
  await import('/tmux-adapter-web/index.js')
  document.body.append(element)
  let terminal
  element.use({ activate: (given) => { terminal = given }, dispose: () => {} })
  const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/ws`)
  socket.binaryType = 'arraybuffer'
  await new Promise((opened, failed) => { socket.onopen = opened; socket.onerror = failed })
  socket.onclose = ({ reason }) => console.error(`the socket is closed: ${reason}`)
  let onSnapshot = () => {}
  let requests = 0
  const answers = new Map()
  const ask = (type, agent) => new Promise((answered) => {
    answers.set(`${++requests}`, answered)
    socket.send(JSON.stringify({ id: `${requests}`, type, agent }))
  })
  socket.onmessage = ({ data }) => {
    if (typeof data === 'string') {
      const message = JSON.parse(data)
      return answers.get(message.id)?.(message)
    }
    const frame = new Uint8Array(data)
    if (frame[0] === 1) onSnapshot(frame.subarray(frame.indexOf(0, 1) + 1))
  }
  const read = """
    + READ_ROWS
    + """
  window.joins = {
    /** Joins a pane and reads the cells of its snapshot. */
    join: async (pane, size) => {
      element.setAttribute('size', size)
      await ask('unsubscribe-output', pane)
      const snapshot = new Promise((received) => { onSnapshot = received })
      const { ok, error } = await ask('subscribe-output', pane)
      if (!ok) throw new Error(error)
      const bytes = await snapshot
      await new Promise((parsed) => { terminal.write(bytes, parsed) })
      return read(terminal)
    },
    leave: (pane) => ask('unsubscribe-output', pane),
  }
}"""
)


@dataclass
class Totals:
    """The differences of all joins."""

    joins: int = 0
    screen: Differences = field(default_factory=Differences)
    history: Differences = field(default_factory=Differences)
    cursors: int = 0

    @property
    def different(self) -> int:
        return self.screen.cells + self.history.cells + self.cursors

    def include(self, other: "Totals") -> None:
        self.joins += other.joins
        self.cursors += other.cursors
        self.screen.include(other.screen)
        self.history.include(other.history)

    def add(self, expected: PaneCells, shown: dict[str, Any], width: int) -> None:
        self.joins += 1
        self.screen.add(expected.screen, shown["screen"], width)
        self.history.add(expected.history, shown["history"], width)
        self.screen.add(expected.saved, shown["saved"], width)
        self.cursors += list(expected.cursor) != shown["cursor"]


class JoinedPane:
    """A pane that shows recorded output, and a terminal that joins it again and again."""

    def __init__(self, driver: PageDriver, pane: str, size: str, lines: int) -> None:
        self._driver, self._pane, self._size, self._lines = driver, pane, size, lines
        self._width = int(size.split("x")[0])
        self._tty = os.open(
            driver.tmux("display-message", "-p", "-t", pane, "#{pane_tty}"),
            os.O_WRONLY | os.O_NOCTTY,
        )

    def close(self) -> None:
        os.close(self._tty)

    def write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._tty, data) :]

    def cells(self) -> PaneCells:
        return read_pane(self._driver.tmux, self._pane, self._driver.directory, self._lines)

    def join(self, totals: Totals) -> None:
        """Compares the snapshot with tmux; both are of the same moment if tmux shows no change."""
        before = self.cells()
        for _ in range(ATTEMPTS):
            shown = self._driver.page.evaluate(
                "([pane, size]) => joins.join(pane, size)", [self._pane, self._size]
            )
            after = self.cells()
            if before == after:
                shown["history"] = shown["history"][-self._lines :]
                totals.add(before, shown, self._width)
                return
            before = after
        raise AssertionError("the pane does not come to rest")

    def leave(self) -> None:
        self._driver.page.evaluate("(pane) => joins.leave(pane)", self._pane)


@contextmanager
def joined_pane(
    driver: PageDriver, name: str, *, size: str = "80x24", lines: int = 2000
) -> Iterator[JoinedPane]:
    """A new pane without a program that prints. The page must have run `TERMINAL`."""
    command = "stty raw -echo; printf ready; exec sleep 100000"
    pane = driver.session(name, command, size=size)
    driver.wait_until(lambda: driver.screen(pane).startswith("ready"))
    # A manual size: the page would fit a window that it shows to its own size.
    driver.tmux("resize-window", "-t", pane, "-x", size.split("x")[0], "-y", size.split("x")[1])
    joined = JoinedPane(driver, pane, size, lines)
    try:
        joined.write(b"\x1bc\x1b[H\x1b[2J\x1b[3J")
        yield joined
    finally:
        joined.leave()
        joined.close()
        with suppress(Exception):
            driver.tmux("kill-session", "-t", pane)


def join_everywhere(
    pane: JoinedPane, output: bytes, count: int, chance: random.Random, totals: Totals
) -> None:
    """Joins at `count` random moments of the output; the viewer leaves between them."""
    start = 0
    for cut in sorted(chance.randrange(len(output)) for _ in range(count)):
        pane.write(output[start:cut])
        pane.join(totals)
        pane.leave()
        start = cut
