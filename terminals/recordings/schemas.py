"""Wire models of recordings, shared by REST and the socket."""

from collections.abc import Iterable
from datetime import datetime
from typing import Literal, Self

from django.utils import timezone
from pydantic import Field

from core.actors import display_name
from core.wire import RequestBody, SocketAnswer, SocketMessage, Text, Wire
from terminals.models import NAME_LIMIT, Recording, RecordingShare, RecordingState
from terminals.recordings.asciicast import CastMatch, Marker
from terminals.recordings.files import files_of, seconds_into

SHARE_HOURS = 24 * 90


class RecordingOut(Wire):
    key: str
    title: str
    state: RecordingState
    problem: str = Field(description="why it ended before it was stopped")
    window: str | None = Field(description="the key of its window, unless that was deleted")
    window_id: str
    window_name: str
    project: str
    session: str
    pane_id: str
    columns: int
    rows: int
    size: int = Field(description="bytes")
    duration: float = Field(description="seconds; for a running recording, until now")
    by: str
    version: int
    started_at: datetime
    ended_at: datetime | None

    @classmethod
    def of(cls, row: Recording) -> Self:
        window, runs = row.window, row.state == RecordingState.RECORDING
        return cls(
            key=row.key,
            title=row.title,
            state=RecordingState(row.state),
            problem=row.problem,
            window=window.key if window else None,
            window_id=window.tmux_id if window else "",
            window_name=window.name if window else "",
            project=window.project.name if window else "",
            session=window.project.session if window else "",
            pane_id=row.pane,
            columns=row.columns,
            rows=row.rows,
            size=files_of(row).size if runs else row.size,
            duration=seconds_into(row, timezone.now()) if runs else row.duration,
            by=display_name(row.by),
            version=row.version,
            started_at=row.started_at,
            ended_at=row.ended_at,
        )


class MarkerOut(Wire):
    time: float
    label: str

    @classmethod
    def of(cls, marker: Marker) -> Self:
        return cls(time=marker.time, label=marker.label)


class RecordingDetailOut(RecordingOut):
    markers: list[MarkerOut]

    @classmethod
    def detailed(cls, row: Recording) -> Self:
        markers = [MarkerOut.of(marker) for marker in files_of(row).markers()]
        return cls(**dict(RecordingOut.of(row)), markers=markers)


class HitOut(Wire):
    time: float
    before: str
    match: str
    after: str

    @classmethod
    def of(cls, match: CastMatch) -> Self:
        return cls(time=match.time, before=match.before, match=match.match, after=match.after)


class HitsOut(Wire):
    hits: list[HitOut]
    complete: bool = Field(description="false: there may be more, later in the recording")

    @classmethod
    def of(cls, matches: Iterable[CastMatch], complete: bool) -> Self:
        return cls(hits=[HitOut.of(match) for match in matches], complete=complete)


class ShareOut(Wire):
    key: str
    by: str
    created_at: datetime
    expires_at: datetime

    @classmethod
    def of(cls, row: RecordingShare) -> Self:
        return cls(
            key=row.key,
            by=display_name(row.by),
            created_at=row.created_at,
            expires_at=row.expires_at,
        )


class NewShareOut(ShareOut):
    path: str = Field(description="the link below this server's address; shown only once")


class NewRecording(RequestBody):
    title: Text = Field(
        "", max_length=NAME_LIMIT, description="empty: named after the window and pane"
    )


class NewTitle(RequestBody):
    title: Text = Field(max_length=NAME_LIMIT)


class NewShare(RequestBody):
    hours: float = Field(24, gt=0, le=SHARE_HOURS)


# --- the socket ---------------------------------------------------------------------------------


class RecordingsOut(SocketAnswer):
    recordings: list[RecordingOut] = Field(description="the running ones")


class RecordingsUpdated(SocketMessage):
    type: Literal["recordings-updated"] = "recordings-updated"
    recordings: list[RecordingOut]
    gone: list[str] = Field(description="the keys of deleted ones")
