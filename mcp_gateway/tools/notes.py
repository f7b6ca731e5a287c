"""The tools for notes, tasks and the board, as webtmux-mcp has them.

No rule lives here: what may be written, and how, is notes/services.py.
"""

from typing import Annotated, Any, Literal, Self

from pydantic import Field
from typing_extensions import TypedDict

from mcp_gateway import address, callers
from mcp_gateway.address import Current, Session, WindowId, WindowIndex, WindowName
from mcp_gateway.registry import Tool, ToolSet
from mcp_gateway.schemas import WindowRef
from mcp_gateway.tools.windows import Mode
from notes import schemas, services
from notes.models import NoteSheet, ScopeName
from notes.schemas import Action, CardOut, Moment
from notes.selectors import Notes, Owner, read_notes
from notes.services import TaskChange
from notes.tasklist import LABELS, Status
from terminals import runtime, selectors
from terminals.access import Scope
from terminals.db import in_db
from terminals.errors import Invalid
from terminals.models import Window
from terminals.schemas import TEXT_LIMIT, Text, Wire

LIMIT = 60_000  # characters of notes in one answer
TASKS = 500
Body = Annotated[Text, Field(max_length=TEXT_LIMIT)]
Version = int | None


class TaskRef(TypedDict):
    index: int
    status: Status
    text: str


# --- answers ----------------------------------------------------------------------------------


class SheetOut(Wire):
    scope: ScopeName
    session: str
    window: WindowRef | None
    source: str
    notion_page_id: str | None
    notes: str
    version: int
    updated_at: Moment | None

    @classmethod
    def of(cls, sheet: NoteSheet) -> Self:
        return cls(**_sheet(sheet))


class NotesRead(SheetOut):
    tasks: list[TaskRef]
    kanban: dict[Status, list[CardOut]]
    next_offset: int | None = Field(description="pass as offset to read on")

    @classmethod
    def part(cls, notes: Notes, offset: int, limit: int) -> Self:
        sheet, end = notes.sheet, offset + limit
        told = {**_sheet(sheet), "notes": sheet.body[offset:end]}
        cut = end if end < len(sheet.body) else None
        return cls(**told, **_board(notes, None, 0, TASKS), next_offset=cut)


class Written(Wire):
    scope: ScopeName
    session: str
    window: WindowRef | None
    record: SheetOut

    @classmethod
    def of(cls, notes: Notes) -> Self:
        return cls(**_written(notes))


class Listed(Wire):
    scope: ScopeName
    session: str
    window: WindowRef | None
    status_labels: dict[Status, str] = LABELS
    tasks: list[TaskRef]
    kanban: dict[Status, list[CardOut]]
    next_index: int | None = Field(description="pass as fromIndex to read on")


class Updated(Written):
    action: str
    tasks: list[TaskRef]
    kanban: dict[Status, list[CardOut]]


def _sheet(sheet: NoteSheet) -> dict[str, Any]:
    return {
        "scope": sheet.scope,
        "session": sheet.session,
        "window": _window(sheet),
        "source": sheet.source,
        "notion_page_id": sheet.notion_page_id or None,
        "notes": sheet.body,
        "version": sheet.version,
        "updated_at": sheet.updated_at,
    }


def _written(notes: Notes) -> dict[str, Any]:
    record = SheetOut.of(notes.sheet)
    place = {"scope": record.scope, "session": record.session, "window": record.window}
    return {**place, "record": record}


def _board(notes: Notes, status: Status | None, start: int, limit: int) -> dict[str, Any]:
    """Tasks of one column or all, and the board, of the same stretch of the list."""
    tasks = [
        TaskRef(index=task["index"], status=task["status"], text=task["text"])
        for task in schemas.tasks_out(notes)[start : start + limit]
    ]
    columns = {
        each.value: [
            {"index": task["index"], "text": task["text"]}
            for task in tasks
            if task["status"] is each
        ]
        for each in Status
    }
    return {"tasks": [t for t in tasks if status in (None, t["status"])], "kanban": columns}


def _window(sheet: NoteSheet) -> WindowRef | None:
    return WindowRef.of_fact(sheet.owner) if isinstance(sheet.owner, Window) else None


# --- tools ------------------------------------------------------------------------------------


async def read_project_notes(session: str, offset: int = 0, limit: int = LIMIT) -> NotesRead:
    """Notes of a project (its session's name): Markdown, tasks, kanban."""
    return await _read(await _project(session), offset, limit)


async def read_window_notes(
    session: Session = "",
    windowIndex: WindowIndex = None,  # noqa: N803
    windowName: WindowName = "",  # noqa: N803
    windowId: WindowId = "",  # noqa: N803
    current: Current = False,
    offset: int = 0,
    limit: int = LIMIT,
) -> NotesRead:
    """Notes of one window: Markdown, tasks, kanban."""
    owner = await _own_window(session, windowIndex, windowName, windowId, current)
    return await _read(owner, offset, limit)


async def write_project_notes(
    mode: Mode,
    session: str,
    notes: Body,
    expectedVersion: Version = None,  # noqa: N803
) -> Written:
    """Replace all notes of a project; one task per line, "[WIP] text". Refused while the source
    is Notion."""
    return await _write(await _project(session), notes, expectedVersion)


async def write_window_notes(
    mode: Mode,
    notes: Body,
    session: Session = "",
    windowIndex: WindowIndex = None,  # noqa: N803
    windowName: WindowName = "",  # noqa: N803
    windowId: WindowId = "",  # noqa: N803
    current: Current = False,
    expectedVersion: Version = None,  # noqa: N803
) -> Written:
    """Replace all notes of one window."""
    owner = await _own_window(session, windowIndex, windowName, windowId, current)
    return await _write(owner, notes, expectedVersion)


async def list_tasks(
    scope: ScopeName,
    session: Session = "",
    windowIndex: WindowIndex = None,  # noqa: N803
    windowName: WindowName = "",  # noqa: N803
    windowId: WindowId = "",  # noqa: N803
    current: Current = False,
    status: Status | None = None,
    fromIndex: int = 0,  # noqa: N803
    limit: int = TASKS,
) -> Listed:
    """Tasks of a project or window, by kanban status: {"scope": "project", "session": "main"}"""
    _need(fromIndex, "fromIndex", 0, TEXT_LIMIT)
    _need(limit, "limit", 1, TASKS)
    owner = await _owner(scope, session, windowIndex, windowName, windowId, current)
    notes = await in_db(read_notes)(owner=owner)
    end = fromIndex + limit
    return Listed(
        scope=notes.sheet.scope,
        session=notes.sheet.session,
        window=_window(notes.sheet),
        **_board(notes, status, fromIndex, limit),
        next_index=end if end < len(notes.tasks) else None,
    )


async def update_task(
    mode: Mode,
    scope: ScopeName,
    action: Action,
    session: Session = "",
    windowIndex: WindowIndex = None,  # noqa: N803
    windowName: WindowName = "",  # noqa: N803
    windowId: WindowId = "",  # noqa: N803
    current: Current = False,
    index: int | None = None,
    text: Body = "",
    status: Status | None = None,
    toIndex: int | None = None,  # noqa: N803
    expectedVersion: Version = None,  # noqa: N803
    expectedText: Text = "",  # noqa: N803
) -> Updated:
    """Change one task: add (text), set_status (index, status), set_text (index, text), remove
    (index), move (index, toIndex). Indexes shift: list_tasks again, or pass expectedText."""
    owner = await _owner(scope, session, windowIndex, windowName, windowId, current)
    change = TaskChange(action=action, index=index, text=text, status=status, to_index=toIndex)
    notes = await in_db(services.update_task)(
        owner=owner,
        change=change,
        by=_caller(),
        expected_version=expectedVersion,
        expected_text=expectedText,
    )
    return Updated(**_written(notes), action=action, **_board(notes, None, 0, TASKS))


# --- what they share --------------------------------------------------------------------------


async def _read(owner: Owner, offset: int, limit: int) -> NotesRead:
    _need(offset, "offset", 0, TEXT_LIMIT)
    _need(limit, "limit", 1, TEXT_LIMIT)
    return NotesRead.part(await in_db(read_notes)(owner=owner), offset, limit)


async def _write(owner: Owner, body: str, version: int | None) -> Written:
    notes = await in_db(services.write_notes)(
        owner=owner, notes=body, by=_caller(), expected_version=version
    )
    return Written.of(notes)


async def _owner(
    scope: Literal["project", "window"],
    session: str,
    index: int | str | None,
    name: str,
    identifier: str,
    current: bool,
) -> Owner:
    if scope == "project":
        return await _project(session)
    return await _own_window(session, index, name, identifier, current)


async def _project(session: str) -> Owner:
    if not session:
        raise Invalid("a project is named by session: the name of its tmux session")
    return await selectors.get_project_of(tmux=runtime.current().main, session=session)


async def _own_window(
    session: str, index: int | str | None, name: str, identifier: str, current: bool
) -> Owner:
    row = await address.find_window(session, index, name, identifier, current)
    return await selectors.fact_of(runtime.current().main, row.id)


def _need(value: int, name: str, low: int, high: int) -> None:
    if not low <= value <= high:
        raise Invalid(f"{name} is {low} to {high}")


def _caller() -> str:
    principal = callers.current().principal
    return principal.name or principal.kind


TOOLS: tuple[Tool, ...] = (
    Tool(run=read_project_notes, toolset=ToolSet.NOTES),
    Tool(run=read_window_notes, toolset=ToolSet.NOTES),
    Tool(run=write_project_notes, toolset=ToolSet.NOTES, scope=Scope.WRITE),
    Tool(run=write_window_notes, toolset=ToolSet.NOTES, scope=Scope.WRITE),
    Tool(run=list_tasks, toolset=ToolSet.NOTES),
    Tool(run=update_task, toolset=ToolSet.NOTES, scope=Scope.WRITE),
)
