"""What goes over the wire about notes and tasks; shared by every door."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Literal, Self

from pydantic import Field, PlainSerializer
from typing_extensions import TypedDict

from notes import tasklist
from notes.models import NoteSheet, ScopeName, Source
from notes.models import Task as TaskRow
from notes.selectors import Notes
from notes.tasklist import LABELS, Status
from terminals.models import Window
from terminals.schemas import TEXT_LIMIT, Asked, Text, WindowOut, Wire

Action = Literal["add", "set_status", "set_text", "remove", "move"]


def _in_ms(moment: datetime) -> str:
    """As the document has it: 2026-05-13T10:14:22.000Z."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


Moment = Annotated[datetime, PlainSerializer(_in_ms, return_type=str, when_used="json")]


# --- answers: those with tasks are constructed as they are, since checking thousands of parsed
# lines once more would take longer than writing them ---------------------------------------------


class TaskOut(TypedDict):
    """A plain dictionary: a thousand of them are made for each change of a long list."""

    index: int
    status: Status
    text: str
    key: str


class CardOut(TypedDict):
    index: int
    text: str


Kanban = dict[Status, list[CardOut]]


class NotionOut(Wire):
    """How the copy here stands to the page in Notion."""

    title: str
    url: str
    edited_at: Moment | None
    synced_at: Moment | None = Field(description="when Notion was last reached")
    error: str = Field(description="why the last sync failed; the copy here is the last good one")


class HandedOut(Wire):
    """A task that a window works on."""

    window: str = Field(description="the window's key")
    at: Moment
    declined: bool = Field(description="somebody said that it is not done yet")


class RecordOut(Wire):
    """A sheet as it is kept."""

    scope: ScopeName
    session: str
    project: str
    window: WindowOut | None
    source: Source
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
            source=Source(sheet.source),
            notion_page_id=sheet.notion_page_id or None,
            notion=_notion(sheet),
            notes=sheet.body,
            version=sheet.version,
            updated_at=sheet.updated_at,
            handed={key: HandedOut(**link) for key, link in sheet.handed.items()},
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
        """`status` chooses among the tasks; the board is always whole."""
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
    """A sheet with what is read out of it."""

    tasks: list[TaskOut]
    kanban: Kanban

    @classmethod
    def of(cls, notes: Notes) -> Self:
        record = dict(RecordOut.of_sheet(notes.sheet))
        return cls.model_construct(**record, tasks=tasks_out(notes), kanban=kanban(notes.tasks))


class WrittenOut(Wire):
    scope: ScopeName
    session: str
    window: WindowOut | None
    record: RecordOut

    @classmethod
    def of(cls, notes: Notes) -> Self:
        record = RecordOut.of_sheet(notes.sheet)
        return cls(scope=record.scope, session=record.session, window=record.window, record=record)


class UpdatedOut(WrittenOut):
    action: Action
    tasks: list[TaskOut]
    kanban: Kanban

    @classmethod
    def after(cls, action: Action, notes: Notes) -> Self:
        written = dict(WrittenOut.of(notes))
        tasks, columns = tasks_out(notes), kanban(notes.tasks)
        return cls.model_construct(**written, action=action, tasks=tasks, kanban=columns)


class FoundTaskOut(Wire):
    """A task among those of all projects."""

    scope: ScopeName
    session: str
    project: str
    window: WindowOut | None
    index: int
    status: Status
    text: str
    key: str
    source: Source
    changed_at: Moment

    @classmethod
    def of(cls, row: TaskRow) -> Self:
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
            source=Source(sheet.source),
            changed_at=row.changed_at,
        )


def tasks_out(notes: Notes) -> list[TaskOut]:
    return [
        {"index": index, "status": task.status, "text": task.text, "key": key}
        for index, (task, key) in enumerate(zip(notes.tasks, notes.keys, strict=True))
    ]


def kanban(tasks: Sequence[tasklist.Task]) -> Kanban:
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


# --- requests ---------------------------------------------------------------------------------


class NewNotes(Asked):
    notes: Text = Field(max_length=TEXT_LIMIT)
    expected_version: int | None = Field(
        None, ge=0, description="refused with 409 if the notes have another version by now"
    )


class NewTask(Asked):
    """What an action needs: add `text`, set_status `index` and `status`, set_text `index` and
    `text`, remove `index`, move `index` and `toIndex`. add takes `toIndex` too, and move `status`:
    a card that is dropped changes place and column at once."""

    action: Action
    index: int | None = None
    text: Text = ""
    status: Status | None = None
    to_index: int | None = None
    expected_version: int | None = Field(None, ge=0)
    expected_text: Text = Field("", description="refused with 409 if the task at `index` differs")


class NewHanding(Asked):
    window: Text = Field(description="the key or id of the window whose agent got it")
    expected_text: Text = Field("", description="refused with 409 if the task says something else")


class NewJudgement(Asked):
    done: bool


class NewSource(Asked):
    source: Source


class NewLink(Asked):
    page: Text = Field(description="the page's id, or its address in Notion")


class NewPage(Asked):
    title: Text = Field("", description="the project's or window's name, if none is given")
    parent: Text = Field(
        "", description="the page to put it under; without it WEBTMUX_NOTION_PARENT"
    )
