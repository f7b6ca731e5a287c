"""Promise 1: text for a pane reaches that pane or none.

Neither the output of programs, nor the names of programs and directories, nor ids that tmux uses
again can change that.
"""

import asyncio
import os
import re
import shlex
import signal
import subprocess
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from core.errors import NotFound, WebtmuxError
from terminals.tmux.driver import ChunkKind, Tmux
from terminals.tmux.execution.execute import Executor
from terminals.tmux.foreground import in_front
from terminals.uploads.payload import Upload
from terminals.uploads.services import save
from terminals.windows import panes
from tests.conftest import RunTmux
from tests.safety.impostors import forged_row, impostor
from tests.terminals.served import Served, client, served_tmux
from tests.terminals.tmux.restarting import end_server, is_running, start_server
from tests.waiting import LONGEST_SECONDS, eventually

CONTROL = re.compile("[\x00-\x1f\x7f-\x9f]")
WORD = "redirected"


@pytest.fixture
def victim(tmux: Tmux, run_tmux: RunTmux) -> str:
    """The first and active pane, a shell. It must not receive text for other panes."""
    return run_tmux("display-message", "-p", "-t", "work:0", "#{pane_id}")


def new_pane(run_tmux: RunTmux, command: str) -> str:
    return run_tmux("new-window", "-dP", "-F", "#{pane_id}", "-t", "work:", command)


async def shows(tmux: Tmux, pane: str, text: str) -> bool:
    return text.encode() in await tmux.capture(pane)


async def require_only_there(tmux: Tmux, pane: str, victim: str) -> None:
    """Text that is sent to `pane` is shown there and not in the victim."""
    await panes.send_text(tmux=tmux, pane=pane, text=f"echo {WORD}", submit=True)

    async def arrived() -> bool:
        return await shows(tmux, pane, WORD)

    await eventually(arrived)
    assert not await shows(tmux, victim, WORD)


async def require_true_lists(tmux: Tmux, run_tmux: RunTmux) -> None:
    """The same panes and windows as tmux lists, and no control characters in their fields."""
    ids = run_tmux("list-panes", "-a", "-F", "#{pane_id} #{session_name}").splitlines()
    own = [line.split()[0] for line in ids if "_webtmux" not in line]
    rows = await tmux.panes()
    assert [row.id for row in rows] == own
    for row in rows:
        assert not CONTROL.search(row.command + row.title + row.path + row.session_name)
        assert row.path == "" or Path(row.path).is_dir()
    count = len(run_tmux("list-windows", "-a", "-F", "#{session_name}").splitlines()) - 1
    assert len(await tmux.windows()) == count


# --- names of programs ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "form",
    [
        "sh\n{row}",
        "{row}\n{row}",
        "sh\t/\n{row}\n{row}",
        "\n{row}",
        "sh\r\n{row}",
        "sh\t/forged",
        "sh\n%0\t@0",
        "#{{pane_id}}#(touch canary)#[fg=red]\n{row}",
        "\x1b]2;%0\x07\x1b[2J\n{row}",
        "sh\u2028{row}\u2029",
        "sh\x85{row}\x9b31m",
        "%0",
        "; kill-server",
        "\n%exit\n%session-changed $99 x\n{row}",
        "\n%begin 1 1 1\n{row}\n%end 1 1 1",
    ],
)
async def test_a_programs_name_does_not_redirect_what_is_sent_to_it(
    tmux: Tmux, run_tmux: RunTmux, victim: str, form: str
) -> None:
    name = form.format(row=forged_row(run_tmux, victim))
    pane = await impostor(run_tmux, name.encode())
    row = await tmux.pane(pane)
    assert row.id == pane
    assert row.pid == int(run_tmux("display-message", "-p", "-t", pane, "#{pane_pid}"))
    await require_true_lists(tmux, run_tmux)
    await require_only_there(tmux, pane, victim)


async def test_a_very_long_name_that_is_not_utf8_breaks_no_list(
    tmux: Tmux, run_tmux: RunTmux, victim: str
) -> None:
    row = forged_row(run_tmux, victim).encode()
    pane = await impostor(run_tmux, (b"\xff\xfe\n" + row + b"\xc3\n") * 60)
    assert (await tmux.pane(pane)).id == pane
    await require_true_lists(tmux, run_tmux)
    await require_only_there(tmux, pane, victim)


async def test_a_name_is_not_turned_into_another_by_dropping_characters(
    tmux: Tmux, run_tmux: RunTmux
) -> None:
    pane = await impostor(run_tmux, b"cl\naude")
    assert (await tmux.pane(pane)).command not in {"claude", "cl", "aude"}


async def test_a_kernel_name_with_brackets_does_not_change_who_is_in_front(
    tmux: Tmux, run_tmux: RunTmux
) -> None:
    """/proc/PID/stat holds the name in brackets, unescaped."""
    program = (
        "import ctypes, time; ctypes.CDLL(None).prctl(15, b'a) S 1 1 (sh\\n', 0, 0, 0);"
        " print('ready'); time.sleep(1000)"
    )
    pane, pid = run_tmux(
        "new-window",
        "-dP",
        "-F",
        "#{pane_id} #{pane_pid}",
        "-t",
        "work:",
        f'exec python3 -c "{program}"',
    ).split()

    async def ready() -> bool:
        return await shows(tmux, pane, "ready")

    await eventually(ready)
    front = in_front(int(pid))
    assert front is not None
    assert front.pid == int(pid)
    with pytest.raises(WebtmuxError, match="busy"):
        await Executor(tmux).execute(pane, "echo no", seconds=0.2)


# --- titles, windows, sessions, directories -------------------------------------------------------


@pytest.mark.parametrize(
    "title", ["x\t{row}", "x\\n{row}", "#{{pane_id}}#(touch canary)", "%%0", "\\033\\\\{row}"]
)
async def test_a_title_does_not_redirect_text(
    tmux: Tmux, run_tmux: RunTmux, victim: str, title: str
) -> None:
    text = title.format(row=forged_row(run_tmux, victim).replace("%", "%%"))
    pane = run_tmux(
        "new-window",
        "-dP",
        "-F",
        "#{pane_id}",
        "-t",
        "work:",
        f"printf '\\033]2;{text}\\007ready'; exec cat",
    )

    async def ready() -> bool:
        return await shows(tmux, pane, "ready")

    await eventually(ready)
    assert (await tmux.pane(pane)).id == pane
    await require_true_lists(tmux, run_tmux)
    await require_only_there(tmux, pane, victim)


async def test_a_window_named_after_its_program_keeps_its_id(
    tmux: Tmux, run_tmux: RunTmux, victim: str
) -> None:
    window = run_tmux("display-message", "-p", "-t", victim, "#{window_id}")
    row = f"{window}\t$0\t0\t1\t0\t{victim}\t*\tabcd,80x24,0,0,0\twork\tforged"
    pane = await impostor(run_tmux, f"x\n{row}".encode())
    own = run_tmux("display-message", "-p", "-t", pane, "#{window_id}")
    run_tmux("set-option", "-w", "-t", own, "automatic-rename", "on")

    async def renamed() -> bool:
        return run_tmux("display-message", "-p", "-t", pane, "#{window_name}") not in {
            "",
            "python3",
        }

    await eventually(renamed)
    await require_true_lists(tmux, run_tmux)
    names = {row.id: row.name for row in await tmux.windows()}
    assert "forged" not in names[window]


@pytest.mark.parametrize("name", ["%0", "@0", "$0", "=work", "-t", "a\n%0\t@0", "{last}"])
async def test_a_session_or_window_named_like_an_id_does_not_take_its_place(
    tmux: Tmux, run_tmux: RunTmux, victim: str, name: str
) -> None:
    run_tmux("new-session", "-d", "-x", "80", "-y", "24", "-s", name, "-n", name, "exec cat")
    other = run_tmux("new-window", "-dP", "-F", "#{pane_id}", "-t", "work:", "-n", name, "exec cat")
    assert (await tmux.pane(victim)).id == victim
    await require_true_lists(tmux, run_tmux)
    await require_only_there(tmux, other, victim)


@pytest.mark.parametrize("form", [b"d\n%b", b"d\t%b", b"%b\n", b"d\xff%b", b"d\x1b[2J%b"])
async def test_the_name_of_a_directory_forges_no_row_and_no_other_path(
    tmux: Tmux, run_tmux: RunTmux, victim: str, tmp_path: Path, form: bytes
) -> None:
    row = forged_row(run_tmux, victim).replace("/", "|")[:150].encode()
    odd = os.path.join(os.fsencode(tmp_path), form % row)
    os.mkdir(odd)
    (tmp_path / "d").mkdir()  # what the name would be if it were cut
    link = tmp_path / "link"
    os.symlink(odd, link)
    pane = run_tmux(
        "new-window",
        "-dP",
        "-F",
        "#{pane_id}",
        "-t",
        "work:",
        f"cd -P {shlex.quote(str(link))} && exec cat",
    )

    async def moved() -> bool:
        pid = run_tmux("display-message", "-p", "-t", pane, "#{pane_pid}")
        return os.readlink(f"/proc/{pid}/cwd".encode()) == odd

    await eventually(moved)
    pane_row = await tmux.pane(pane)
    assert (pane_row.id, pane_row.path) == (pane, "")
    await require_true_lists(tmux, run_tmux)
    await require_only_there(tmux, pane, victim)
    saved = save(
        Upload("a.png", "image/png", b"1"),
        directory=Path(pane_row.path),
        data_dir=tmp_path / "data",
    )
    assert saved.is_relative_to(tmp_path / "data")


def number_of_commands(tmux: Tmux) -> int:
    """As tmux counts them; each reply of control mode contains the number."""
    attach = ["tmux", "-S", str(tmux.monitor.path), "-C", "attach", "-t", "work"]
    with subprocess.Popen(attach, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        return int(process.stdout.readline().split()[2])


async def test_a_directory_with_the_numbers_of_a_reply_does_not_end_it(
    tmux: Tmux, run_tmux: RunTmux, victim: str, tmp_path: Path
) -> None:
    """`%end` with the right time and number ends a reply. Both can be guessed: tmux counts its
    commands, and a deep directory has room for 150 guesses at a time."""
    number, second = number_of_commands(tmux) + 10, int(time.time()) + 3
    guesses = [f"\n%end {second} {n} 1" for n in range(number, number + 150)]
    parts = ["".join(guesses[n : n + 10]) + "\n%exit" for n in range(0, len(guesses), 10)]
    program = tmp_path / "program.py"
    program.write_text(
        f"import os\nfor part in {parts!r}:\n    os.mkdir(part)\n    os.chdir(part)\n"
        "os.execv('/bin/cat', ['cat'])\n"
    )
    python = f"cd {shlex.quote(str(tmp_path))} && exec python3 program.py"
    pane, behind = new_pane(run_tmux, python), new_pane(run_tmux, "exec cat")
    client = tmux.monitor.client
    await eventually(lambda: time.time() >= second)
    for _ in range(200):
        assert [row.id for row in await tmux.panes()] == [victim, pane, behind]
    assert tmux.monitor.client is client


# --- ids of ended panes, and ids that tmux uses again ---------------------------------------------


async def restart(tmux: Tmux, run_tmux: RunTmux) -> None:
    """Replaces the tmux server; the first pane of the new one has the same ids."""
    server_run = tmux.server_run
    pid = run_tmux("display-message", "-p", "#{pid}")
    os.kill(int(pid), signal.SIGKILL)
    await eventually(lambda: not is_running(pid))
    start_server(run_tmux, "exec cat")
    await eventually(lambda: tmux.problem == "" and tmux.server_run != server_run)


async def test_a_caller_that_locked_a_pane_types_nothing_after_tmux_restarted(
    tmux: Tmux, run_tmux: RunTmux, victim: str
) -> None:
    async with tmux.lock(victim):
        await tmux.type(victim, b"first", locked=True)
        await restart(tmux, run_tmux)
        assert (await tmux.pane(victim)).id == victim
        for send in (
            tmux.type(victim, WORD.encode(), locked=True),
            tmux.type(victim, WORD.encode() * 20, locked=True),
            tmux.paste(victim, WORD, locked=True),
            tmux.press(victim, "Enter", locked=True),
        ):
            with pytest.raises(NotFound):
                await send
    assert (await tmux.capture(victim)).strip() == b""
    await require_only_there(tmux, victim, new_pane(run_tmux, "exec cat"))


async def test_a_caller_that_waits_for_a_pane_types_nothing_after_tmux_restarted(
    tmux: Tmux, run_tmux: RunTmux, victim: str
) -> None:
    async with tmux.lock(victim):
        waiting = asyncio.create_task(
            panes.send_text(tmux=tmux, pane=victim, text=WORD, submit=True)
        )
        await eventually(lambda: tmux.lock(victim)._waiters)  # a private field of asyncio
        await restart(tmux, run_tmux)
    with pytest.raises(NotFound):
        await waiting
    assert (await tmux.capture(victim)).strip() == b""


async def test_a_command_that_outlives_its_tmux_interrupts_no_other_program(
    tmux: Tmux, run_tmux: RunTmux, victim: str
) -> None:
    """At its time limit the executor presses C-c, which would end the new pane's cat."""
    running = asyncio.create_task(Executor(tmux).execute(victim, "sleep 1000", seconds=3))

    async def started() -> bool:
        return run_tmux("display-message", "-p", "-t", victim, "#{pane_current_command}") == "sleep"

    await eventually(started)
    await restart(tmux, run_tmux)
    await asyncio.gather(running, return_exceptions=True)
    assert run_tmux("display-message", "-p", "-t", victim, "#{pane_current_command}") == "cat"
    assert (await tmux.capture(victim)).strip() == b""


async def test_text_for_a_pane_that_ended_reaches_no_pane(
    tmux: Tmux, run_tmux: RunTmux, victim: str
) -> None:
    pane = new_pane(run_tmux, "exec cat")
    run_tmux("kill-pane", "-t", pane)
    for send in (
        panes.send_text(tmux=tmux, pane=pane, text=WORD, submit=True),
        tmux.type(pane, WORD.encode()),
        tmux.paste(pane, WORD),
        tmux.press(pane, "Enter"),
    ):
        with pytest.raises(WebtmuxError):
            await send
    assert not await shows(tmux, victim, WORD)


async def test_a_capture_shows_the_requested_pane(
    tmux: Tmux, run_tmux: RunTmux, victim: str
) -> None:
    pane = await impostor(run_tmux, f"x\n{forged_row(run_tmux, victim)}".encode())
    await tmux.type(victim, b"of the victim")
    await tmux.type(pane, b"of the impostor")

    async def echoed() -> bool:
        return await shows(tmux, pane, "of the impostor")

    await eventually(echoed)
    capture = await tmux.capture_now(pane)
    assert capture.row.id == pane
    assert "of the impostor" in "\n".join(capture.lines)
    row, _ = await tmux.capture_history(pane)
    assert row.id == pane
    viewer = tmux.view(pane)
    chunk = await viewer.read()
    viewer.close()
    assert chunk is not None
    assert chunk.kind is ChunkKind.CAPTURE
    assert b"of the impostor" in chunk.data
    assert b"victim" not in chunk.data


# --- REST, MCP and the socket ---------------------------------------------------------------------


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with served_tmux() as served:
        yield served


@pytest.fixture
async def doors(served: Served) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=served.running.address, timeout=LONGEST_SECONDS) as http:
        yield http


async def mcp(doors: httpx.AsyncClient, name: str, **arguments: Any) -> str:
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
               "params": {"name": name, "arguments": arguments}}  # fmt: skip
    headers = {"accept": "application/json, text/event-stream"}
    return (await doors.post("/mcp", json=message, headers=headers)).text


@pytest.mark.parametrize("door", ["rest", "mcp", "socket"])
async def test_every_door_types_into_the_pane_it_was_given(
    served: Served, doors: httpx.AsyncClient, door: str
) -> None:
    victim = served.tmux("display-message", "-p", "-t", "work:0", "#{pane_id}")
    pane = await impostor(served.tmux, f"x\n{forged_row(served.tmux, victim)}".encode())
    text = f"through {door}"
    if door == "rest":
        path = f"/api/panes/{pane.replace('%', '%25')}/send"
        assert (await doors.post(path, json={"text": text})).json()["paneId"] == pane
    elif door == "mcp":
        await mcp(doors, "tmux_send_keys", target=pane, keys=text, literal=True)
    else:
        async with client(served) as ws:
            await ws.type(pane, text.encode())
            await ws.ask("ping")

    async def arrived() -> bool:
        return text in served.tmux("capture-pane", "-p", "-t", pane)

    await eventually(arrived)
    assert text not in served.tmux("capture-pane", "-p", "-t", victim)


async def test_lists_over_rest_and_mcp_show_no_forged_row(
    served: Served, doors: httpx.AsyncClient
) -> None:
    victim = served.tmux("display-message", "-p", "-t", "work:0", "#{pane_id}")
    await impostor(served.tmux, f"x\n{forged_row(served.tmux, victim)}".encode())
    response = (await doors.get("/api/panes")).json()
    rows = response["items"] if isinstance(response, dict) else response
    own = served.tmux("list-panes", "-a", "-F", "#{pane_id} #S").splitlines()
    assert sorted(row["paneId"] for row in rows) == sorted(
        line.split()[0] for line in own if "_webtmux" not in line
    )
    assert "forged" not in [row["path"] for row in rows]
    assert "\\n%0" not in await mcp(doors, "tmux_list_panes")


async def test_a_socket_that_typed_before_a_restart_must_subscribe_again() -> None:
    with served_tmux() as served:
        async with client(served) as ws:
            victim = served.tmux("display-message", "-p", "-t", "work:0", "#{pane_id}")
            await ws.type(victim, b"before")

            async def typed() -> bool:
                return "before" in served.tmux("capture-pane", "-p", "-t", victim)

            await eventually(typed)
            await end_server(served.tmux)
            start_server(served.tmux, "cat")

            async def known() -> bool:
                answer = await ws.ask("subscribe-output", agent="%99", stream=False)
                return str(answer["error"]) == "agent not found"

            await eventually(known)
            await ws.type(victim, WORD.encode())
            assert await ws.error() == "agent not found"
            assert WORD not in served.tmux("capture-pane", "-p", "-t", victim)
            assert (await ws.ask("subscribe-output", agent=victim))["ok"]
            await ws.type(victim, b"after")

            async def reached() -> bool:
                return "after" in served.tmux("capture-pane", "-p", "-t", victim)

            await eventually(reached)
