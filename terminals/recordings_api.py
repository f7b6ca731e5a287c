"""REST for recordings: parse, call the service, serialise. Casts are streamed, never held whole."""

import re

from django.http import HttpRequest, StreamingHttpResponse
from ninja import Query, Router, Status

from terminals import playback, recordings, sharing
from terminals.api import caller, page_of_rows, pane_id, tmux
from terminals.db import in_db
from terminals.models import Recording
from terminals.recording_pipes import files_of
from terminals.recording_schemas import (
    HitOut,
    HitsOut,
    MarkerOut,
    NewRecording,
    NewShare,
    NewShareOut,
    NewTitle,
    RecordingDetailOut,
    RecordingOut,
    ShareOut,
)
from terminals.schemas import Page, Paging

router = Router(by_alias=True, tags=["recordings"])
CAST = "application/x-asciicast"


@router.post("/panes/{pane}/recording", response={201: RecordingOut})
async def start_recording(
    request: HttpRequest, pane: str, body: NewRecording
) -> Status[RecordingOut]:
    """Record a pane from now on, beginning with its screen; it goes on while webtmux is away."""
    row = await recordings.start_recording(
        tmux=tmux(), pane=pane_id(pane), title=body.title, by=caller(request)
    )
    return Status(201, await in_db(RecordingOut.of)(row))


@router.delete("/panes/{pane}/recording", response=RecordingOut)
async def stop_recording(request: HttpRequest, pane: str) -> RecordingOut:
    """The recording stays; the pane is not touched."""
    row = await recordings.stop_pane(tmux=tmux(), pane=pane_id(pane))
    return await in_db(RecordingOut.of)(row)


@router.post("/windows/{window}/recording", response={201: list[RecordingOut]})
async def record_window(
    request: HttpRequest, window: str, body: NewRecording
) -> Status[list[RecordingOut]]:
    """Record each pane that the window has now, or none where one cannot be."""
    rows = await recordings.record_window(
        tmux=tmux(), window=window, title=body.title, by=caller(request)
    )
    return Status(201, await in_db(_outs)(rows))


@router.delete("/windows/{window}/recording", response=list[RecordingOut])
async def stop_window(request: HttpRequest, window: str) -> list[RecordingOut]:
    return await in_db(_outs)(await recordings.stop_window(tmux=tmux(), window=window))


@router.get("/recordings", response=Page[RecordingOut])
async def list_recordings(
    request: HttpRequest, paging: Query[Paging], window: str = "", project: str = ""
) -> Page[RecordingOut]:
    """The newest first; of a window (its key) or a project (its name)."""
    rows = recordings.recordings(window=window, project=project)
    return await in_db(page_of_rows)(rows=rows, paging=paging, out=RecordingOut.of)


@router.get("/recordings/{key}", response=RecordingDetailOut)
async def get_recording(request: HttpRequest, key: str) -> RecordingDetailOut:
    return await in_db(detail)(await in_db(recordings.get_recording)(key=key))


@router.patch("/recordings/{key}", response=RecordingOut)
async def rename_recording(request: HttpRequest, key: str, body: NewTitle) -> RecordingOut:
    row = await in_db(recordings.rename_recording)(key=key, title=body.title)
    return await in_db(RecordingOut.of)(row)


@router.delete("/recordings/{key}", response=RecordingOut)
async def delete_recording(request: HttpRequest, key: str) -> RecordingOut:
    """With its file and its shares; one that runs is stopped first."""
    row = await recordings.delete_recording(tmux=tmux(), key=key)
    return await in_db(RecordingOut.of)(row)


@router.get("/recordings/{key}/cast", response=None)
async def download_recording(request: HttpRequest, key: str) -> StreamingHttpResponse:
    """asciicast v2; of one that runs, what there is until now."""
    return cast_response(await in_db(recordings.get_recording)(key=key))


@router.get("/recordings/{key}/search", response=HitsOut)
async def search_recording(request: HttpRequest, key: str, q: str) -> HitsOut:
    """Where a text was printed, and when, in seconds from the beginning."""
    return await search(await in_db(recordings.get_recording)(key=key), q)


@router.post("/recordings/{key}/shares", response={201: NewShareOut})
async def share_recording(request: HttpRequest, key: str, body: NewShare) -> Status[NewShareOut]:
    """A secret link that shows this recording to whoever has it, and nothing else."""
    row, secret = await in_db(sharing.share_recording)(
        key=key, hours=body.hours, by=caller(request)
    )
    path = f"/shared/{key}?token={secret}"
    return Status(201, NewShareOut(**dict(ShareOut.of(row)), path=path))


@router.get("/recordings/{key}/shares", response=list[ShareOut])
async def list_shares(request: HttpRequest, key: str) -> list[ShareOut]:
    return await in_db(_shares)(key)


@router.delete("/recordings/{key}/shares/{share}", response=ShareOut)
async def revoke_share(request: HttpRequest, key: str, share: str) -> ShareOut:
    """Its link opens nothing from now on."""
    return ShareOut.of(await in_db(sharing.revoke_share)(key=key, share=share))


# --- shared with the pages --------------------------------------------------------------------


def detail(row: Recording) -> RecordingDetailOut:
    markers = [MarkerOut.of(marker) for marker in files_of(row).markers()]
    return RecordingDetailOut(**dict(RecordingOut.of(row)), markers=markers)


async def search(row: Recording, query: str) -> HitsOut:
    hits, complete = await playback.search_recording(recording=row, query=query)
    return HitsOut(hits=[HitOut.of(hit) for hit in hits], complete=complete)


def cast_response(row: Recording) -> StreamingHttpResponse:
    answer = StreamingHttpResponse(playback.download_recording(recording=row), content_type=CAST)
    answer["Content-Disposition"] = f'attachment; filename="{file_name(row)}"'
    answer["Cache-Control"] = "no-store"
    return answer


def file_name(row: Recording) -> str:
    """Letters, digits and dashes of the title: it goes into a header and onto anybody's disk."""
    words = re.sub(r"[^A-Za-z0-9]+", "-", row.title).strip("-")[:60]
    return f"{words or 'recording'}-{row.key}.cast"


def _outs(rows: list[Recording]) -> list[RecordingOut]:
    return [RecordingOut.of(row) for row in rows]


def _shares(key: str) -> list[ShareOut]:
    return [ShareOut.of(row) for row in sharing.list_shares(key=key)]
