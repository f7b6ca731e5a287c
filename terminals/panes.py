"""What can be done with a pane: split, size, type, read. One function per verb, for every door.

The text that is sent is never logged. A pane has no row: tmux alone knows it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from terminals import facts, selectors
from terminals.errors import Invalid
from terminals.tmux.driver import Tmux
from terminals.tmux.rows import PaneRow
from terminals.tmux.words import Part

CAPTURE_LIMIT = 16 * 1024 * 1024  # bytes
SUBMITTING_KEYS = frozenset({"Enter", "KPEnter", "C-m", "C-j", "^M", "^J", "^m", "^j"})


@dataclass(frozen=True, slots=True)
class Sent:
    pane: PaneRow
    submitted: bool
    status: Literal["typed", "sent", "entered", "pressed"]


@dataclass(frozen=True, slots=True)
class Capture:
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
    """`horizontal`: a horizontal divider, one above the other. The new pane."""
    row = await selectors.find_pane(tmux, pane)
    made = await tmux.split_window(row.id, stacked=horizontal, size=size, cwd=cwd, command=command)
    await facts.look(tmux)
    return await tmux.pane(made.pane_id)


async def kill_pane(*, tmux: Tmux, pane: str) -> PaneRow:
    """The pane as it was, dead. With its last pane the window ends."""
    row = await selectors.find_pane(tmux, pane)
    await tmux.kill(row.id)
    await facts.look_after_kill(tmux)
    return replace(row, dead=True, active=False)


async def select_pane(*, tmux: Tmux, pane: str) -> PaneRow:
    row = await selectors.find_pane(tmux, pane)
    await tmux.select_pane(row.id)
    return await tmux.pane(row.id)


async def zoom_pane(*, tmux: Tmux, pane: str) -> PaneRow:
    """Let a pane fill its window, or bring the others back. It becomes the active one."""
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


async def send_text(*, tmux: Tmux, pane: str, text: str, submit: bool = False) -> Sent:
    """Without `submit` nothing runs: text that could run by itself is refused."""
    row = await selectors.find_pane(tmux, pane)
    async with tmux.lock(row.id):
        await tmux.put_text(row.id, text, submit=submit, locked=True)
        if submit:
            await tmux.press(row.id, "Enter", locked=True)
    return Sent(row, submit, "sent" if submit else "typed")


async def send_keys(*, tmux: Tmux, pane: str, keys: list[str]) -> Sent:
    row = await selectors.find_pane(tmux, pane)
    await tmux.press(row.id, *keys)
    return Sent(row, False, "pressed")


async def send_parts(*, tmux: Tmux, pane: str, parts: Sequence[Part]) -> Sent:
    """Text and keys in their order. Text with line breaks needs an Enter among the later keys."""
    row = await selectors.find_pane(tmux, pane)
    async with tmux.lock(row.id):
        for number, part in enumerate(parts):
            if isinstance(part, bytes):
                submit = not SUBMITTING_KEYS.isdisjoint(parts[number + 1 :])
                await tmux.put_text(row.id, part.decode(), submit=submit, locked=True)
            else:
                await tmux.press(row.id, part, locked=True)
    return Sent(row, False, "typed")


async def submit(*, tmux: Tmux, pane: str) -> Sent:
    row = await selectors.find_pane(tmux, pane)
    await tmux.press(row.id, "Enter")
    return Sent(row, True, "entered")


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
) -> Capture:
    """The screen; or from `start` to `end`; or `lines` of them: from `start`, else the last."""
    row = await selectors.find_pane(tmux, pane)

    async def shot(first: int | None, last: int | None, *, everything: bool) -> str:
        raw = await tmux.capture(
            row.id, start=first, end=last, history=everything, escapes=escapes, join=join
        )
        if len(raw) > CAPTURE_LIMIT:
            raise Invalid(
                f"that is {len(raw) // 2**20} MiB of text, and one answer holds"
                f" {CAPTURE_LIMIT // 2**20}: ask for a part with start and lines"
            )
        return raw.decode("utf-8", "replace")

    if lines is None or history:
        text = await shot(start, end, everything=history)
        return Capture(row, _last(text, lines) if lines else text)
    if start is not None:
        first = max(start, -row.history)  # or tmux would count the lines that are not there
        return Capture(row, await shot(first, first + lines - 1, everything=False))
    text = _last(await shot(-lines, None, everything=False), lines)
    if text.count("\n") < lines < row.history + row.height:
        # Blank or joined lines left too few.
        text = _last(await shot(None, None, everything=True), lines)
    return Capture(row, text)


def _last(text: str, lines: int) -> str:
    """The last lines up to the last one that holds text."""
    kept = text.rstrip().split("\n")[-lines:]
    return "\n".join(kept) + "\n" if any(kept) else ""
