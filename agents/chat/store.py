"""Stores chat records and publishes them after the commit.

The recorders (screen_recorder.py, input_recorder.py) decide what becomes a record.
"""

from dataclasses import dataclass
from datetime import UTC, datetime

from django.db import transaction
from django.db.models import Max

from agents.chat import schemas
from agents.models import ChatRecord, Role
from core import events
from terminals.models import Window
from terminals.recordings import services as recordings

TEXT_LIMIT = 64 * 1024  # characters of one record; only the end of a longer one is kept
CUT = "[… the beginning was cut off …]\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewRecord:
    """A record before it is stored."""

    role: Role
    text: str
    ts: int  # the time in ms; increased if the window already has a record of that time
    pane: str
    runtime: str = ""
    columns: int = 0
    top: int | None = None
    full: bool = False
    by: str = ""
    answer: bool = False  # to a dialog of an agent


def topic(window: Window) -> str:
    """The event group of a window's chat."""
    return events.topic("chat", window.key)


def add_record(*, window: Window, new: NewRecord) -> ChatRecord:
    """Store one record. The lock on the window keeps times increasing in commit order."""
    with transaction.atomic():
        Window.objects.select_for_update().only("pk").get(pk=window.pk)
        last = ChatRecord.objects.filter(window=window).aggregate(last=Max("ts"))["last"] or 0
        text = fitting(new.text)
        row = ChatRecord.objects.create(
            window=window,
            ts=max(new.ts, last + 1),
            role=new.role,
            text=text,
            pane=new.pane,
            runtime=new.runtime,
            columns=new.columns,
            full=new.full,
            by=new.by,
            answer=new.answer,
            top=new.top if text.endswith(new.text) else None,
        )
        events.publish(topic(window), schemas.chat_added(window, row))
    if row.role == Role.USER:
        moment = datetime.fromtimestamp(row.ts / 1000, UTC)
        recordings.mark(window=window, pane=row.pane, label=row.text, moment=moment)
    return row


def replace_screen(*, window: Window, record: int, text: str) -> bool:
    """Update the record of a full-screen program; False if the record no longer exists."""
    with transaction.atomic():
        row = ChatRecord.objects.select_for_update().filter(pk=record).first()
        if row is None:
            return False
        row.text = fitting(text)
        row.save(update_fields=["text"])
        events.publish(topic(window), schemas.chat_added(window, row))
    return True


def last_screen_record(*, window: Window, pane: str) -> ChatRecord | None:
    """The last screen record of a pane, unless a line was submitted after it."""
    row = ChatRecord.objects.filter(window=window, pane=pane).order_by("-ts").first()
    return row if row is not None and row.role == Role.ASSISTANT else None


def fitting(text: str) -> str:
    """Make text storable: no NUL, no surrogates, not longer than the limit."""
    clean = text.replace("\0", "").encode("utf-8", "replace").decode()
    return clean if len(clean) <= TEXT_LIMIT else CUT + clean[-TEXT_LIMIT:].partition("\n")[2]
