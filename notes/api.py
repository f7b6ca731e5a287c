"""REST for notes and tasks: parse, call the service, serialise.

No rule lives here. The same operations serve projects and windows: `/projects/main/notes`,
`/windows/@3/notes`. A project is given by its name or its session's, a window by its key or id.
"""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import register_converter
from ninja import Query, Router
from pydantic import Field

from notes import handing, linking, runtime, schemas, selectors, services
from notes.models import NoteSheet, Source
from notes.schemas import FoundTaskOut, NotesOut, TasksOut, UpdatedOut, WrittenOut
from notes.selectors import Owner
from notes.services import TaskChange
from notes.tasklist import Status
from terminals.api import answer, caller, page_of_rows, tmux
from terminals.db import in_db
from terminals.schemas import Page, Paging, Wire
from terminals.selectors import get_project, get_window

router = Router(by_alias=True, tags=["notes"])


class Owners:
    """What notes can belong to, as a part of a path."""

    regex = "projects|windows"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(Owners, "owners")


async def find_owner(owners: str, owner: str) -> Owner:
    if owners == "projects":
        return await get_project(tmux=tmux(), project=owner)
    return await get_window(tmux=tmux(), window=owner)


@router.get("/{owners:owners}/{path:owner}/notes", response=NotesOut)
async def read_notes(request: HttpRequest, owners: str, owner: str) -> HttpResponse:
    """Markdown, the tasks read out of it, and the board."""
    row = await find_owner(owners, owner)
    return answer(NotesOut.of(await in_db(selectors.read_notes)(owner=row)))


@router.put("/{owners:owners}/{path:owner}/notes", response=WrittenOut)
async def write_notes(
    request: HttpRequest, owners: str, owner: str, body: schemas.NewNotes
) -> WrittenOut:
    """Replace the whole text. Refused while the source is Notion."""
    row = await find_owner(owners, owner)
    notes = await in_db(services.write_notes)(owner=row, by=caller(request), **dict(body))
    return WrittenOut.of(notes)


@router.get("/{owners:owners}/{path:owner}/tasks", response=TasksOut)
async def list_tasks(
    request: HttpRequest, owners: str, owner: str, status: Status | None = None
) -> HttpResponse:
    """With `status`, only the tasks of that column; the board is always whole."""
    row = await find_owner(owners, owner)
    return answer(await in_db(services.list_tasks)(owner=row, status=status))


@router.post("/{owners:owners}/{path:owner}/tasks", response=UpdatedOut)
async def update_task(
    request: HttpRequest, owners: str, owner: str, body: schemas.NewTask
) -> HttpResponse:
    """Change one task in place. Places shift: send `expectedVersion` or `expectedText` along."""
    row = await find_owner(owners, owner)
    asked = dict(body)
    expected = {name: asked.pop(name) for name in ("expected_version", "expected_text")}
    change = TaskChange(**asked)
    notes = await in_db(services.update_task)(
        owner=row, change=change, by=caller(request), **expected
    )
    return answer(UpdatedOut.after(change.action, notes))


# --- tasks that agents work on ------------------------------------------------------------------


@router.put("/{owners:owners}/{path:owner}/tasks/{key}/handed", response=NotesOut)
async def hand_task(
    request: HttpRequest, owners: str, owner: str, key: str, body: schemas.NewHanding
) -> HttpResponse:
    """A window has got this task: it goes to WIP, and shows which. The prompt is sent apart."""
    row = await find_owner(owners, owner)
    window = await get_window(tmux=tmux(), window=body.window)
    notes = await in_db(handing.hand_task)(
        owner=row, key=key, window=window, expected_text=body.expected_text, by=caller(request)
    )
    return answer(NotesOut.of(notes))


@router.patch("/{owners:owners}/{path:owner}/tasks/{key}/handed", response=NotesOut)
async def judge_task(
    request: HttpRequest, owners: str, owner: str, key: str, body: schemas.NewJudgement
) -> HttpResponse:
    """Whether what the window made of it is good: it goes to CM, or stays."""
    row = await find_owner(owners, owner)
    notes = await in_db(handing.judge_task)(owner=row, key=key, done=body.done, by=caller(request))
    return answer(NotesOut.of(notes))


# --- Notion -----------------------------------------------------------------------------------


@router.patch("/local/{owners:owners}/{path:owner}/source", response=WrittenOut)
async def set_source(
    request: HttpRequest, owners: str, owner: str, body: schemas.NewSource
) -> WrittenOut:
    """To `notion`: the linked page gets what both sides hold, and is the truth from then on.
    To `local`: the last copy stays, and may be written."""
    row = await find_owner(owners, owner)
    notes = await linking.set_source(
        owner=row, notion=runtime.current(), source=body.source, by=caller(request)
    )
    return WrittenOut.of(notes)


@router.post("/{owners:owners}/{path:owner}/notion/link", response=WrittenOut)
async def link_notion_page(
    request: HttpRequest, owners: str, owner: str, body: schemas.NewLink
) -> WrittenOut:
    """The page must be shared with the integration. The source stays what it is."""
    row = await find_owner(owners, owner)
    notes = await linking.link_notion_page(
        owner=row, notion=runtime.current(), page=body.page, by=caller(request)
    )
    return WrittenOut.of(notes)


@router.post("/{owners:owners}/{path:owner}/notion/page", response=WrittenOut)
async def create_notion_page(
    request: HttpRequest, owners: str, owner: str, body: schemas.NewPage
) -> WrittenOut:
    """A new page with what the notes are now, linked to them."""
    row = await find_owner(owners, owner)
    parent = body.parent or settings.WEBTMUX.notion_parent
    notes = await linking.create_notion_page(
        owner=row, notion=runtime.current(), parent=parent, title=body.title, by=caller(request)
    )
    return WrittenOut.of(notes)


@router.post("/{owners:owners}/{path:owner}/notion/sync", response=WrittenOut)
async def sync_notes(request: HttpRequest, owners: str, owner: str) -> WrittenOut:
    """Read the page now, instead of within a minute."""
    row = await find_owner(owners, owner)
    return WrittenOut.of(await linking.sync_notes(owner=row, notion=runtime.current()))


# --- all of them ------------------------------------------------------------------------------


@router.get("/notes", response=Page[NotesOut])
async def list_notes(request: HttpRequest, paging: Query[Paging]) -> HttpResponse:
    """Of all projects, and of the windows that are there: those with tasks."""
    return answer(await in_db(page_of_rows)(rows=selectors.boards(), paging=paging, out=_notes_out))


def _notes_out(sheet: NoteSheet) -> NotesOut:
    return NotesOut.of(selectors.read_sheet(sheet))


class TaskFilter(Wire):
    q: str = Field("", description="words that must all be in the task", max_length=200)
    status: Status | None = None
    project: str = ""
    source: Source | None = None


@router.get("/tasks", response=Page[FoundTaskOut])
async def search_tasks(
    request: HttpRequest, paging: Query[Paging], asked: Query[TaskFilter]
) -> Page[FoundTaskOut]:
    """Tasks of all projects and windows, the one changed last first."""
    rows = selectors.search_tasks(
        text=asked.q, status=asked.status, project=asked.project, source=asked.source or ""
    )
    return await in_db(page_of_rows)(rows=rows, paging=paging, out=FoundTaskOut.of)
