"""The services of notes and tasks: body, rows, history and errors are consistent."""

from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from core.errors import Conflict, Invalid, NotFound, Refused
from notes import handoff, selectors, services, task_history, task_rows, tasklist, writing
from notes.models import NoteChange, NoteSheet, NoteSource, Task
from notes.schemas import NotesOut, TaskChange, TaskHistoryOut
from notes.selectors import Notes, Owner
from notes.tasklist import Status
from tests.factories import ProjectFactory, WindowFactory
from tests.notes.test_tasklist import STATUSES, TEXTS, bodies

pytestmark = pytest.mark.django_db

BODY = "# Plan\n[WIP] first\n- second\n[BL] third"


@pytest.fixture
def owner() -> Owner:
    return ProjectFactory.create(name="main")


def write(owner: Owner, notes: str = BODY, **more: Any) -> Notes:
    return services.write_notes(owner=owner, notes=notes, actor="tester", **more)


def change(owner: Owner, action: Any, **more: Any) -> Notes:
    return services.update_task(
        owner=owner, change=TaskChange(action=action, **more), actor="tester"
    )


def stored(sheet: NoteSheet) -> list[tuple[int, str, str, str]]:
    rows = Task.objects.filter(sheet=sheet).order_by("position")
    return list(rows.values_list("position", "key", "status", "text"))


def parsed(sheet: NoteSheet) -> list[tuple[int, str, str, str]]:
    tasks = zip(sheet.task_keys.split(), tasklist.parse(sheet.body), strict=True)
    return [(index, key, task.status, task.text) for index, (key, task) in enumerate(tasks)]


# --- the verbs ----------------------------------------------------------------------------------


def test_reading_missing_notes_returns_empty_ones_and_creates_none(owner: Owner) -> None:
    notes = selectors.read_notes(owner=owner)
    assert (notes.sheet.body, notes.sheet.version, notes.tasks) == ("", 0, ())
    assert not NoteSheet.objects.exists()


def test_written_notes_are_read_byte_for_byte(owner: Owner) -> None:
    body = "a\r\n\r\n  [WIP] b \t\nlast"
    assert write(owner, body).sheet.version == 1
    assert selectors.read_notes(owner=owner).sheet.body == body


def test_a_window_has_separate_notes(owner: Owner) -> None:
    window = WindowFactory.create(project=owner)
    write(owner, "of the project")
    write(window, "of the window")
    assert selectors.read_notes(owner=owner).sheet.body == "of the project"
    out = NotesOut.of(selectors.read_notes(owner=window))
    assert (out.scope, out.session, out.notes) == ("window", "main", "of the window")
    assert out.window is not None
    assert out.window.key == window.key


def test_each_action_does_what_the_document_says(owner: Owner) -> None:
    write(owner)
    assert change(owner, "add", text="fourth").sheet.body == BODY + "\nfourth"
    assert change(owner, "set_status", index=1, status=Status.WIP).tasks[1].status is Status.WIP
    assert change(owner, "set_text", index=0, text="begun").tasks[0].text == "begun"
    assert [task.text for task in change(owner, "move", index=0, to_index=3).tasks] == [
        "second", "third", "fourth", "begun",
    ]  # fmt: skip
    done = change(owner, "remove", index=1)
    assert [task.text for task in done.tasks] == ["second", "fourth", "begun"]
    assert done.sheet.body == "# Plan\n- [WIP] second\nfourth\n[WIP] begun"
    assert stored(done.sheet) == parsed(done.sheet)


@pytest.mark.parametrize(
    ("arguments", "needed"),
    [
        ({"action": "add"}, "text"),
        ({"action": "set_status", "index": 0}, "status"),
        ({"action": "set_status", "status": Status.CM}, "index"),
        ({"action": "set_text", "index": 0}, "text"),
        ({"action": "remove"}, "index"),
        ({"action": "move", "index": 0}, "toIndex"),
    ],
)
def test_a_missing_argument_is_named(owner: Owner, arguments: dict[str, Any], needed: str) -> None:
    write(owner)
    with pytest.raises(Invalid, match=needed):
        change(owner, **arguments)


def test_a_refused_change_changes_nothing(owner: Owner) -> None:
    before = write(owner).sheet
    with pytest.raises(NotFound):
        change(owner, "remove", index=3)
    with pytest.raises(Conflict, match="version 1, not 7"):
        change(owner, "remove", index=0, expected_version=7)
    with pytest.raises(Conflict, match="task 0"):
        change(owner, "remove", index=0, expected_text="second")
    with pytest.raises(Conflict, match="read them again"):
        write(owner, "other", expected_version=0)
    for body in ("x" * 1_000_001, "nul \0"):
        with pytest.raises(Invalid):
            write(owner, body)
    after = selectors.read_notes(owner=owner).sheet
    assert (after.body, after.version) == (before.body, 1)
    assert NoteChange.objects.count() == 1


def test_a_change_with_the_expected_version_or_text_is_made(owner: Owner) -> None:
    version = write(owner).sheet.version
    assert change(owner, "remove", index=0, expected_version=version).sheet.version == 2
    assert change(owner, "remove", index=0, expected_text="second").sheet.version == 3
    assert write(owner, "other", expected_version=3).sheet.version == 4


def test_a_change_without_effect_keeps_the_version(owner: Owner) -> None:
    write(owner)
    assert change(owner, "set_status", index=0, status=Status.WIP).sheet.version == 1
    assert write(owner).sheet.version == 1


def test_notion_notes_reject_writes(owner: Owner) -> None:
    sheet = write(owner).sheet
    NoteSheet.objects.filter(pk=sheet.pk).update(source=NoteSource.NOTION)
    for work in (
        lambda: write(owner, "mine"),
        lambda: change(owner, "add", text="mine"),
        lambda: change(owner, "remove", index=0),
    ):
        with pytest.raises(Refused, match=r"PATCH /api/local/projects/main/source"):
            work()  # type: ignore[no-untyped-call]  # lambdas are untyped
    assert selectors.read_notes(owner=owner).sheet.body == BODY


# --- keys and history ---------------------------------------------------------------------------


def test_a_task_keeps_its_key_through_every_change(owner: Owner) -> None:
    first, second, third = write(owner).keys
    assert change(owner, "move", index=0, to_index=2).keys == [second, third, first]
    assert change(owner, "set_text", index=0, text="renamed").keys == [second, third, first]
    assert change(owner, "set_status", index=1, status=Status.CM).keys == [second, third, first]
    assert change(owner, "remove", index=1).keys == [second, first]
    *kept, new = change(owner, "add", text="renamed").keys
    assert kept == [second, first]
    assert new not in {first, second, third}


def test_rewritten_notes_keep_the_keys_of_remaining_tasks(owner: Owner) -> None:
    keys = dict(zip("abcd", write(owner, "a\nb\nc\nd").keys, strict=True))
    # Moved, given a status, renamed in its place, and a new one at the end.
    notes = write(owner, "[CM] d\na\nB\nc\nnew")
    assert notes.keys[:4] == [keys["d"], keys["a"], keys["b"], keys["c"]]
    assert notes.keys[4] not in keys.values()


def test_the_history_records_who_changed_what(owner: Owner) -> None:
    write(owner)
    change(owner, "set_status", index=0, status=Status.CM)
    newest, first = NoteChange.objects.all()
    assert (newest.by, newest.action, newest.version) == ("tester", "set_status", 2)
    assert newest.lines == "- [WIP] first\n+ [CM] first"
    assert first.lines.splitlines()[0] == "+ # Plan"


def history(owner: Owner, key: str) -> list[tuple[str, list[tuple[str, str, str]]]]:
    rows = selectors.task_history(selectors.read_notes(owner=owner), key)
    items = [TaskHistoryOut.of(row, key) for row in rows]
    return [
        (item.action, [(c["kind"], c["before"], c["after"]) for c in item.changes])
        for item in items
    ]


def test_a_task_has_a_history_of_its_own(owner: Owner) -> None:
    first, second, _ = write(owner).keys
    change(owner, "set_status", index=0, status=Status.CM)
    change(owner, "move", index=0, to_index=2)  # only its place: not in the history
    change(owner, "set_text", index=2, text="renamed")
    described = change(owner, "set_description", index=2, text="why\nand how")
    assert described.sheet.body == (
        "# Plan\n- second\n[BL] third\n[CM] renamed\n  ```\n  why\n  and how\n  ```"
    )
    window = WindowFactory.create(project=owner)
    handoff.hand_task(owner=owner, key=first, window=window, agent="claude", actor="browser:local")
    handoff.judge_task(owner=owner, key=first, done=False, actor="tester")
    assert history(owner, first) == [
        ("judge_task", [("judged", "", "not yet done")]),
        ("hand_task", [("handed", "", "claude"), ("status", "CM", "WIP")]),
        ("set_description", [("description", "", "why\nand how")]),
        ("set_text", [("text", "first", "renamed")]),
        ("set_status", [("status", "WIP", "CM")]),
        ("write_notes", [("added", "", "first")]),
    ]
    assert history(owner, second) == [("write_notes", [("added", "", "second")])]
    rows = selectors.task_history(selectors.read_notes(owner=owner), first)
    assert TaskHistoryOut.of(rows[1], first).by == "You (browser)"
    with pytest.raises(NotFound, match="gone"):
        history(owner, "nokey")


def test_older_changes_are_found_by_the_text_of_the_task(owner: Owner) -> None:
    first, second, _ = write(owner).keys
    NoteChange.objects.update(tasks={})
    assert history(owner, first) == history(owner, second)
    assert history(owner, first)[0][1][0][0] == "changed"


def test_a_rewritten_sheet_records_a_bounded_number_of_tasks(owner: Owner) -> None:
    write(owner, "\n".join(f"task {number}" for number in range(500)))
    assert len(NoteChange.objects.get().tasks) == task_history.TASKS_LIMIT


def test_the_history_is_bounded(owner: Owner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "CHANGES_KEPT", 20)
    for number in range(120):
        write(owner, str(number))
    assert NoteChange.objects.count() <= 20 + writing.PRUNE_EVERY


# --- across projects ----------------------------------------------------------------------------


def test_tasks_are_found_across_all_projects(owner: Owner) -> None:
    other = WindowFactory.create(project__name="other")
    write(owner, "[WIP] mend the gate\npaint the gate")
    write(other, "[WIP] close the gate")
    tasks = selectors.search_tasks(text="GATE the", status=Status.WIP)
    assert {row.text for row in tasks} == {"mend the gate", "close the gate"}
    assert [row.text for row in selectors.search_tasks(project="other")] == ["close the gate"]
    assert selectors.search_tasks(source="notion").count() == 0


# --- any body, any sequence ---------------------------------------------------------------------


class Sheet(RuleBasedStateMachine):
    """The rows equal the parsed tasks, keys follow their tasks, the version increases."""

    def __init__(self) -> None:
        super().__init__()
        self.owner = ProjectFactory.create()
        self.keys: list[str] = []
        self.version = 0

    def _take(self, notes: Notes, keys: list[str] | None = None) -> None:
        if keys is not None:
            assert [key for key in notes.keys if key in keys] == keys
        self.keys = notes.keys

    @rule(body=bodies())
    def write(self, body: str) -> None:
        self._take(write(self.owner, body.replace("\0", "")))

    @rule(text=TEXTS, status=STATUSES)
    def add(self, text: str, status: Status) -> None:
        text = text.replace("\0", "") or "text"
        self._take(change(self.owner, "add", text=text, status=status), self.keys)

    @rule(status=STATUSES, data=st.data())
    def set_status(self, status: Status, data: st.DataObject) -> None:
        if self.keys:
            index = data.draw(st.integers(0, len(self.keys) - 1))
            self._take(change(self.owner, "set_status", index=index, status=status), self.keys)

    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        if self.keys:
            index = data.draw(st.integers(0, len(self.keys) - 1))
            left = [key for position, key in enumerate(self.keys) if position != index]
            self._take(change(self.owner, "remove", index=index), left)

    @rule(data=st.data())
    def move(self, data: st.DataObject) -> None:
        if self.keys:
            indexes = st.integers(0, len(self.keys) - 1)
            index, to_index = data.draw(indexes), data.draw(indexes)
            wanted = list(self.keys)
            wanted.insert(to_index, wanted.pop(index))
            notes = change(self.owner, "move", index=index, to_index=to_index)
            assert notes.keys == wanted
            self._take(notes)

    @invariant()
    def rows_equal_the_parsed_tasks(self) -> None:
        notes = selectors.read_notes(owner=self.owner)
        if notes.sheet.pk:
            assert stored(notes.sheet) == parsed(notes.sheet)
            assert notes.keys == self.keys
            assert notes.sheet.version >= self.version
            self.version = notes.sheet.version
            newest = NoteChange.objects.filter(sheet=notes.sheet).order_by("-version").first()
            assert newest is not None
            assert newest.version == self.version


def test_any_sequence_of_changes_keeps_body_rows_and_keys_together() -> None:
    short = settings(
        max_examples=40,
        stateful_step_count=15,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    run_state_machine_as_test(Sheet, settings=short)


@pytest.mark.parametrize("limit", [0, 8])
def test_rows_move_the_same_in_runs_and_by_distance(
    owner: Owner, monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    monkeypatch.setattr(task_rows, "RUNS_LIMIT", limit)
    write(owner, "\n".join("abcdefgh"))
    keys = selectors.read_notes(owner=owner).keys
    change(owner, "move", index=1, to_index=6)
    change(owner, "move", index=5, to_index=0)
    change(owner, "remove", index=3)
    last = write(owner, "\n".join("gxbah"))
    assert stored(last.sheet) == parsed(last.sheet)
    assert [last.keys[0], last.keys[2], last.keys[3]] == [keys[6], keys[1], keys[0]]
