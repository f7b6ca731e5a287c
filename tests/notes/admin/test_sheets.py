"""Note sheets in the admin: search and filters, editing through the services, permissions."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, DjangoCaptureOnCommitCallbacks

from notes import services
from notes.admin.forms import with_endings
from notes.admin.sheets import TASKS_IN_FORM
from notes.models import NoteSheet, NoteSource, Task
from notes.schemas import TaskChange
from notes.selectors import Owner
from terminals.models import Window
from tests.factories import ProjectFactory, WindowFactory

pytestmark = pytest.mark.django_db

LIST = "admin:notes_notesheet_changelist"
STEPS_LIMIT = 2000  # of a thousand instructions; 500 are used, 120,000 if each row scans all tasks
PAGE = "https://www.notion.so/Plan-0123456789abcdef0123456789abcdef"


@pytest.fixture
def admin(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("ada", password="x"))
    return client


def write_sheet(body: str, owner: Owner | None = None) -> NoteSheet:
    owner = owner or ProjectFactory.create(name="Web")
    return services.write_notes(owner=owner, notes=body, actor="tester").sheet


def from_notion(sheet: NoteSheet, **more: Any) -> NoteSheet:
    """Makes a sheet look as if it had been linked and switched."""
    fields = {"notion_page_id": "0123", "notion_url": PAGE, "synced_at": timezone.now(), **more}
    NoteSheet.objects.filter(pk=sheet.pk).update(
        source=NoteSource.NOTION, version=F("version") + 1, **fields
    )
    sheet.refresh_from_db()
    return sheet


def list_page(admin: Client, **query: str) -> str:
    response = admin.get(reverse(LIST), query)
    assert response.status_code == 200
    return response.content.decode()


def change_url(sheet: NoteSheet) -> str:
    return reverse("admin:notes_notesheet_change", args=[sheet.pk])


def sheet_page(admin: Client, sheet: NoteSheet) -> str:
    return admin.get(change_url(sheet)).content.decode()


class Form:
    """The form as a browser has it: loaded once, filled in, submitted."""

    def __init__(self, admin: Client, sheet: NoteSheet) -> None:
        self.admin, self.sheet = admin, sheet
        self.tasks = list(sheet.tasks.order_by("position"))
        self.fields: dict[str, Any] = {
            "body": sheet.body.replace("\n", "\r\n"),
            "read_version": sheet.version,
            "tasks-INITIAL_FORMS": len(self.tasks),
        }
        for number, task in enumerate(self.tasks):
            self.fill(number, id=task.pk, sheet=sheet.pk, status=task.status, text=task.text)
        self.rows = len(self.tasks)

    def fill(self, number: int, **fields: Any) -> None:
        self.fields |= {f"tasks-{number}-{name}": value for name, value in fields.items()}

    def add(self, **fields: Any) -> None:
        self.fill(self.rows, sheet=self.sheet.pk, **fields)
        self.rows += 1

    def send(self) -> str:
        fields = {**self.fields, "tasks-TOTAL_FORMS": self.rows}
        response = self.admin.post(change_url(self.sheet), fields, follow=True)
        assert response.status_code == 200
        self.sheet.refresh_from_db()
        return response.content.decode()


def is_saved(page: str) -> bool:
    return "was changed successfully" in page


# --- the list -----------------------------------------------------------------------------------


def test_the_list_shows_owners_and_task_counts_by_status(admin: Client) -> None:
    project = ProjectFactory.create(name="Web")
    write_sheet("a\n[WIP] b\n[WIP] c\n[CM] d", project)
    write_sheet("# nothing to do", WindowFactory.create(project=project, index=3, name="vim"))
    page = list_page(admin)
    assert "window of Web" in page
    assert "3 vim" in page
    for count, status in ((1, "NS"), (2, "WIP"), (1, "CM")):
        assert f"<b>{count}</b> {status}<" in page
    assert "</b> BL<" not in page
    assert '<span class="quiet">none</span>' in page


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ({"tasks": "BL"}, {"blocked"}),
        ({"tasks": "NS"}, {"plain", "window"}),
        ({"source__exact": "notion"}, {"away", "in sync"}),
        ({"sync": "away"}, {"away"}),
        ({"sync": "in-step"}, {"in sync"}),
        ({"sync": "local"}, {"plain", "window", "blocked"}),
        ({"q": "needle"}, {"blocked"}),
        ({"q": "vim"}, {"window"}),
        ({"q": "plain"}, {"plain", "window"}),
        ({"changed": "today"}, {"plain", "window", "blocked"}),
        ({"changed": "week"}, {"plain", "window", "blocked", "in sync"}),
        ({"changed": "older"}, {"away"}),
        ({"project": "0"}, set()),
        ({"project": "x", "tasks": "y", "changed": "z"},
         {"plain", "window", "blocked", "away", "in sync"}),
    ],
)  # fmt: skip
def test_filters_and_search_select_sheets(
    admin: Client, query: dict[str, str], expected: set[str]
) -> None:
    project = ProjectFactory.create(name="plain", session="s1")
    sheets = {
        "plain": write_sheet("a", project),
        "window": write_sheet("b", WindowFactory.create(project=project, name="vim")),
        "blocked": write_sheet(
            "[BL] a needle", ProjectFactory.create(name="blocked", session="s2")
        ),
        "away": write_sheet("[CM] a", ProjectFactory.create(name="away", session="s3")),
        "in sync": write_sheet("[CM] a", ProjectFactory.create(name="in sync", session="s4")),
    }
    days = {"away": 40, "in sync": 2}
    for name, error in (("away", "Notion cannot be reached (500)"), ("in sync", "")):
        then = timezone.now() - timedelta(days=days[name])
        from_notion(sheets[name], sync_error=error, updated_at=then)
    page = list_page(admin, **query)
    assert {name for name, sheet in sheets.items() if change_url(sheet) in page} == expected


def test_the_project_filter_includes_notes_of_its_windows(admin: Client) -> None:
    window = WindowFactory.create()
    sheets = [write_sheet("a", window.project), write_sheet("b", window)]
    other = write_sheet("c", ProjectFactory.create())
    page = list_page(admin, project=str(window.project.pk))
    assert all(change_url(sheet) in page for sheet in sheets)
    assert change_url(other) not in page


@pytest.mark.parametrize(
    ("state", "label"),
    [
        ({"sync_error": "the page is in Notion's trash"}, "not in sync: the page is in Notion"),
        ({"synced_at": None}, "not in sync: Notion was never reached"),
        ({}, "in sync with Notion, last reached 0"),
    ],
)
def test_the_sync_state_is_shown_as_text(admin: Client, state: dict[str, Any], label: str) -> None:
    sheet = from_notion(write_sheet("a"), **state)
    assert label in list_page(admin)
    assert label in sheet_page(admin, sheet)


@contextmanager
def counted_steps() -> Iterator[list[None]]:
    """One item for every thousand instructions of SQLite: a measure that ignores the machine."""
    steps: list[None] = []
    connection.ensure_connection()
    connection.connection.set_progress_handler(lambda: steps.append(None), 1000)
    try:
        yield steps
    finally:
        connection.connection.set_progress_handler(None, 0)


@pytest.fixture
def thousand_sheets() -> None:
    project = ProjectFactory.create()
    windows = Window.objects.bulk_create(WindowFactory.build_batch(1000, project=project))
    sheets = NoteSheet.objects.bulk_create(NoteSheet(window=window) for window in windows)
    Task.objects.bulk_create(
        Task(sheet=sheet, position=index, status="NS", text="a")
        for sheet in sheets
        for index in range(20)
    )


@pytest.mark.usefixtures("thousand_sheets")
def test_a_thousand_sheets_are_listed_without_scanning_all_tasks_per_row(
    admin: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    pages: list[tuple[dict[str, str], int]] = [
        ({}, 10),
        ({"tasks": "NS"}, 10),
        ({"q": "project"}, 10),
        ({"_facets": "True"}, 17),
    ]
    for query, queries in pages:
        with django_assert_max_num_queries(queries), counted_steps() as steps:
            page = list_page(admin, **query)
        assert "1000 note sheets" in page, query
        assert len(steps) < STEPS_LIMIT, query


# --- editing ------------------------------------------------------------------------------------


def test_the_text_is_saved_under_the_users_name(admin: Client) -> None:
    form = Form(admin, write_sheet("a\nb\n"))
    form.fields["body"] = "a\r\n[WIP] c\r\n"
    assert is_saved(form.send())
    assert form.sheet.body == "a\n[WIP] c\n"
    newest = form.sheet.changes.latest("version")
    assert (newest.by, newest.action, newest.lines) == ("ada", "write_notes", "- b\n+ [WIP] c")


@pytest.mark.parametrize("body", ["a\nb", "a\r\nb\r\n", "a\r\nb\nc", "\n\n a \n", "a\rb", ""])
def test_saving_an_unedited_form_changes_nothing(admin: Client, body: str) -> None:
    sheet = write_sheet(body)
    form = Form(admin, sheet)
    form.fields["body"] = "\r\n".join(body.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    assert is_saved(form.send())
    assert (form.sheet.body, form.sheet.version) == (body, 1)


def test_line_endings_are_preserved() -> None:
    assert with_endings("a\nb", "a\r\nc\r\n") == "a\nc\n"
    assert with_endings("a\r\nb", "a\r\nc") == "a\r\nc"


def test_a_concurrent_change_is_refused_and_the_input_is_kept(admin: Client) -> None:
    form = Form(admin, write_sheet("a"))
    write_sheet("not mine", form.sheet.owner)
    form.fields["body"] = "a long text of mine"
    page = form.send()
    assert not is_saved(page)
    assert "These notes were changed while you edited them" in page
    assert "a long text of mine</textarea>" in page
    assert form.sheet.body == "not mine"


def test_a_refusal_is_shown_with_the_users_input(
    admin: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "TEXT_LIMIT", 10)
    form = Form(admin, write_sheet("a"))
    form.fields["body"] = "far too long a text"
    page = form.send()
    assert "at most 10 characters" in page
    assert "far too long a text</textarea>" in page
    form = Form(admin, form.sheet)
    form.fill(0, text="b")
    form.add(status="NS", text="far too long a task")
    page = form.send()
    assert "at most 10 characters" in page
    assert "far too long a task" in page
    assert (form.sheet.body, form.sheet.version) == ("a", 1)


def test_tasks_are_edited_removed_and_added_in_one_request(admin: Client) -> None:
    form = Form(admin, write_sheet("# Plan\na\n- b\nc\n- [ ] d\n"))
    keys = form.sheet.task_keys.split()
    form.fill(0, DELETE="on")
    form.fill(1, status="BL", text="B")
    form.fill(2, DELETE="on")
    form.fill(3, status="CM")
    form.add(status="WIP", text="e")
    form.add(status="NS", text="f")
    assert is_saved(form.send())
    assert form.sheet.body == "# Plan\n- [BL] B\n- [x] d\n[WIP] e\nf\n"
    assert form.sheet.task_keys.split()[:2] == [keys[1], keys[3]]
    actions = form.sheet.changes.order_by("version").values_list("action", "by")[1:]
    assert list(actions) == [
        ("set_status", "ada"), ("set_text", "ada"), ("set_status", "ada"),
        ("remove", "ada"), ("remove", "ada"), ("add", "ada"), ("add", "ada"),
    ]  # fmt: skip


def test_one_refused_task_rolls_back_all_changes(
    admin: Client, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    form = Form(admin, write_sheet("a\nb"))
    form.fill(0, text="changed")
    form.fill(1, text="two\nlines")
    with django_capture_on_commit_callbacks() as callbacks:
        page = form.send()
    assert callbacks == []
    assert "a task is one line" in page
    assert 'value="changed"' in page
    assert (form.sheet.body, form.sheet.version) == ("a\nb", 1)
    assert list(Task.objects.values_list("text", flat=True)) == ["a", "b"]


def test_changing_text_and_tasks_together_is_refused(admin: Client) -> None:
    form = Form(admin, write_sheet("a\nb"))
    form.fields["body"] = "a\r\nB"
    form.fill(0, status="CM")
    page = form.send()
    assert "You changed both the text and the tasks" in page
    assert (form.sheet.body, form.sheet.version) == ("a\nb", 1)


def test_a_removed_task_is_not_mistaken_for_another(admin: Client) -> None:
    form = Form(admin, write_sheet("a\nb\nc"))
    owner = form.sheet.owner
    services.update_task(owner=owner, change=TaskChange(action="remove", index=0), actor="x")
    form.fill(0, status="CM")
    page = form.send()
    assert not is_saved(page)
    assert "These notes were changed while you edited them" in page
    assert form.sheet.body == "b\nc"


def test_many_tasks_are_edited_as_text(admin: Client) -> None:
    sheet = write_sheet("\n".join(f"task {number}" for number in range(TASKS_IN_FORM + 1)))
    page = sheet_page(admin, sheet)
    assert "too many for one form" in page
    assert "tasks-0-text" not in page
    response = admin.post(change_url(sheet), {"body": "one", "read_version": 1})
    assert response.status_code == 302
    sheet.refresh_from_db()
    assert sheet.body == "one"


def test_the_largest_form_can_be_submitted(admin: Client) -> None:
    form = Form(admin, write_sheet("\n".join(f"task {number}" for number in range(TASKS_IN_FORM))))
    form.fill(TASKS_IN_FORM - 1, status="CM")
    assert is_saved(form.send())
    assert form.sheet.body.endswith(f"\n[CM] task {TASKS_IN_FORM - 1}")


# --- notes from Notion --------------------------------------------------------------------------


def test_notion_notes_are_read_only(admin: Client) -> None:
    sheet = from_notion(write_sheet("a\nb"), notion_title="The plan")
    page = sheet_page(admin, sheet)
    assert "switch to local below" in page
    assert "<textarea" not in page
    assert 'name="_save"' not in page
    assert "tasks-0-text" not in page
    assert f'href="{PAGE}" target="_blank" rel="noopener noreferrer">The plan' in page


def test_notion_notes_reject_writes(admin: Client) -> None:
    sheet = from_notion(write_sheet("a"))
    for fields, kept in (({"body": "typed before"}, "typed before</textarea>"), ({}, "[CM]")):
        form = Form(admin, sheet)
        form.fields |= fields
        if not fields:
            form.fill(0, status="CM", text="[CM]")
        page = form.send()
        assert "these notes come from Notion" in page
        assert kept in page
        assert (form.sheet.body, form.sheet.version) == ("a", 2)


# --- history ------------------------------------------------------------------------------------


def test_the_page_shows_recent_changes_and_the_history_all(admin: Client) -> None:
    sheet = write_sheet("word 0")
    for number in range(1, 60):
        write_sheet(f"word {number}", sheet.owner)
    page = sheet_page(admin, sheet)
    assert '<span class="came">+ word 59</span>' in page
    assert '<span class="went">- word 39</span>' in page
    assert "+ word 39<" not in page
    url = reverse("admin:notes_notesheet_history", args=[sheet.pk])
    assert url in page
    first, second = (admin.get(url, {"page": number}).content.decode() for number in (1, 2))
    assert "60 changes, page 1 of 2" in first
    assert first.index("+ word 59<") < first.index("+ word 58<")
    assert "+ word 0<" in second


def test_notes_are_escaped(admin: Client) -> None:
    sheet = write_sheet("<script>alert(1)</script>", WindowFactory.create(name="<i>x</i>"))
    history = admin.get(reverse("admin:notes_notesheet_history", args=[sheet.pk]))
    for page in (list_page(admin), sheet_page(admin, sheet), history.content.decode()):
        assert "<script>alert" not in page
        assert "<i>x" not in page


# --- permissions --------------------------------------------------------------------------------


def test_sheets_cannot_be_added_and_deleted_only_without_a_live_owner(admin: Client) -> None:
    assert admin.get(reverse("admin:notes_notesheet_add")).status_code == 403
    live, gone = WindowFactory.create(), WindowFactory.create(alive=False)
    for window, status in ((live, 403), (gone, 302)):
        sheet = write_sheet("a", window)
        url = reverse("admin:notes_notesheet_delete", args=[sheet.pk])
        assert admin.post(url, {"post": "yes"}).status_code == status
        assert NoteSheet.objects.filter(pk=sheet.pk).exists() == (status == 403)


def test_a_closed_window_can_be_deleted_with_its_notes(admin: Client) -> None:
    window = WindowFactory.create(alive=False)
    sheet = write_sheet("a", window)
    url = reverse("admin:terminals_window_delete", args=[window.pk])
    assert admin.post(url, {"post": "yes"}).status_code == 302
    assert not NoteSheet.objects.filter(pk=sheet.pk).exists()


@pytest.fixture
def viewer(client: Client) -> Client:
    user = User.objects.create_user("eve", password="x", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    client.force_login(user)
    return client


Attempt = Callable[[Client, NoteSheet], int]


def _save(viewer: Client, sheet: NoteSheet) -> int:
    return viewer.post(change_url(sheet), {"body": "b", "read_version": 1}).status_code


def _press(viewer: Client, sheet: NoteSheet) -> int:
    url = reverse("admin:notes_notion", args=[sheet.pk])
    return viewer.post(url, {"do": "use_notion"}).status_code


@pytest.mark.parametrize("attempt", [_save, _press])
def test_a_user_with_view_permission_cannot_change_notes(viewer: Client, attempt: Attempt) -> None:
    sheet = write_sheet("a")
    page = sheet_page(viewer, sheet)
    assert "<textarea" not in page
    assert 'name="do"' not in page
    assert attempt(viewer, sheet) == 403
    sheet.refresh_from_db()
    assert (sheet.body, sheet.version) == ("a", 1)
