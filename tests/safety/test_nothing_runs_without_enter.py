"""Promise 3: text sent without `submit` executes nothing, in any shell, whatever its bytes.

The attacks go through every door that takes text: REST, MCP, and uploads over the socket.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.safety.shells import (
    DOORS,
    MCP_HEADERS,
    OTHERS,
    SHELLS,
    Program,
    Target,
    rest,
    send,
    send_to_window,
    started,
    tool_call,
    upload,
    watching,
)
from tests.terminals.served import Served, served_tmux
from tests.waiting import LONGEST_SECONDS, eventually

PROGRAMS = {program.name: program for program in (*SHELLS, *OTHERS)}
ATTACKS = {
    # Line breaks.
    "line feed": "{run}\n",
    "carriage return": "{run}\r",
    "carriage return and line feed": "{run}\r\n",
    "several lines": "\n\n{run}\n\n",
    "long line, sent through a buffer": "{run} #" + "x" * 5000 + "\n",
    "line separator": "{run}\u2028",
    "paragraph separator": "{run}\u2029",
    "next line": "{run}\u0085",
    "line feed quoted by C-v": "\x16\n{run}\n",
    "line feed after a NUL": "{run}\0\n",
    # Paste brackets in the text.
    "end of a bracketed paste": "\x1b[201~\r{run}\r",
    "paste within a paste": "\x1b[200~{run}\x1b[201~\n",
    "eight-bit end of a paste": "\u009b201~{run}\r",
    "end of a paste with a NUL in it": "\x1b\x00[201~\r{run}\r",
    # Keys that accept the line.
    "operate and get next": "{run}\x0f",
    "end of file": "{run}\x04\x04",
    "accept and hold of zsh": "{run}\x1ba",
    "Meta and Enter": "{run}\x1b\r",
    "edit and execute": "{run}\x18\x05",
    "editor of vi mode": "{run}\x1bv",
    "comment key of vi mode": "#{run}\x1b#",
    "Enter of the keypad": "{run}\x1bOM",
    "Enter of the kitty protocol": "{run}\x1b[13u",
    # Keys that expand the line and run a command substitution in it.
    "completion": "echo $({run})\t",
    "completion with backquotes": "echo `{run}`\t",
    "completion of fish": "echo ({run})\t",
    "expansion of the line": "echo $({run})\x1b\x05",
    "expansion of a word": "echo $({run})\x18*",
    # Signals and job control.
    "interrupt, then a line": "\x03{run}\r",
    "suspend, then a line": "\x1a{run}\r",
    "backspace, then a line": "\x7f\x7f{run}\r",
}
MCP_DOORS = ("send_to_window", "tmux_send_keys literal", "tmux_send_keys quoted")
LINES = "\n{run}\n"


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    # The output of the server is not read here: the log lines of many calls would fill its pipe.
    with served_tmux(WEBTMUX_LOG_LEVEL="ERROR") as served:
        yield served


@pytest.fixture
async def target(
    served: Served, tmp_path: Path, request: pytest.FixtureRequest
) -> AsyncIterator[Target]:
    program: Program = request.param
    if not program.installed:
        pytest.skip(f"{program.command.split()[0]} is not installed")
    async with started(served, program, tmp_path / "home") as target:
        await target.ready()
        yield target


def programs(*names: str) -> pytest.MarkDecorator:
    chosen = [PROGRAMS[name] for name in names or PROGRAMS]
    return pytest.mark.parametrize(
        "target", chosen, ids=[program.name for program in chosen], indirect=True
    )


async def send_attacks(target: Target, *doors: str) -> None:
    """Send every attack through every door."""
    for door in doors:
        for name, template in ATTACKS.items():
            text = target.attack(template, f"{door}: {name}")
            if await DOORS[door](target, text):
                await target.clear()
    await target.settle()


# --- every program -------------------------------------------------------------------------------


@programs()
async def test_text_without_submit_runs_nothing(target: Target) -> None:
    await send_attacks(target, "rest", "upload")
    assert target.ran() == []


@programs("bash", "dash")  # with and without a line editor
async def test_text_of_mcp_tools_without_submit_runs_nothing(target: Target) -> None:
    await send_attacks(target, *MCP_DOORS)
    assert target.ran() == []


# --- bracketed paste -----------------------------------------------------------------------------


@programs("bash", "zsh", "zsh-magic", "fish", "fish-abbr", "bash-vi")
async def test_pastes_run_nothing_where_lines_are_accepted(target: Target) -> None:
    """While a client watches, bracketed paste is known and text with line breaks is accepted.

    The accepted lines remain at the prompt: a line break that acts as Enter would run them all.
    """
    async with watching(target):
        for name, template in ATTACKS.items():
            if "completion" in name:  # completes at the start of a line
                await target.settle()
                await eventually(target.reads_keys)
            for door in ("rest", "upload"):
                if await DOORS[door](target, target.attack(template, f"{door}: {name}")):
                    await target.sync()
        await target.settle()
    assert target.ran() == []


@programs("bash", "zsh", "zsh-magic", "fish-abbr")  # fish without its configuration has no brackets
async def test_pasted_lines_wait_for_enter(target: Target) -> None:
    """The filter is not too strict: this text is accepted, and Enter runs all its lines."""
    async with watching(target):
        text = target.attack("{run}\n") + target.attack("{run}")
        await eventually(lambda: rest(target, text))  # refused until the prompt is there
        await eventually(lambda: "ran1" in target.screen())
        assert target.ran() == []
        target.press("Enter")
        await eventually(lambda: target.ran() == ["ran0", "ran1"])


@programs("bash", "zsh", "fish")
async def test_lines_sent_during_a_command_do_not_run_after_it(target: Target) -> None:
    """During a command the shell takes no pastes: lines would run when the command has ended."""
    async with watching(target):
        fifo = target.home / "fifo"
        os.mkfifo(fifo)
        target.type_line(f"cat {fifo}")
        await target.running("cat")
        assert not await rest(target, target.attack(LINES))
        await upload(target, target.attack(LINES))
        await asyncio.to_thread(fifo.write_bytes, b"end")
        await target.settle()
    assert target.ran() == []


@programs("dash", "sh", "bash-no-editing", "ksh", "ksh-vi")
async def test_output_cannot_enable_bracketed_paste_for_a_shell_without_it(target: Target) -> None:
    """As when a file is shown: tmux would send brackets that the shell ignores."""
    async with watching(target):
        target.type_line("printf '\\033[?2004h'")
        await target.settle()
        for door in (rest, send_to_window):
            assert not await door(target, target.attack(LINES))
        await upload(target, target.attack(LINES))
        await target.settle()
    assert target.ran() == []


@pytest.mark.parametrize("sequence", ["[?2004l", "[?02004l", "[?2\\000004l", "[?1;2004l", "c"])
@programs("bash")
async def test_output_that_disables_bracketed_paste_is_noticed(
    target: Target, sequence: str
) -> None:
    """A background job prints it while the shell is at its prompt."""
    begun, go = target.home / "begun", target.home / "go"
    job = (
        f"(touch {begun}; until [ -e {go} ]; do sleep 0.05; done; printf '\\033{sequence}o''ff') &"
    )
    async with watching(target):
        target.type_line(job)
        await eventually(begun.exists)
        await target.settle()
        await eventually(target.reads_keys)
        go.touch()
        await eventually(lambda: "off" in target.screen())
        assert not await rest(target, target.attack(LINES))
        await upload(target, target.attack(LINES))
        await target.settle()
    assert target.ran() == []


@programs("bash")
async def test_bracketed_paste_is_unknown_after_the_last_client_has_left(target: Target) -> None:
    async with watching(target):
        pass
    target.type_line("exec dash")  # not watched
    await target.running("dash")
    begun = target.home / "begun"
    target.type_line(f"touch {begun}")
    await eventually(begun.exists)
    async with watching(target):
        assert not await rest(target, target.attack(LINES))
        await target.settle()
    assert target.ran() == []


# --- other states and doors ----------------------------------------------------------------------


@programs("bash", "dash")
async def test_text_runs_nothing_in_copy_mode(target: Target) -> None:
    for template in ("{run}\n", "\x1b[201~\r{run}\r", "{run}\r"):
        for door in (rest, upload):
            target.served.tmux("copy-mode", "-t", target.pane)
            await door(target, target.attack(template))
    await target.settle()
    assert target.ran() == []


@programs("dash")
async def test_the_directory_of_a_pane_cannot_press_keys(target: Target) -> None:
    """The path of an upload is pasted: the name of a directory must not end the line."""
    for number, name in enumerate(("a\nb", "a\x1b[201~\rb", "a\u2028b", "a\tb")):
        place = target.home / str(number) / target.attack(name + "{run}").replace("/", "_")[:60]
        place.mkdir(parents=True)
        link = target.home / f"to{number}"
        link.symlink_to(place)
        target.type_line(f"cd -P {link}")
        await target.settle()
        await upload(target, "binary \0")
        await target.clear()
    await target.settle()
    assert target.ran() == []


async def test_a_managed_tab_runs_nothing_without_a_newline(served: Served, tmp_path: Path) -> None:
    address = served.running.address
    async with httpx.AsyncClient(base_url=address, timeout=LONGEST_SECONDS) as http:

        async def call(tool: str, **arguments: object) -> dict[str, Any]:
            response = await http.post("/mcp", json=tool_call(tool, arguments), headers=MCP_HEADERS)
            result: dict[str, Any] = response.json()["result"]
            return result

        created = await call("create_tab", cwd=str(tmp_path))
        window = created["structuredContent"]["window_id"]
        try:
            # A shell that does not read keys yet would take C-d for the end of its input.
            assert "ready" in str(
                await call("execute_command", window_id=window, command="echo ready")
            )
            for number, template in enumerate(ATTACKS.values()):
                text = template.replace("{run}", f"touch {tmp_path}/ran{number}")
                await call("start_process", window_id=window, command=text, append_newline=False)
                await call("stop_process", window_id=window)
            done = await call("execute_command", window_id=window, command="echo settled")
            assert "settled" in str(done)
        finally:
            await call("start_process", window_id=window, command="exit")  # ends its tmux server
    assert [path.name for path in tmp_path.glob("ran*")] == []


# --- with submit ---------------------------------------------------------------------------------


@programs("dash", "python")
async def test_control_characters_are_refused_with_submit_too(target: Target) -> None:
    for text in ("\x1b[201~{run}", "{run}\x04", "{run}\x0f", "a\x00{run}", "\x9b201~{run}"):
        response = await send(target, target.attack(text), submit=True)
        assert response.status_code in {400, 422}
        assert "control character" in response.json()["error"]["message"]
    await target.settle()
    assert target.ran() == []


@programs("dash")
async def test_every_line_runs_with_submit(target: Target) -> None:
    text = target.attack("{run}\r\n") + target.attack("{run}")
    assert (await send(target, text, submit=True)).status_code == 200
    await eventually(lambda: target.ran() == ["ran0", "ran1"])


@programs("dash")
async def test_a_refusal_explains_what_to_do(target: Target) -> None:
    lines = (await send(target, "a\nb")).json()["error"]["message"]
    keys = (await send(target, "a\x1b")).json()["error"]["message"]
    assert "submit" in lines
    assert "path" in lines
    assert "U+001B" in keys
    assert "keys by their names" in keys
