"""MCP tools for notes, tasks and the board, as webtmux-mcp documents them."""

from typing import Annotated, NotRequired, Self

from pydantic import Field
from typing_extensions import TypedDict

from core import callers
from core.actors import ActorDoor, actor_id
from core.callers import Scope
from core.database import in_db, in_turn
from core.errors import Invalid
from core.wire import TEXT_LIMIT, Text, Wire
from mcp_gateway import address
from mcp_gateway.address import takes_window
from mcp_gateway.registry import Tool, ToolSet
from mcp_gateway.schemas import WindowRef
from mcp_gateway.tools.windows import Mode
from notes import schemas, services
from notes.models import NoteSheet, ScopeName
from notes.schemas import CardOut, Moment, NotesWritten, TaskChange, TaskOut, TaskUpdated
from notes.selectors import Notes, Owner, read_notes
from notes.tasklist import LABELS, Action, Status
from terminals import runtime
from terminals.models import Window
from terminals.services import get_live_window, get_project_of_session
from terminals.windows.targets import WindowAddress

LIMIT = 60_000  # characters of notes in one answer
TASKS = 500
Body = Annotated[Text, Field(max_length=TEXT_LIMIT)]
Version = int | None


class TaskRef(TypedDict):
    index: int
    status: Status
    text: str
    description: NotRequired[str]


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
    def of_sheet(cls, sheet: NoteSheet) -> "SheetOut":
        return SheetOut(
            scope=sheet.scope,
            session=sheet.session,
            window=_window(sheet),
            source=sheet.source,
            notion_page_id=sheet.notion_page_id or None,
            notes=sheet.body,
            version=sheet.version,
            updated_at=sheet.updated_at,
        )


class NotesRead(SheetOut):
    tasks: list[TaskRef]
    kanban: dict[Status, list[CardOut]]
    next_offset: int | None = Field(description="pass as offset to read on")

    @classmethod
    def part(cls, notes: Notes, offset: int, limit: int) -> Self:
        sheet, end = notes.sheet, offset + limit
        fields = dict(SheetOut.of_sheet(sheet)) | {"notes": sheet.body[offset:end]}
        cut = end if end < len(sheet.body) else None
        return cls(**fields, **_board(notes, None, 0, TASKS), next_offset=cut)


class Written(NotesWritten[WindowRef, SheetOut]):
    @classmethod
    def of(cls, notes: Notes) -> Self:
        record = SheetOut.of_sheet(notes.sheet)
        return cls(scope=record.scope, session=record.session, window=record.window, record=record)


class Listed(Wire):
    scope: ScopeName
    session: str
    window: WindowRef | None
    status_labels: dict[Status, str] = LABELS
    tasks: list[TaskRef]
    kanban: dict[Status, list[CardOut]]
    next_index: int | None = Field(description="pass as fromIndex to read on")


Updated = TaskUpdated[WindowRef, SheetOut, TaskRef]


class BoardPart(TypedDict):
    tasks: list[TaskRef]
    kanban: dict[Status, list[CardOut]]


def _board(notes: Notes, status: Status | None, start: int, limit: int) -> BoardPart:
    """Tasks of one column or all, and the board, for the same part of the list."""
    tasks = [_ref(task) for task in schemas.tasks_out(notes)[start : start + limit]]
    columns = {
        each: [
            CardOut(index=task["index"], text=task["text"])
            for task in tasks
            if task["status"] is each
        ]
        for each in Status
    }
    return {"tasks": [t for t in tasks if status in (None, t["status"])], "kanban": columns}


def _ref(task: TaskOut) -> TaskRef:
    ref = TaskRef(index=task["index"], status=task["status"], text=task["text"])
    if "description" in task:
        ref["description"] = task["description"]
    return ref


def _window(sheet: NoteSheet) -> WindowRef | None:
    return WindowRef.of_stored(sheet.owner) if isinstance(sheet.owner, Window) else None


# --- tools ------------------------------------------------------------------------------------


async def read_project_notes(session: str, offset: int = 0, limit: int = LIMIT) -> NotesRead:
    """Notes of a project (its session's name): Markdown, tasks, kanban."""
    return await _read(await _project(session), offset, limit)


@takes_window
async def read_window_notes(
    *, window: WindowAddress, offset: int = 0, limit: int = LIMIT
) -> NotesRead:
    """Notes of one window: Markdown, tasks, kanban."""
    owner = await _window_owner(window)
    return await _read(owner, offset, limit)


async def write_project_notes(
    mode: Mode, session: str, notes: Body, expectedVersion: Version = None
) -> Written:
    """Replace all notes of a project; one task per line, "[WIP] text". Refused while the source
    is Notion."""
    return await _write(await _project(session), notes, expectedVersion)


@takes_window
async def write_window_notes(
    mode: Mode, notes: Body, *, window: WindowAddress, expectedVersion: Version = None
) -> Written:
    """Replace all notes of one window."""
    owner = await _window_owner(window)
    return await _write(owner, notes, expectedVersion)


@takes_window
async def list_tasks(
    scope: ScopeName,
    *,
    window: WindowAddress,
    status: Status | None = None,
    fromIndex: int = 0,
    limit: int = TASKS,
) -> Listed:
    """Tasks of a project or window, by kanban status: {"scope": "project", "session": "main"}"""
    _need(fromIndex, "fromIndex", 0, TEXT_LIMIT)
    _need(limit, "limit", 1, TASKS)
    owner = await _owner(scope, window)
    notes = await in_db(read_notes)(owner=owner)
    end = fromIndex + limit
    return Listed(
        scope=notes.sheet.scope,
        session=notes.sheet.session,
        window=_window(notes.sheet),
        **_board(notes, status, fromIndex, limit),
        next_index=end if end < len(notes.tasks) else None,
    )


@takes_window
async def update_task(
    mode: Mode,
    scope: ScopeName,
    action: Action,
    *,
    window: WindowAddress,
    index: int | None = None,
    text: Body = "",
    status: Status | None = None,
    toIndex: int | None = None,
    expectedVersion: Version = None,
    expectedText: Text = "",
) -> Updated:
    """Change one task: add (text), set_status (index, status), set_text (index, text),
    set_description (index, text of many lines), remove (index), move (index, toIndex). Indexes
    shift: list_tasks again, or pass expectedText."""
    owner = await _owner(scope, window)
    # Not validated again: the arguments of the tool have these types already.
    change = TaskChange.model_construct(
        action=action,
        index=index,
        text=text,
        status=status,
        to_index=toIndex,
        expected_version=expectedVersion,
        expected_text=expectedText,
    )
    notes = await in_turn(services.update_task)(owner=owner, change=change, actor=_caller())
    record = SheetOut.of_sheet(notes.sheet)
    return Updated(
        scope=record.scope,
        session=record.session,
        window=record.window,
        record=record,
        action=action,
        **_board(notes, None, 0, TASKS),
    )


# --- shared --------------------------------------------------------------------------


async def _read(owner: Owner, offset: int, limit: int) -> NotesRead:
    _need(offset, "offset", 0, TEXT_LIMIT)
    _need(limit, "limit", 1, TEXT_LIMIT)
    return NotesRead.part(await in_db(read_notes)(owner=owner), offset, limit)


async def _write(owner: Owner, body: str, version: int | None) -> Written:
    notes = await in_turn(services.write_notes)(
        owner=owner, notes=body, actor=_caller(), expected_version=version
    )
    return Written.of(notes)


async def _owner(scope: ScopeName, window: WindowAddress) -> Owner:
    if scope == "project":
        return await _project(window.session)
    return await _window_owner(window)


async def _project(session: str) -> Owner:
    if not session:
        raise Invalid("session is required: the name of the project's tmux session")
    return await get_project_of_session(tmux=runtime.current().main, session=session)


async def _window_owner(window: WindowAddress) -> Owner:
    row = await address.find_window(window)
    return await get_live_window(runtime.current().main, row.id)


def _need(value: int, name: str, low: int, high: int) -> None:
    if not low <= value <= high:
        raise Invalid(f"{name} is {low} to {high}")


def _caller() -> str:
    caller = callers.current()
    return actor_id(caller.principal.name, ActorDoor.MCP, caller.client)


TOOLS: tuple[Tool, ...] = (
    Tool(run=read_project_notes, toolset=ToolSet.NOTES),
    Tool(run=read_window_notes, toolset=ToolSet.NOTES),
    Tool(run=write_project_notes, toolset=ToolSet.NOTES, scope=Scope.WRITE),
    Tool(run=write_window_notes, toolset=ToolSet.NOTES, scope=Scope.WRITE),
    Tool(run=list_tasks, toolset=ToolSet.NOTES),
    Tool(run=update_task, toolset=ToolSet.NOTES, scope=Scope.WRITE),
)
