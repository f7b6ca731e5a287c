"""The body of a note sheet as a list of tasks: one task per line, with an optional status prefix.

Pure. `parse` reads a body, `apply` returns the body after a change. A change touches one line and
preserves every other byte: line endings, blank lines, headings, bullets, trailing spaces and a
missing final newline. Only a task's description is several lines: fenced code below it
(task_descriptions.py), which moves with its task and is removed with it.

Our own code, because a Markdown library parses a text but cannot write it back byte for byte.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Literal

from core.errors import Invalid, NotFound
from notes import task_descriptions
from notes.task_descriptions import Line

Action = Literal["add", "set_status", "set_text", "set_description", "remove", "move"]
# For each task of a new list its index in the old list; None for a new task.
Origins = Sequence[int | None]


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

# The text between the brackets of a status prefix or a checkbox.
MEANING = {
    **{status.value: status for status in Status},
    "": Status.NS,
    " ": Status.NS,
    "x": Status.CM,
    "X": Status.CM,
}


@dataclass(frozen=True, slots=True)
class TaskLine:
    """`line` is the number of its line in the body, from 0; `end` is that of the line after its
    description."""

    status: Status
    text: str
    line: int
    end: int
    description: str = ""


# A change parses the body before it several times, and the next change starts from its result.
PARSED_BODIES_CACHED = 8
# Nearly all lines of a new body are already known. Long lines are not worth the memory.
LINES_CACHED, CACHED_LINE_LENGTH = 10_000, 200

_BULLET = r"(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)"
_HEADING = r" {0,3}#{1,6}(?:[ \t]|$)"
_RULE = r" {0,3}(?:([-*_])(?:[ \t]*\1){2,}|={3,})[ \t]*$"
_COMMENT = r"[ \t]*<!--.*-->[ \t]*$"
_NO_TASK = re.compile(rf"{_RULE}|{_HEADING}|{_COMMENT}")
# Any indentation is accepted: agents put code below a bullet, or directly after it.
_FENCE = re.compile(rf"[ \t]*(?:{_BULLET})?(`{{3,}}(?=[^`]*$)|~{{3,}})")
_FENCE_END = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*$")
_HEAD = re.compile(
    rf"(?P<lead>[ \t]*)"
    rf"(?:(?P<bullet>{_BULLET})(?:\[(?P<box>[ xX])\](?P<box_gap>[ \t]+|$))?)?"
    rf"(?:\[(?P<status>NS|WIP|BL|CM)\](?P<gap>[ \t]+|$))?"
)


@dataclass(frozen=True, slots=True)
class _LineParts:
    """The parts of one task's line. `box` is empty where the line has no checkbox."""

    lead: str = ""
    box: str = ""
    box_gap: str = " "
    status: str = ""
    gap: str = " "
    text: str = ""
    tail: str = ""

    @classmethod
    def of(cls, content: str) -> "_LineParts":
        head = _match_head(content)
        rest = content[head.end() :]
        text = rest.rstrip(" \t")
        return cls(
            lead=head["lead"] + (head["bullet"] or ""),
            box=head["box"] or "",
            box_gap=head["box_gap"] or " ",
            status=head["status"] or "",
            gap=head["gap"] or " ",
            text=text,
            tail=rest[len(text) :],
        )

    def render(self) -> str:
        box = f"[{self.box}]{self.box_gap}" if self.box else ""
        status = f"[{self.status}]{self.gap}" if self.status else ""
        return self.lead + box + status + self.text + self.tail


# --- reading ------------------------------------------------------------------------------------


@lru_cache(maxsize=PARSED_BODIES_CACHED)
def parse(body: str) -> tuple[TaskLine, ...]:
    lines = _split(body)
    if "```" not in body and "~~~" not in body:
        return tuple(
            task
            for number, (content, _) in enumerate(lines)
            if (task := _line_cached(content, number)) is not None
        )
    fences = _fences(lines)
    code = {number for span in fences for number in span}
    blocks = _closed(fences, lines)
    return tuple(
        TaskLine(*meaning, number, attached.end, attached.text)
        for number, (content, _) in enumerate(lines)
        if number not in code and (meaning := _read_cached(content)) is not None
        for attached in [task_descriptions.find_code(lines, number, blocks)]
    )


def board(tasks: Sequence[TaskLine]) -> dict[Status, list[int]]:
    """The columns of the kanban board: the indexes of their tasks in the whole list."""
    columns: dict[Status, list[int]] = {status: [] for status in Status}
    for index, task in enumerate(tasks):
        columns[task.status].append(index)
    return columns


def pick(tasks: Sequence[TaskLine], index: int, name: str = "index") -> TaskLine:
    if 0 <= index < len(tasks):
        return tasks[index]
    known = f"tasks are numbered 0 to {len(tasks) - 1}" if tasks else "there are no tasks"
    raise NotFound(f"{name} {index} is not a task: {known}; read the tasks again")


# --- changing a body by an action ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ChangedBody:
    body: str
    origins: Origins


def apply(
    body: str,
    action: Action,
    *,
    index: int | None = None,
    text: str = "",
    status: Status | None = None,
    to_index: int | None = None,
) -> ChangedBody:
    """The body after `action`. Which arguments are needed depends on the action."""
    kept = [*range(len(parse(body)))]
    match action:
        case "add":
            added = add(body, text, status)
            if to_index is None:
                return ChangedBody(added, [*kept, None])
            moved = move(added, len(kept), to_index)
            return ChangedBody(moved, [*kept[:to_index], None, *kept[to_index:]])
        case "set_status":
            index = _needed(action, "index", index)
            if status is None:
                raise Invalid(f"{action} needs status: one of {', '.join(Status)}")
            return ChangedBody(set_status(body, index, status), kept)
        case "set_text":
            return ChangedBody(set_text(body, _needed(action, "index", index), text), kept)
        case "set_description":
            return ChangedBody(set_description(body, _needed(action, "index", index), text), kept)
        case "remove":
            index = _needed(action, "index", index)
            removed = remove(body, index)
            return ChangedBody(removed, [*kept[:index], *kept[index + 1 :]])
        case "move":
            index = _needed(action, "index", index)
            to_index = _needed(action, "toIndex", to_index)
            moved = move(body, index, to_index)
            if status is not None:
                moved = set_status(moved, to_index, status)
            kept.insert(to_index, kept.pop(index))
            return ChangedBody(moved, kept)


def _needed(action: Action, name: str, value: int | None) -> int:
    if value is None:
        raise Invalid(f"{action} needs {name}: the task's index in the list, from 0")
    return value


# --- the single changes: each returns the new body ----------------------------------------------


def add(body: str, text: str, status: Status | None = None) -> str:
    """Appends a task. Without `status` a status prefix in the text counts."""
    text, lines = check_text(text), _split(body)
    parts = _LineParts.of(text)
    if status is None and parts.status and parts.text:
        status, text = Status(parts.status), parts.text
    new_line = (_render_line(_LineParts(), status or Status.NS, text), "")
    # Inside an unclosed fence the line would be code: insert it before that fence.
    number = next((span.start for span in _fences(lines) if span.stop > len(lines)), len(lines))
    return _join([*lines[:number], new_line, *lines[number:]], body)


def set_status(body: str, index: int, status: Status) -> str:
    return _rewrite(body, index, status=status)


def set_text(body: str, index: int, text: str) -> str:
    return _rewrite(body, index, text=check_text(text))


def set_description(body: str, index: int, text: str) -> str:
    """An empty text removes the description."""
    lines, task = _split(body), pick(parse(body), index)
    text = task_descriptions.clean(text)
    if text == task.description:
        return body
    attached = task_descriptions.find_code(lines, task.line, _closed(_fences(lines), lines))
    lead = _LineParts.of(lines[task.line][0]).lead
    return _join(task_descriptions.replace_text(lines, task.line, attached, text, lead=lead), body)


def remove(body: str, index: int) -> str:
    lines, task = _split(body), pick(parse(body), index)
    return _join([*lines[: task.line], *lines[task.end :]], body)


def move(body: str, index: int, to_index: int) -> str:
    """Afterwards the task has the index `to_index` and is next to the task that had it before."""
    lines, tasks = _split(body), parse(body)
    task, neighbour = pick(tasks, index), pick(tasks, to_index, "toIndex")
    moved, rest = lines[task.line : task.end], [*lines[: task.line], *lines[task.end :]]
    # Up: before the other task. Down: after its description; `rest` is shorter by the moved lines.
    number = neighbour.end - len(moved) if index <= to_index else neighbour.line
    return _join([*rest[:number], *moved, *rest[number:]], body)


def check_text(text: str) -> str:
    """The text of a task without surrounding whitespace. It must be one line."""
    stripped = text.strip()
    if "\n" in stripped or "\r" in stripped:
        raise Invalid("a task is one line: add several tasks one by one, or write the notes")
    if not stripped:
        raise Invalid("a task needs a text")
    return stripped


# --- lines --------------------------------------------------------------------------------------


def _split(body: str) -> list[Line]:
    *whole, last = body.split("\n")
    if "\r" not in body:  # nearly always
        return [*((content, "\n") for content in whole), *([(last, "")] if last else ())]
    lines = [_split_ending(content, "\n") for content in whole]
    return [*lines, _split_ending(last, "")] if last else lines


def _split_ending(content: str, newline: str) -> Line:
    stripped = content.rstrip("\r")
    return stripped, content[len(stripped) :] + newline


def _join(lines: Sequence[Line], before: str) -> str:
    """Joins lines: the last one ends as the last line of `before`, all others with a newline."""
    first, newline, _ = before.partition("\n")
    usual = _split_ending(first, "\n")[1] if newline else "\n"
    whole = [content + (ending if ending.endswith("\n") else usual) for content, ending in lines]
    if lines and not before.endswith("\n"):
        content, ending = lines[-1]
        whole[-1] = content + ("" if ending.endswith("\n") else ending)
    return "".join(whole)


def _fences(lines: Sequence[Line]) -> list[range]:
    """The lines of each fenced code block. An unclosed one extends past the last line."""
    spans, start, marks = [], 0, ""
    for number, (content, _) in enumerate(lines):
        if not marks:
            if opening := _FENCE.match(content):
                start, marks = number, opening[1]
        elif (end := _FENCE_END.match(content)) and end[1].startswith(marks):
            spans.append(range(start, number + 1))
            marks = ""
    return [*spans, range(start, len(lines) + 1)] if marks else spans


def _closed(fences: Sequence[range], lines: Sequence[Line]) -> dict[int, range]:
    """The closed blocks by their first lines: only these are descriptions."""
    return {span.start: span for span in fences if span.stop <= len(lines)}


def _read(content: str) -> tuple[Status, str] | None:
    """None: not a task. Fences span several lines and are handled by `_fences`."""
    if _NO_TASK.match(content):
        return None
    head = _match_head(content)
    text = content[head.end() :].rstrip(" \t")
    if not text or text.isspace():
        return None
    box, status = head.group("box", "status")
    return MEANING[status or box or ""], text


_read_short = lru_cache(maxsize=LINES_CACHED)(_read)


def _read_cached(content: str) -> tuple[Status, str] | None:
    return _read_short(content) if len(content) <= CACHED_LINE_LENGTH else _read(content)


def _line(content: str, number: int) -> TaskLine | None:
    meaning = _read_cached(content)
    return None if meaning is None else TaskLine(*meaning, number, number + 1)


_line_short = lru_cache(maxsize=LINES_CACHED)(_line)


def _line_cached(content: str, number: int) -> TaskLine | None:
    """Most lines of a changed body also keep their place."""
    short = len(content) <= CACHED_LINE_LENGTH
    return _line_short(content, number) if short else _line(content, number)


def _match_head(content: str) -> re.Match[str]:
    head = _HEAD.match(content)
    assert head is not None  # every part of the pattern may be empty
    return head


def _rewrite(
    body: str, index: int, *, status: Status | None = None, text: str | None = None
) -> str:
    lines, task = _split(body), pick(parse(body), index)
    content, ending = lines[task.line]
    parts = _LineParts.of(content)
    lines[task.line] = (_render_line(parts, status or task.status, text or task.text), ending)
    return _join(lines, body)


def _render_line(parts: _LineParts, status: Status, text: str) -> str:
    """Keeps the line's own form. Adds a prefix where the text would be read as something else."""
    if parts.box:
        ticked = parts.box if parts.box in "xX" else "x"
        parts = replace(parts, box=ticked if status is Status.CM else " ")
    plain = replace(
        parts,
        status="" if status is MEANING[parts.box] else status.value,
        gap=parts.gap if parts.status == status else " ",
        text=text,
    )
    rendered = plain.render()
    if not _FENCE.match(rendered) and _read(rendered) == (status, text):
        return rendered
    return replace(plain, status=status.value).render()
