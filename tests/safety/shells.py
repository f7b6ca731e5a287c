"""Shells and command lines in panes of a real server, and the doors that send text to them.

An attack tries to create a file without Enter. The proof that it failed: after the attack the
program runs a command of ours, so it has read everything before it, and the file is not there.
"""

import asyncio
import contextlib
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from terminals.frames import FrameType
from terminals.tmux.foreground import edits_a_line
from tests.terminals.served import Client, Served, client
from tests.terminals.tmux.waiting import eventually


@dataclass(frozen=True)
class Program:
    """A command line that reads what is sent to a pane."""

    name: str
    command: str
    creates: str = "touch {file}"  # what creates a file in its language
    clear: str = "C-c"  # the key that drops what stands on the line
    term: str = "screen-256color"
    files: tuple[tuple[str, str], ...] = ()  # configuration in its home directory

    @property
    def installed(self) -> bool:
        return shutil.which(self.command.split()[0]) is not None


BASH = "bash --norc --noprofile"
ZSHRC = """
PS1='$'
autoload -Uz bracketed-paste-magic url-quote-magic
zle -N bracketed-paste bracketed-paste-magic
zle -N self-insert url-quote-magic
"""
FISH = """
function fish_prompt; echo -n '$'; end
set -g fish_greeting
abbr -a touch touch
"""
SHELLS = (
    Program("bash", BASH),
    Program("bash-vi", f"{BASH} -o vi"),
    Program("bash-dumb", BASH, term="dumb"),  # without bracketed paste
    Program("bash-no-brackets", BASH, files=((".inputrc", "set enable-bracketed-paste off\n"),)),
    Program("bash-no-editing", f"{BASH} --noediting"),
    Program("zsh", "zsh -f"),
    Program("zsh-magic", "zsh", files=((".zshrc", ZSHRC),)),
    Program("fish", "fish --no-config"),
    Program("fish-abbr", "fish", files=((".config/fish/config.fish", FISH),)),
    Program("dash", "dash"),
    Program("sh", "sh -i"),
    Program("ksh", "ksh -o emacs"),
    Program("ksh-vi", "ksh -o vi"),
)
OTHERS = (
    Program("python", "/usr/bin/python3 -q", "open('{file}', 'w').close()"),
    Program("node", "node", "require('fs').writeFileSync('{file}', '')", "C-u"),
    Program("sqlite", "sqlite3", ".shell touch {file}", "C-u"),
)


@dataclass
class Target:
    """One program in a pane of its own."""

    served: Served
    program: Program
    pane: str
    home: Path
    attacks: list[Path] = field(default_factory=list)

    def attack(self, template: str) -> str:
        """The text of an attack: `{run}` becomes what creates a file that must not appear."""
        file = self.home / f"ran{len(self.attacks)}"
        self.attacks.append(file)
        return template.replace("{run}", self.program.creates.format(file=file))

    def press(self, *keys: str) -> None:
        self.served.tmux("send-keys", "-t", self.pane, *keys)

    def clear(self) -> None:
        if self.program.command.startswith("fish"):
            # C-c within a paste leaves fish's key bindings for pastes switched on.
            self.served.tmux("send-keys", "-l", "-t", self.pane, "\x1b[201~")
        self.press(self.program.clear)

    def screen(self) -> str:
        return self.served.tmux("capture-pane", "-p", "-t", self.pane)

    async def reads_keys(self) -> bool:
        """Whether its line editor is at work: it is at its prompt."""
        await asyncio.sleep(0.02)
        return edits_a_line(self._told("pane_tty"))

    async def running(self, command: str) -> None:
        async def runs() -> bool:
            return self._told("pane_current_command") == command

        await eventually(runs)

    def _told(self, name: str) -> str:
        return self.served.tmux("display-message", "-p", "-t", self.pane, f"#{{{name}}}")

    async def ready(self) -> None:
        async def prompted() -> bool:
            return bool(self.screen().strip())

        await eventually(prompted)
        await self.settle()

    async def settle(self) -> None:
        """Drop what stands on the line, run a command and wait until it has run."""
        done = self.home / "settled"
        done.unlink(missing_ok=True)
        line = self.program.creates.format(file=done)

        async def ran() -> bool:
            # Again and again: a program that starts, or leaves a search or an editor, loses keys.
            self.clear()
            await asyncio.sleep(0.1)
            self.press("C-u")
            self.served.tmux("send-keys", "-l", "-t", self.pane, line)
            self.press("Enter")
            for _ in range(20):
                if done.exists():
                    return True
                await asyncio.sleep(0.05)
            return False

        await eventually(ran)

    def ran(self) -> list[str]:
        """The attacks that ran."""
        return [file.name for file in self.attacks if file.exists()]


def start(served: Served, program: Program, home: Path) -> Target:
    home.mkdir(parents=True)
    for name, text in program.files:
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text)
    settings = {
        "HOME": str(home), "ZDOTDIR": str(home), "INPUTRC": str(home / ".inputrc"),
        "TERM": program.term, "LC_ALL": "C.UTF-8", "PS1": "$", "ENV": "",
        "EDITOR": "true", "VISUAL": "true", "FCEDIT": "true",
    }  # fmt: skip
    assigned = " ".join(f"{name}='{value}'" for name, value in settings.items())
    pane = served.tmux(
        "new-window", "-dP", "-F", "#{pane_id}", "-c", str(home), "-t", "work:",
        f"{assigned} exec {program.command}",
    )  # fmt: skip
    return Target(served, program, pane, home)


# --- the doors --------------------------------------------------------------------------------

Door = Callable[[Target, str], Awaitable[bool]]  # whether the text was taken


async def rest(target: Target, text: str) -> bool:
    address = f"{target.served.running.address}/api/panes/{target.pane.lstrip('%')}/send"
    async with httpx.AsyncClient() as http:
        answer = await http.post(address, json={"text": text})
    if answer.status_code == 200:
        return True
    assert answer.status_code in {400, 422}, answer.text
    assert answer.json()["error"]["code"] == "invalid"
    return False


async def send_to_window(target: Target, text: str) -> bool:
    window = target.served.window_of(target.pane)
    arguments = {"mode": "execute", "windowId": window, "text": text}
    return await _call(target, "send_to_window", arguments)


async def send_keys_literal(target: Target, text: str) -> bool:
    arguments = {"target": target.pane, "keys": text, "literal": True}
    return await _call(target, "tmux_send_keys", arguments)


async def send_keys_quoted(target: Target, text: str) -> bool:
    return await _call(target, "tmux_send_keys", {"target": target.pane, "keys": f'"{text}"'})


async def upload(target: Target, text: str) -> bool:
    async with client(target.served) as ws:
        payload = b"notes.txt\0text/plain\0" + text.encode("utf-8", "surrogatepass")
        await ws.put(FrameType.UPLOAD, target.pane, payload)
        await ws.ask("ping")
        await asyncio.sleep(0.05)  # frames are not acknowledged: settle() waits for the rest
    return True


async def _call(target: Target, tool: str, arguments: Mapping[str, object]) -> bool:
    message = {
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": tool, "arguments": arguments},
    }  # fmt: skip
    headers = {"accept": "application/json, text/event-stream"}
    async with httpx.AsyncClient() as http:
        address = f"{target.served.running.address}/mcp"
        answer = await http.post(address, json=message, headers=headers)
    assert answer.status_code == 200, answer.text
    return not answer.json()["result"].get("isError", False)


DOORS: dict[str, Door] = {
    "rest": rest,
    "send_to_window": send_to_window,
    "tmux_send_keys literal": send_keys_literal,
    "tmux_send_keys quoted": send_keys_quoted,
    "upload": upload,
}


@contextlib.asynccontextmanager
async def watching(target: Target) -> AsyncIterator[Client]:
    """Somebody watches the pane, and the program has drawn a new prompt since."""
    async with client(target.served) as ws:
        await ws.ask("subscribe-output", agent=target.pane)
        await ws.frame(target.pane)
        await target.settle()
        await ws.settle()
        yield ws
