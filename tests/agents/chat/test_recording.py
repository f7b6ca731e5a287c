"""The recorders on a real tmux: screens, submitted lines, and what must not be recorded."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from agents.chat import input_recorder
from agents.chat import selectors as chat
from agents.chat.worker import record_chat
from agents.models import ChatRecord, Role
from core.database import in_db
from terminals.runtime import Runtime
from terminals.services import get_window
from terminals.tmux.driver import Tmux, Typed
from terminals.tmux.foreground import Echo, echo_of
from terminals.windows import panes
from tests.conftest import RunTmux
from tests.terminals.tmux.restarting import end_server, start_server
from tests.waiting import LONGEST_SECONDS, eventually, remains

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
async def recorded(runtime: Runtime) -> AsyncIterator[Tmux]:
    stop = asyncio.Event()
    task = asyncio.create_task(record_chat(runtime, stop=stop))
    await eventually(lambda: _is_observed(runtime.main))
    yield runtime.main
    stop.set()
    await asyncio.wait_for(task, LONGEST_SECONDS)
    assert runtime.main.observers == []


async def _is_observed(tmux: Tmux) -> bool:
    return bool(tmux.observers)


async def rows(role: Role | None = None) -> list[ChatRecord]:
    """Records of windows that the test has opened."""
    records = ChatRecord.objects.exclude(window__tmux_id="@0").order_by("window", "ts")
    return await in_db(lambda: list(records.filter(role=role) if role else records))()


async def sent() -> list[str]:
    return [row.text for row in await rows(Role.USER)]


async def _sent_are(lines: list[str]) -> bool:
    return await sent() == lines


async def until_shown(text: str) -> ChatRecord:
    """The first recorded screen that ends with `text`."""

    async def matching() -> ChatRecord | None:
        shown = await rows(Role.ASSISTANT)
        return next((row for row in shown if row.text.endswith(text)), None)

    record = await eventually(matching)
    assert record is not None
    return record


async def start(tmux: Tmux, command: str) -> str:
    window = await tmux.new_window("$0", command=command)
    return window.pane_id


async def until_editing(tmux: Tmux, pane: str) -> None:
    tty = (await tmux.pane(pane)).tty

    await eventually(lambda: echo_of(tty) is Echo.PROGRAM)


async def test_a_window_is_recorded_once_for_each_output(recorded: Tmux) -> None:
    pane = await start(recorded, "echo hello; exec cat")
    row = await until_shown("hello")
    assert (row.pane, row.runtime, row.full) == (pane, "", False)
    await recorded.type(pane, b"x")
    await until_shown("x")
    assert [row.text for row in await rows()] == ["hello", "hello\nx"]


async def test_scrolled_lines_are_recorded_with_the_screen(recorded: Tmux) -> None:
    await start(recorded, "seq 1 500; exec cat")
    row = await until_shown("\n500")
    assert row.text.split("\n") == [str(number) for number in range(1, 501)]


async def test_a_full_history_is_not_recorded_again(recorded: Tmux) -> None:
    await recorded.set_option("history-limit", "100")
    pane = await start(recorded, "seq 1 400; exec cat")
    await until_shown("\n400")
    await recorded.type(pane, b"after\n")
    row = await until_shown("after\nafter")
    assert len(row.text.split("\n")) < 60


async def test_only_the_last_screen_of_a_full_screen_program_is_kept(recorded: Tmux) -> None:
    script = (
        "printf '\\033[?1049h'; for i in 1 2 3; do printf '\\033[2J\\033[Hscreen %s' $i;"
        " sleep 1.2; done; exec cat"
    )
    await start(recorded, script)
    await until_shown("screen 3")
    [row] = await rows()
    assert (row.text, row.full) == ("screen 3", True)


async def test_keys_for_a_full_screen_program_are_not_lines(recorded: Tmux) -> None:
    pane = await start(recorded, "exec vim -u NONE -i NONE")
    await eventually(lambda: _alternate(recorded, pane))
    await recorded.type(pane, b"ihello there\rmore\x1b:q!\r")
    await eventually(lambda: _gone(recorded, pane))
    assert await sent() == []


async def _alternate(tmux: Tmux, pane: str) -> bool:
    return (await tmux.pane(pane)).alternate


async def _gone(tmux: Tmux, pane: str) -> bool:
    return pane not in {row.id for row in await tmux.panes()}


async def test_a_password_typed_into_a_raw_terminal_is_not_recorded(
    recorded: Tmux, tmp_path: Path
) -> None:
    """As with ssh: only the screen shows that the other side does not echo."""
    script = tmp_path / "far.py"
    script.write_text(
        "import sys, tty\ntty.setraw(0)\nprint('password: ', end='', flush=True)\n"
        "while sys.stdin.read(1) != '\\r':\n    pass\n"
        "print('\\r\\nthanks', flush=True)\nsys.stdin.read(9)\n"
    )
    pane = await start(recorded, f"exec python3 {script}")
    await until_shown("password:")
    await recorded.type(pane, b"correct horse")
    await recorded.press(pane, "Enter")
    await until_shown("thanks")
    # Longer than the recorder searches the screen for a line.
    await remains(lambda: _sent_are([]), sum(input_recorder.ECHO_PAUSES) + 1)
    assert not any("correct" in row.text for row in await rows())


async def test_a_completed_line_is_read_from_the_screen(
    recorded: Tmux, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The test presses Enter after the completion is shown, however short that took.
    monkeypatch.setattr(input_recorder, "RACE_SECONDS", 0.0)
    pane = await start(recorded, "cd /; exec bash --norc --noprofile")
    await until_editing(recorded, pane)
    await recorded.type(pane, b"ls -d /us")
    await recorded.press(pane, "Tab")
    await eventually(lambda: _shows(recorded, pane, b"ls -d /usr/"))
    await recorded.press(pane, "Enter")

    await eventually(lambda: _sent_are(["ls -d /usr/"]))


async def _shows(tmux: Tmux, pane: str, text: bytes) -> bool:
    return text in await tmux.capture(pane)


async def test_enter_submits_text_typed_in_another_terminal(
    recorded: Tmux,
) -> None:
    pane = await start(recorded, "PS1='me@host:~$ ' exec bash --norc --noprofile")
    await until_editing(recorded, pane)
    await recorded.monitor.run(
        ("send-keys", "-t", pane, "-l", "echo by hand")
    )  # not through webtmux
    await eventually(lambda: _shows(recorded, pane, b"echo by hand"))
    await panes.submit(tmux=recorded, pane=pane)

    await eventually(lambda: _sent_are(["echo by hand"]))


async def test_a_bounded_execution_is_recorded_as_its_command(
    runtime: Runtime, recorded: Tmux
) -> None:
    pane = await start(recorded, "exec bash --norc --noprofile")
    await until_editing(recorded, pane)
    done = await runtime.executor.execute(pane, "echo from outside")
    assert done.output == b"from outside\n"
    window = await get_window(tmux=recorded, window=(await recorded.pane(pane)).window_id)

    async def is_recorded() -> bool:
        page = await in_db(chat.read_messages)(window=window, limit=50)
        messages = [(message.role, message.text) for message in page.messages]
        return messages == [("user", "echo from outside"), ("assistant", "from outside")]

    await eventually(is_recorded)


async def test_a_failing_observer_does_not_stop_keys(
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


async def test_a_restarted_tmux_is_recorded_again(recorded: Tmux, run_tmux: RunTmux) -> None:
    """The new server uses the same ids for other panes."""
    await end_server(run_tmux)
    await eventually(lambda: _is_away(recorded))
    start_server(run_tmux, "exec cat")
    await eventually(lambda: _is_back(recorded))
    await panes.send_text(tmux=recorded, pane="%0", text="after the restart", submit=True)

    async def is_recorded() -> bool:
        records = ChatRecord.objects.filter(role=Role.USER)
        return [row.text for row in await in_db(lambda: list(records))()] == ["after the restart"]

    await eventually(is_recorded)


async def _is_away(tmux: Tmux) -> bool:
    return bool(tmux.problem)


async def _is_back(tmux: Tmux) -> bool:
    return not tmux.problem
