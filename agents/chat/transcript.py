"""Turns screen records and submitted lines of a pane into a conversation.

Pure: the same records give the same messages. screen_filter.py drops what is not conversation,
overlap.py finds where consecutive screens overlap, echo.py finds the echo of submitted lines.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from agents.chat import blocks, echo, overlap, screen_filter
from agents.chat.blocks import ShownKind
from agents.chat.journals.entries import JournalToolCall, MessageKind, TokenUsage
from agents.runtimes.loader import Rules, after_prompt, load, shell
from agents.screen import cells

Role = Literal["user", "assistant"]
Source = Literal["journal", "hook", "screen"]


@dataclass(frozen=True, slots=True)
class Submitted:
    ts: int
    text: str
    answer: bool = False  # to a dialog: it is not echoed


@dataclass(frozen=True, slots=True)
class ScreenRecord:
    """What a pane showed at one moment."""

    ts: int
    lines: tuple[str, ...]
    runtime: str = ""  # of the agent in the pane; empty: a shell or another program
    columns: int = 0
    top: int | None = None  # the number of the first row, counted from the start of the pane
    full: bool = False  # a full-screen program, which does not scroll
    # Of an agent whose journal has its conversation: only later screens are joined to it.
    known: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    role: Role
    text: str
    ts: int
    confirmed: bool = False  # the agent itself reported this text, by its journal or a hook
    source: Source = "screen"
    kind: MessageKind = MessageKind.TEXT
    tool: JournalToolCall | None = None
    usage: TokenUsage | None = None


@dataclass(frozen=True, slots=True)
class _Line:
    text: str
    born: int  # the number of the item that first showed this text
    row: int | None = None


@dataclass(slots=True)
class _Sent:
    """A submitted line and the place of its echo."""

    item: Submitted
    number: int  # among all items
    floor: int  # lines before this index existed when it was submitted
    first: int = 0
    end: int = 0


@dataclass(slots=True)
class _PaneText:
    """The text of one pane, joined from its screens."""

    lines: list[_Line] = field(default_factory=list)
    sent: list[_Sent] = field(default_factory=list)
    pending: list[Submitted] = field(default_factory=list)
    times: list[int] = field(default_factory=list)
    prompts: set[str] = field(default_factory=set)
    known: set[int] = field(default_factory=set)  # numbers of items that are no messages
    redrawn: set[int] = field(default_factory=set)  # numbers of screens that continue no other
    rules: Rules = field(default_factory=shell)
    columns: int = 0
    full: bool = False

    def echo_end(self, lines: Sequence[str], start: int, text: str) -> int:
        return echo.echo_end(lines, start, text, self.rules, self.columns)


def to_messages(items: Iterable[Submitted | ScreenRecord]) -> list[Message]:
    """The messages of one pane; `items` are in order of time."""
    pane = _PaneText()
    for number, item in enumerate(items):
        pane.times.append(item.ts)
        if isinstance(item, Submitted):
            pane.sent.append(_Sent(item, number, len(pane.lines)))
            if not item.answer and not _is_echoed(pane, item):
                pane.pending.append(item)
        else:
            _join(pane, item, number)
    _find_echoes(pane)
    return _messages(pane)


# --- join screens to one text -----------------------------------------------------------------


def _join(pane: _PaneText, screen: ScreenRecord, number: int) -> None:
    # The screen of an agent that has ended is continued by that of a shell.
    pane.rules = load(screen.runtime) if screen.runtime and not screen.known else shell()
    pane.columns = screen.columns
    if screen.known:
        pane.known.add(number)
    shown = screen_filter.conversation_lines(screen.lines, pane.rules, screen.columns)
    rows = _rows(screen, shown)
    texts = [line.text for line in pane.lines]
    join = overlap.find(
        texts,
        shown,
        row=_index(pane.lines, rows[0]) if rows else None,
        is_new=lambda added: _shows(added, pane),
    )
    if texts and screen.runtime and join.index == len(texts):
        pane.redrawn.add(number)
    if pane.full and screen.full and join.index == len(texts):
        join = overlap.Overlap(_last_screen(pane))
    new = [_Line(text, number, row) for text, row in zip(shown, rows, strict=True)][join.skipped :]
    kept = pane.lines[join.index :]
    for index, (old, line) in enumerate(zip(kept, new, strict=False)):
        if old.text != line.text:
            break
        new[index] = _Line(line.text, old.born, line.row)
    pane.lines[join.index :] = new
    pane.pending, pane.full = [], screen.full


def _last_screen(pane: _PaneText) -> int:
    """Where the last screen of a full-screen program starts: the next one replaces it."""
    start = len(pane.lines)
    floor = max([sent.floor for sent in pane.sent], default=0)
    born = pane.lines[-1].born if pane.lines else 0
    while start > floor and pane.lines[start - 1].born == born:
        start -= 1
    return start


def _rows(screen: ScreenRecord, shown: Sequence[str]) -> list[int | None]:
    """The number of each line's first row; unknown where a program repaints its own rows."""
    if screen.top is None or screen.runtime or screen.full:
        return [None] * len(shown)
    numbers, row = [], screen.top
    for line in screen.lines:
        numbers.append((line.rstrip(), row))
        row += cells.rows(line.rstrip(), screen.columns)
    rows: list[int | None] = []
    index = 0
    for line in shown:
        while numbers[index][0] != line:
            index += 1
        rows.append(numbers[index][1])
        index += 1
    return rows


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


def _is_echoed(pane: _PaneText, item: Submitted) -> bool:
    """Whether the screen at its Enter already shows the line; later screens need not then."""
    last = [line.text for line in pane.lines[-1 - cells.rows(item.text, pane.columns) :]]
    return any(pane.echo_end(last, start, item.text) == len(last) for start in range(len(last)))


def _shows(added: Sequence[str], pane: _PaneText) -> bool:
    """Whether the new lines contain everything that was submitted since the last screen."""
    return all(
        any(pane.echo_end(added, start, item.text) for start in range(len(added)))
        for item in pane.pending
    )


# --- find the echo of submitted lines ---------------------------------------------------------


def _find_echoes(pane: _PaneText) -> None:
    texts, done = [line.text for line in pane.lines], 0
    for sent in pane.sent:
        slack = echo.height(sent.item.text, pane.columns) if pane.rules.is_shell else 0
        start = max(done, min(sent.floor - slack, len(texts)))
        sent.first = sent.end = max(done, _boundary(pane, sent))
        for index in () if sent.item.answer else range(start, len(texts)):
            if end := pane.echo_end(texts, index, sent.item.text):
                sent.first, sent.end = index, end
                _learn_prompt(pane, texts[index], sent.item.text)
                break
        done = sent.end


def _boundary(pane: _PaneText, sent: _Sent) -> int:
    """The end of the earlier text, for a line without echo. Its last line may have changed."""
    floor = min(sent.floor, len(pane.lines))
    while floor and pane.lines[floor - 1].born > sent.number:
        floor -= 1
    return floor


def _learn_prompt(pane: _PaneText, line: str, text: str) -> None:
    first = text.split("\n")[0].rstrip()
    if pane.rules.chat.echo is None and line.endswith(first):
        pane.prompts.add(line[: len(line) - len(first)].rstrip())


# --- split the text into messages -------------------------------------------------------------


def _messages(pane: _PaneText) -> list[Message]:
    messages: list[Message] = []
    starts = [0, *(sent.end for sent in pane.sent)]
    ends = [*(sent.first for sent in pane.sent), len(pane.lines)]
    for turn, (start, end) in enumerate(zip(starts, ends, strict=True)):
        lines = [line for line in pane.lines[start:end] if line.born not in pane.known]
        if turn:
            sent = pane.sent[turn - 1].item
            kind = MessageKind.ANSWER if sent.answer else MessageKind.TEXT
            messages.append(Message("user", sent.text, sent.ts, kind=kind))
        latest = pane.sent[turn].item.ts - 1 if turn < len(pane.sent) else None
        messages += _replies(pane, lines, latest, messages)
    return messages


def _replies(
    pane: _PaneText, lines: Sequence[_Line], latest: int | None, before: Sequence[Message]
) -> list[Message]:
    """What was shown between two prompts: replies, without tool calls, and prompts that were typed
    in the terminal. An agent that draws its conversation again repeats some of them."""
    if pane.rules.is_shell:
        reply = _reply(pane, lines, latest)
        return [reply] if reply else []
    shown: list[Message] = []
    repeats = False  # below a prompt of webtmux that is shown once more
    for block in blocks.split([line.text for line in lines], pane.rules):
        part = lines[block.first : block.end]
        if block.kind is ShownKind.TOOL:
            continue
        if block.kind is ShownKind.PROMPT:
            message = _prompt(pane, part)
        else:
            message = _reply(pane, part, latest)
        if message is None:
            continue
        is_again = any(
            (each.role, each.text) == (message.role, message.text) for each in (*before, *shown)
        )
        if message.role == "user":
            repeats = is_again and any(_same(message.text, sent.item.text) for sent in pane.sent)
        if is_again and (repeats or all(line.born in pane.redrawn for line in part)):
            continue
        shown.append(message)
    return _in_order(shown, latest)


def _same(shown: str, sent: str) -> bool:
    return "".join(shown.split()) == "".join(sent.split())


def _in_order(messages: list[Message], latest: int | None) -> list[Message]:
    """With different times, the last one first: it is the one that is known best."""
    for index in range(len(messages) - 1, -1, -1):
        message = messages[index]
        ts = message.ts if latest is None else min(message.ts, latest)
        messages[index], latest = replace(message, ts=ts), ts - 1
    return messages


def _prompt(pane: _PaneText, lines: Sequence[_Line]) -> Message | None:
    mark = pane.rules.chat.echo
    assert mark is not None
    first, *rest = screen_filter.trim(line.text for line in lines) or [""]
    text = "\n".join([mark.sub("", first, count=1), *(line.strip() for line in rest)]).strip()
    return Message("user", text, pane.times[lines[0].born]) if text else None


def _reply(pane: _PaneText, lines: Sequence[_Line], latest: int | None) -> Message | None:
    collapse = not pane.rules.is_shell
    texts = screen_filter.trim((line.text for line in lines), collapse=collapse)
    while texts and pane.rules.is_shell and _is_empty_prompt(pane, texts[-1]):
        texts = screen_filter.trim(texts[:-1], collapse=collapse)
    text = "\n".join(_unmarked(texts, pane.rules))
    if not text:
        return None
    ts = max(pane.times[line.born] for line in lines)
    return Message("assistant", text, ts if latest is None else min(ts, latest))


def _is_empty_prompt(pane: _PaneText, line: str) -> bool:
    return line in pane.prompts or after_prompt(line) == ""


def _unmarked(lines: Sequence[str], rules: Rules) -> list[str]:
    """Remove the markers of an agent's messages and the indentation that goes with them."""
    if (mark := rules.chat.said) is None:
        return list(lines)
    kept, indent = [], ""
    for line in lines:
        if match := mark.match(line):
            indent = " " * cells.width(match[0])
            kept.append(line[match.end() :])
        else:
            kept.append(line.removeprefix(indent))
    return kept
