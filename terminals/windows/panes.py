"""The actions on panes: split, resize, type, capture. One function per verb, for REST, MCP and
socket.

Sent text is never logged. Panes have no rows in the database: their state is read from tmux.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from core.errors import Invalid, Refused
from terminals import selectors
from terminals.tmux.driver import Tmux
from terminals.tmux.key_line import Part
from terminals.tmux.rows import PaneRow
from terminals.windows import sync

CAPTURE_LIMIT = 16 * 1024 * 1024  # bytes
SUBMITTING_KEYS = frozenset({"Enter", "KPEnter", "C-m", "C-j", "^M", "^J", "^m", "^j"})


@dataclass(frozen=True, slots=True)
class SentInput:
    pane: PaneRow
    submitted: bool
    status: Literal["typed", "sent", "entered", "pressed"]


@dataclass(frozen=True, slots=True)
class PaneText:
    pane: PaneRow
    text: str

    @property
    def lines(self) -> int:
        return len(self.text.splitlines())


async def split_pane(
    *,
    tmux: Tmux,
    pane: str,
    horizontal: bool = False,
    size: str = "",
    cwd: str = "",
    command: str = "",
) -> PaneRow:
    """The new pane. `horizontal`: a horizontal divider, one pane above the other."""
    row = await selectors.find_pane(tmux, pane)
    created = await tmux.split_window(
        row.id, stacked=horizontal, size=size, cwd=cwd, command=command
    )
    await sync.sync(tmux)
    return await tmux.pane(created.pane_id)


async def restart_pane(*, tmux: Tmux, pane: str) -> PaneRow:
    """Start the program of a pane again, in its directory. Refused while it is running."""
    row = await selectors.find_pane(tmux, pane)
    if not row.dead:
        raise Refused("the program of this pane is still running: close the pane to end it")
    await tmux.respawn_pane(row.id)
    return await tmux.pane(row.id)


async def kill_pane(*, tmux: Tmux, pane: str) -> PaneRow:
    """The pane as it was, marked as dead. A window ends with its last pane."""
    row = await selectors.find_pane(tmux, pane)
    await tmux.kill(row.id)
    await sync.sync_after_kill(tmux)
    return replace(row, dead=True, active=False)


async def select_pane(*, tmux: Tmux, pane: str) -> PaneRow:
    row = await selectors.find_pane(tmux, pane)
    await tmux.select_pane(row.id)
    return await tmux.pane(row.id)


async def zoom_pane(*, tmux: Tmux, pane: str) -> PaneRow:
    """Toggle whether the pane fills its window. It becomes the active pane."""
    row = await selectors.find_pane(tmux, pane)
    await tmux.zoom_pane(row.id)
    return await tmux.pane(row.id)


async def resize_pane(
    *,
    tmux: Tmux,
    pane: str,
    width: int | None = None,
    height: int | None = None,
    direction: Literal["up", "down", "left", "right"] | None = None,
    amount: int = 5,
) -> PaneRow:
    row = await selectors.find_pane(tmux, pane)
    await tmux.resize_pane(row.id, width=width, height=height, direction=direction, amount=amount)
    return await tmux.pane(row.id)


async def send_text(*, tmux: Tmux, pane: str, text: str, submit: bool = False) -> SentInput:
    """Without `submit` nothing is executed: text that could execute by itself is refused."""
    row = await selectors.find_pane(tmux, pane)
    async with tmux.lock(row.id):
        await tmux.put_text(row.id, text, submit=submit, locked=True)
        if submit:
            await tmux.press(row.id, "Enter", locked=True)
    return SentInput(row, submit, "sent" if submit else "typed")


async def send_keys(*, tmux: Tmux, pane: str, keys: list[str]) -> SentInput:
    row = await selectors.find_pane(tmux, pane)
    await tmux.press(row.id, *keys)
    return SentInput(row, False, "pressed")


async def send_parts(*, tmux: Tmux, pane: str, parts: Sequence[Part]) -> SentInput:
    """Text and keys in order. Text with line breaks needs an Enter among the keys that follow."""
    row = await selectors.find_pane(tmux, pane)
    async with tmux.lock(row.id):
        for number, part in enumerate(parts):
            if isinstance(part, bytes):
                submit = not SUBMITTING_KEYS.isdisjoint(parts[number + 1 :])
                await tmux.put_text(row.id, part.decode(), submit=submit, locked=True)
            else:
                await tmux.press(row.id, part, locked=True)
    return SentInput(row, False, "typed")


async def submit(*, tmux: Tmux, pane: str) -> SentInput:
    row = await selectors.find_pane(tmux, pane)
    await tmux.press(row.id, "Enter")
    return SentInput(row, True, "entered")


async def capture(
    *,
    tmux: Tmux,
    pane: str,
    start: int | None = None,
    end: int | None = None,
    lines: int | None = None,
    history: bool = False,
    escapes: bool = False,
    join: bool = False,
) -> PaneText:
    """The screen, or the lines from `start` to `end`, or `lines` lines: from `start` on if it is
    given, else the last ones with text."""
    row = await selectors.find_pane(tmux, pane)

    async def read(first: int | None, last: int | None, *, everything: bool) -> str:
        raw = await tmux.capture(
            row.id, start=first, end=last, history=everything, escapes=escapes, join=join
        )
        if len(raw) > CAPTURE_LIMIT:
            raise Invalid(
                f"this is {len(raw) // 2**20} MiB of text, and the limit is"
                f" {CAPTURE_LIMIT // 2**20} MiB: request a part with start and lines"
            )
        return raw.decode("utf-8", "replace")

    if lines is None or history:
        text = await read(start, end, everything=history)
        return PaneText(row, _last(text, lines) if lines else text)
    if start is not None:
        first = max(start, -row.history)  # tmux would count lines that do not exist
        return PaneText(row, await read(first, first + lines - 1, everything=False))
    text = _last(await read(-lines, None, everything=False), lines)
    if text.count("\n") < lines < row.history + row.height:
        # Too few are left because some were blank or joined.
        text = _last(await read(None, None, everything=True), lines)
    return PaneText(row, text)


def _last(text: str, lines: int) -> str:
    """The last `lines` lines that end with the last one with text."""
    kept = text.rstrip().split("\n")[-lines:]
    return "\n".join(kept) + "\n" if any(kept) else ""
