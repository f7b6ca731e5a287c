"""The calls of the driver, each checked with the command-line tmux."""

import asyncio
import pty
import subprocess
from pathlib import Path

import pytest

from core.errors import Invalid, NotFound, TmuxAway
from terminals.tmux import monitor
from terminals.tmux.driver import HIDDEN_SESSION, Tmux
from terminals.tmux.sockets import is_listening, socket_path
from tests.conftest import RunTmux
from tests.waiting import LONGEST_SECONDS, eventually

HOSTILE = [
    "#(touch canary)", "#{pane_id}", "$(touch canary)", "`touch canary`", "; touch canary", "a;",
    "-t", "--", "'; kill-server; '", '"$HOME"', "\\", "%1", "@1", "$1", "=x", "~", "{a,b}", "*",
    "漢字 é 🙂", "  two  blanks  ", "#", "##", "%if 1", "a'b\"c",
]  # fmt: skip


@pytest.fixture(autouse=True)
def work_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


async def test_lists_show_what_tmux_shows_but_not_our_own_session(
    tmux: Tmux, run_tmux: RunTmux
) -> None:
    run_tmux("new-window", "-d", "-n", "second window", "-t", "work:", "exec sh")
    run_tmux("split-window", "-d", "-t", "work:0", "exec sh")
    assert [row.name for row in await tmux.sessions()] == ["work"]
    assert [(row.index, row.name, row.panes) for row in await tmux.windows()][1:] == [
        (1, "second window", 1)
    ]
    panes = await tmux.panes()
    assert [row.id for row in panes] == run_tmux(
        "list-panes", "-s", "-t", "work", "-F", "#D"
    ).split()
    [session] = await tmux.sessions()
    assert [row.id for row in await tmux.panes(session.id)] == [row.id for row in panes]
    assert len(await tmux.panes(panes[0].window_id)) == 2
    assert HIDDEN_SESSION in run_tmux("list-sessions")


async def test_a_window_row_has_its_size_and_flags(tmux: Tmux, run_tmux: RunTmux) -> None:
    run_tmux("split-window", "-t", "work:0", "exec sh")
    run_tmux("resize-pane", "-Z", "-t", "work:0")
    run_tmux("new-window", "-d", "-t", "work:", "exec sh")
    first, second = await tmux.windows()
    assert (first.active, first.zoomed, first.size, first.panes) == (True, True, (80, 24), 2)
    assert (second.active, second.zoomed, second.bell) == (False, False, False)


async def test_a_directory_with_a_line_break_is_unknown_and_does_not_break_the_list(
    tmux: Tmux, work_dir: Path
) -> None:
    odd = work_dir / "a\nb\tc"
    odd.mkdir()
    await tmux.new_session("plain", command="exec sh")
    [pane] = [row for row in await tmux.panes() if row.session_name == "plain"]
    await tmux.type(pane.id, b'cd "$(printf \'%s/a\\nb\\tc\' "$OLDPWD$PWD")" 2>/dev/null; ')
    await tmux.type(pane.id, f"cd {str(work_dir)!r}; cd a*\r".encode())

    async def moved() -> bool:
        rows = [row for row in await tmux.panes() if row.session_name == "plain"]
        return len(rows) == 1 and rows[0].path == ""

    await eventually(moved)


@pytest.mark.parametrize("text", HOSTILE)
async def test_hostile_names_are_data(tmux: Tmux, work_dir: Path, text: str) -> None:
    session = text
    if text in {'"$HOME"', "\\"}:
        with pytest.raises(Invalid):
            await tmux.new_session(session)
        return
    created = await tmux.new_session(session, window=text, command="exec sh", cwd=str(work_dir))
    assert session in [row.name for row in await tmux.sessions()]
    assert text in [row.name for row in await tmux.windows(created.session_id)]
    other = await tmux.new_window(
        created.session_id, name=text, command="exec sh", cwd=str(work_dir)
    )
    await tmux.rename_window(other.window_id, text + "2")
    await tmux.rename_session(created.session_id, session + "2")
    assert session + "2" in [row.name for row in await tmux.sessions()]
    assert text + "2" in [row.name for row in await tmux.windows(created.session_id)]
    assert not list(work_dir.rglob("canary*"))
    assert not Path("canary").exists()


@pytest.mark.parametrize("name", ["#(touch canary)d", "$(touch canary)", "it's", "a;b"])
async def test_hostile_directories_are_data(tmux: Tmux, work_dir: Path, name: str) -> None:
    odd = work_dir / name
    odd.mkdir()
    session = await tmux.new_session("at", cwd=str(odd), command="exec sh")
    split = await tmux.split_window(session.pane_id, stacked=True, cwd=str(odd), command="exec sh")

    async def both_are_there() -> bool:
        panes = [await tmux.pane(pane) for pane in (session.pane_id, split.pane_id)]
        return [pane.path for pane in panes] == [str(odd)] * 2

    await eventually(both_are_there)
    assert not [path for path in work_dir.rglob("canary*") if path.is_file()]


@pytest.mark.parametrize("text", [*HOSTILE, "Enter", "C-c", "\x1b[A\t\x00\x7f"])
async def test_hostile_text_is_typed_unchanged(tmux: Tmux, work_dir: Path, text: str) -> None:
    received = await send_to_a_raw_reader(tmux, work_dir, text.encode())
    assert received == text.encode()
    assert not list(work_dir.rglob("canary*"))


async def test_every_byte_arrives(tmux: Tmux, work_dir: Path) -> None:
    data = bytes(range(256))
    assert await send_to_a_raw_reader(tmux, work_dir, data) == data


async def test_each_byte_alone_arrives(tmux: Tmux, work_dir: Path) -> None:
    created = await reader(tmux, work_dir, 256)
    for byte in range(256):
        await tmux.type(created, bytes([byte]))
    assert await received(work_dir, 256) == bytes(range(256))


async def test_a_megabyte_arrives(tmux: Tmux, work_dir: Path) -> None:
    data = bytes(range(256)) * 4096
    assert await send_to_a_raw_reader(tmux, work_dir, data) == data


async def test_keys_reach_a_pane_in_copy_mode(
    tmux: Tmux, work_dir: Path, run_tmux: RunTmux
) -> None:
    pane = await reader(tmux, work_dir, 2)
    run_tmux("copy-mode", "-t", pane)
    assert (await tmux.pane(pane)).in_mode
    await tmux.type(pane, b"hi")
    assert await received(work_dir, 2) == b"hi"


async def reader(tmux: Tmux, work_dir: Path, count: int) -> str:
    """A pane whose program reads `count` bytes in raw mode into a file."""
    script = f"stty raw -echo; echo ready; head -c {count} >part; mv part got; sleep 100"
    session = await tmux.new_session("reader", command=script, cwd=str(work_dir))

    async def ready() -> bool:
        return b"ready" in await tmux.capture(session.pane_id)

    await eventually(ready)
    return session.pane_id


async def received(work_dir: Path, count: int) -> bytes:
    async def written() -> bool:
        return (work_dir / "got").exists()

    await eventually(written)
    return (work_dir / "got").read_bytes()


async def send_to_a_raw_reader(tmux: Tmux, work_dir: Path, data: bytes) -> bytes:
    pane = await reader(tmux, work_dir, len(data))
    await tmux.type(pane, data)
    return await received(work_dir, len(data))


async def test_a_paste_is_bracketed_if_the_program_enabled_it(tmux: Tmux, work_dir: Path) -> None:
    script = f"stty raw -echo; printf '\\033[?2004hready'; head -c 17 >{work_dir}/got; sleep 100"
    session = await tmux.new_session("asks", command=script)

    async def ready() -> bool:
        return b"ready" in await tmux.capture(session.pane_id)

    await eventually(ready)
    await tmux.paste(session.pane_id, "a\r\nb c", submit=True)

    async def whole() -> bool:
        return len((work_dir / "got").read_bytes()) == 17

    await eventually(whole)
    assert (work_dir / "got").read_bytes() == b"\x1b[200~a\nb c\x1b[201~"


async def test_windows_and_panes_are_created_and_killed(tmux: Tmux, run_tmux: RunTmux) -> None:
    [session] = await tmux.sessions()
    window = await tmux.new_window(session.id, name="new", command="exec sh", background=True)
    assert not next(row for row in await tmux.windows() if row.id == window.window_id).active
    new_pane = await tmux.split_window(window.pane_id, stacked=False, size="30%", command="exec sh")
    first, second = await tmux.panes(window.window_id)
    assert (first.top, second.left > 0, second.id) == (second.top, True, new_pane.pane_id)
    await tmux.resize_pane(second.id, width=20)
    assert (await tmux.pane(second.id)).width == 20
    await tmux.resize_pane(second.id, direction="left", amount=3)
    assert (await tmux.pane(second.id)).width == 23
    await tmux.select_window(window.window_id)
    await tmux.select_pane(first.id)
    assert run_tmux("display-message", "-p", "-t", "work", "#{window_id} #{pane_id}") == (
        f"{window.window_id} {first.id}"
    )
    await tmux.kill(second.id)
    assert len(await tmux.panes(window.window_id)) == 1
    await tmux.kill(window.window_id)
    with pytest.raises(NotFound):
        await tmux.pane(window.pane_id)


async def test_a_capture_has_the_requested_lines(tmux: Tmux) -> None:
    [pane] = await tmux.panes()
    await tmux.type(pane.id, b"clear; seq 100; printf '\\033[31mr''ed\\033[0m'\r")

    async def printed() -> bool:
        return b"red" in await tmux.capture(pane.id)

    await eventually(printed)
    lines = (await tmux.capture(pane.id, history=True)).split(b"\n")
    assert [line for line in lines if line.isdigit()] == [b"%d" % n for n in range(1, 101)]
    assert len((await tmux.capture(pane.id, start=-5, end=-3)).splitlines()) == 3
    assert b"\x1b[31mred" in await tmux.capture(pane.id, escapes=True)
    await tmux.type(pane.id, b"clear; printf '%0100d' 5\r")

    async def wrapped() -> bool:
        return b"0" * 99 + b"5" in await tmux.capture(pane.id, join=True)

    await eventually(wrapped)
    assert b"0" * 99 + b"5" not in await tmux.capture(pane.id)


async def test_clients_are_those_of_users_and_not_our_own(tmux: Tmux, run_tmux: RunTmux) -> None:
    run_tmux("new-window", "-d", "-t", "work:", "-n", "theirs", "exec sh")
    viewer = tmux.view((await tmux.panes())[0].id)
    await asyncio.wait_for(viewer.read(), LONGEST_SECONDS)
    assert await tmux.clients() == []
    _, terminal = pty.openpty()
    attached = subprocess.Popen(
        ["tmux", "-S", str(tmux.monitor.path), "attach", "-t", "work:theirs"],
        stdin=terminal, stdout=terminal, stderr=terminal,
        env={"TERM": "xterm", "PATH": "/usr/bin:/bin"},
    )  # fmt: skip
    try:
        await eventually(lambda: tmux.clients())
        assert (await tmux.current_window()).name == "theirs"
    finally:
        attached.kill()
        attached.wait()


async def test_the_current_window_is_that_of_the_page_while_no_client_is_attached(
    tmux: Tmux, run_tmux: RunTmux
) -> None:
    run_tmux("new-window", "-d", "-t", "work:", "-n", "looked at", "exec sh")
    [_, looked_at] = await tmux.windows()
    assert (await tmux.current_window()).index == 0
    assert (await tmux.current_window(looked_at.id)).name == "looked at"
    assert (await tmux.current_window("@99")).index == 0


async def test_a_requested_size_is_used_while_no_client_is_attached(
    tmux: Tmux, run_tmux: RunTmux
) -> None:
    [window] = await tmux.windows()
    await tmux.request_size(window.id, 100, 30)

    async def resized() -> bool:
        [row] = await tmux.windows()
        return row.size == (100, 30)

    await eventually(resized)
    assert run_tmux("show-options", "-wv", "-t", window.id, "window-size") == ""
    with pytest.raises(Invalid):
        await tmux.request_size(window.id, 1, 30)


async def test_the_other_windows_of_a_session_keep_their_size(
    tmux: Tmux, run_tmux: RunTmux
) -> None:
    # Not 80x24, which tmux takes for a client without a size.
    run_tmux("new-session", "-d", "-s", "wide", "-x", "120", "-y", "40", "exec sh")
    for _ in range(3):
        run_tmux("new-window", "-d", "-t", "wide:", "exec sh")
    wanted = {row.id: row.size for row in await tmux.windows()}
    window, other = [row for row in await tmux.windows() if row.session_name == "wide"][:2]
    assert window.size == other.size == (120, 40)

    async def as_wanted() -> bool:
        return {row.id: row.size for row in await tmux.windows()} == wanted

    for row, size in ((window, (130, 50)), (other, (90, 20))):
        wanted[row.id] = size
        await tmux.request_size(row.id, *size)
        await eventually(as_wanted)


async def test_missing_targets_are_not_found(tmux: Tmux) -> None:
    for call in (tmux.kill("%99"), tmux.capture("%99"), tmux.type("%99", b"x"), tmux.pane("@99"),
                 tmux.rename_session("$99", "x"), tmux.select_window("@99")):  # fmt: skip
        with pytest.raises(NotFound):
            await call
    viewer = tmux.view("%99")
    assert await asyncio.wait_for(viewer.read(), LONGEST_SECONDS) is None


async def test_hundreds_of_concurrent_commands_get_their_own_replies(tmux: Tmux) -> None:
    replies = await asyncio.gather(
        *(tmux.monitor.run(("display-message", "-p", str(number))) for number in range(500))
    )
    assert [int(lines[0][0]) for lines in replies] == list(range(500))


async def test_the_driver_starts_without_a_server_and_attaches_to_a_later_one(
    socket: str, run_tmux: RunTmux
) -> None:
    driver = Tmux(socket=socket)
    await driver.start()
    try:
        assert "no tmux server" in driver.problem
        with pytest.raises(TmuxAway):
            await driver.sessions()
        run_tmux("new-session", "-d", "-s", "late", "exec sh")
        await driver.monitor.wait_up(LONGEST_SECONDS)
        assert [row.name for row in await driver.sessions()] == ["late"]
    finally:
        await driver.stop()


async def test_creating_a_session_starts_the_server(socket: str) -> None:
    driver = Tmux(socket=socket)
    await driver.start()
    try:
        await driver.new_session("first", command="exec sh")
        assert [row.name for row in await driver.sessions()] == ["first"]
    finally:
        await driver.stop()


async def test_stopping_the_driver_leaves_nothing_in_tmux(tmux: Tmux, run_tmux: RunTmux) -> None:
    assert HIDDEN_SESSION in run_tmux("list-sessions", "-F", "#S")
    await tmux.stop()
    assert run_tmux("list-sessions", "-F", "#S") == "work"
    assert run_tmux("list-clients") == ""
    assert run_tmux("list-buffers") == ""


async def test_the_server_ends_with_the_last_session_of_the_user(tmux: Tmux) -> None:
    [session] = await tmux.sessions()
    await tmux.new_session("second", command="exec sh")
    await tmux.kill(session.id)
    [second] = await tmux.sessions()
    await tmux.kill(second.id)

    async def gone() -> bool:
        return not is_listening(tmux.monitor.path)

    await eventually(gone)


async def test_the_hidden_session_is_created_again_after_it_was_killed(
    tmux: Tmux, run_tmux: RunTmux
) -> None:
    run_tmux("kill-session", "-t", HIDDEN_SESSION)

    async def back() -> bool:
        return HIDDEN_SESSION in run_tmux("list-sessions", "-F", "#S") and not tmux.problem

    await eventually(back)
    assert [row.name for row in await tmux.sessions()] == ["work"]


def test_a_socket_is_a_name_or_a_path() -> None:
    work_dir = {"TMUX_TMPDIR": "/x"}
    assert socket_path("", work_dir).name == "default"
    assert socket_path("mine", work_dir).name == "mine"
    assert socket_path("/a/b", work_dir) == Path("/a/b")


@pytest.mark.parametrize(
    ("text", "number"), [("3.3a", (3, 3)), ("next-3.6", (3, 6)), ("master", (99, 0))]
)
def test_versions_are_compared_by_number(text: str, number: tuple[int, int]) -> None:
    assert monitor.version(text) == number


async def test_an_old_tmux_is_refused_with_a_reason(
    socket: str, run_tmux: RunTmux, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_tmux("new-session", "-d", "exec sh")
    monkeypatch.setattr(monitor, "OLDEST_VERSION", (98, 0))
    driver = Tmux(socket=socket)
    await driver.start()
    assert "too old" in driver.problem
    await driver.stop()


async def test_a_missing_tmux_is_reported(socket: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("terminals.tmux.monitor.shutil.which", lambda name: None)
    driver = Tmux(socket=socket)
    await driver.start()
    assert "not installed" in driver.problem
    await driver.stop()
