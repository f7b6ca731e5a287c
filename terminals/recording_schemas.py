"""What goes over the wire about recordings; shared by REST and the socket."""

from datetime import datetime
from typing import Self

from django.utils import timezone
from pydantic import Field

from terminals.casts import Hit, Marker
from terminals.models import NAME_LIMIT, Recording, RecordingShare
from terminals.recording_pipes import at, files_of
from terminals.schemas import Asked, Text, Wire

SHARE_HOURS = 24 * 90


class RecordingOut(Wire):
    key: str
    title: str
    state: Recording.State
    problem: str = Field(description="why it stopped by itself")
    window: str | None = Field(description="the key of its window, if that is still known")
    window_id: str
    window_name: str
    project: str
    session: str
    pane_id: str
    columns: int
    rows: int
    size: int = Field(description="bytes")
    duration: float = Field(description="seconds; of one that runs, until now")
    by: str
    version: int
    started_at: datetime
    ended_at: datetime | None

    @classmethod
    def of(cls, row: Recording) -> Self:
        window, runs = row.window, row.state == Recording.State.RECORDING
        return cls(
            key=row.key, title=row.title, state=Recording.State(row.state),
            problem=row.problem, window=window.key if window else None,
            window_id=window.tmux_id if window else "", window_name=window.name if window else "",
            project=window.project.name if window else "",
            session=window.project.session if window else "", pane_id=row.pane,
            columns=row.columns, rows=row.rows, size=files_of(row).size if runs else row.size,
            duration=at(row, timezone.now()) if runs else row.duration, by=row.by,
            version=row.version, started_at=row.started_at, ended_at=row.ended_at,
        )  # fmt: skip


class MarkerOut(Wire):
    time: float
    label: str

    @classmethod
    def of(cls, marker: Marker) -> Self:
        return cls(time=marker.time, label=marker.label)


class RecordingDetailOut(RecordingOut):
    markers: list[MarkerOut]


class HitOut(Wire):
    time: float
    before: str
    match: str
    after: str

    @classmethod
    def of(cls, hit: Hit) -> Self:
        return cls(time=hit.time, before=hit.before, match=hit.match, after=hit.after)


class HitsOut(Wire):
    hits: list[HitOut]
    complete: bool = Field(description="false: there may be more, later in the recording")


class ShareOut(Wire):
    key: str
    by: str
    created_at: datetime
    expires_at: datetime

    @classmethod
    def of(cls, row: RecordingShare) -> Self:
        return cls(key=row.key, by=row.by, created_at=row.created_at, expires_at=row.expires_at)


class NewShareOut(ShareOut):
    path: str = Field(description="the link below this server's address; told here and never again")


class NewRecording(Asked):
    title: Text = Field("", max_length=NAME_LIMIT, description="empty: made of window and pane")


class NewTitle(Asked):
    title: Text = Field(max_length=NAME_LIMIT)


class NewShare(Asked):
    hours: float = Field(24, gt=0, le=SHARE_HOURS)
