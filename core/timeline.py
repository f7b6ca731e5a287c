"""The timeline of a project: the shape of its items, their order, and how it is paginated.

Each app provides items; config/timeline.py merges them. Newest first, strictly ordered by time,
kind and id, so that a page continues exactly where the previous one ended.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from heapq import merge
from itertools import islice
from typing import Protocol, Self

from django.db.models import Q

from core.errors import Invalid

TEXT_LIMIT = 600  # characters of an item's text; the whole text is where it links to
LARGEST_PAGE = 200
_BEGIN = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class TimelineKind(StrEnum):
    ATTACHMENT = "attachment"  # a file was uploaded to a window
    CALL = "call"  # an MCP tool was called
    PROMPT = "prompt"  # a line was submitted
    TASK = "task"  # notes or a task were changed
    TURN = "turn"  # an agent has finished its answer


@dataclass(frozen=True, slots=True, order=True)
class TimelineCursor:
    """The position of an item: microseconds since 1970, its kind, its id among that kind."""

    at: int
    kind: TimelineKind
    id: int

    def __str__(self) -> str:
        return f"{self.at}.{self.kind}.{self.id}"

    @classmethod
    def parse(cls, text: str) -> Self:
        try:
            timestamp, kind, number = text.split(".")
            cursor = cls(int(timestamp), TimelineKind(kind), int(number))
            from_microseconds(cursor.at)
        except (ValueError, OverflowError):
            raise Invalid("before must be the `key` of an item on the previous page") from None
        return cursor


class ItemWindow(Protocol):
    """The window of an item: a row of terminals.models.Window, which core cannot import."""

    @property
    def key(self) -> str: ...
    @property
    def name(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineItem:
    place: TimelineCursor
    window: ItemWindow | None
    text: str = ""
    action: str = ""  # the name of the tool, or of the change
    by: str = ""
    detail: str = ""  # the outcome, or the type of the file


def microseconds(moment: datetime) -> int:
    return (moment - _BEGIN) // _MICROSECOND


def from_microseconds(timestamp: int) -> datetime:
    return _BEGIN + timestamp * _MICROSECOND


def older(
    kind: TimelineKind, before: TimelineCursor | None, *, field: str = "at", unit: int = 1
) -> Q:
    """The rows of one kind that come after `before` in the list.

    `unit` is how many microseconds a numeric field counts in; 1 for a date and time field.
    """
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


def page(lists: Iterable[list[TimelineItem]], limit: int) -> tuple[list[TimelineItem], bool]:
    """Merge lists that are newest first: the first `limit` items, and whether more are left."""
    merged = list(islice(merge(*lists, key=lambda item: item.place, reverse=True), limit + 1))
    return merged[:limit], len(merged) > limit


def short(text: str) -> str:
    return text if len(text) <= TEXT_LIMIT else f"{text[: TEXT_LIMIT - 1]}…"
