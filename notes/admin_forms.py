"""The forms of a sheet's page in the admin: what a person typed, on its way to the services.

No rule about notes lives here. What a service refuses is shown beside what was typed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from django import forms

from notes import selectors, services
from notes.models import NoteSheet, Task
from notes.selectors import Notes, Owner
from notes.services import TaskChange
from notes.tasklist import LABELS, Status
from terminals.errors import Conflict

if TYPE_CHECKING:
    SheetFormBase = forms.ModelForm[NoteSheet]
    TaskFormBase = forms.ModelForm[Task]
    TaskRows = forms.BaseInlineFormSet[Task, NoteSheet, forms.ModelForm[Task]]
else:
    SheetFormBase = TaskFormBase = forms.ModelForm
    TaskRows = forms.BaseInlineFormSet

CHANGED = (
    "Somebody changed these notes while you edited them (version %(now)s by now, yours was"
    " %(read)s). Nothing was saved. What you typed is still below: open the notes in another tab"
    " and carry your change over."
)
EITHER = (
    "Both the text and the tasks below it were changed, and the tasks are read out of the text:"
    " which of the two counts? Nothing was saved. Undo one of them, save, then do the other."
)


def with_endings(before: str, typed: str) -> str:
    """A browser ends every line of a text area with CR LF: `typed`, ended as `before` was."""
    plain = _plain(typed)
    return plain.replace("\n", "\r\n") if "\r\n" in before else plain


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


class BodyField(forms.CharField):
    widget = forms.Textarea

    def has_changed(self, initial: Any, data: Any) -> bool:
        return _plain(initial or "") != _plain(data or "")


class SheetForm(SheetFormBase):
    """`refusal`: what a service said to the same request a moment ago."""

    refusal: ClassVar[str] = ""
    body = BodyField(
        label="Notes",
        strip=False,
        required=False,
        help_text=(
            "Markdown. A line is a task, unless it is a heading, a rule or code."
            " [WIP], [BL] or [CM] before it is its status."
        ),
    )
    read_version = forms.IntegerField(widget=forms.HiddenInput)

    class Meta:
        model = NoteSheet
        fields = ("body",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["read_version"] = self.instance.version

    def clean_body(self) -> str:
        return with_endings(self.initial["body"], self.cleaned_data["body"])

    def clean(self) -> None:
        if self.refusal:
            raise forms.ValidationError(self.refusal)
        read, now = self.cleaned_data.get("read_version"), self.instance.version
        if read != now:
            raise forms.ValidationError(CHANGED, params={"now": now, "read": read})


class TaskForm(TaskFormBase):
    status = forms.ChoiceField(
        choices=[(status.value, LABELS[status]) for status in Status], initial=Status.NS.value
    )
    text = forms.CharField(strip=False, widget=forms.TextInput(attrs={"class": "task-text"}))

    class Meta:
        model = Task
        fields = ("status", "text")


# --- what was typed, as changes -----------------------------------------------------------------

Change = tuple[str, TaskChange]  # the key of the task, "" for a new one; without its index


def changes_of(rows: TaskRows) -> list[Change]:
    """Saves nothing; afterwards the rows know what Django tells about them."""
    rows.save(commit=False)
    edited = [change for row, fields in rows.changed_objects for change in _edits(row, fields)]
    removed = [(row.key, TaskChange(action="remove")) for row in rows.deleted_objects]
    return [*edited, *removed, *(("", _addition(row)) for row in rows.new_objects)]


def _edits(row: Task, fields: Sequence[str]) -> Iterator[Change]:
    if "status" in fields:
        yield row.key, TaskChange(action="set_status", status=Status(row.status))
    if "text" in fields:
        yield row.key, TaskChange(action="set_text", text=row.text)


def _addition(row: Task) -> TaskChange:
    return TaskChange(action="add", text=row.text, status=Status(row.status))


def update_tasks(*, owner: Owner, changes: Sequence[Change], by: str, version: int) -> None:
    """One after the other, inside a transaction. Places shift on the way, keys do not."""
    notes = selectors.read_sheet(services.lock(owner))
    for key, change in changes:
        placed = replace(change, index=_place(notes, key)) if key else change
        notes = services.update_task(owner=owner, change=placed, by=by, expected_version=version)
        version = notes.sheet.version


def _place(notes: Notes, key: str) -> int:
    if key not in notes.keys:
        raise Conflict("a task that you changed is gone by now: open the notes anew")
    return notes.keys.index(key)
