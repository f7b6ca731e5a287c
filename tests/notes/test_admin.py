"""Note sheets in the admin: found by what they hold, edited through the services, never lost."""

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission, User
from django.db.models import F
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, DjangoCaptureOnCommitCallbacks

from notes import services
from notes.admin import TASKS_IN_FORM
from notes.admin_forms import with_endings
from notes.models import NoteSheet, Source, Task
from notes.selectors import Owner
from notes.services import TaskChange
from terminals.models import Window
from tests.factories import ProjectFactory, WindowFactory

pytestmark = pytest.mark.django_db

LIST = "admin:notes_notesheet_changelist"
PAGE = "https://www.notion.so/Plan-0123456789abcdef0123456789abcdef"


@pytest.fixture
def admin(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("ada", password="x"))
    return client


def noted(body: str, owner: Owner | None = None) -> NoteSheet:
    owner = owner or ProjectFactory.create(name="Web")
    return services.write_notes(owner=owner, notes=body, by="tester").sheet


def from_notion(sheet: NoteSheet, **more: Any) -> NoteSheet:
    """As if it had been linked and switched."""
    told = {"notion_page_id": "0123", "notion_url": PAGE, "synced_at": timezone.now(), **more}
    NoteSheet.objects.filter(pk=sheet.pk).update(
        source=Source.NOTION, version=F("version") + 1, **told
    )
    sheet.refresh_from_db()
    return sheet


def listed(admin: Client, **asked: str) -> str:
    answer = admin.get(reverse(LIST), asked)
    assert answer.status_code == 200
    return answer.content.decode()


def change_url(sheet: NoteSheet) -> str:
    return reverse("admin:notes_notesheet_change", args=[sheet.pk])


def shown(admin: Client, sheet: NoteSheet) -> str:
    return admin.get(change_url(sheet)).content.decode()


class Form:
    """The page as a browser has it: read once, filled in, sent."""

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
        answer = self.admin.post(change_url(self.sheet), fields, follow=True)
        assert answer.status_code == 200
        self.sheet.refresh_from_db()
        return answer.content.decode()


def is_saved(page: str) -> bool:
    return "was changed successfully" in page


# --- the list -----------------------------------------------------------------------------------


def test_the_list_says_whose_notes_and_how_many_tasks_of_each_status(admin: Client) -> None:
    project = ProjectFactory.create(name="Web")
    noted("a\n[WIP] b\n[WIP] c\n[CM] d", project)
    noted("# nothing to do", WindowFactory.create(project=project, index=3, name="vim"))
    page = listed(admin)
    assert "window of Web" in page
    assert "3 vim" in page
    for count, status in ((1, "NS"), (2, "WIP"), (1, "CM")):
        assert f"<b>{count}</b> {status}<" in page
    assert "</b> BL<" not in page
    assert '<span class="quiet">none</span>' in page


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({"tasks": "BL"}, {"blocked"}),
        ({"tasks": "NS"}, {"plain", "window"}),
        ({"source__exact": "notion"}, {"away", "in step"}),
        ({"sync": "away"}, {"away"}),
        ({"sync": "in-step"}, {"in step"}),
        ({"sync": "local"}, {"plain", "window", "blocked"}),
        ({"q": "needle"}, {"blocked"}),
        ({"q": "vim"}, {"window"}),
        ({"q": "plain"}, {"plain", "window"}),
        ({"changed": "today"}, {"plain", "window", "blocked"}),
        ({"changed": "week"}, {"plain", "window", "blocked", "in step"}),
        ({"changed": "older"}, {"away"}),
        ({"project": "0"}, set()),
        ({"project": "x", "tasks": "y", "changed": "z"},
         {"plain", "window", "blocked", "away", "in step"}),
    ],
)  # fmt: skip
def test_sheets_are_found(admin: Client, asked: dict[str, str], found: set[str]) -> None:
    project = ProjectFactory.create(name="plain", session="s1")
    sheets = {
        "plain": noted("a", project),
        "window": noted("b", WindowFactory.create(project=project, name="vim")),
        "blocked": noted("[BL] a needle", ProjectFactory.create(name="blocked", session="s2")),
        "away": noted("[CM] a", ProjectFactory.create(name="away", session="s3")),
        "in step": noted("[CM] a", ProjectFactory.create(name="in step", session="s4")),
    }
    days = {"away": 40, "in step": 2}
    for name, error in (("away", "Notion is away (500)"), ("in step", "")):
        then = timezone.now() - timedelta(days=days[name])
        from_notion(sheets[name], sync_error=error, updated_at=then)
    page = listed(admin, **asked)
    assert {name for name, sheet in sheets.items() if change_url(sheet) in page} == found


def test_a_projects_filter_has_the_notes_of_its_windows_too(admin: Client) -> None:
    window = WindowFactory.create()
    sheets = [noted("a", window.project), noted("b", window)]
    other = noted("c", ProjectFactory.create())
    page = listed(admin, project=str(window.project.pk))
    assert all(change_url(sheet) in page for sheet in sheets)
    assert change_url(other) not in page


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ({"sync_error": "the page is in Notion's trash"}, "not in step: the page is in Notion"),
        ({"synced_at": None}, "not in step: Notion was never reached"),
        ({}, "in step with Notion, reached 0"),
    ],
)
def test_the_state_of_the_sync_is_said_in_words(
    admin: Client, state: dict[str, Any], words: str
) -> None:
    sheet = from_notion(noted("a"), **state)
    assert words in listed(admin)
    assert words in shown(admin, sheet)


@pytest.fixture
def thousand_sheets() -> None:
    project = ProjectFactory.create()
    windows = Window.objects.bulk_create(WindowFactory.build_batch(1000, project=project))
    sheets = NoteSheet.objects.bulk_create(NoteSheet(window=window) for window in windows)
    Task.objects.bulk_create(
        Task(sheet=sheet, position=place, status="NS", text="a")
        for sheet in sheets
        for place in range(20)
    )


@pytest.mark.usefixtures("thousand_sheets")
@pytest.mark.parametrize(
    ("asked", "queries"),
    [({}, 10), ({"tasks": "NS"}, 10), ({"q": "project"}, 10), ({"_facets": "True"}, 17)],
)
def test_a_thousand_sheets_are_listed_at_once(
    admin: Client,
    asked: dict[str, str],
    queries: int,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    start = time.monotonic()
    with django_assert_max_num_queries(queries):
        page = listed(admin, **asked)
    assert "1000 note sheets" in page
    # A tenth of a second; half a minute where each row goes through the tasks of all.
    assert time.monotonic() - start < 5


# --- editing ------------------------------------------------------------------------------------


def test_the_text_is_written_under_the_persons_name(admin: Client) -> None:
    form = Form(admin, noted("a\nb\n"))
    form.fields["body"] = "a\r\n[WIP] c\r\n"
    assert is_saved(form.send())
    assert form.sheet.body == "a\n[WIP] c\n"
    newest = form.sheet.changes.latest("version")
    assert (newest.by, newest.action, newest.lines) == ("ada", "write_notes", "- b\n+ [WIP] c")


@pytest.mark.parametrize("body", ["a\nb", "a\r\nb\r\n", "a\r\nb\nc", "\n\n a \n", "a\rb", ""])
def test_saving_what_was_not_edited_changes_no_byte(admin: Client, body: str) -> None:
    sheet = noted(body)
    form = Form(admin, sheet)
    form.fields["body"] = "\r\n".join(body.replace("\r\n", "\n").replace("\r", "\n").split("\n"))
    assert is_saved(form.send())
    assert (form.sheet.body, form.sheet.version) == (body, 1)


def test_lines_end_as_they_did() -> None:
    assert with_endings("a\nb", "a\r\nc\r\n") == "a\nc\n"
    assert with_endings("a\r\nb", "a\r\nc") == "a\r\nc"


def test_a_change_in_between_is_refused_and_what_was_typed_stays(admin: Client) -> None:
    form = Form(admin, noted("a"))
    noted("not mine", form.sheet.owner)
    form.fields["body"] = "a long text of mine"
    page = form.send()
    assert not is_saved(page)
    assert "Somebody changed these notes" in page
    assert "a long text of mine</textarea>" in page
    assert form.sheet.body == "not mine"


def test_what_a_service_refuses_is_shown_with_what_was_typed(
    admin: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "TEXT_LIMIT", 10)
    form = Form(admin, noted("a"))
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


def test_tasks_are_edited_removed_and_added_in_one_go(admin: Client) -> None:
    form = Form(admin, noted("# Plan\na\n- b\nc\n- [ ] d\n"))
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


def test_nothing_is_written_when_one_of_several_tasks_is_refused(
    admin: Client, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    form = Form(admin, noted("a\nb"))
    form.fill(0, text="changed")
    form.fill(1, text="two\nlines")
    with django_capture_on_commit_callbacks() as told:
        page = form.send()
    assert told == []
    assert "a task is one line" in page
    assert 'value="changed"' in page
    assert (form.sheet.body, form.sheet.version) == ("a\nb", 1)
    assert list(Task.objects.values_list("text", flat=True)) == ["a", "b"]


def test_text_and_tasks_are_not_changed_together(admin: Client) -> None:
    form = Form(admin, noted("a\nb"))
    form.fields["body"] = "a\r\nB"
    form.fill(0, status="CM")
    page = form.send()
    assert "which of the two counts" in page
    assert (form.sheet.body, form.sheet.version) == ("a\nb", 1)


def test_a_task_that_somebody_removed_is_not_taken_for_another(admin: Client) -> None:
    form = Form(admin, noted("a\nb\nc"))
    owner = form.sheet.owner
    services.update_task(owner=owner, change=TaskChange(action="remove", index=0), by="x")
    form.fill(0, status="CM")
    page = form.send()
    assert not is_saved(page)
    assert "Somebody changed these notes" in page
    assert form.sheet.body == "b\nc"


def test_many_tasks_are_edited_as_text(admin: Client) -> None:
    sheet = noted("\n".join(f"task {number}" for number in range(TASKS_IN_FORM + 1)))
    page = shown(admin, sheet)
    assert "too many for one form" in page
    assert "tasks-0-text" not in page
    answer = admin.post(change_url(sheet), {"body": "one", "read_version": 1})
    assert answer.status_code == 302
    sheet.refresh_from_db()
    assert sheet.body == "one"


def test_as_many_tasks_as_a_form_has_can_be_sent(admin: Client) -> None:
    form = Form(admin, noted("\n".join(f"task {number}" for number in range(TASKS_IN_FORM))))
    form.fill(TASKS_IN_FORM - 1, status="CM")
    assert is_saved(form.send())
    assert form.sheet.body.endswith(f"\n[CM] task {TASKS_IN_FORM - 1}")


# --- Notion's -----------------------------------------------------------------------------------


def test_notion_notes_are_only_read(admin: Client) -> None:
    sheet = from_notion(noted("a\nb"), notion_title="The plan")
    page = shown(admin, sheet)
    assert "switch to local below" in page
    assert "<textarea" not in page
    assert 'name="_save"' not in page
    assert "tasks-0-text" not in page
    assert f'href="{PAGE}" target="_blank" rel="noopener noreferrer">The plan' in page


def test_notion_notes_are_never_written(admin: Client) -> None:
    sheet = from_notion(noted("a"))
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


def test_the_newest_changes_are_on_the_page_and_all_in_the_history(admin: Client) -> None:
    sheet = noted("word 0")
    for number in range(1, 60):
        noted(f"word {number}", sheet.owner)
    page = shown(admin, sheet)
    assert '<span class="came">+ word 59</span>' in page
    assert '<span class="went">- word 39</span>' in page
    assert "+ word 39<" not in page
    url = reverse("admin:notes_notesheet_history", args=[sheet.pk])
    assert url in page
    first, second = (admin.get(url, {"page": number}).content.decode() for number in (1, 2))
    assert "60 changes, page 1 of 2" in first
    assert first.index("+ word 59<") < first.index("+ word 58<")
    assert "+ word 0<" in second


def test_what_was_noted_is_never_markup(admin: Client) -> None:
    sheet = noted("<script>alert(1)</script>", WindowFactory.create(name="<i>x</i>"))
    history = admin.get(reverse("admin:notes_notesheet_history", args=[sheet.pk]))
    for page in (listed(admin), shown(admin, sheet), history.content.decode()):
        assert "<script>alert" not in page
        assert "<i>x" not in page


# --- who may ------------------------------------------------------------------------------------


def test_sheets_are_not_added_and_only_those_of_the_gone_removed(admin: Client) -> None:
    assert admin.get(reverse("admin:notes_notesheet_add")).status_code == 403
    here, gone = WindowFactory.create(), WindowFactory.create(alive=False)
    for window, status in ((here, 403), (gone, 302)):
        sheet = noted("a", window)
        url = reverse("admin:notes_notesheet_delete", args=[sheet.pk])
        assert admin.post(url, {"post": "yes"}).status_code == status
        assert NoteSheet.objects.filter(pk=sheet.pk).exists() == (status == 403)


def test_a_gone_window_is_still_removed_with_its_notes(admin: Client) -> None:
    window = WindowFactory.create(alive=False)
    sheet = noted("a", window)
    url = reverse("admin:terminals_window_delete", args=[window.pk])
    assert admin.post(url, {"post": "yes"}).status_code == 302
    assert not NoteSheet.objects.filter(pk=sheet.pk).exists()


@pytest.fixture
def viewer(client: Client) -> Client:
    user = User.objects.create_user("eve", password="x", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    client.force_login(user)
    return client


Ask = Callable[[Client, NoteSheet], int]


def _save(viewer: Client, sheet: NoteSheet) -> int:
    return viewer.post(change_url(sheet), {"body": "b", "read_version": 1}).status_code


def _press(viewer: Client, sheet: NoteSheet) -> int:
    url = reverse("admin:notes_notion", args=[sheet.pk])
    return viewer.post(url, {"do": "use_notion"}).status_code


@pytest.mark.parametrize("ask", [_save, _press])
def test_who_may_only_look_changes_nothing(viewer: Client, ask: Ask) -> None:
    sheet = noted("a")
    page = shown(viewer, sheet)
    assert "<textarea" not in page
    assert 'name="do"' not in page
    assert ask(viewer, sheet) == 403
    sheet.refresh_from_db()
    assert (sheet.body, sheet.version) == ("a", 1)
