"""REST for recordings: parse, call the service, serialise. Casts are streamed, never read whole."""

import re

from django.http import HttpRequest, StreamingHttpResponse
from ninja import Query, Router, Status

from core.database import in_db
from core.rest import caller, page_of_rows
from core.wire import Page, Paging
from terminals.models import Recording
from terminals.recordings import selectors, services
from terminals.recordings.schemas import (
    HitsOut,
    NewRecording,
    NewShare,
    NewShareOut,
    NewTitle,
    RecordingDetailOut,
    RecordingOut,
    ShareOut,
)
from terminals.runtime import main_tmux
from terminals.windows.targets import pane_id

router = Router(by_alias=True, tags=["recordings"])
CAST = "application/x-asciicast"


@router.post("/panes/{pane}/recording", response={201: RecordingOut})
async def start_recording(
    request: HttpRequest, pane: str, body: NewRecording
) -> Status[RecordingOut]:
    """Record a pane from now on, starting with its screen. Continues while webtmux is stopped."""
    row = await services.start_recording(
        tmux=main_tmux(), pane=pane_id(pane), title=body.title, actor=caller(request)
    )
    return Status(201, await in_db(RecordingOut.of)(row))


@router.delete("/panes/{pane}/recording", response=RecordingOut)
async def stop_recording(request: HttpRequest, pane: str) -> RecordingOut:
    """Stop recording a pane. The recording is kept; the pane is not touched."""
    row = await services.stop_pane(tmux=main_tmux(), pane=pane_id(pane))
    return await in_db(RecordingOut.of)(row)


@router.post("/windows/{window}/recording", response={201: list[RecordingOut]})
async def record_window(
    request: HttpRequest, window: str, body: NewRecording
) -> Status[list[RecordingOut]]:
    """Record every current pane of a window, or none if one of them cannot be recorded."""
    rows = await services.record_window(
        tmux=main_tmux(), window=window, title=body.title, actor=caller(request)
    )
    return Status(201, await in_db(_outs)(rows))


@router.delete("/windows/{window}/recording", response=list[RecordingOut])
async def stop_window(request: HttpRequest, window: str) -> list[RecordingOut]:
    return await in_db(_outs)(await services.stop_window(tmux=main_tmux(), window=window))


@router.get("/recordings", response=Page[RecordingOut])
async def list_recordings(
    request: HttpRequest, paging: Query[Paging], window: str = "", project: str = ""
) -> Page[RecordingOut]:
    """Newest first. Optionally of a window (its key) or a project (its name)."""
    rows = selectors.recordings(window=window, project=project)
    return await in_db(page_of_rows)(rows=rows, paging=paging, out=RecordingOut.of)


@router.get("/recordings/{key}", response=RecordingDetailOut)
async def get_recording(request: HttpRequest, key: str) -> RecordingDetailOut:
    return await in_db(_detail)(key)


@router.patch("/recordings/{key}", response=RecordingOut)
async def rename_recording(request: HttpRequest, key: str, body: NewTitle) -> RecordingOut:
    row = await in_db(services.rename_recording)(key=key, title=body.title)
    return await in_db(RecordingOut.of)(row)


@router.delete("/recordings/{key}", response=RecordingOut)
async def delete_recording(request: HttpRequest, key: str) -> RecordingOut:
    """Delete a recording with its file and shares. A running recording is stopped first."""
    row = await services.delete_recording(tmux=main_tmux(), key=key)
    return await in_db(RecordingOut.of)(row)


@router.get("/recordings/{key}/cast", response=None)
async def download_recording(request: HttpRequest, key: str) -> StreamingHttpResponse:
    """As asciicast v2. A running recording is sent as far as it is written."""
    return cast_response(await in_db(selectors.get_recording)(key=key))


@router.get("/recordings/{key}/search", response=HitsOut)
async def search_recording(request: HttpRequest, key: str, q: str) -> HitsOut:
    """Where a text was printed, with the time in seconds from the start."""
    row = await in_db(selectors.get_recording)(key=key)
    return HitsOut.of(*await selectors.search_recording(recording=row, query=q))


@router.post("/recordings/{key}/shares", response={201: NewShareOut})
async def share_recording(request: HttpRequest, key: str, body: NewShare) -> Status[NewShareOut]:
    """Create a secret link. Everyone who has it can see this recording and nothing else."""
    row, secret = await in_db(services.share_recording)(
        key=key, hours=body.hours, actor=caller(request)
    )
    path = f"/shared/{key}?token={secret}"
    return Status(201, NewShareOut(**dict(ShareOut.of(row)), path=path))


@router.get("/recordings/{key}/shares", response=list[ShareOut])
async def list_shares(request: HttpRequest, key: str) -> list[ShareOut]:
    return await in_db(_shares)(key)


@router.delete("/recordings/{key}/shares/{share}", response=ShareOut)
async def revoke_share(request: HttpRequest, key: str, share: str) -> ShareOut:
    """Revoke a share. Its link stops working."""
    return ShareOut.of(await in_db(services.revoke_share)(key=key, share=share))


# --- helpers ----------------------------------------------------------------------------------


def cast_response(row: Recording) -> StreamingHttpResponse:
    """Also for shared links (views.py)."""
    pieces = selectors.download_recording(recording=row)
    response = StreamingHttpResponse(pieces, content_type=CAST)
    response["Content-Disposition"] = f'attachment; filename="{_file_name(row)}"'
    response["Cache-Control"] = "no-store"
    return response


def _file_name(row: Recording) -> str:
    """Only letters, digits and dashes of the title: safe in a header and on any file system."""
    words = re.sub(r"[^A-Za-z0-9]+", "-", row.title).strip("-")[:60]
    return f"{words or 'recording'}-{row.key}.cast"


def _outs(rows: list[Recording]) -> list[RecordingOut]:
    return [RecordingOut.of(row) for row in rows]


def _detail(key: str) -> RecordingDetailOut:
    return RecordingDetailOut.detailed(selectors.get_recording(key=key))


def _shares(key: str) -> list[ShareOut]:
    return [ShareOut.of(row) for row in selectors.list_shares(key=key)]
