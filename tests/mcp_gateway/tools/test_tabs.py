"""terminally-mcp's tools: every parameter, every field of their results, every error."""

import asyncio
import subprocess
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from mcp_gateway.registry import ToolSet
from mcp_gateway.tools import tabs as door
from mcp_gateway.tools.tabs import (
    create_tab,
    execute_command,
    list_tabs,
    read_logs_from_tab,
    set_history_limit,
    start_process,
    stop_process,
    stream_logs_from_tab,
)
from terminals.errors import Invalid, NotFound, Refused
from terminals.runtime import Runtime
from terminals.schemas import TEXT_LIMIT
from tests.terminals.tmux.waiting import eventually


@pytest.fixture(autouse=True)
async def held(
    socket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Runtime]:
    """A runtime whose tabs run a bash without rc files; no tmux of the person's is there."""
    monkeypatch.setenv("SHELL", "/bin/bash")
    monkeypatch.setenv("HOME", str(tmp_path))
    held = Runtime(socket=socket, data_dir=tmp_path)
    await held.start()
    yield held
    await held.stop()
    subprocess.run(
        ["tmux", "-S", str(held.tabs.tmux.link.path), "kill-server"], capture_output=True
    )


async def logged(window: str, text: str) -> None:
    async def there() -> bool:
        return text in (await read_logs_from_tab(window, lines=5000)).content

    await eventually(there)


def test_the_tools_are_the_documents() -> None:
    reads = {tool.name for tool in door.TOOLS if tool.is_read_only}
    assert reads == {"list_tabs", "read_logs_from_tab", "stream_logs_from_tab"}
    assert {tool.name for tool in door.TOOLS} - reads == {
        "create_tab", "execute_command", "start_process", "stop_process", "set_history_limit",
    }  # fmt: skip
    assert {tool.toolset for tool in door.TOOLS} == {ToolSet.TABS}


def test_results_have_the_documents_fields() -> None:
    assert {model: set(model.model_fields) for model in door.Result.__subclasses__()} == {
        door.NewTab: {"window_id", "name"},
        door.Tab: {"window_id", "name", "active"},
        door.TabList: {"tabs"},
        door.LogTail: {"content", "returned_lines", "truncated"},
        door.LogChunk: {"chunk", "next_byte", "eof", "truncated"},
        door.Executed: {"output", "exit_code", "timed_out", "truncated"},
        door.Started: {"started"},
        door.Success: {"success"},
    }


# --- tabs -------------------------------------------------------------------------------------


async def test_tabs_are_made_and_listed() -> None:
    assert (await list_tabs()).tabs == []
    first = await create_tab(name="two words")
    second = await create_tab()
    assert first.name == "two words"
    assert first.window_id.startswith("@")
    assert second.name != ""
    listed = (await list_tabs()).tabs
    assert [(tab.window_id, tab.name, tab.active) for tab in listed] == [
        (first.window_id, "two words", False),
        (second.window_id, listed[1].name, True),
    ]


async def test_many_tabs_at_once_have_ids_of_their_own() -> None:
    made = await asyncio.gather(*(create_tab(name=f"tab {number}") for number in range(5)))
    assert len({tab.window_id for tab in made}) == 5
    assert {tab.name for tab in (await list_tabs()).tabs} == {tab.name for tab in made}


async def test_a_tab_has_its_directory_and_environment(tmp_path: Path) -> None:
    tab = await create_tab(cwd=str(tmp_path), env={"COLOUR": "dark blue"}, login=True)
    told = await execute_command(
        tab.window_id, 'pwd; echo "$COLOUR $SHELL"; shopt -q login_shell && echo login'
    )
    assert told.output == f"{tmp_path}\ndark blue /bin/bash\nlogin\n"
    plain = await create_tab(login=False)
    assert (await execute_command(plain.window_id, "shopt -q login_shell")).exit_code == 1


async def test_what_cannot_be_a_tab_is_refused() -> None:
    with pytest.raises(Invalid, match="is not a directory"):
        await create_tab(cwd="/no/such/place")
    with pytest.raises(Invalid, match="cannot be an environment variable"):
        await create_tab(env={"A B": "c"})


async def test_the_history_limit_is_set_for_new_tabs(held: Runtime) -> None:
    assert (await set_history_limit(1234)).success is True
    await create_tab()
    assert await held.tabs.tmux.show_option("history-limit", "-g") == "1234"
    with pytest.raises(Invalid, match="100 to 1000000"):
        await set_history_limit(1)


@pytest.mark.parametrize(
    "call",
    [
        lambda window: read_logs_from_tab(window),
        lambda window: stream_logs_from_tab(window),
        lambda window: execute_command(window, "true"),
        lambda window: start_process(window, "true"),
        lambda window: stop_process(window),
    ],
)
async def test_a_tab_that_is_not_there_is_told(
    call: Callable[[str], Awaitable[object]],
) -> None:
    with pytest.raises(NotFound, match="can't find window: @99"):
        await call("@99")
    with pytest.raises(Invalid, match="is not a window id such as @1; see list_tabs"):
        await call("mine")


# --- execute_command --------------------------------------------------------------------------


async def test_exactly_the_output_comes_back_with_the_exit_code() -> None:
    tab = (await create_tab()).window_id
    told = await execute_command(tab, "echo out; echo error >&2; (exit 7)")
    assert told == door.Executed(
        output="out\nerror\n", exit_code=7, timed_out=False, truncated=False
    )


async def test_colours_are_stripped_on_request() -> None:
    tab = (await create_tab()).window_id
    red = "printf '\\033[31mred\\033[0m\\n'"
    assert (await execute_command(tab, red)).output == "\x1b[31mred\x1b[0m\n"
    assert (await execute_command(tab, red, strip_ansi=True)).output == "red\n"


async def test_a_command_that_takes_too_long_is_interrupted() -> None:
    tab = (await create_tab()).window_id
    await execute_command(tab, "true")
    began = time.monotonic()
    told = await execute_command(tab, "echo before; sleep 60; echo after", timeout_ms=500)
    assert (told.output, told.timed_out) == ("before\n", True)
    assert 0.5 <= time.monotonic() - began < 4
    assert (await execute_command(tab, "echo usable")).output == "usable\n"


async def test_commands_in_one_tab_wait_for_each_other() -> None:
    tab = (await create_tab()).window_id
    told = await asyncio.gather(
        *(execute_command(tab, f"echo {n}; sleep 0.05; echo {n}") for n in range(4))
    )
    assert [one.output for one in told] == [f"{n}\n{n}\n" for n in range(4)]


@pytest.mark.parametrize("limit", [0, -5])
async def test_a_time_limit_is_required(limit: int) -> None:
    with pytest.raises(Invalid, match="timeout_ms must be more than 0"):
        await execute_command("@1", "true", timeout_ms=limit)


async def test_a_command_too_long_is_refused() -> None:
    for call in (execute_command, start_process):
        with pytest.raises(Invalid, match="at most 1000000 characters"):
            await call("@1", "x" * (TEXT_LIMIT + 1))


async def test_long_output_is_cut_and_the_log_has_the_rest() -> None:
    tab = (await create_tab()).window_id
    told = await execute_command(tab, "seq 100000")
    assert told.truncated
    assert "\n99999\n100000\n(cut: the last 200000 of 588895 characters; " in told.output
    assert told.output.endswith("stream_logs_from_tab reads all of it)")


# --- processes --------------------------------------------------------------------------------


@pytest.mark.parametrize("signal", ["SIGINT", "SIGTERM"])
async def test_a_process_is_started_and_stopped_again_and_again(signal: str) -> None:
    tab = (await create_tab()).window_id
    loop = "trap 'echo stop''ped {0}; exit' INT TERM; while :; do echo round {0}; sleep 0.05; done"
    for number in range(3):
        await execute_command(tab, "true")  # at its prompt
        assert (await start_process(tab, f'bash -c "{loop.format(number)}"')).started is True
        await logged(tab, f"round {number}\r\nround {number}\r\n")
        assert (await stop_process(tab, signal=signal)).success is True
        await logged(tab, f"stopped {number}\r\n")


async def test_a_command_without_a_newline_waits_for_enter() -> None:
    tab = (await create_tab()).window_id
    await execute_command(tab, "true")
    await start_process(tab, "echo ty''ped", append_newline=False)
    await logged(tab, "ty''ped")
    assert "typed\r\n" not in (await read_logs_from_tab(tab)).content
    await start_process(tab, "")
    await logged(tab, "typed\r\n")


async def test_what_cannot_be_stopped_is_told() -> None:
    tab = (await create_tab()).window_id
    await execute_command(tab, "true")
    with pytest.raises(Refused, match="there is nothing to stop"):
        await stop_process(tab, signal="SIGTERM")
    with pytest.raises(Invalid, match="signal must be SIGINT or SIGTERM"):
        await stop_process(tab, signal="SIGKILL")


# --- logs -------------------------------------------------------------------------------------


async def numbers(count: int) -> str:
    """A tab that has printed the numbers up to `count`, and prints no prompt after them."""
    tab = (await create_tab()).window_id
    await execute_command(tab, "PS1=; PS2=")
    await start_process(tab, f"seq {count}; echo en''d; exec sleep 100")
    await logged(tab, "end\r\n")
    return tab


@pytest.mark.parametrize("lines", [1, 200, 1000])
async def test_exactly_the_last_lines_are_read(lines: int) -> None:
    tab = await numbers(3000)
    told = await read_logs_from_tab(tab, lines=lines)
    assert told.content.split() == [*map(str, range(1, 3001)), "end"][-lines:]
    assert (told.returned_lines, told.truncated) == (lines, True)
    whole = await read_logs_from_tab(tab, lines=10_000)
    assert whole.truncated is False
    assert whole.returned_lines == whole.content.count("\n")


async def test_five_hundred_lines_are_read_unless_told_otherwise() -> None:
    tab = await numbers(1000)
    assert (await read_logs_from_tab(tab)).returned_lines == 500
    for lines in (0, 100_001):
        with pytest.raises(Invalid, match="lines is 1 to 100000"):
            await read_logs_from_tab(tab, lines=lines)


async def test_a_log_is_read_with_or_without_its_colours() -> None:
    tab = (await create_tab()).window_id
    await execute_command(tab, "printf '\\033[31mred\\033[0m\\n'")
    await logged(tab, "\x1b[31mred\x1b[0m\r\n")
    for told in (
        (await read_logs_from_tab(tab, strip_ansi=True)).content,
        (await stream_logs_from_tab(tab, strip_ansi=True)).chunk,
    ):
        assert "red\n" in told
        assert "\x1b" not in told
    assert "\x1b[31mred" in (await stream_logs_from_tab(tab)).chunk


async def test_a_long_log_is_cut_at_its_old_end() -> None:
    tab = await numbers(60_000)
    told = await read_logs_from_tab(tab, lines=60_000)
    assert told.truncated
    assert "\n60000\r\nend\n(cut: the last 200000 of " in told.content
    assert told.returned_lines == told.content.count("\n")


@pytest.mark.parametrize("strip_ansi", [False, True])
@pytest.mark.parametrize("size", [7, 64, 4096])
async def test_a_log_is_streamed_without_a_gap(size: int, strip_ansi: bool) -> None:
    tab = (await create_tab()).window_id
    await execute_command(
        tab, "printf '\\033[31mStraße 漢字 😀\\033[0m\\n%.0s' 1 2 3 4 5; echo end"
    )
    await logged(tab, "end\r\n")
    whole = await stream_logs_from_tab(tab, max_bytes=1_000_000, strip_ansi=strip_ansi)
    told, at = "", 0
    for _ in range(2000):
        piece = await stream_logs_from_tab(tab, from_byte=at, max_bytes=size, strip_ansi=strip_ansi)
        told, at = told + piece.chunk, piece.next_byte
        if piece.eof:
            break
    assert "\ufffd" not in told
    assert at == whole.next_byte
    if not strip_ansi or size > 64:
        assert told == whole.chunk
    back = await stream_logs_from_tab(tab, from_byte=0, max_bytes=size, strip_ansi=strip_ansi)
    assert whole.chunk.startswith(back.chunk)


async def test_a_log_is_read_on_after_a_restart(held: Runtime, tmp_path: Path) -> None:
    tab = (await create_tab()).window_id
    await execute_command(tab, "seq 100")
    await logged(tab, "\n100\r\n")
    before = await stream_logs_from_tab(tab)
    assert before.eof
    await held.stop()
    again = Runtime(socket=str(held.main.link.path), data_dir=tmp_path)
    await again.start()
    try:
        await execute_command(tab, "echo af''ter")
        await logged(tab, "after\r\n")
        rest = await stream_logs_from_tab(tab, from_byte=before.next_byte)
        assert "after\r\n" in rest.chunk
        assert "100\r\n" not in rest.chunk
    finally:
        await again.stop()


@pytest.mark.parametrize("asked", [{"from_byte": -1}, {"max_bytes": 0}, {"max_bytes": 10**9}])
async def test_a_stretch_of_a_log_is_bounded(asked: dict[str, int]) -> None:
    tab = (await create_tab()).window_id
    with pytest.raises(Invalid, match="read from 0 or later, and 1 to"):
        await stream_logs_from_tab(tab, **asked)  # type: ignore[arg-type]
