"""What happened in a project, in one list: the shape of its items, their order, and its pages.

Each app offers a source of such items; config/timeline.py joins them. Newest first, strictly by
moment, kind and id, so that a page goes on exactly where the one before it ended.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from heapq import merge
from itertools import islice
from typing import Self

from django.db.models import Q

from terminals.errors import Invalid
from terminals.models import Project, Window

TEXT_LIMIT = 600  # characters of an item: a look, the whole is where it links to
LARGEST_PAGE = 200
_BEGIN = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class Kind(StrEnum):
    ATTACHMENT = "attachment"  # a file was given to a window
    CALL = "call"  # a tool was called over MCP
    PROMPT = "prompt"  # a line was submitted
    TASK = "task"  # notes or a task were changed
    TURN = "turn"  # an agent has answered


@dataclass(frozen=True, slots=True, order=True)
class Cursor:
    """The place of an item: microseconds since 1970, its kind, its number among those."""

    at: int
    kind: Kind
    id: int

    def __str__(self) -> str:
        return f"{self.at}.{self.kind}.{self.id}"

    @classmethod
    def parse(cls, text: str) -> Self:
        try:
            at, kind, number = text.split(".")
            cursor = cls(int(at), Kind(kind), int(number))
            from_microseconds(cursor.at)
        except (ValueError, OverflowError):
            raise Invalid("before is the `key` of an item of the page before") from None
        return cursor


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    place: Cursor
    window: Window | None
    text: str = ""
    action: str = ""  # the tool, or what was done
    by: str = ""
    detail: str = ""  # how it went, or what it is


Source = Callable[[Project, Cursor | None, int], list[Item]]


def microseconds(moment: datetime) -> int:
    return (moment - _BEGIN) // _MICROSECOND


def from_microseconds(at: int) -> datetime:
    return _BEGIN + at * _MICROSECOND


def older(kind: Kind, before: Cursor | None, *, field: str = "at", unit: int = 1) -> Q:
    """Rows of one kind that come after `before` in the list. `unit`: microseconds in the field's
    own, for a number; a field of moments has 1."""
    if before is None:
        return Q()
    whole, rest = divmod(before.at, unit)
    moment = from_microseconds(before.at) if unit == 1 else whole
    rows = Q(**{f"{field}__lte": moment})
    if rest or kind < before.kind:
        return rows
    if kind > before.kind:
        return Q(**{f"{field}__lt": moment})
    return rows & ~Q(**{field: moment, "pk__gte": before.id})


def page(lists: Iterable[list[Item]], limit: int) -> tuple[list[Item], bool]:
    """The newest of several lists, each newest first; and whether something is left."""
    found = list(islice(merge(*lists, key=lambda item: item.place, reverse=True), limit + 1))
    return found[:limit], len(found) > limit


def short(text: str) -> str:
    return text if len(text) <= TEXT_LIMIT else f"{text[: TEXT_LIMIT - 1]}…"
