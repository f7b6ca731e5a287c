"""Managed tabs on their own tmux server."""

import asyncio
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from core.errors import Invalid, NotFound, Refused
from terminals.scrollback.ansi import strip
from terminals.tmux.pane_logs import PaneLog
from terminals.tmux.rows import CreatedRow
from terminals.tmux.sockets import tmux_directory
from terminals.windows.tabs import Tabs, tabs_socket
from tests.waiting import eventually


@pytest.fixture
async def tabs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Tabs]:
    monkeypatch.setenv("SHELL", "/bin/bash")
    monkeypatch.setenv("HOME", str(tmp_path))  # without rc files
    started = Tabs(data_dir=tmp_path)
    await started.start()
    yield started
    await started.stop()
    subprocess.run(
        ["tmux", "-S", str(started.tmux.monitor.path), "kill-server"], capture_output=True
    )


async def logged(log: PaneLog, text: bytes) -> None:
    def is_logged() -> bool:
        return text in log.tail(1000).content

    await eventually(is_logged)


async def test_tabs_created_concurrently_get_different_ids(tabs: Tabs) -> None:
    assert await tabs.list_tabs() == []
    created = await asyncio.gather(*(tabs.create_tab(name=f"tab {n}") for n in range(6)))
    assert len({tab.id for tab in created}) == 6
    listed = await tabs.list_tabs()
    assert sorted(tab.name for tab in listed) == [f"tab {n}" for n in range(6)]
    assert [tab.active for tab in listed].count(True) == 1


async def test_a_tab_has_its_directory_environment_and_shell(tabs: Tabs, tmp_path: Path) -> None:
    tab = await tabs.create_tab(cwd=str(tmp_path), env={"COLOUR": "blue; #(x) 'y'"})
    execution = await tabs.execute_command(
        window_id=tab.id, command='pwd; echo "$COLOUR"; echo $SHELL'
    )
    assert execution.output.decode() == f"{tmp_path}\nblue; #(x) 'y'\n/bin/bash\n"


async def test_a_login_shell_is_started_on_request(tabs: Tabs) -> None:
    tab = await tabs.create_tab(login=True)
    execution = await tabs.execute_command(
        window_id=tab.id, command="shopt -q login_shell && echo yes"
    )
    assert execution.output == b"yes\n"
    plain = await tabs.create_tab()
    assert (
        await tabs.execute_command(window_id=plain.id, command="shopt -q login_shell")
    ).exit_code


async def test_our_settings_are_not_in_the_environment_of_a_tab(
    tabs: Tabs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEBTMUX_AUTH_TOKEN", "secret")
    tab = await tabs.create_tab()
    execution = await tabs.execute_command(window_id=tab.id, command="env | grep -c WEBTMUX_")
    assert execution.output == b"0\n"


async def test_a_process_is_started_logged_and_stopped(tabs: Tabs) -> None:
    tab = await tabs.create_tab()
    loop = "trap 'echo stopp''ed; exit' INT TERM; while :; do echo {}; sleep 0.05; done"
    log = await tabs.log(window_id=tab.id)
    for number, name in enumerate(["SIGINT", "SIGTERM"], 1):
        await tabs.execute_command(window_id=tab.id, command="true")
        await tabs.start_process(
            window_id=tab.id, command=f'bash -c "{loop.format(f"round {number}")}"'
        )
        await logged(log, f"round {number}\r\nround {number}\r\n".encode())
        await tabs.stop_process(window_id=tab.id, with_signal=name)

        async def stopped(count: int = number) -> bool:
            return log.tail(1000).content.count(b"stopped\r\n") == count

        await eventually(stopped)
    assert (await tabs.execute_command(window_id=tab.id, command="echo usable")).exit_code == 0


async def test_a_command_without_enter_is_only_typed(tabs: Tabs) -> None:
    tab = await tabs.create_tab()
    await tabs.execute_command(window_id=tab.id, command="true")
    await tabs.start_process(window_id=tab.id, command="echo ty''ped", append_newline=False)
    log = await tabs.log(window_id=tab.id)
    await logged(log, b"ty''ped")
    assert b"typed\r\n" not in log.tail(100).content


async def test_stopping_an_idle_tab_is_refused(tabs: Tabs) -> None:
    tab = await tabs.create_tab()
    with pytest.raises(Refused):
        await tabs.stop_process(window_id=tab.id, with_signal="SIGTERM")
    with pytest.raises(Invalid):
        await tabs.stop_process(window_id=tab.id, with_signal="SIGKILL")


async def test_tabs_and_logs_survive_a_restart_of_webtmux(tabs: Tabs, tmp_path: Path) -> None:
    tab = await tabs.create_tab(name="kept")
    await tabs.execute_command(window_id=tab.id, command="X=remembered")
    await tabs.stop()
    again = Tabs(data_dir=tmp_path)
    await again.start()
    try:
        assert [(row.id, row.name) for row in await again.list_tabs()] == [(tab.id, "kept")]
        execution = await again.execute_command(window_id=tab.id, command="echo $X")
        assert execution.output == b"remembered\n"
        log = await again.log(window_id=tab.id)
        await logged(log, b"remembered\r\n")
    finally:
        await again.stop()


async def test_logs_are_stripped_on_request(tabs: Tabs) -> None:
    tab = await tabs.create_tab()
    await tabs.execute_command(window_id=tab.id, command="printf '\\033[31mred\\033[0m\\n'")
    log = await tabs.log(window_id=tab.id)
    await logged(log, b"\x1b[31mred\x1b[0m\r\n")
    assert "red\n" in strip(log.tail(50).content.decode())
    assert "\x1b" not in strip(log.tail(50).content.decode())


async def test_the_history_limit_is_validated_and_applied(tabs: Tabs) -> None:
    await tabs.set_history_limit(limit=1234)
    assert await tabs.tmux.show_option("history-limit") == "1234"
    for limit in (0, 10**9):
        with pytest.raises(Invalid):
            await tabs.set_history_limit(limit=limit)


async def test_invalid_input_is_refused_with_a_reason(tabs: Tabs) -> None:
    with pytest.raises(Invalid, match="there is no directory"):
        await tabs.create_tab(cwd="/does/not/exist")
    with pytest.raises(Invalid, match="environment variable"):
        await tabs.create_tab(env={"A B": "c"})
    for window in ("@99", "@1"):
        with pytest.raises(NotFound):
            await tabs.execute_command(window_id=window, command="true")
    with pytest.raises(Invalid):
        await tabs.execute_command(window_id="tab", command="true")


async def test_closing_the_last_tab_ends_the_server(tabs: Tabs) -> None:
    tab = await tabs.create_tab()
    await tabs.close_tab(window_id=tab.id)

    await eventually(lambda: tabs.tmux.problem)
    assert await tabs.list_tabs() == []


def test_the_socket_is_in_the_data_directory(tmp_path: Path) -> None:
    path = tabs_socket(tmp_path)
    assert path == tmp_path / "run" / "tabs"
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_the_socket_is_beside_tmuxs_own_if_the_data_directory_is_unsuitable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMUX_TMPDIR", str(tmp_path))
    long, shared = tmp_path / ("x" * 100), tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    for data_dir in (long, shared):
        assert tabs_socket(data_dir).parent == tmux_directory()
        assert tabs_socket(data_dir) == tabs_socket(data_dir)
    assert tabs_socket(long) != tabs_socket(shared)


@pytest.mark.parametrize(
    "name",
    [
        "cost $HOME",
        "${X}",
        "$_",
        "$$a",
        "a$",
        "$1",
        "back\\slash",
        "\\$a",
        "\\\\",
        "a;",
        "#{x}",
        "é$ü",
    ],
)
async def test_a_tab_keeps_its_name_exactly(tabs: Tabs, name: str) -> None:
    """tmux adds backslashes before `$name` when it renames a window, but not when it makes one."""
    tab = await tabs.create_tab(name=name)
    assert tab.name == name
    assert [row.name for row in await tabs.list_tabs()] == [name]


async def test_a_name_that_this_tmux_changes_is_refused(
    tabs: Tabs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stands for a version of tmux that escapes names of new windows too."""
    create = tabs.tmux.new_session

    async def escaping(session: str, *, window: str = "", **options: Any) -> CreatedRow:
        return await create(session, window=window.replace("$", "\\$"), **options)

    monkeypatch.setattr(tabs.tmux, "new_session", escaping)
    with pytest.raises(Invalid, match="this tmux keeps the name"):
        await tabs.create_tab(name="$HOME")
    assert await tabs.list_tabs() == []


@pytest.mark.parametrize("name", ["a\nb", "a\tb", "\x1b[31m", "\x7f", "x" * 129])
async def test_a_name_that_tmux_cannot_keep_is_refused(tabs: Tabs, name: str) -> None:
    with pytest.raises(Invalid, match="a window name"):
        await tabs.create_tab(name=name)
    assert await tabs.list_tabs() == []


async def test_the_log_of_a_closed_tab_stays_readable(tabs: Tabs, tmp_path: Path) -> None:
    other = await tabs.create_tab(name="other")
    tab = await tabs.create_tab(name="closed")
    await tabs.execute_command(window_id=tab.id, command="echo kept in the log")
    await tabs.close_tab(window_id=tab.id)
    assert [row.id for row in await tabs.list_tabs()] == [other.id]
    await logged(await tabs.log(window_id=tab.id), b"kept in the log")
    again = Tabs(data_dir=tmp_path)
    await again.start()
    try:
        assert b"kept in the log" in (await again.log(window_id=tab.id)).tail(100).content
    finally:
        await again.stop()
    with pytest.raises(NotFound):
        await tabs.close_tab(window_id=tab.id)
    with pytest.raises(NotFound):
        await tabs.log(window_id="@999")


async def test_the_log_of_a_tab_whose_shell_ended_stays_readable(tabs: Tabs) -> None:
    await tabs.create_tab(name="other")
    tab = await tabs.create_tab(name="ending")
    await tabs.start_process(window_id=tab.id, command="echo last words; exit")

    async def ended() -> bool:
        return tab.id not in [row.id for row in await tabs.list_tabs()]

    await eventually(ended)
    await logged(await tabs.log(window_id=tab.id), b"last words")
