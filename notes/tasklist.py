"""A sheet of notes as a list of tasks: one task per line, with an optional status prefix.

Pure. Every byte that a change does not concern stays as it was: line endings, blank lines,
headings, bullets, trailing spaces, a missing last newline.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache

from terminals.errors import Invalid, NotFound


class Status(StrEnum):
    NS = "NS"
    WIP = "WIP"
    BL = "BL"
    CM = "CM"


LABELS = {
    Status.NS: "Not started",
    Status.WIP: "In progress",
    Status.BL: "Blocked",
    Status.CM: "Completed",
}


# What stands in the brackets, of a prefix or a box.
MEANING = {
    **{status.value: status for status in Status},
    "": Status.NS,
    " ": Status.NS,
    "x": Status.CM,
    "X": Status.CM,
}


@dataclass(frozen=True, slots=True)
class Task:
    """`line` is the number of its line in the body, from 0."""

    status: Status
    text: str
    line: int


# Bodies whose tasks are remembered: a change reads the body before it several times, and the next
# one begins with the body that this one made.
PARSED_KEPT = 8
# Of a body that is new nearly all lines are known; a long one is not worth its memory.
LINES_KEPT, LINE_KEPT = 10_000, 200

Line = tuple[str, str]  # what it says, and how it ends: only the last one may lack the newline

_BULLET = r"(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)"
_HEADING = r" {0,3}#{1,6}(?:[ \t]|$)"
_RULE = r" {0,3}(?:([-*_])(?:[ \t]*\1){2,}|={3,})[ \t]*$"
_COMMENT = r"[ \t]*<!--.*-->[ \t]*$"
_NO_TASK = re.compile(rf"{_RULE}|{_HEADING}|{_COMMENT}")
# Indented as far as anybody likes: agents put code below a bullet, or right behind it.
_FENCE = re.compile(rf"[ \t]*(?:{_BULLET})?(`{{3,}}(?=[^`]*$)|~{{3,}})")
_FENCE_END = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*$")
_HEAD = re.compile(
    rf"(?P<lead>[ \t]*)"
    rf"(?:(?P<bullet>{_BULLET})(?:\[(?P<box>[ xX])\](?P<box_gap>[ \t]+|$))?)?"
    rf"(?:\[(?P<status>NS|WIP|BL|CM)\](?P<gap>[ \t]+|$))?"
)


@dataclass(frozen=True, slots=True)
class _Form:
    """One task's line in its parts; `box` is empty where there is none."""

    lead: str = ""
    box: str = ""
    box_gap: str = " "
    status: str = ""
    gap: str = " "
    text: str = ""
    tail: str = ""

    @classmethod
    def of(cls, content: str) -> "_Form":
        found = _head(content)
        rest = content[found.end() :]
        text = rest.rstrip(" \t")
        return cls(
            lead=found["lead"] + (found["bullet"] or ""),
            box=found["box"] or "",
            box_gap=found["box_gap"] or " ",
            status=found["status"] or "",
            gap=found["gap"] or " ",
            text=text,
            tail=rest[len(text) :],
        )

    def render(self) -> str:
        box = f"[{self.box}]{self.box_gap}" if self.box else ""
        status = f"[{self.status}]{self.gap}" if self.status else ""
        return self.lead + box + status + self.text + self.tail


# --- reading ----------------------------------------------------------------------------------


@lru_cache(maxsize=PARSED_KEPT)
def parse(body: str) -> tuple[Task, ...]:
    lines = _split(body)
    marks = "```" in body or "~~~" in body
    code = {place for span in _fences(lines) for place in span} if marks else ()
    return tuple(
        Task(*meaning, place)
        for place, (content, _) in enumerate(lines)
        if place not in code and (meaning := _remembered(content)) is not None
    )


def board(tasks: Sequence[Task]) -> dict[Status, list[int]]:
    """The columns of the kanban: the places of their tasks in the whole list."""
    columns: dict[Status, list[int]] = {status: [] for status in Status}
    for index, task in enumerate(tasks):
        columns[task.status].append(index)
    return columns


def check_text(text: str) -> str:
    """A task's text is one line; blanks around it are not part of it."""
    told = text.strip()
    if "\n" in told or "\r" in told:
        raise Invalid("a task is one line: add several one by one, or write the notes")
    if not told:
        raise Invalid("a task needs a text")
    return told


# --- changing: each returns the new body --------------------------------------------------------


def add(body: str, text: str, status: Status | None = None) -> str:
    """At the end. Without a status the text's own prefix counts, as if it had been written."""
    told, lines = check_text(text), _split(body)
    form = _Form.of(told)
    if status is None and form.status and form.text:
        status, told = Status(form.status), form.text
    made = (_line(_Form(), status or Status.NS, told), "")
    # Inside a fence that is never closed it would be no task.
    place = next((span.start for span in _fences(lines) if span.stop > len(lines)), len(lines))
    return _sealed([*lines[:place], made, *lines[place:]], body)


def set_status(body: str, index: int, status: Status) -> str:
    return _rewritten(body, index, status=status)


def set_text(body: str, index: int, text: str) -> str:
    return _rewritten(body, index, text=check_text(text))


def remove(body: str, index: int) -> str:
    lines, task = _split(body), pick(parse(body), index)
    return _sealed([*lines[: task.line], *lines[task.line + 1 :]], body)


def move(body: str, index: int, to_index: int) -> str:
    """Afterwards it stands at `to_index`, right beside the task that stood there."""
    lines, tasks = _split(body), parse(body)
    task, other = pick(tasks, index), pick(tasks, to_index, "toIndex")
    moved = lines.pop(task.line)
    # Upwards it comes before the other's line, downwards behind it: the same place by now.
    lines.insert(other.line, moved)
    return _sealed(lines, body)


def pick(tasks: Sequence[Task], index: int, name: str = "index") -> Task:
    if 0 <= index < len(tasks):
        return tasks[index]
    there = f"they are numbered 0 to {len(tasks) - 1}" if tasks else "there is none"
    raise NotFound(f"{name} {index} is no task: {there}; read the tasks again")


# --- lines ------------------------------------------------------------------------------------


def _split(body: str) -> list[Line]:
    *whole, last = body.split("\n")
    if "\r" not in body:  # nearly always
        return [*((content, "\n") for content in whole), *([(last, "")] if last else ())]
    lines = [_cut(content, "\n") for content in whole]
    return [*lines, _cut(last, "")] if last else lines


def _cut(content: str, newline: str) -> Line:
    told = content.rstrip("\r")
    return told, content[len(told) :] + newline


def _sealed(lines: Sequence[Line], before: str) -> str:
    """Joined; the last line ends as that of the body did, and every other with a newline."""
    first, newline, _ = before.partition("\n")
    usual = _cut(first, "\n")[1] if newline else "\n"
    whole = [content + (ending if ending.endswith("\n") else usual) for content, ending in lines]
    if lines and not before.endswith("\n"):
        content, ending = lines[-1]
        whole[-1] = content + ("" if ending.endswith("\n") else ending)
    return "".join(whole)


def _fences(lines: Sequence[Line]) -> list[range]:
    """The lines of each fenced code; one that is never closed goes on beyond the last line."""
    spans, start, marks = [], 0, ""
    for place, (content, _) in enumerate(lines):
        if not marks:
            if found := _FENCE.match(content):
                start, marks = place, found[1]
        elif (end := _FENCE_END.match(content)) and end[1].startswith(marks):
            spans.append(range(start, place + 1))
            marks = ""
    return [*spans, range(start, len(lines) + 1)] if marks else spans


def _read(content: str) -> tuple[Status, str] | None:
    """None: no task. A fence is told by `_fences`, which sees more than one line."""
    if _NO_TASK.match(content):
        return None
    head = _head(content)
    text = content[head.end() :].rstrip(" \t")
    if not text or text.isspace():
        return None
    box, status = head.group("box", "status")
    return MEANING[status or box or ""], text


_read_once = lru_cache(maxsize=LINES_KEPT)(_read)


def _remembered(content: str) -> tuple[Status, str] | None:
    return _read_once(content) if len(content) <= LINE_KEPT else _read(content)


def _head(content: str) -> re.Match[str]:
    found = _HEAD.match(content)
    assert found is not None  # noqa: S101  # every part of the pattern may be empty
    return found


def _rewritten(
    body: str, index: int, *, status: Status | None = None, text: str | None = None
) -> str:
    lines, task = _split(body), pick(parse(body), index)
    content, ending = lines[task.line]
    lines[task.line] = (_line(_Form.of(content), status or task.status, text or task.text), ending)
    return _sealed(lines, body)


def _line(form: _Form, status: Status, text: str) -> str:
    """In the line's own form; where the text would be read as something else, with a prefix."""
    if form.box:
        ticked = form.box if form.box in "xX" else "x"
        form = replace(form, box=ticked if status is Status.CM else " ")
    plain = replace(
        form,
        status="" if status is MEANING[form.box] else status.value,
        gap=form.gap if form.status == status else " ",
        text=text,
    )
    made = plain.render()
    if not _FENCE.match(made) and _read(made) == (status, text):
        return made
    return replace(plain, status=status.value).render()
