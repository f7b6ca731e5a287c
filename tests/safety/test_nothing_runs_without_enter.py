"""Promise 3: text sent without `submit` executes nothing, in any shell, whatever its bytes.

The attacks go through every door that takes text: REST, MCP, and uploads over the socket.
"""

import asyncio
import contextlib
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.safety.shells import (
    DOORS,
    OTHERS,
    SHELLS,
    Program,
    Target,
    rest,
    send_to_window,
    start,
    upload,
    watching,
)
from tests.terminals.served import Served, served_tmux
from tests.terminals.tmux.waiting import eventually

PROGRAMS = {program.name: program for program in (*SHELLS, *OTHERS)}
ATTACKS = {
    # From the issue.
    "a line with its break": "{run}\n",
    "the end of a bracketed paste": "\x1b[201~\r{run}\r",
    # Line breaks in other forms.
    "carriage return": "{run}\r",
    "break of Windows": "{run}\r\n",
    "several lines": "\n\n{run}\n\n",
    "a long line, sent through a buffer": "{run} #" + "x" * 5000 + "\n",
    "line separator": "{run}\u2028",
    "paragraph separator": "{run}\u2029",
    "next line": "{run}\u0085",
    "a break quoted by C-v": "\x16\n{run}\n",
    "a break behind a NUL": "{run}\0\n",
    # Brackets of the attacker's own.
    "paste within a paste": "\x1b[200~{run}\x1b[201~\n",
    "eight-bit end of a paste": "\u009b201~{run}\r",
    "an end torn by NUL": "\x1b\x00[201~\r{run}\r",
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
    # Keys that expand the line, and run what is in it.
    "completion": "echo $({run})\t",
    "completion with backquotes": "echo `{run}`\t",
    "completion of fish": "echo ({run})\t",
    "expansion of the line": "echo $({run})\x1b\x05",
    "expansion of a word": "echo $({run})\x18*",
    # Signals and job control.
    "interrupt, then a line": "\x03{run}\r",
    "suspend, then a line": "\x1a{run}\r",
    "delete back, then a line": "\x7f\x7f{run}\r",
}


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    # Nobody reads the server's output here: log lines of many calls would fill its pipe.
    with served_tmux(WEBTMUX_LOG_LEVEL="ERROR") as served:
        yield served


@pytest.fixture
def target(served: Served, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Target]:
    program: Program = request.param
    if not program.installed:
        pytest.skip(f"{program.command.split()[0]} is not installed")
    started = start(served, program, tmp_path / "home")
    yield started
    with contextlib.suppress(subprocess.CalledProcessError):  # an attack may have ended it
        served.tmux("kill-pane", "-t", started.pane)


async def exists(path: Path) -> bool:
    return path.exists()


def programs(*names: str) -> pytest.MarkDecorator:
    chosen = [PROGRAMS[name] for name in names or PROGRAMS]
    return pytest.mark.parametrize(
        "target", chosen, ids=[program.name for program in chosen], indirect=True
    )


async def attack_with_all(target: Target, door: str) -> list[str]:
    """The names of the attacks that ran."""
    await target.ready()
    for template in ATTACKS.values():
        await DOORS[door](target, target.attack(template))
        target.clear()
    await target.settle()
    return [name for name, file in zip(ATTACKS, target.attacks, strict=True) if file.exists()]


@programs()
async def test_nothing_runs_by_rest(target: Target) -> None:
    assert await attack_with_all(target, "rest") == []


@programs()
async def test_nothing_runs_by_an_upload(target: Target) -> None:
    assert await attack_with_all(target, "upload") == []


@pytest.mark.parametrize(
    "door", ["send_to_window", "tmux_send_keys literal", "tmux_send_keys quoted"]
)
@programs("bash", "zsh", "dash", "python")
async def test_nothing_runs_by_mcp(target: Target, door: str) -> None:
    assert await attack_with_all(target, door) == []


@programs("bash", "zsh", "zsh-magic", "fish", "fish-abbr", "bash-vi")
async def test_nothing_runs_where_pastes_are_text(target: Target) -> None:
    """Somebody watches: bracketed paste is known, and text with line breaks is taken."""
    await target.ready()
    async with watching(target):
        for template in ATTACKS.values():
            for door in (rest, upload):
                await eventually(target.reads_keys)
                await door(target, target.attack(template))
                target.clear()
        await target.settle()
    assert target.ran() == []


@programs("bash", "zsh", "zsh-magic", "fish-abbr")  # fish without its configuration has no brackets
async def test_lines_wait_for_enter_where_pastes_are_text(target: Target) -> None:
    """The filter refuses no more than it must: this text arrives, and Enter runs all of it."""
    await target.ready()
    async with watching(target):
        text = target.attack("{run}\n") + target.attack("{run}")
        await eventually(lambda: rest(target, text))  # refused until the prompt is there

        async def shown() -> bool:
            return "ran1" in target.screen()

        await eventually(shown)
        assert target.ran() == []
        target.press("Enter")

        async def both() -> bool:
            return target.ran() == ["ran0", "ran1"]

        await eventually(both)


@programs("bash", "zsh", "fish")
async def test_lines_do_not_run_after_a_command_that_is_running(target: Target) -> None:
    """While a command runs the shell takes no pastes: lines would wait for it and then run."""
    await target.ready()
    async with watching(target):
        fifo = target.home / "fifo"
        os.mkfifo(fifo)
        target.press(f"cat {fifo}", "Enter")
        await target.running("cat")
        assert not await rest(target, target.attack("\n{run}\n"))
        await upload(target, target.attack("\n{run}\n"))
        await asyncio.to_thread(fifo.write_bytes, b"end")
        await target.settle()
    assert target.ran() == []


SWITCH_ON = "printf '\\033[?2004h'"


@programs("dash", "sh", "bash-no-editing", "ksh", "ksh-vi")
async def test_output_that_claims_bracketed_paste_is_not_believed(target: Target) -> None:
    """A file with the switch in it was shown: tmux would send brackets, the shell ignores them."""
    await target.ready()
    async with watching(target):
        target.served.tmux("send-keys", "-l", "-t", target.pane, SWITCH_ON)
        target.press("Enter")
        await target.settle()
        for door in (rest, send_to_window):
            assert not await door(target, target.attack("\n{run}\n"))
        await upload(target, target.attack("\n{run}\n"))
        await target.settle()
    assert target.ran() == []


@pytest.mark.parametrize("switch", ["[?2004l", "[?02004l", "[?2\\000004l", "[?1;2004l", "c"])
@programs("bash")
async def test_output_that_switches_bracketed_paste_off_is_noticed(
    target: Target, switch: str
) -> None:
    """A job in the background does it while the shell is at its prompt."""
    await target.ready()
    begun, go = target.home / "begun", target.home / "go"
    job = f"(touch {begun}; until [ -e {go} ]; do sleep 0.05; done; printf '\\033{switch}o''ff') &"
    async with watching(target):
        target.served.tmux("send-keys", "-l", "-t", target.pane, job)
        target.press("Enter")
        await eventually(lambda: exists(begun))
        await target.settle()
        await eventually(target.reads_keys)
        go.touch()

        async def printed() -> bool:
            return "off" in target.screen()

        await eventually(printed)
        assert not await rest(target, target.attack("\n{run}\n"))
        await upload(target, target.attack("\n{run}\n"))
        await target.settle()
    assert target.ran() == []


@programs("bash")
async def test_what_was_known_is_forgotten_when_nobody_watches(target: Target) -> None:
    await target.ready()
    async with watching(target):
        pass
    target.press("exec dash", "Enter")  # unseen
    await target.running("dash")
    begun = target.home / "begun"
    target.press(f"touch {begun}", "Enter")
    await eventually(lambda: exists(begun))
    await target.settle()
    async with watching(target):
        assert not await rest(target, target.attack("\n{run}\n"))
        await target.settle()
    assert target.ran() == []


@programs("bash", "dash")
async def test_a_pane_in_copy_mode_runs_nothing(target: Target) -> None:
    await target.ready()
    for template in ("{run}\n", "\x1b[201~\r{run}\r", "{run}\r"):
        target.served.tmux("copy-mode", "-t", target.pane)
        await rest(target, target.attack(template))
        await upload(target, target.attack(template))
    await target.settle()
    assert target.ran() == []


@programs("dash")
async def test_the_directory_of_a_pane_cannot_press_keys(target: Target) -> None:
    """An upload's path is pasted: a directory's name must not break the line."""
    await target.ready()
    for number, name in enumerate(("a\nb", "a\x1b[201~\rb", "a\u2028b", "a\tb")):
        place = target.home / str(number) / target.attack(name + "{run}").replace("/", "_")[:60]
        place.mkdir(parents=True)
        link = target.home / f"to{number}"
        link.symlink_to(place)
        target.press(f"cd -P {link}", "Enter")
        await target.settle()
        await upload(target, "binary \0")
        target.clear()
    await target.settle()
    assert target.ran() == []


async def test_a_tab_runs_nothing_without_its_newline(served: Served, tmp_path: Path) -> None:
    async with httpx.AsyncClient() as http:

        async def call(tool: str, **arguments: object) -> dict[str, object]:
            message = {
                "jsonrpc": "2.0", "id": 1, "method": "tools/call",
                "params": {"name": tool, "arguments": arguments},
            }  # fmt: skip
            headers = {"accept": "application/json, text/event-stream"}
            address = f"{served.running.address}/mcp"
            answer = await http.post(address, json=message, headers=headers, timeout=30)
            result: dict[str, object] = answer.json()["result"]
            return result

        made = await call("create_tab", cwd=str(tmp_path))
        window = made["structuredContent"]["window_id"]  # type: ignore[index]
        try:
            for number, template in enumerate(ATTACKS.values()):
                text = template.replace("{run}", f"touch {tmp_path}/ran{number}")
                await call("start_process", window_id=window, command=text, append_newline=False)
                await call("stop_process", window_id=window)
            done = await call("execute_command", window_id=window, command="echo settled")
            assert "settled" in str(done)
        finally:
            await call("start_process", window_id=window, command="exit")  # ends its tmux server
    assert [path.name for path in tmp_path.glob("ran*")] == []


@programs("dash", "python")
async def test_with_enter_control_characters_are_refused_as_well(target: Target) -> None:
    await target.ready()
    address = f"{target.served.running.address}/api/panes/{target.pane.lstrip('%')}/send"
    async with httpx.AsyncClient() as http:
        for text in ("\x1b[201~{run}", "{run}\x04", "{run}\x0f", "a\x00{run}", "\x9b201~{run}"):
            answer = await http.post(address, json={"text": target.attack(text), "submit": True})
            assert answer.status_code in {400, 422}
            assert "control character" in answer.json()["error"]["message"]
    await target.settle()
    assert target.ran() == []


@programs("dash")
async def test_with_enter_every_line_runs(target: Target) -> None:
    """That is what was asked for."""
    await target.ready()
    address = f"{target.served.running.address}/api/panes/{target.pane.lstrip('%')}/send"
    text = target.attack("{run}\r\n") + target.attack("{run}")
    async with httpx.AsyncClient() as http:
        answer = await http.post(address, json={"text": text, "submit": True})
    assert answer.status_code == 200

    async def both() -> bool:
        return target.ran() == ["ran0", "ran1"]

    await eventually(both)


@programs("dash")
async def test_a_refusal_says_what_to_do(target: Target) -> None:
    await target.ready()
    address = f"{target.served.running.address}/api/panes/{target.pane.lstrip('%')}/send"
    async with httpx.AsyncClient() as http:
        lines = (await http.post(address, json={"text": "a\nb"})).json()["error"]["message"]
        keys = (await http.post(address, json={"text": "a\x1b"})).json()["error"]["message"]
    assert "submit" in lines
    assert "path" in lines
    assert "U+001B" in keys
    assert "keys by their names" in keys
