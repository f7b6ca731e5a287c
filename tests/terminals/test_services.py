"""Services on a real tmux: when a call returns, tmux has done it and the rows match."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from channels.layers import get_channel_layer
from django.db import connection
from django.test.utils import CaptureQueriesContext

from core.database import in_db
from core.errors import Invalid, NotFound, Refused, TmuxFailed
from terminals import selectors, services
from terminals.models import Project, Window
from terminals.tmux.driver import HIDDEN_SESSION, Tmux
from terminals.tmux.rows import CreatedRow, WindowRow
from terminals.windows import panes, sync
from terminals.windows.launch import early_end
from terminals.windows.sync import sync_windows
from terminals.windows.targets import WindowAddress
from tests.conftest import RunTmux
from tests.factories import SERVER_RUN, ProjectFactory, WindowFactory, window_row
from tests.waiting import LONGEST_SECONDS, eventually

database = pytest.mark.django_db(transaction=True)


# --- sync_windows -----------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_first_sync_creates_projects_and_windows() -> None:
    changes = sync_windows(
        server_run=SERVER_RUN,
        windows=[
            window_row("@1", "vim", session="work", session_id="$1", index=0, active=True),
            window_row("@2", "logs", session="work", session_id="$1", index=1),
            window_row("@3", "top", session="ops", session_id="$2"),
        ],
    )
    assert {row.name for row in changes.projects} == {"work", "ops"}
    rows = {(row.project.name, row.tmux_id, row.name, row.active) for row in Window.objects.all()}
    assert rows == {
        ("work", "@1", "vim", True), ("work", "@2", "logs", False), ("ops", "@3", "top", False),
    }  # fmt: skip


@pytest.mark.django_db
def test_a_sync_without_changes_only_reads() -> None:
    rows = [window_row("@1"), window_row("@2", index=1)]
    sync_windows(server_run=SERVER_RUN, windows=rows)
    with CaptureQueriesContext(connection) as queries:
        assert not sync_windows(server_run=SERVER_RUN, windows=rows)
    assert all(query["sql"].startswith("SELECT") for query in queries)
    assert len(queries) <= 3


@pytest.mark.django_db
def test_rows_are_matched_by_name_after_a_restart() -> None:
    before = [window_row("@1", "vim", index=0), window_row("@2", "logs", index=1)]
    sync_windows(server_run="1-1", windows=before)
    keys = dict(Window.objects.values_list("name", "key"))
    sync_windows(server_run="", windows=[])
    assert not Window.objects.filter(alive=True).exists()
    after = [
        window_row("@1", "logs", session_id="$0", index=0),
        window_row("@2", "vim", session_id="$0", index=1),
    ]
    sync_windows(server_run="2-2", windows=after)
    assert dict(Window.objects.filter(alive=True).values_list("name", "key")) == keys
    assert set(Window.objects.values_list("name", "tmux_id")) == {("logs", "@1"), ("vim", "@2")}
    assert Project.objects.get().tmux_id == "$0"


@pytest.mark.django_db
def test_a_closed_window_is_not_matched_in_the_next_server_run() -> None:
    sync_windows(
        server_run="1-1", windows=[window_row("@1", "vim"), window_row("@2", "x", index=1)]
    )
    sync_windows(server_run="1-1", windows=[window_row("@2", "x", index=1)])
    closed = Window.objects.get(tmux_id="@1")
    assert (closed.alive, closed.closed_at is not None) == (False, True)
    sync_windows(server_run="2-2", windows=[window_row("@1", "vim")])
    closed.refresh_from_db()
    assert not closed.alive


@pytest.mark.django_db
def test_swapped_session_names_keep_projects_and_windows() -> None:
    def rows(first: str, second: str) -> list[Any]:
        return [
            window_row("@1", session=first, session_id="$1"),
            window_row("@2", session=second, session_id="$2"),
        ]

    sync_windows(server_run=SERVER_RUN, windows=rows("a", "b"))
    before = dict(Window.objects.values_list("tmux_id", "project"))
    sync_windows(server_run=SERVER_RUN, windows=rows("b", "a"))
    assert dict(Window.objects.values_list("tmux_id", "project")) == before
    assert set(Project.objects.values_list("tmux_id", "session")) == {("$1", "b"), ("$2", "a")}


@pytest.mark.django_db
def test_an_ended_project_whose_name_was_taken_keeps_its_row() -> None:
    sync_windows(server_run=SERVER_RUN, windows=[window_row("@1", session="a", session_id="$1"),
                                     window_row("@2", session="b", session_id="$2")])  # fmt: skip
    sync_windows(server_run=SERVER_RUN, windows=[window_row("@2", session="a", session_id="$2")])
    assert set(Project.objects.values_list("name", "session")) == {("a", ""), ("b", "a")}


@pytest.mark.django_db
def test_very_long_session_names_are_shortened_and_stay_distinct() -> None:
    rows = [
        window_row("@1", session="x" * 900 + "1", session_id="$1"),
        window_row("@2", session="x" * 900 + "2", session_id="$2"),
    ]
    sync_windows(server_run=SERVER_RUN, windows=rows)
    assert not sync_windows(server_run=SERVER_RUN, windows=rows)
    assert Project.objects.count() == 2


@pytest.mark.django_db
def test_rows_of_another_server_are_not_changed() -> None:
    other = WindowFactory.create(
        project__server="tabs", project__session="work", project__name="work"
    )
    sync_windows(server_run="9-9", windows=[window_row("@1")])
    other.refresh_from_db()
    assert other.alive
    assert set(Project.objects.values_list("server", "name")) == {
        ("tabs", "work"),
        ("main", "work 2"),
    }


@database
async def test_changes_are_announced_with_their_version() -> None:
    layer = get_channel_layer()
    channel = await layer.new_channel()
    await layer.group_add(sync.WINDOWS, channel)
    await in_db(sync_windows)(server_run=SERVER_RUN, windows=[window_row("@1", "vim")])
    await in_db(sync_windows)(server_run=SERVER_RUN, windows=[window_row("@1", "less")])
    await in_db(services.rename_project)(project="work", name="Web")
    first, second, third = [(await layer.receive(channel))["event"] for _ in range(3)]
    assert first["type"] == "windows-updated"
    assert first["projects"][0]["project"] == "work"
    assert (first["windows"][0]["windowName"], first["windows"][0]["version"]) == ("vim", 1)
    assert (second["windows"][0]["windowName"], second["windows"][0]["version"]) == ("less", 2)
    assert second["projects"] == []
    assert third["projects"][0]["version"] == 2
    assert third["windows"][0]["project"] == "Web"


# --- projects ---------------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_renamed_project_keeps_its_session_and_no_longer_follows_it() -> None:
    sync_windows(server_run=SERVER_RUN, windows=[window_row(session="work")])
    row = services.rename_project(project="work", name="  Web ")
    assert (row.name, row.session, row.version) == ("Web", "work", 2)
    sync_windows(server_run=SERVER_RUN, windows=[window_row(session="play")])
    assert Project.objects.get().name == "Web"


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["", "   ", "a\nb", "x" * 256, "taken"])
def test_an_invalid_project_name_is_refused(name: str) -> None:
    ProjectFactory.create(name="work")
    ProjectFactory.create(name="taken")
    with pytest.raises(Invalid):
        services.rename_project(project="work", name=name)
    assert Project.objects.filter(name="work").exists()


@pytest.mark.django_db
def test_an_unknown_project_is_not_found() -> None:
    with pytest.raises(NotFound):
        services.rename_project(project="nothing", name="x")


# --- sessions and windows ---------------------------------------------------------------------


@database
async def test_rows_match_tmux_when_a_call_returns(tmux: Tmux, run_tmux: RunTmux) -> None:
    created = await services.create_session(tmux=tmux, name="ops", window_name="top")
    assert (created.session.row.name, created.session.project) == ("ops", "ops")
    assert (created.window.name, created.window.project.session) == ("top", "ops")
    assert "ops" in run_tmux("list-sessions", "-F", "#{session_name}").split("\n")

    new = await services.create_window(tmux=tmux, session="ops", name="logs", background=True)
    assert (new.window.index, new.window.active) == (created.window.index + 1, False)

    chosen = await services.select_window(tmux=tmux, window=new.window.key)
    assert chosen.active
    first = await services.get_window(tmux=tmux, window=created.window.tmux_id)
    assert not first.active

    named = await services.rename_window(tmux=tmux, window=new.window.tmux_id, name="journal")
    assert (named.name, named.key) == ("journal", new.window.key)

    state = await services.rename_session(tmux=tmux, session="ops", name="operations")
    assert (state.row.name, state.project) == ("operations", "operations")

    gone = await services.kill_window(tmux=tmux, window="operations:journal")
    assert (gone.key, gone.alive) == (new.window.key, False)
    with pytest.raises(NotFound, match="gone"):
        await services.rename_window(tmux=tmux, window=gone.key, name="x")

    project = await services.kill_session(tmux=tmux, session=created.session.row.id)
    assert project.name == "operations"
    assert not await in_db(lambda: project.alive)()


async def _windows(tmux: Tmux, names: str) -> dict[str, Window]:
    """A session `ops` with these windows, in their order."""
    first, *others = names.split()
    created = await services.create_session(tmux=tmux, name="ops", window_name=first)
    windows = [created.window]
    for name in others:
        new = await services.create_window(tmux=tmux, session="ops", name=name, background=True)
        windows.append(new.window)
    return {window.name: window for window in windows}


def _order(run_tmux: RunTmux) -> str:
    """The names of the windows of `ops` by index; the active one has a star."""
    form = "#{window_name}#{?window_active,*,}"
    return " ".join(run_tmux("list-windows", "-t", "=ops", "-F", form).split())


@database
@pytest.mark.parametrize(
    ("moved", "side", "other", "order"),
    [
        ("d", "before", "a", "d a* b c"),
        ("b", "before", "a", "b a* c d"),
        ("a", "after", "d", "b c d a*"),
        ("a", "before", "d", "b c a* d"),
        ("d", "after", "b", "a* b d c"),
        ("b", "after", "b", "a* b c d"),
        ("b", "before", "c", "a* b c d"),
    ],
)
async def test_a_window_moves_in_the_order_of_tmux(
    tmux: Tmux, run_tmux: RunTmux, moved: str, side: str, other: str, order: str
) -> None:
    windows = await _windows(tmux, "a b c d")
    indexes = run_tmux("list-windows", "-t", "=ops", "-F", "#{window_index}")
    row = await services.move_window(
        tmux=tmux, window=windows[moved].key, **{side: windows[other].tmux_id}
    )
    assert _order(run_tmux) == order  # the session shows the same window as before
    assert run_tmux("list-windows", "-t", "=ops", "-F", "#{window_index}") == indexes
    assert row.index == int(indexes.split()[order.replace("*", "").split().index(moved)])
    stored = await in_db(lambda: [row.name for row in selectors.windows(session="ops")])()
    assert stored == order.replace("*", "").split()


@database
async def test_a_move_needs_one_other_window_of_the_same_session(tmux: Tmux) -> None:
    windows = await _windows(tmux, "a b")
    a, b = windows["a"].key, windows["b"].key
    for places in ({}, {"before": b, "after": b}, {"before": "work:0"}):
        with pytest.raises(Invalid):
            await services.move_window(tmux=tmux, window=a, **places)
    with pytest.raises(NotFound):
        await services.move_window(tmux=tmux, window=a, before="@999")


@database
async def test_a_pinned_window_stays_pinned_and_is_announced(
    tmux: Tmux, monkeypatch: pytest.MonkeyPatch
) -> None:
    [window] = (await _windows(tmux, "a")).values()
    announced: list[Window] = []
    monkeypatch.setattr(sync, "announce", lambda changes: announced.extend(changes.windows))
    pinned = await services.pin_window(tmux=tmux, window=window.tmux_id, pinned=True)
    assert (pinned.pinned, pinned.version) == (True, window.version + 1)
    again = await services.pin_window(tmux=tmux, window=window.key, pinned=True)
    assert again.version == pinned.version
    assert [row.pinned for row in announced] == [True]
    renamed = await services.rename_window(tmux=tmux, window=window.key, name="b")
    assert renamed.pinned
    assert not (await services.pin_window(tmux=tmux, window=window.key, pinned=False)).pinned


@database
async def test_a_session_name_in_use_is_refused(tmux: Tmux) -> None:
    await services.create_session(tmux=tmux, name="ops")
    with pytest.raises(Invalid, match="already"):
        await services.create_session(tmux=tmux, name="ops")
    with pytest.raises(Invalid, match="already"):
        await services.rename_session(tmux=tmux, session="ops", name="work")


@database
async def test_a_session_is_killed_only_by_its_whole_name(tmux: Tmux, run_tmux: RunTmux) -> None:
    with pytest.raises(NotFound):
        await services.kill_session(tmux=tmux, session="wor")
    assert run_tmux("list-sessions", "-F", "#{session_name}").split("\n").count("work") == 1


@database
async def test_a_command_that_exits_at_once_keeps_its_window(tmux: Tmux) -> None:
    created = await services.create_window(tmux=tmux, session="work", command="exit 3")
    ended = await early_end(tmux, created.pane_id, seconds=LONGEST_SECONDS)
    assert ended is not None
    assert ended.status == 3
    assert created.window.alive


@database
async def test_a_window_that_is_closed_while_it_is_created_is_reported(
    tmux: Tmux, monkeypatch: pytest.MonkeyPatch
) -> None:
    create = tmux.new_window

    async def create_and_close(session_id: str, **options: Any) -> CreatedRow:
        created = await create(session_id, **options)
        await tmux.kill(created.window_id)
        return created

    monkeypatch.setattr(tmux, "new_window", create_and_close)
    with pytest.raises(TmuxFailed, match="already exited"):
        await services.create_window(tmux=tmux, session="work")


@database
@pytest.mark.parametrize(
    "target", [HIDDEN_SESSION, f"={HIDDEN_SESSION}", f"{HIDDEN_SESSION}:0", "id"]
)
async def test_our_own_session_is_refused(tmux: Tmux, run_tmux: RunTmux, target: str) -> None:
    form = "#{session_name} #{session_id} #{window_id} #{pane_id}"
    [hidden] = [
        line for line in run_tmux("list-panes", "-a", "-F", form).split("\n")
        if line.startswith(HIDDEN_SESSION)
    ]  # fmt: skip
    _, session, window, pane = hidden.split()
    ids = target == "id"
    with pytest.raises(Refused):
        await services.kill_window(tmux=tmux, window=window if ids else target)
    if ids or ":" not in target:
        with pytest.raises(Refused):
            await services.kill_session(tmux=tmux, session=session if ids else target)
        with pytest.raises(Refused):
            await services.rename_session(tmux=tmux, session=session if ids else target, name="x")
    with pytest.raises((Refused, NotFound)):
        await panes.kill_pane(tmux=tmux, pane=pane if ids else target)
    with pytest.raises((Refused, NotFound)):
        await panes.send_text(tmux=tmux, pane=pane if ids else target, text="x")
    assert hidden in run_tmux("list-panes", "-a", "-F", form)


@database
async def test_killing_the_last_session_leaves_no_live_row(tmux: Tmux) -> None:
    await sync.sync(tmux)
    project = await services.kill_session(tmux=tmux, session="work")
    assert project.session == "work"
    assert not await Window.objects.filter(alive=True).aexists()


@database
async def test_creating_a_session_starts_tmux_if_needed(socket: str) -> None:
    driver = Tmux(socket=socket)
    await driver.start()
    try:
        assert driver.problem
        created = await services.create_session(tmux=driver, name="first")
        assert created.window.alive
    finally:
        await driver.stop()


@database
async def test_a_session_starts_at_home_or_in_the_given_directory(
    tmux: Tmux, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, other = tmp_path / "home", tmp_path / "other"
    home.mkdir()
    other.mkdir()
    monkeypatch.setattr(Path, "home", lambda: home)
    created = await services.create_session(tmux=tmux, name="a")
    assert created.session.row.path == str(home)
    created = await services.create_session(tmux=tmux, name="b", cwd=str(other))
    assert created.session.row.path == str(other)


@database
async def test_an_older_list_is_never_written_after_a_newer_one(
    tmux: Tmux, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, has_read, may_write = tmux.windows, asyncio.Event(), asyncio.Event()
    started: list[int] = []

    async def read_and_wait() -> list[WindowRow]:
        started.append(len(started))
        rows = await read()
        if not has_read.is_set():
            has_read.set()
            await may_write.wait()
        return rows

    monkeypatch.setattr(tmux, "windows", read_and_wait)
    early = asyncio.create_task(sync.sync(tmux))
    await asyncio.wait_for(has_read.wait(), LONGEST_SECONDS)
    created = await tmux.new_window((await tmux.sessions())[0].id, name="new", command="exec cat")
    late = asyncio.create_task(sync.sync(tmux))
    await asyncio.sleep(0)  # it runs up to its first wait, and must not have read yet
    assert started == [0]
    may_write.set()
    await asyncio.gather(early, late)
    row = await Window.objects.aget(tmux_id=created.window_id)
    assert (row.alive, row.closed_at, row.version) == (True, None, 1)


@database
async def test_concurrent_calls_all_take_effect(tmux: Tmux) -> None:
    names = [f"w{number}" for number in range(8)]
    await asyncio.gather(
        *(services.create_window(tmux=tmux, session="work", name=name) for name in names),
        *(sync.sync(tmux) for _ in range(8)),
    )
    rows = await in_db(lambda: list(Window.objects.all()))()
    assert {row.name for row in rows if row.alive} >= set(names)
    assert len(rows) == len(names) + 1


# --- panes ------------------------------------------------------------------------------------


async def _screen(tmux: Tmux, pane: str) -> str:
    return (await panes.capture(tmux=tmux, pane=pane, join=True)).text


@database
async def test_a_split_pane_is_sized_selected_and_killed(tmux: Tmux) -> None:
    [first] = await selectors.list_panes(tmux=tmux, target="work")
    below = await panes.split_pane(tmux=tmux, pane=first.id, horizontal=True, size="5")
    assert (below.height, below.left) == (5, 0)
    new_pane = await panes.split_pane(tmux=tmux, pane="work:0.0")
    assert new_pane.left > 0
    assert (await panes.resize_pane(tmux=tmux, pane=below.id, height=8)).height == 8
    assert (await panes.select_pane(tmux=tmux, pane=first.id)).active
    zoomed = await panes.zoom_pane(tmux=tmux, pane=new_pane.id)
    assert (zoomed.active, zoomed.left, zoomed.height) == (True, 0, first.height)
    assert (await panes.zoom_pane(tmux=tmux, pane=new_pane.id)).left == new_pane.left
    killed = await panes.kill_pane(tmux=tmux, pane=new_pane.id)
    assert killed.dead
    assert {row.id for row in await selectors.list_panes(tmux=tmux)} == {first.id, below.id}
    with pytest.raises(NotFound):
        await panes.kill_pane(tmux=tmux, pane=new_pane.id)


@database
async def test_text_waits_at_the_prompt_until_it_is_submitted(tmux: Tmux, tmp_path: Any) -> None:
    path = tmp_path / "created"
    sent = await panes.send_text(tmux=tmux, pane="work", text=f"echo done > {path}")
    assert (sent.status, sent.submitted) == ("typed", False)
    await eventually(lambda: _shows(tmux, str(path)))
    assert not path.exists()
    assert (await panes.submit(tmux=tmux, pane="work")).status == "entered"
    await eventually(lambda: _exists(path))


async def _shows(tmux: Tmux, text: str) -> bool:
    return text in (await _screen(tmux, "work")).replace("\n", "")


def _exists(path: Any) -> bool:
    return bool(path.exists() and path.read_text())


@database
async def test_concurrent_senders_do_not_mix_their_lines(tmux: Tmux, tmp_path: Any) -> None:
    path = tmp_path / "lines"
    await panes.send_text(tmux=tmux, pane="work", text=f"cat > {path}", submit=True)
    await eventually(lambda: _runs(tmux, "cat"))
    lines = [f"{number}-" + "x" * 70 for number in range(12)]
    await asyncio.gather(
        *(panes.send_text(tmux=tmux, pane="work", text=line, submit=True) for line in lines)
    )
    await panes.send_keys(tmux=tmux, pane="work", keys=["C-d"])
    await eventually(lambda: _runs(tmux, "sh"))
    assert sorted(path.read_text().split()) == sorted(lines)


async def _runs(tmux: Tmux, command: str) -> bool:
    return (await tmux.panes())[0].command == command


@database
async def test_a_capture_has_the_requested_lines(tmux: Tmux) -> None:
    await panes.send_text(
        tmux=tmux, pane="work", text="clear; seq -f line%g 60; printf 'end\\n\\n\\n'; exec cat",
        submit=True,
    )  # fmt: skip
    await eventually(lambda: _shows(tmux, "line60end"))
    last = await panes.capture(tmux=tmux, pane="work", lines=3)
    assert last.text == "line59\nline60\nend\n"
    assert last.lines == 3
    many = await panes.capture(tmux=tmux, pane="work", lines=50)
    assert many.text.split("\n")[0] == "line12"
    assert many.lines == 50
    top = (await panes.capture(tmux=tmux, pane="work")).text.split("\n")[0]
    assert (await panes.capture(tmux=tmux, pane="work", start=0, lines=1)).text.strip() == top
    above = await panes.capture(tmux=tmux, pane="work", start=-2, end=-1)
    assert above.lines == 2
    everything = await panes.capture(tmux=tmux, pane="work", history=True)
    assert "line1\n" in everything.text
    assert "line60" in everything.text


# --- finding ----------------------------------------------------------------------------------


@database
async def test_an_address_of_webtmux_mcp_finds_its_window(tmux: Tmux) -> None:
    created = await services.create_window(tmux=tmux, session="work", name="logs")
    row = created.window
    for address in (
        WindowAddress(window_id=row.tmux_id),
        WindowAddress(window_id=row.key),
        WindowAddress(session="work", window_index=str(row.index)),
        WindowAddress(window_name="logs"),
        WindowAddress(current=True),
    ):
        assert (await selectors.find_address(tmux, address)).id == row.tmux_id
    focus = (await tmux.windows())[0].id
    focused = await selectors.find_address(tmux, WindowAddress(current=True), page_focus=focus)
    assert focused.id == focus


@database
async def test_a_window_without_a_row_is_found(tmux: Tmux, run_tmux: RunTmux) -> None:
    window = run_tmux("new-window", "-d", "-t", "work:", "-n", "new", "-P", "-F", "#{window_id}")
    row = await services.get_window(tmux=tmux, window=window)
    assert (row.name, row.project.name) == ("new", "work")
    listed = await selectors.list_panes(tmux=tmux, target=row.key)
    assert [pane.window_id for pane in listed] == [window]
