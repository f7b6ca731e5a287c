"""Pictures of a pane and the lines that were submitted to it, read as a conversation.

Pure: the same records give the same messages. Taking the pictures is up to recording.py, what of a
picture counts to noise.py, and how pictures overlap to alignment.py.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from agents import alignment, cells, echoes, noise
from agents.rules import Rules, after_prompt, load, shell

Role = Literal["user", "assistant"]


@dataclass(frozen=True, slots=True)
class Submitted:
    ts: int
    text: str


@dataclass(frozen=True, slots=True)
class Shot:
    """What a pane showed at one moment."""

    ts: int
    lines: tuple[str, ...]
    runtime: str = ""  # of the agent in it; empty: a shell or another program
    columns: int = 0
    top: int | None = None  # the number of its first row, counted since the pane began
    full: bool = False  # a full-screen program: nothing of it scrolls


@dataclass(frozen=True, slots=True)
class Message:
    role: Role
    text: str
    ts: int
    confirmed: bool = False  # the agent's own log has it too


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    born: int  # the number of the item that first showed it so
    row: int | None = None


@dataclass(slots=True)
class _Sent:
    """A line that was submitted, and where its echo stands."""

    item: Submitted
    number: int  # among all items
    floor: int  # lines before this one were there when it was submitted
    first: int = 0
    end: int = 0


@dataclass(slots=True)
class _Pane:
    """One pane's text as it grew."""

    lines: list[_Line] = field(default_factory=list)
    sent: list[_Sent] = field(default_factory=list)
    pending: list[Submitted] = field(default_factory=list)
    times: list[int] = field(default_factory=list)
    prompts: set[str] = field(default_factory=set)
    rules: Rules = field(default_factory=shell)
    columns: int = 0
    full: bool = False

    def echo_end(self, lines: Sequence[str], at: int, text: str) -> int:
        return echoes.echo_end(lines, at, text, self.rules, self.columns)


def messages(items: Iterable[Submitted | Shot]) -> list[Message]:
    """Of one pane, in the order of time."""
    pane = _Pane()
    for number, item in enumerate(items):
        pane.times.append(item.ts)
        if isinstance(item, Submitted):
            pane.sent.append(_Sent(item, number, len(pane.lines)))
            if not _is_echoed(pane, item):
                pane.pending.append(item)
        else:
            _take(pane, item, number)
    _find_echoes(pane)
    return _told(pane)


# --- pictures to one text ---------------------------------------------------------------------


def _take(pane: _Pane, shot: Shot, number: int) -> None:
    pane.rules, pane.columns = load(shot.runtime) if shot.runtime else shell(), shot.columns
    said = noise.said(shot.lines, pane.rules, shot.columns)
    rows = _rows(shot, said)
    texts = [line.text for line in pane.lines]
    at = alignment.place(
        texts,
        said,
        row=_index(pane.lines, rows[0]) if rows else None,
        is_new=lambda added: _shows(added, pane),
    )
    if pane.full and shot.full and at.at == len(texts):
        at = alignment.Place(_last_screen(pane))
    new = [_Line(text, number, row) for text, row in zip(said, rows, strict=True)][at.skipped :]
    kept = pane.lines[at.at :]
    for index, (old, line) in enumerate(zip(kept, new, strict=False)):
        if old.text != line.text:
            break
        new[index] = _Line(line.text, old.born, line.row)
    pane.lines[at.at :] = new
    pane.pending, pane.full = [], shot.full


def _last_screen(pane: _Pane) -> int:
    """A full-screen program has drawn something else: only its last picture is kept."""
    start = len(pane.lines)
    floor = max([sent.floor for sent in pane.sent], default=0)
    born = pane.lines[-1].born if pane.lines else 0
    while start > floor and pane.lines[start - 1].born == born:
        start -= 1
    return start


def _rows(shot: Shot, said: Sequence[str]) -> list[int | None]:
    """The number of each line's first row; unknown where a program paints over its own rows."""
    if shot.top is None or shot.runtime or shot.full:
        return [None] * len(said)
    numbers, row = [], shot.top
    for line in shot.lines:
        numbers.append((line.rstrip(), row))
        row += cells.rows(line.rstrip(), shot.columns)
    found: list[int | None] = []
    at = 0
    for line in said:
        while numbers[at][0] != line:
            at += 1
        found.append(numbers[at][1])
        at += 1
    return found


def _index(lines: Sequence[_Line], row: int | None) -> int | None:
    if row is None or not lines or lines[-1].row is None:
        return None
    for index in range(len(lines) - 1, -1, -1):
        known = lines[index].row
        if known is None or known < row:
            return index + 1
        if known == row:
            return index
    return 0


def _is_echoed(pane: _Pane, item: Submitted) -> bool:
    """Whether the picture at its Enter shows the line already: then no later one must."""
    last = [line.text for line in pane.lines[-1 - cells.rows(item.text, pane.columns) :]]
    return any(pane.echo_end(last, at, item.text) == len(last) for at in range(len(last)))


def _shows(added: Sequence[str], pane: _Pane) -> bool:
    """Whether what was submitted since the last picture is among the lines that are new."""
    return all(
        any(pane.echo_end(added, at, item.text) for at in range(len(added)))
        for item in pane.pending
    )


# --- the echo of what was submitted -----------------------------------------------------------


def _find_echoes(pane: _Pane) -> None:
    texts, done = [line.text for line in pane.lines], 0
    for sent in pane.sent:
        slack = echoes.height(sent.item.text, pane.columns) if pane.rules.is_shell else 0
        start = max(done, min(sent.floor - slack, len(texts)))
        sent.first = sent.end = max(done, _boundary(pane, sent))
        for at in range(start, len(texts)):
            if end := pane.echo_end(texts, at, sent.item.text):
                sent.first, sent.end = at, end
                _learn(pane, texts[at], sent.item.text)
                break
        done = sent.end


def _boundary(pane: _Pane, sent: _Sent) -> int:
    """Where no echo is seen: what was there before; its last line may have become another."""
    floor = min(sent.floor, len(pane.lines))
    while floor and pane.lines[floor - 1].born > sent.number:
        floor -= 1
    return floor


def _learn(pane: _Pane, line: str, text: str) -> None:
    first = text.split("\n")[0].rstrip()
    if pane.rules.chat.echo is None and line.endswith(first):
        pane.prompts.add(line[: len(line) - len(first)].rstrip())


# --- messages ---------------------------------------------------------------------------------


def _told(pane: _Pane) -> list[Message]:
    told: list[Message] = []
    starts = [0, *(sent.end for sent in pane.sent)]
    ends = [*(sent.first for sent in pane.sent), len(pane.lines)]
    for turn, (start, end) in enumerate(zip(starts, ends, strict=True)):
        if turn:
            sent = pane.sent[turn - 1].item
            told.append(Message("user", sent.text, sent.ts))
        latest = pane.sent[turn].item.ts - 1 if turn < len(pane.sent) else None
        if reply := _reply(pane, pane.lines[start:end], latest):
            told.append(reply)
    return told


def _reply(pane: _Pane, lines: Sequence[_Line], latest: int | None) -> Message | None:
    collapse = not pane.rules.is_shell
    texts = noise.trim((line.text for line in lines), collapse=collapse)
    while texts and pane.rules.is_shell and _is_empty_prompt(pane, texts[-1]):
        texts = noise.trim(texts[:-1], collapse=collapse)
    text = "\n".join(_unmarked(texts, pane.rules))
    if not text:
        return None
    ts = max(pane.times[line.born] for line in lines)
    return Message("assistant", text, ts if latest is None else min(ts, latest))


def _is_empty_prompt(pane: _Pane, line: str) -> bool:
    return line in pane.prompts or after_prompt(line) == ""


def _unmarked(lines: Sequence[str], rules: Rules) -> list[str]:
    """Without the marks of what an agent says, and the indent that goes with them."""
    if (mark := rules.chat.said) is None:
        return list(lines)
    kept, indent = [], ""
    for line in lines:
        if found := mark.match(line):
            indent = " " * cells.width(found[0])
            kept.append(line[found.end() :])
        else:
            kept.append(line.removeprefix(indent))
    return kept
