"""The forms of a sheet's admin page: they turn the user's input into calls of the services.

The rules are in the services. What a service refuses is shown together with the user's input.
"""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from django import forms

from core.errors import Conflict
from notes import selectors, services, writing
from notes.models import NoteSheet, Task
from notes.schemas import TaskChange
from notes.selectors import Notes, Owner
from notes.tasklist import LABELS, Status

TaskRows = forms.BaseInlineFormSet[Task, NoteSheet, forms.ModelForm[Task]]

CHANGED_CONCURRENTLY = (
    "These notes were changed while you edited them: they are at version %(now)s, you edited"
    " version %(read)s. Nothing was saved. Your input is still below: open the notes in another"
    " tab and transfer your change."
)
TEXT_AND_TASKS_CHANGED = (
    "You changed both the text and the tasks below it, but the tasks are part of the text. Nothing"
    " was saved. Undo one of the two changes, save, then make the other."
)


def with_endings(before: str, typed: str) -> str:
    """`typed` with the line endings of `before`: browsers send CR LF for every line."""
    text = _with_newlines(typed)
    return text.replace("\n", "\r\n") if "\r\n" in before else text


def _with_newlines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


class BodyField(forms.CharField):
    widget = forms.Textarea

    def has_changed(self, initial: str | None, data: str | None) -> bool:
        return _with_newlines(initial or "") != _with_newlines(data or "")


class SheetForm(forms.ModelForm[NoteSheet]):
    """`refusal` is the error of a service for this same request."""

    refusal: ClassVar[str] = ""
    body = BodyField(
        label="Notes",
        strip=False,
        required=False,
        help_text=(
            "Markdown. Every line is a task, except headings, rules and code."
            " A prefix [WIP], [BL] or [CM] is its status."
        ),
    )
    read_version = forms.IntegerField(widget=forms.HiddenInput)

    class Meta:
        model = NoteSheet
        fields = ("body",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:  # Django's own parameters
        super().__init__(*args, **kwargs)
        self.initial["read_version"] = self.instance.version

    def clean_body(self) -> str:
        return with_endings(self.initial["body"], self.cleaned_data["body"])

    def clean(self) -> None:
        if self.refusal:
            raise forms.ValidationError(self.refusal)
        read, now = self.cleaned_data.get("read_version"), self.instance.version
        if read != now:
            raise forms.ValidationError(CHANGED_CONCURRENTLY, params={"now": now, "read": read})


class TaskForm(forms.ModelForm[Task]):
    status = forms.ChoiceField(
        choices=[(status.value, LABELS[status]) for status in Status], initial=Status.NS.value
    )
    text = forms.CharField(strip=False, widget=forms.TextInput(attrs={"class": "task-text"}))

    class Meta:
        model = Task
        fields = ("status", "text")


# --- the input as changes -----------------------------------------------------------------------

# The key of the task, "" for a new one, and the change without its index.
KeyedChange = tuple[str, TaskChange]


def changes_of(rows: TaskRows) -> list[KeyedChange]:
    """The changes that were entered. Saves nothing: `commit=False` only fills Django's lists."""
    rows.save(commit=False)
    edited = [change for row, fields in rows.changed_objects for change in _edits(row, fields)]
    removed = [(row.key, TaskChange(action="remove")) for row in rows.deleted_objects]
    return [*edited, *removed, *(("", _addition(row)) for row in rows.new_objects)]


def _edits(row: Task, fields: Sequence[str]) -> Iterator[KeyedChange]:
    if "status" in fields:
        yield row.key, TaskChange(action="set_status", status=Status(row.status))
    if "text" in fields:
        yield row.key, TaskChange(action="set_text", text=row.text)


def _addition(row: Task) -> TaskChange:
    return TaskChange(action="add", text=row.text, status=Status(row.status))


def update_tasks(*, owner: Owner, changes: Sequence[KeyedChange], actor: str, version: int) -> None:
    """Makes the changes one by one, inside a transaction. Indexes shift on the way, keys do not."""
    notes = selectors.read_sheet(writing.lock(owner))
    for key, change in changes:
        fields: dict[str, int] = {"expected_version": version}
        if key:
            fields["index"] = _index(notes, key)
        notes = services.update_task(
            owner=owner, change=change.model_copy(update=fields), actor=actor
        )
        version = notes.sheet.version


def _index(notes: Notes, key: str) -> int:
    if key not in notes.keys:
        raise Conflict("a task that you changed was removed: open the notes again")
    return notes.keys.index(key)
