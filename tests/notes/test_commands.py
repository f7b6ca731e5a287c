"""The commands on a real database: every refusal is reported, and nothing is lost."""

import json
import stat
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as django_settings
from django.core import serializers
from django.core.management import CommandError, call_command
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.progress import Progress
from core.wire import TEXT_LIMIT
from notes import selectors, services
from notes.exchange import importing
from notes.exchange.owners import NO_INDEX
from notes.models import NoteChange, NoteSheet, NoteSource, Task
from notes.selectors import Owner
from terminals.models import Project, Window
from terminals.windows.sync import sync_windows
from tests.factories import SERVER_RUN, ProjectFactory, WindowFactory, window_row
from tests.notes.notion.fake_notion import FakeNotion

pytestmark = pytest.mark.django_db

PAGE = "01234567-89ab-cdef-0123-456789abcdef"
MS = 1_700_000_000_000
MODELS = (Project, Window, NoteSheet, Task, NoteChange)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "window-notes.json"


def run(name: str, *arguments: str) -> str:
    out = StringIO()
    call_command(name, *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


def import_(file: Path, content: Any, *flags: str) -> str:
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    return run("import_notes", str(file), *flags)


def refused(file: Path, content: Any, *flags: str) -> str:
    """The output of an import that ends with an error."""
    file.write_text(content if isinstance(content, str) else json.dumps(content))
    out = StringIO()
    with pytest.raises(CommandError, match="refused"):
        call_command("import_notes", str(file), *flags, stdout=out, stderr=StringIO())
    return out.getvalue()


def body(owner: Owner) -> str:
    return selectors.read_notes(owner=owner).sheet.body


def everything() -> str:
    rows = [row for model in MODELS for row in model.objects.order_by("pk")]
    return str(serializers.serialize("json", rows))


# --- import -------------------------------------------------------------------------------------


def test_notes_are_imported_to_existing_sessions_and_windows(file: Path) -> None:
    project = ProjectFactory.create(name="Work", session="main")
    editor = WindowFactory.create(project=project, index=2, name="editor", tmux_id="@7")
    shell = WindowFactory.create(project=project, index=3, name="2", tmux_id="@8")
    content = {"main": {"notes": "[WIP] a", "windows": {"editor": "b", "2": "c"}}}
    assert "3 imported, 0 replaced, 0 unchanged, 0 refused" in import_(file, content)
    # A number is an index only if no window has it as its name.
    assert (body(project), body(editor), body(shell)) == ("[WIP] a", "b", "c")
    assert Task.objects.get(sheet__project=project).status == "WIP"
    assert import_(file, {"@7": "b"}).startswith("@7 :@7: unchanged")
    assert set(NoteChange.objects.values_list("by", flat=True)) == {"import_notes"}


def test_a_session_created_later_gets_its_notes(file: Path) -> None:
    import_(file, {"later": {"notes": "a", "windows": {"editor": "b", "4": "c", "gone": "d"}}})
    project = Project.objects.get(session="later")
    assert not project.alive
    sync_windows(
        server_run=SERVER_RUN,
        windows=[
            window_row("@1", "editor", session="later", index=0),
            window_row("@2", "sh", session="later", index=4),
            window_row("@3", "sh", session="later", index=5),
        ],
    )
    assert body(Project.objects.get(session="later")) == "a"
    bodies = {window.tmux_id: body(window) for window in Window.objects.filter(alive=True)}
    assert bodies == {"@1": "b", "@2": "c", "@3": ""}
    assert body(Window.objects.get(index=NO_INDEX)) == "d"


def test_differing_notes_are_refused_without_replace(file: Path) -> None:
    project = ProjectFactory.create(name="main")
    services.write_notes(owner=project, notes="mine", actor="tester")
    output = refused(file, {"main": "theirs", "other": "b"})
    assert "main: refused: there are different notes here" in output
    assert "1 imported, 0 replaced, 0 unchanged, 1 refused" in output
    assert body(project) == "mine"
    assert "main: replaced" in import_(file, {"main": "theirs", "other": "b"}, "--replace")
    assert body(project) == "theirs"
    last = NoteChange.objects.filter(sheet__project=project).latest("version")
    assert (last.by, last.lines) == ("import_notes", "- mine\n+ theirs")


def test_two_entries_for_one_window_are_reported(file: Path) -> None:
    output = refused(file, {"main:editor": "a", "main": {"windows": {"editor": "b"}}}, "--dry-run")
    assert "1 imported" in output
    assert "1 refused" in output


def test_a_dry_run_reports_the_same_and_writes_nothing(file: Path) -> None:
    services.write_notes(owner=ProjectFactory.create(name="main"), notes="mine", actor="tester")
    content = {"main": "theirs", "new": {"notes": "a", "windows": {"1": "b"}}, "bad": 7}
    before = everything()
    dry = refused(file, content, "--dry-run", "--replace")
    assert everything() == before
    real = refused(file, content, "--replace")
    assert dry.replace(" (dry run: nothing was written)", "") == real
    assert everything() != before


def test_each_bad_entry_is_reported_and_the_rest_imported(file: Path) -> None:
    content = {
        "nul": "a\0b", "long": "x" * (TEXT_LIMIT + 1), "number": 7, "@99": "a", "half": "\ud800",
        "bad\nname": "a", "good:@5": "a", "good": "a",
    }  # fmt: skip
    output = refused(file, content)
    reasons = dict(line.split(": refused: ") for line in output.splitlines() if "refused: " in line)
    for name, reason in [
        ("nul", "character NUL"), ("long", "split them"), ("number", "neither a string"),
        ("@99 :@99", "add `session`"), ("half", "surrogate"), (r"bad\nname", "control"),
        ("good:@5", "no window @5 is open"),
    ]:  # fmt: skip
        assert reason in reasons[name]
    assert "1 imported, 0 replaced, 0 unchanged, 7 refused" in output
    assert [project.name for project in Project.objects.all()] == ["good"]


@pytest.mark.parametrize("text", ["{", "7", "\ufeff[]["])
def test_a_file_without_notes_is_an_error(file: Path, text: str) -> None:
    file.write_text(text)
    with pytest.raises(CommandError, match=r"JSON|neither"):
        run("import_notes", str(file))
    with pytest.raises(CommandError, match="No such file"):
        run("import_notes", str(file.with_name("missing")))


def test_a_linked_page_is_imported_without_requests_to_notion(
    file: Path,
) -> None:
    record = {
        "notes": "a",
        "source": "notion",
        "notionPageId": PAGE,
        "updatedAt": 1_700_000_000_000,
    }
    import_(file, {"main": record})
    sheet = NoteSheet.objects.get()
    assert (sheet.source, sheet.notion_page_id, sheet.body) == (NoteSource.NOTION, PAGE, "a")
    assert sheet.updated_at == datetime.fromtimestamp(MS / 1000, UTC)
    assert (sheet.notion_text, sheet.pulled_at, sheet.version) == ("a", None, 1)
    assert "unchanged" in import_(file, {"main": record})
    assert "the same text" in refused(file, {"main": "a"})
    import_(file, {"main": "a"}, "--replace")
    assert NoteSheet.objects.get().source == NoteSource.LOCAL


def test_windows_with_the_same_name_are_ambiguous(file: Path) -> None:
    project = ProjectFactory.create(name="main")
    for index in (1, 2):
        WindowFactory.create(project=project, name="sh", index=index)
    assert "add `windowIndex`" in refused(file, {"main:sh": "a"})
    import_(file, [{"session": "main", "windowName": "sh", "windowIndex": 2, "notes": "a"}])
    assert body(Window.objects.get(index=2)) == "a"


# --- export -------------------------------------------------------------------------------------


def test_an_export_is_complete_private_and_can_select_a_session(file: Path) -> None:
    for name in ("b", "a"):
        services.write_notes(owner=ProjectFactory.create(name=name), notes=name, actor="tester")
    ProjectFactory.create(name="never written")
    run("export_notes", str(file))
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [record["session"] for record in json.loads(file.read_text())] == ["a", "b"]
    assert list(file.parent.iterdir()) == [file]
    assert [record["notes"] for record in json.loads(run("export_notes", "--session", "b"))] == [
        "b"
    ]
    with pytest.raises(CommandError, match="no notes of c"):
        run("export_notes", str(file), "--session", "c")
    with pytest.raises(CommandError, match="No such file"):
        run("export_notes", str(file.parent / "missing" / "file"))


TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=30)
BODIES = st.lists(TEXTS, max_size=4).flatmap(
    lambda lines: st.sampled_from(["\n", "\r\n", "\r"]).map(lambda end: end.join(lines))
)
SHEETS = st.lists(
    st.tuples(BODIES, st.none() | st.tuples(st.integers(0, 3), TEXTS), st.booleans()), max_size=4
)


@given(SHEETS)
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_a_round_trip_through_a_file_loses_nothing(
    tmp_path: Path, sheets: list[tuple[str, tuple[int, str] | None, bool]]
) -> None:
    Project.objects.all().delete()
    projects = [ProjectFactory.create(), ProjectFactory.create(session="", name="Released")]
    for number, (text, window, is_linked) in enumerate(sheets):
        owner: Owner = projects[number] if number < 2 else ProjectFactory.create()
        if window is not None:
            owner = WindowFactory.create(project=owner, index=window[0], name=window[1])
        services.write_notes(owner=owner, notes=text, actor="tester")
        if is_linked:
            own = NoteSheet.objects.filter(**selectors.of(owner))
            own.update(source=NoteSource.NOTION, notion_page_id=PAGE)
    first, second = tmp_path / "first", tmp_path / "second"
    run("export_notes", str(first))
    Project.objects.all().delete()
    output = run("import_notes", str(first))
    assert f"{len(sheets)} imported" in output
    run("export_notes", str(second))
    assert second.read_bytes() == first.read_bytes()
    assert [entry.notes for entry in importing.export_notes()] == [
        record["notes"] for record in json.loads(first.read_bytes())
    ]


# --- sync_notion --------------------------------------------------------------------------------


@pytest.fixture
def env(fake_notion: FakeNotion, settings: Any) -> FakeNotion:
    """Settings that point to the fake Notion server."""
    settings.WEBTMUX = django_settings.WEBTMUX.model_copy(
        update={"notion_token": fake_notion.token, "notion_url": fake_notion.url}
    )
    return fake_notion


@pytest.mark.django_db(transaction=True)
def test_sync_notion_reads_pages_and_reports_each(env: FakeNotion, file: Path) -> None:
    page = env.add_page("[WIP] theirs")
    record = {"notes": "old", "source": "notion"}
    import_(file, {
        "main": {**record, "notionPageId": page}, "lost": {**record, "notionPageId": PAGE},
    })  # fmt: skip
    assert "project main: changed, version 2" in run("sync_notion", "main")
    assert body(Project.objects.get(name="main")) == "[WIP] theirs"
    with pytest.raises(CommandError, match="last good copy"):
        run("sync_notion")
    assert NoteSheet.objects.get(project__name="lost").sync_error
    assert body(Project.objects.get(name="lost")) == "old"
    with pytest.raises(CommandError, match="no notes of nobody"):
        run("sync_notion", "nobody")


# --- the progress bar ---------------------------------------------------------------------------


class Screen(StringIO):
    def isatty(self) -> bool:
        return True


def test_a_progress_bar_is_drawn_only_on_a_terminal() -> None:
    for stream, drawn in ((Screen(), True), (StringIO(), False)):
        with Progress(stream, total=2) as progress:
            progress.step()
        assert ("] 1/2" in stream.getvalue()) is drawn
        assert stream.getvalue().endswith("\r\033[K") is drawn
