"""The recorder on a real tmux: what windows show, what is submitted, and what is not recorded."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from agents import chat
from agents.models import ChatRecord, Role
from agents.recording import record_chat
from terminals import panes, selectors
from terminals.db import in_db
from terminals.runtime import Runtime
from terminals.tmux.driver import Tmux, Typed
from terminals.tmux.foreground import Echo, echo_of
from tests.conftest import RunTmux
from tests.terminals.tmux.waiting import eventually, start_again

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
async def recorded(runtime: Runtime) -> AsyncIterator[Tmux]:
    stop = asyncio.Event()
    task = asyncio.create_task(record_chat(runtime, stop=stop))
    await eventually(lambda: _is_observed(runtime.main))
    yield runtime.main
    stop.set()
    await asyncio.wait_for(task, 10)
    assert runtime.main.observers == []


async def _is_observed(tmux: Tmux) -> bool:
    return bool(tmux.observers)


async def rows(role: Role | None = None) -> list[ChatRecord]:
    """Of the windows that a test opens itself."""
    found = ChatRecord.objects.exclude(window__tmux_id="@0").order_by("window", "ts")
    return await in_db(lambda: list(found.filter(role=role) if role else found))()


async def sent() -> list[str]:
    return [row.text for row in await rows(Role.USER)]


async def until_shown(text: str) -> ChatRecord:
    """The first picture that ends so."""

    async def look() -> ChatRecord | None:
        shown = await rows(Role.ASSISTANT)
        return next((row for row in shown if row.text.endswith(text)), None)

    found = await eventually(look)
    assert found is not None
    return found


async def started(tmux: Tmux, command: str) -> str:
    made = await tmux.new_window("$0", command=command)
    return made.pane_id


async def editing(tmux: Tmux, pane: str) -> None:
    tty = (await tmux.pane(pane)).tty

    async def look() -> bool:
        return echo_of(tty) is Echo.PROGRAM

    await eventually(look)


async def test_a_quiet_window_is_not_recorded_and_a_printing_one_is_once(recorded: Tmux) -> None:
    pane = await started(recorded, "echo hello; exec cat")
    row = await until_shown("hello")
    assert (row.pane, row.runtime, row.full) == (pane, "", False)
    await recorded.type(pane, b"x")
    await until_shown("x")
    assert [one.text for one in await rows()] == ["hello", "hello\nx"]


async def test_what_has_scrolled_by_is_recorded_with_the_screen(recorded: Tmux) -> None:
    await started(recorded, "seq 1 500; exec cat")
    row = await until_shown("\n500")
    assert row.text.split("\n") == [str(number) for number in range(1, 501)]


async def test_a_full_history_is_recorded_without_repeating_it(recorded: Tmux) -> None:
    await recorded.set_option("history-limit", "100", "-g")
    pane = await started(recorded, "seq 1 400; exec cat")
    await until_shown("\n400")
    await recorded.type(pane, b"after\n")
    row = await until_shown("after\nafter")
    assert len(row.text.split("\n")) < 60


async def test_a_full_screen_program_leaves_its_last_settled_screen(recorded: Tmux) -> None:
    script = (
        "printf '\\033[?1049h'; for i in 1 2 3; do printf '\\033[2J\\033[Hscreen %s' $i;"
        " sleep 1.2; done; exec cat"
    )
    await started(recorded, script)
    await until_shown("screen 3")
    [row] = await rows()
    assert (row.text, row.full) == ("screen 3", True)


async def test_keys_of_a_full_screen_program_are_no_lines(recorded: Tmux) -> None:
    pane = await started(recorded, "exec vim -u NONE -i NONE")
    await eventually(lambda: _alternate(recorded, pane))
    await recorded.type(pane, b"ihello there\rmore\x1b:q!\r")
    await eventually(lambda: _gone(recorded, pane))
    assert await sent() == []


async def _alternate(tmux: Tmux, pane: str) -> bool:
    return (await tmux.pane(pane)).alternate


async def _gone(tmux: Tmux, pane: str) -> bool:
    return pane not in {row.id for row in await tmux.panes()}


async def test_a_password_at_the_far_end_of_a_raw_terminal_is_not_recorded(
    recorded: Tmux, tmp_path: Path
) -> None:
    """As through ssh: here nothing tells that the other side does not echo, but the screen."""
    script = tmp_path / "far.py"
    script.write_text(
        "import sys, tty\ntty.setraw(0)\nprint('password: ', end='', flush=True)\n"
        "while sys.stdin.read(1) != '\\r':\n    pass\n"
        "print('\\r\\nthanks', flush=True)\nsys.stdin.read(9)\n"
    )
    pane = await started(recorded, f"exec python3 {script}")
    await until_shown("password:")
    await recorded.type(pane, b"correct horse")
    await recorded.press(pane, "Enter")
    await until_shown("thanks")
    stop = asyncio.get_running_loop().time() + 2.5  # longer than a line is looked for
    while asyncio.get_running_loop().time() < stop:
        assert await sent() == []
        await asyncio.sleep(0.1)
    assert not any("correct" in row.text for row in await rows())


async def test_a_completed_line_is_read_from_the_screen(recorded: Tmux) -> None:
    pane = await started(recorded, "cd /; exec bash --norc --noprofile")
    await editing(recorded, pane)
    await recorded.type(pane, b"ls -d /us")
    await recorded.press(pane, "Tab")
    await eventually(lambda: _shows(recorded, pane, b"ls -d /usr/"))
    await asyncio.sleep(0.15)  # a person is no faster
    await recorded.press(pane, "Enter")

    async def look() -> bool:
        return await sent() == ["ls -d /usr/"]

    await eventually(look)


async def _shows(tmux: Tmux, pane: str, text: bytes) -> bool:
    return text in await tmux.capture(pane)


async def test_enter_alone_submits_what_a_person_typed_at_their_own_terminal(
    recorded: Tmux,
) -> None:
    pane = await started(recorded, "PS1='me@host:~$ ' exec bash --norc --noprofile")
    await editing(recorded, pane)
    await recorded.link.run(("send-keys", "-t", pane, "-l", "echo by hand"))  # past our doors
    await eventually(lambda: _shows(recorded, pane, b"echo by hand"))
    await panes.submit(tmux=recorded, pane=pane)

    async def look() -> bool:
        return await sent() == ["echo by hand"]

    await eventually(look)


async def test_a_bounded_execution_is_recorded_as_its_command(
    runtime: Runtime, recorded: Tmux
) -> None:
    pane = await started(recorded, "exec bash --norc --noprofile")
    await editing(recorded, pane)
    done = await runtime.executor.execute(pane, "echo from outside")
    assert done.output == b"from outside\n"
    window = await selectors.get_window(tmux=recorded, window=(await recorded.pane(pane)).window_id)

    async def look() -> bool:
        told = await in_db(chat.read_messages)(window=window, limit=50)
        said = [(one.role, one.text) for one in told.messages]
        return said == [("user", "echo from outside"), ("assistant", "from outside")]

    await eventually(look)


async def test_a_listener_that_fails_keeps_no_key_from_arriving(
    tmux: Tmux, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(typed: Typed) -> None:
        raise RuntimeError("broken")

    tmux.observers.append(fail)
    pane = (await tmux.panes())[0].id
    await tmux.type(pane, b"echo a-secret-word")
    await eventually(lambda: _shows(tmux, pane, b"a-secret-word"))
    assert "observer" in caplog.text
    assert "secret" not in caplog.text


async def test_a_tmux_that_is_restarted_is_recorded_anew(recorded: Tmux, run_tmux: RunTmux) -> None:
    """Its ids are given out again, for other panes."""
    run_tmux("kill-server")
    await eventually(lambda: _is_away(recorded))
    await eventually(lambda: start_again(run_tmux, "exec cat"))
    await eventually(lambda: _is_back(recorded))
    await panes.send_text(tmux=recorded, pane="%0", text="in another life", submit=True)

    async def look() -> bool:
        found = ChatRecord.objects.filter(role=Role.USER)
        return [row.text for row in await in_db(lambda: list(found))()] == ["in another life"]

    await eventually(look)


async def _is_away(tmux: Tmux) -> bool:
    return bool(tmux.problem)


async def _is_back(tmux: Tmux) -> bool:
    return not tmux.problem
