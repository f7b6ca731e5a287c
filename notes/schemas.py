"""The wire models of notes and tasks, shared by REST, MCP and the socket.

`TaskChange` is the request of `update_task` for every caller; `TaskUpdated` is its response, with
the details that differ between REST and MCP as type parameters: MCP clients pay for every byte.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Generic, Literal, NotRequired, Self, TypeVar

from pydantic import Field, PlainSerializer
from typing_extensions import TypedDict

from core.actors import display_name
from core.wire import (
    MAY_BE_ABSENT,
    TEXT_LIMIT,
    RequestBody,
    SocketAnswer,
    SocketMessage,
    SocketRequest,
    Text,
    Wire,
)
from notes import tasklist
from notes.models import NoteChange, NoteSheet, NoteSource, ScopeName, Task
from notes.selectors import Notes
from notes.task_history import TaskDifference, difference
from notes.tasklist import LABELS, Action, Status, TaskLine
from terminals.models import NAME_LIMIT, Window
from terminals.schemas import WindowOut


def _with_milliseconds(moment: datetime) -> str:
    """The format of the webtmux-mcp document: 2026-05-13T10:14:22.000Z."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


Moment = Annotated[datetime, PlainSerializer(_with_milliseconds, return_type=str, when_used="json")]
ABSENT = Field(json_schema_extra=dict(MAY_BE_ABSENT))  # a field that is left out if it is empty
WindowT = TypeVar("WindowT", bound=Wire)
RecordT = TypeVar("RecordT", bound=Wire)
TaskT = TypeVar("TaskT")


# --- responses ----------------------------------------------------------------------------------
# Those with tasks are built with `model_construct`, without validation: validating thousands of
# parsed lines again would take longer than writing them.


class TaskOut(TypedDict):
    """A plain dictionary, because each change of a long list creates a thousand of them."""

    index: int
    status: Status
    text: str
    key: str
    description: NotRequired[Annotated[str, ABSENT]]


class CardOut(TypedDict):
    index: int
    text: str


Kanban = dict[Status, list[CardOut]]


class NotionOut(Wire):
    """The linked Notion page, and how current our copy of it is."""

    title: str
    url: str
    edited_at: Moment | None
    synced_at: Moment | None = Field(description="when Notion was last reached")
    error: str = Field(description="why the last sync failed; the copy here is the last good one")


class HandedReceipt(Wire):
    """The receipt of the prompt with which a task was handed to an agent: see `send-prompt`."""

    id: Text
    turn_started: bool = Field(description="the agent was seen starting to work")
    attempts: int = 1
    ms: int = 0


class HandedOut(TypedDict):
    """A task that a window works on: the window's key, and whether the work was declined."""

    window: str
    at: Moment
    declined: bool
    agent: NotRequired[Annotated[str, ABSENT]]
    receipt: NotRequired[Annotated[HandedReceipt, ABSENT]]


class RecordOut(Wire):
    """A sheet as it is stored."""

    scope: ScopeName
    session: str
    project: str
    window: WindowOut | None
    source: NoteSource
    notion_page_id: str | None
    notion: NotionOut | None
    notes: str
    version: int
    updated_at: Moment | None
    handed: dict[str, HandedOut] = Field(description="by the task's key")

    @classmethod
    def of_sheet(cls, sheet: NoteSheet) -> Self:
        return cls(
            scope=sheet.scope,
            session=sheet.session,
            project=sheet.project_name,
            window=_window(sheet),
            source=NoteSource(sheet.source),
            notion_page_id=sheet.notion_page_id or None,
            notion=_notion(sheet),
            notes=sheet.body,
            version=sheet.version,
            updated_at=sheet.updated_at,
            handed=sheet.handed,
        )


class TasksOut(Wire):
    scope: ScopeName
    session: str
    window: WindowOut | None
    status_labels: dict[Status, str] = LABELS
    tasks: list[TaskOut]
    kanban: Kanban
    version: int

    @classmethod
    def of(cls, notes: Notes, *, status: Status | None = None) -> Self:
        """`status` filters the list of tasks; the board is always complete."""
        sheet, tasks = notes.sheet, tasks_out(notes)
        return cls.model_construct(
            scope=sheet.scope,
            session=sheet.session,
            window=_window(sheet),
            tasks=[task for task in tasks if status in (None, task["status"])],
            kanban=kanban(notes.tasks),
            version=sheet.version,
        )


class NotesOut(RecordOut):
    """A sheet with its tasks and its board."""

    tasks: list[TaskOut]
    kanban: Kanban

    @classmethod
    def of(cls, notes: Notes) -> Self:
        record = dict(RecordOut.of_sheet(notes.sheet))
        return cls.model_construct(**record, tasks=tasks_out(notes), kanban=kanban(notes.tasks))


class NotesWritten(Wire, Generic[WindowT, RecordT]):
    """The response to a change of notes."""

    scope: ScopeName
    session: str
    window: WindowT | None
    record: RecordT


class TaskUpdated(NotesWritten[WindowT, RecordT], Generic[WindowT, RecordT, TaskT]):
    """The response of `update_task`."""

    action: Action
    tasks: list[TaskT]
    kanban: Kanban


class WrittenOut(NotesWritten[WindowOut, RecordOut]):
    @classmethod
    def of(cls, notes: Notes) -> Self:
        record = RecordOut.of_sheet(notes.sheet)
        return cls(scope=record.scope, session=record.session, window=record.window, record=record)


class UpdatedOut(TaskUpdated[WindowOut, RecordOut, TaskOut]):
    @classmethod
    def of(cls, action: Action, notes: Notes) -> Self:
        record = RecordOut.of_sheet(notes.sheet)
        return cls.model_construct(
            scope=record.scope,
            session=record.session,
            window=record.window,
            record=record,
            action=action,
            tasks=tasks_out(notes),
            kanban=kanban(notes.tasks),
        )


class FoundTaskOut(Wire):
    """A task in the results of a search over all projects."""

    scope: ScopeName
    session: str
    project: str
    window: WindowOut | None
    index: int
    status: Status
    text: str
    key: str
    source: NoteSource
    changed_at: Moment

    @classmethod
    def of(cls, row: Task) -> Self:
        sheet = row.sheet
        return cls(
            scope=sheet.scope,
            session=sheet.session,
            project=sheet.project_name,
            window=_window(sheet),
            index=row.position,
            status=Status(row.status),
            text=row.text,
            key=row.key,
            source=NoteSource(sheet.source),
            changed_at=row.changed_at,
        )


class TaskHistoryOut(Wire):
    """One change of a task."""

    at: Moment
    by: str = Field(description="a name for people, such as `You (browser)`")
    action: str
    changes: list[TaskDifference]

    @classmethod
    def of(cls, row: NoteChange, key: str) -> Self:
        changes = row.tasks.get(key) or [difference("changed", after=row.lines)]
        return cls(at=row.at, by=display_name(row.by), action=row.action, changes=changes)


def tasks_out(notes: Notes) -> list[TaskOut]:
    tasks: list[TaskOut] = [
        {"index": index, "status": task.status, "text": task.text, "key": key}
        for index, (task, key) in enumerate(zip(notes.tasks, notes.keys, strict=True))
    ]
    for out, task in zip(tasks, notes.tasks, strict=True):
        if task.description:  # few tasks have one
            out["description"] = task.description
    return tasks


def kanban(tasks: Sequence[TaskLine]) -> Kanban:
    return {
        status: [{"index": index, "text": tasks[index].text} for index in column]
        for status, column in tasklist.board(tasks).items()
    }


def _notion(sheet: NoteSheet) -> NotionOut | None:
    if not sheet.notion_page_id:
        return None
    return NotionOut(
        title=sheet.notion_title,
        url=sheet.notion_url,
        edited_at=sheet.notion_edited_at,
        synced_at=sheet.synced_at,
        error=sheet.sync_error,
    )


def _window(sheet: NoteSheet) -> WindowOut | None:
    return WindowOut.of(sheet.owner) if isinstance(sheet.owner, Window) else None


# --- requests -----------------------------------------------------------------------------------


class NewNotes(RequestBody):
    notes: Text = Field(max_length=TEXT_LIMIT)
    expected_version: int | None = Field(
        default=None, ge=0, description="refused with 409 if the notes have a different version now"
    )


class TaskChange(RequestBody):
    """The arguments that an action needs: add `text`, set_status `index` and `status`, set_text
    `index` and `text`, set_description `index` and `text` (several lines; an empty one removes it),
    remove `index`, move `index` and `toIndex`. add also accepts `toIndex`, and move also `status`:
    a card that is dropped changes its place and column at once."""

    action: Action
    index: int | None = None
    text: Text = ""
    status: Status | None = None
    to_index: int | None = None
    expected_version: int | None = Field(default=None, ge=0)
    expected_text: Text = Field(
        default="", description="refused with 409 if the task at `index` differs"
    )


class NewHanding(RequestBody):
    window: Text = Field(description="the key or id of the window whose agent gets the task")
    agent: Text = Field(default="", description="the name of the agent", max_length=NAME_LIMIT)
    receipt: HandedReceipt | None = Field(
        default=None, description="the receipt of the prompt, if one was sent"
    )
    expected_text: Text = Field(
        default="", description="refused with 409 if the task's text differs"
    )


class NewJudgement(RequestBody):
    done: bool


class NotionStatusOut(Wire):
    available: bool
    reason: str = Field(description="what is missing and what to do; empty if it is available")


class NewSource(RequestBody):
    source: NoteSource


class NewLink(RequestBody):
    page: Text = Field(description="the page's id, or its address in Notion")


class NewPage(RequestBody):
    title: Text = Field(default="", description="default: the name of the project or window")
    parent: Text = Field(
        default="", description="the page to create it under; default: WEBTMUX_NOTION_PARENT"
    )


# --- the socket ---------------------------------------------------------------------------------


class NotesRequest(SocketRequest):
    """The notes of one project or window; without either, those of all."""

    session: Text = ""
    window: Text = ""


class SubscribedNotesOut(SocketAnswer):
    notes: NotesOut = Field(
        description="absent in a subscription to all notes", json_schema_extra=dict(MAY_BE_ABSENT)
    )


class NotesUpdated(NotesOut, SocketMessage):
    type: Literal["notes-updated"] = "notes-updated"
    by: str
    action: str

    @classmethod
    def event(cls, notes: Notes, *, actor: str, action: str) -> Self:
        return cls.model_construct(
            **dict(NotesOut.of(notes)), by=display_name(actor), action=action
        )
