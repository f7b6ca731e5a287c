"""Writes chat records, and tells of them after the commit.

Plain functions over the database. What is worth a record is decided in recording.py.
"""

from dataclasses import dataclass
from datetime import UTC, datetime

from django.db import transaction
from django.db.models import Max

from agents import chat_schemas
from agents.models import ChatRecord, Role
from terminals import live, recordings
from terminals.models import Window

TEXT_LIMIT = 64 * 1024  # characters of one record; of a longer one the end is kept
CUT = "[… the beginning is not kept …]\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class New:
    """A record that is not written yet."""

    role: Role
    text: str
    ts: int  # when it happened; a later one is given if the window has one of that time
    pane: str
    runtime: str = ""
    columns: int = 0
    top: int | None = None
    full: bool = False
    by: str = ""


def topic(window: Window) -> str:
    """The group that hears of what is said in a window."""
    return live.topic("chat", window.key)


def add_record(*, window: Window, new: New) -> ChatRecord:
    """One at a time in a window: its times go up, and in the order of the commits."""
    with transaction.atomic():
        Window.objects.select_for_update().only("pk").get(pk=window.pk)
        last = ChatRecord.objects.filter(window=window).aggregate(last=Max("ts"))["last"] or 0
        text = fitting(new.text)
        row = ChatRecord.objects.create(
            window=window, ts=max(new.ts, last + 1), role=new.role, text=text, pane=new.pane,
            runtime=new.runtime, columns=new.columns, full=new.full, by=new.by,
            top=new.top if text.endswith(new.text) else None,
        )  # fmt: skip
        live.publish(topic(window), chat_schemas.chat_added(window, row))
    if row.role == Role.USER:
        moment = datetime.fromtimestamp(row.ts / 1000, UTC)
        recordings.mark(window=window, pane=row.pane, label=row.text, moment=moment)
    return row


def replace_screen(*, window: Window, record: int, text: str) -> bool:
    """A full-screen program has settled again. False: the record is gone."""
    with transaction.atomic():
        row = ChatRecord.objects.select_for_update().filter(pk=record).first()
        if row is None:
            return False
        row.text = fitting(text)
        row.save(update_fields=["text"])
        live.publish(topic(window), chat_schemas.chat_added(window, row))
    return True


def last_picture(*, window: Window, pane: str) -> ChatRecord | None:
    """Of a pane, if nothing was submitted to it since."""
    row = ChatRecord.objects.filter(window=window, pane=pane).order_by("-ts").first()
    return row if row is not None and row.role == Role.ASSISTANT else None


def fitting(text: str) -> str:
    """As a database takes it: no NUL, no half characters, not longer than the limit."""
    clean = text.replace("\0", "").encode("utf-8", "replace").decode()
    return clean if len(clean) <= TEXT_LIMIT else CUT + clean[-TEXT_LIMIT:].partition("\n")[2]
