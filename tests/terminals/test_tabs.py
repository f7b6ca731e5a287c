"""Managed tabs on a server of our own."""

import asyncio
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from terminals.ansi import strip
from terminals.errors import Invalid, NotFound, Refused
from terminals.tabs import Tabs, tabs_socket
from terminals.tmux.logs import Log
from terminals.tmux.sockets import tmux_directory
from tests.terminals.tmux.waiting import eventually


@pytest.fixture
async def tabs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Tabs]:
    monkeypatch.setenv("SHELL", "/bin/bash")
    monkeypatch.setenv("HOME", str(tmp_path))  # no rc files but ours
    held = Tabs(data_dir=tmp_path)
    await held.start()
    yield held
    await held.stop()
    subprocess.run(["tmux", "-S", str(held.tmux.link.path), "kill-server"], capture_output=True)


async def logged(log: Log, text: bytes) -> None:
    async def there() -> bool:
        return text in log.tail(1000).content

    await eventually(there)


async def test_tabs_are_made_at_once_with_ids_of_their_own(tabs: Tabs) -> None:
    assert await tabs.list_tabs() == []
    made = await asyncio.gather(*(tabs.create_tab(name=f"tab {n}") for n in range(6)))
    assert len({tab.id for tab in made}) == 6
    listed = await tabs.list_tabs()
    assert sorted(tab.name for tab in listed) == [f"tab {n}" for n in range(6)]
    assert [tab.active for tab in listed].count(True) == 1


async def test_a_tab_has_its_directory_environment_and_shell(tabs: Tabs, tmp_path: Path) -> None:
    tab = await tabs.create_tab(cwd=str(tmp_path), env={"COLOUR": "blue; #(x) 'y'"})
    told = await tabs.execute_command(window_id=tab.id, command='pwd; echo "$COLOUR"; echo $SHELL')
    assert told.output.decode() == f"{tmp_path}\nblue; #(x) 'y'\n/bin/bash\n"


async def test_a_login_shell_is_one(tabs: Tabs) -> None:
    tab = await tabs.create_tab(login=True)
    told = await tabs.execute_command(window_id=tab.id, command="shopt -q login_shell && echo yes")
    assert told.output == b"yes\n"
    plain = await tabs.create_tab()
    assert (
        await tabs.execute_command(window_id=plain.id, command="shopt -q login_shell")
    ).exit_code


async def test_nothing_of_our_own_settings_reaches_a_tab(
    tabs: Tabs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEBTMUX_AUTH_TOKEN", "secret")
    tab = await tabs.create_tab()
    told = await tabs.execute_command(window_id=tab.id, command="env | grep -c WEBTMUX_")
    assert told.output == b"0\n"


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


async def test_an_idle_tab_has_nothing_to_terminate(tabs: Tabs) -> None:
    tab = await tabs.create_tab()
    with pytest.raises(Refused):
        await tabs.stop_process(window_id=tab.id, with_signal="SIGTERM")
    with pytest.raises(Invalid):
        await tabs.stop_process(window_id=tab.id, with_signal="SIGKILL")


async def test_tabs_and_logs_outlive_us(tabs: Tabs, tmp_path: Path) -> None:
    tab = await tabs.create_tab(name="kept")
    await tabs.execute_command(window_id=tab.id, command="X=remembered")
    await tabs.stop()
    again = Tabs(data_dir=tmp_path)
    await again.start()
    try:
        assert [(row.id, row.name) for row in await again.list_tabs()] == [(tab.id, "kept")]
        told = await again.execute_command(window_id=tab.id, command="echo $X")
        assert told.output == b"remembered\n"
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


async def test_the_history_limit_is_bounded_and_applied(tabs: Tabs) -> None:
    await tabs.set_history_limit(limit=1234)
    assert await tabs.tmux.show_option("history-limit", "-g") == "1234"
    for limit in (0, 10**9):
        with pytest.raises(Invalid):
            await tabs.set_history_limit(limit=limit)


async def test_bad_input_is_refused_with_a_reason(tabs: Tabs) -> None:
    with pytest.raises(Invalid, match="not a directory"):
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

    async def away() -> bool:
        return bool(tabs.tmux.problem)

    await eventually(away)
    assert await tabs.list_tabs() == []


def test_the_socket_lies_in_the_data_directory(tmp_path: Path) -> None:
    path = tabs_socket(tmp_path)
    assert path == tmp_path / "run" / "tabs"
    assert path.parent.stat().st_mode & 0o777 == 0o700


def test_the_socket_lies_beside_tmuxs_own_where_the_data_directory_will_not_do(
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
