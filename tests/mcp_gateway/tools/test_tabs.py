"""terminally-mcp's tools: every parameter, every field of their results, every error."""

import asyncio
import subprocess
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from core.errors import Invalid, NotFound, Refused
from core.wire import TEXT_LIMIT
from mcp_gateway.registry import ToolSet
from mcp_gateway.tools import tabs as door
from mcp_gateway.tools.tabs import (
    close_tab,
    create_tab,
    execute_command,
    list_tabs,
    read_logs_from_tab,
    set_history_limit,
    start_process,
    stop_process,
    stream_logs_from_tab,
)
from terminals.runtime import Runtime
from tests.waiting import eventually


@pytest.fixture(autouse=True)
async def runtime(
    socket: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Runtime]:
    """A runtime whose tabs run a bash without rc files; the user has no tmux."""
    monkeypatch.setenv("SHELL", "/bin/bash")
    monkeypatch.setenv("HOME", str(tmp_path))
    runtime = Runtime(socket=socket, data_dir=tmp_path)
    await runtime.start()
    yield runtime
    await runtime.stop()
    subprocess.run(
        ["tmux", "-S", str(runtime.tabs.tmux.monitor.path), "kill-server"], capture_output=True
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
        "close_tab",
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


async def test_tabs_are_created_and_listed() -> None:
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


async def test_concurrently_created_tabs_have_different_ids() -> None:
    created = await asyncio.gather(*(create_tab(name=f"tab {number}") for number in range(5)))
    assert len({tab.window_id for tab in created}) == 5
    assert {tab.name for tab in (await list_tabs()).tabs} == {tab.name for tab in created}


async def test_a_tab_has_its_directory_and_environment(tmp_path: Path) -> None:
    tab = await create_tab(cwd=str(tmp_path), env={"COLOUR": "dark blue"}, login=True)
    response = await execute_command(
        tab.window_id, 'pwd; echo "$COLOUR $SHELL"; shopt -q login_shell && echo login'
    )
    assert response.output == f"{tmp_path}\ndark blue /bin/bash\nlogin\n"
    plain = await create_tab(login=False)
    assert (await execute_command(plain.window_id, "shopt -q login_shell")).exit_code == 1


async def test_an_invalid_tab_is_refused() -> None:
    with pytest.raises(Invalid, match="there is no directory"):
        await create_tab(cwd="/no/such/place")
    with pytest.raises(Invalid, match="cannot be an environment variable"):
        await create_tab(env={"A B": "c"})


async def test_the_history_limit_is_set_for_new_tabs(runtime: Runtime) -> None:
    assert (await set_history_limit(1234)).success is True
    await create_tab()
    assert await runtime.tabs.tmux.show_option("history-limit") == "1234"
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
async def test_an_unknown_tab_is_reported(
    call: Callable[[str], Awaitable[object]],
) -> None:
    with pytest.raises(NotFound, match="can't find window: @99"):
        await call("@99")
    with pytest.raises(Invalid, match="is not a window id such as @1; see list_tabs"):
        await call("mine")


# --- execute_command --------------------------------------------------------------------------


async def test_exactly_the_output_is_returned_with_the_exit_code() -> None:
    tab = (await create_tab()).window_id
    response = await execute_command(tab, "echo out; echo error >&2; (exit 7)")
    assert response == door.Executed(
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
    response = await execute_command(tab, "echo before; sleep 60; echo after", timeout_ms=500)
    assert (response.output, response.timed_out) == ("before\n", True)
    assert 0.5 <= time.monotonic() - began < 4
    assert (await execute_command(tab, "echo usable")).output == "usable\n"


async def test_commands_in_one_tab_wait_for_each_other() -> None:
    tab = (await create_tab()).window_id
    response = await asyncio.gather(
        *(execute_command(tab, f"echo {n}; sleep 0.05; echo {n}") for n in range(4))
    )
    assert [item.output for item in response] == [f"{n}\n{n}\n" for n in range(4)]


@pytest.mark.parametrize("limit", [0, -5])
async def test_a_time_limit_is_required(limit: int) -> None:
    with pytest.raises(Invalid, match="timeout_ms must be more than 0"):
        await execute_command("@1", "true", timeout_ms=limit)


async def test_a_command_too_long_is_refused() -> None:
    for call in (execute_command, start_process):
        with pytest.raises(Invalid, match="at most 1000000 characters"):
            await call("@1", "x" * (TEXT_LIMIT + 1))


async def test_long_output_is_truncated_and_the_log_has_the_rest() -> None:
    tab = (await create_tab()).window_id
    response = await execute_command(tab, "seq 100000")
    assert response.truncated
    assert "\n99999\n100000\n(cut: the last 200000 of 588895 characters; " in response.output
    assert response.output.endswith("stream_logs_from_tab reads all of it)")


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


async def test_a_process_that_cannot_be_stopped_is_reported() -> None:
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
    response = await read_logs_from_tab(tab, lines=lines)
    assert response.content.split() == [*map(str, range(1, 3001)), "end"][-lines:]
    assert (response.returned_lines, response.truncated) == (lines, True)
    whole = await read_logs_from_tab(tab, lines=10_000)
    assert whole.truncated is False
    assert whole.returned_lines == whole.content.count("\n")


async def test_five_hundred_lines_are_read_by_default() -> None:
    tab = await numbers(1000)
    assert (await read_logs_from_tab(tab)).returned_lines == 500
    for lines in (0, 100_001):
        with pytest.raises(Invalid, match="lines is 1 to 100000"):
            await read_logs_from_tab(tab, lines=lines)


async def test_a_log_is_read_with_or_without_its_colours() -> None:
    tab = (await create_tab()).window_id
    await execute_command(tab, "printf '\\033[31mred\\033[0m\\n'")
    await logged(tab, "\x1b[31mred\x1b[0m\r\n")
    for response in (
        (await read_logs_from_tab(tab, strip_ansi=True)).content,
        (await stream_logs_from_tab(tab, strip_ansi=True)).chunk,
    ):
        assert "red\n" in response
        assert "\x1b" not in response
    assert "\x1b[31mred" in (await stream_logs_from_tab(tab)).chunk


async def test_the_oldest_part_of_a_long_log_is_dropped() -> None:
    tab = await numbers(60_000)
    response = await read_logs_from_tab(tab, lines=60_000)
    assert response.truncated
    assert "\n60000\r\nend\n(cut: the last 200000 of " in response.content
    assert response.returned_lines == response.content.count("\n")


@pytest.mark.parametrize("strip_ansi", [False, True])
@pytest.mark.parametrize("size", [7, 64, 4096])
async def test_a_log_is_streamed_without_a_gap(size: int, strip_ansi: bool) -> None:
    tab = (await create_tab()).window_id
    await execute_command(
        tab, "printf '\\033[31mStraße 漢字 😀\\033[0m\\n%.0s' 1 2 3 4 5; echo end"
    )
    await logged(tab, "end\r\n")
    whole = await stream_logs_from_tab(tab, max_bytes=1_000_000, strip_ansi=strip_ansi)
    response, position = "", 0
    for _ in range(2000):
        piece = await stream_logs_from_tab(
            tab, from_byte=position, max_bytes=size, strip_ansi=strip_ansi
        )
        response, position = response + piece.chunk, piece.next_byte
        if piece.eof:
            break
    assert "\ufffd" not in response
    assert position == whole.next_byte
    if not strip_ansi or size > 64:
        assert response == whole.chunk
    back = await stream_logs_from_tab(tab, from_byte=0, max_bytes=size, strip_ansi=strip_ansi)
    assert whole.chunk.startswith(back.chunk)


async def test_a_log_is_continued_after_a_restart(runtime: Runtime, tmp_path: Path) -> None:
    tab = (await create_tab()).window_id
    await execute_command(tab, "seq 100")
    await logged(tab, "\n100\r\n")
    before = await stream_logs_from_tab(tab)
    assert before.eof
    await runtime.stop()
    again = Runtime(socket=str(runtime.main.monitor.path), data_dir=tmp_path)
    await again.start()
    try:
        await execute_command(tab, "echo af''ter")
        await logged(tab, "after\r\n")
        rest = await stream_logs_from_tab(tab, from_byte=before.next_byte)
        assert "after\r\n" in rest.chunk
        assert "100\r\n" not in rest.chunk
    finally:
        await again.stop()


@pytest.mark.parametrize("arguments", [{"from_byte": -1}, {"max_bytes": 0}, {"max_bytes": 10**9}])
async def test_a_range_of_a_log_is_limited(arguments: dict[str, int]) -> None:
    tab = (await create_tab()).window_id
    with pytest.raises(Invalid, match="read from 0 or later, and 1 to"):
        await stream_logs_from_tab(tab, **arguments)  # type: ignore[arg-type]


async def test_a_closed_tab_is_removed_and_its_log_is_kept() -> None:
    kept, closed = await create_tab(name="kept"), await create_tab(name="cost in $USD")
    assert closed.name == "cost in $USD"
    await execute_command(closed.window_id, "echo spent")
    assert (await close_tab(closed.window_id)).success
    assert [tab.window_id for tab in (await list_tabs()).tabs] == [kept.window_id]
    await logged(closed.window_id, "spent")
    assert "spent" in (await stream_logs_from_tab(closed.window_id, max_bytes=4096)).chunk
    for call in (close_tab(closed.window_id), execute_command(closed.window_id, "true")):
        with pytest.raises(NotFound):
            await call


async def test_the_last_tab_can_be_closed() -> None:
    tab = await create_tab()
    await execute_command(tab.window_id, "echo the last one")
    await close_tab(tab.window_id)
    assert (await list_tabs()).tabs == []
    await logged(tab.window_id, "the last one")
    with pytest.raises(NotFound):
        await close_tab(tab.window_id)
