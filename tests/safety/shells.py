"""Shells and other command lines in panes of a real server, and the doors that send text to them.

An attack tries to create a file without Enter. After the attacks the program runs a harmless
command: it has then read everything that was sent before, so an attack whose file is still missing
has failed.
"""

import contextlib
import shutil
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from terminals.socket.frames import FrameType
from terminals.tmux.foreground import edits_a_line
from tests.terminals.served import Client, Served, client
from tests.waiting import LONGEST_SECONDS, eventually


@dataclass(frozen=True)
class Program:
    """A program with a prompt."""

    name: str
    command: str
    creates: str = "touch {file}"  # a line that creates a file
    interrupt: str = "C-c"  # the key that discards all lines at the prompt
    term: str = "screen-256color"
    files: tuple[tuple[str, str], ...] = ()  # configuration in its home directory
    save_line: str = ""  # a key that writes the line at the prompt to ~/line, but not in a paste

    @property
    def installed(self) -> bool:
        return shutil.which(self.command.split()[0]) is not None

    @property
    def ignores_keys_after_interrupt(self) -> bool:
        """Whether keys are lost that arrive before the prompt after a C-c."""
        return self.command.startswith(("bash", "dash", "sh ", "/usr/bin/python3"))


SETTLE_SECONDS = 1.0  # until the keys are sent again
POSITION = "#{history_size} #{cursor_y} #{cursor_x}"
BASH = "bash --norc --noprofile"
ZSHRC = r"""
PS1='$'
autoload -Uz bracketed-paste-magic url-quote-magic
zle -N bracketed-paste bracketed-paste-magic
zle -N self-insert url-quote-magic
save-line() { print -r -- "$BUFFER" > ~/line }
zle -N save-line
bindkey '\e[99~' save-line
"""
SAVE_LINE = "\x1b[99~"
FISH = r"""
function fish_prompt; echo -n '$'; end
set -g fish_greeting
abbr -a touch touch
bind \e\[99~ 'commandline > ~/line'
"""
SHELLS = (
    Program("bash", BASH),
    Program("bash-vi", f"{BASH} -o vi"),
    Program("bash-dumb", BASH, term="dumb"),  # without bracketed paste
    Program("bash-no-brackets", BASH, files=((".inputrc", "set enable-bracketed-paste off\n"),)),
    Program("bash-no-editing", f"{BASH} --noediting"),
    Program("zsh", "zsh -f"),
    Program("zsh-magic", "zsh", files=((".zshrc", ZSHRC),), save_line=SAVE_LINE),
    Program("fish", "fish --no-config"),
    Program("fish-abbr", "fish", files=((".config/fish/config.fish", FISH),), save_line=SAVE_LINE),
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
    """One program in its own pane, and the connections of an attacker to the server."""

    served: Served
    program: Program
    window: str
    pane: str
    tty: str
    home: Path
    http: httpx.AsyncClient
    socket: Client
    attacks: dict[str, Path] = field(default_factory=dict)

    def attack(self, template: str, name: str = "") -> str:
        """The text of an attack: `{run}` becomes a line that creates a file."""
        file = self.home / f"ran{len(self.attacks)}"
        self.attacks[name or file.name] = file
        return template.replace("{run}", self.program.creates.format(file=file))

    def ran(self) -> list[str]:
        """The names of the attacks that ran."""
        return [name for name, file in self.attacks.items() if file.exists()]

    def press(self, *keys: str) -> None:
        self.served.tmux("send-keys", "-t", self.pane, *keys)

    def type_line(self, line: str) -> None:
        keys = ("send-keys", "-t", self.pane)
        self.served.tmux(*keys, "C-u", ";", *keys, "-l", line, ";", *keys, "Enter")

    def screen(self) -> str:
        return self.served.tmux("capture-pane", "-p", "-t", self.pane)

    def reads_keys(self) -> bool:
        """Whether the program's line editor is active: the program is at its prompt."""
        return edits_a_line(self.tty)

    async def running(self, command: str) -> None:
        await eventually(lambda: self._format("#{pane_current_command}") == command)

    async def ready(self) -> None:
        await eventually(lambda: bool(self.screen().strip()))
        await self.settle()

    async def clear(self) -> None:
        """Discard a single line at the prompt. The next upload comes after it."""
        await self.sync()
        await self.socket.type(self.pane, b"\x15")

    async def sync(self) -> None:
        """Wait until a paste has been processed, in programs with slow or scripted pastes.

        fish keeps its key bindings for pastes for ever if the next paste or C-c arrives earlier.
        """
        if self.program.save_line:
            await eventually(self._saved_line)

    async def settle(self) -> None:
        """Discard everything at the prompt, then run a command and wait until it has run."""
        done = self.home / "settled"
        done.unlink(missing_ok=True)
        line = self.program.creates.format(file=done)

        async def runs() -> bool:
            # Repeated: a program that starts, or leaves a search or an editor, ignores keys.
            await self.sync()
            before = self._interrupt()
            if self.program.save_line:
                if not await _within(SETTLE_SECONDS, self._is_cleared):
                    return False  # Enter would run the lines that are still at the prompt
            elif self.program.ignores_keys_after_interrupt:
                await _within(SETTLE_SECONDS, lambda: self._format(POSITION) != before)
            self.type_line(line)
            return await _within(SETTLE_SECONDS, done.exists)

        await eventually(runs)

    def _interrupt(self) -> str:
        """Returns the position of the cursor before."""
        keys = ("send-keys", "-t", self.pane, self.program.interrupt)
        return self.served.tmux("display-message", "-p", "-t", self.pane, POSITION, ";", *keys)

    async def _saved_line(self) -> str:
        """The line at the prompt with its final line feed; empty if the key had no effect."""
        file = self.home / "line"
        file.unlink(missing_ok=True)
        self.press("-l", self.program.save_line)
        await _within(SETTLE_SECONDS, lambda: file.exists() and file.read_text() != "")
        return file.read_text() if file.exists() else ""

    async def _is_cleared(self) -> bool:
        return (await self._saved_line()) == "\n"

    def _format(self, text: str) -> str:
        return self.served.tmux("display-message", "-p", "-t", self.pane, text)


async def _within(seconds: float, check: Callable[[], bool | Awaitable[bool]]) -> bool:
    try:
        return bool(await eventually(check, seconds))
    except AssertionError:
        return False


@contextlib.asynccontextmanager
async def started(served: Served, program: Program, home: Path) -> AsyncIterator[Target]:
    home.mkdir(parents=True)
    for name, text in program.files:
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(text)
    settings = {
        "HOME": str(home), "ZDOTDIR": str(home), "INPUTRC": str(home / ".inputrc"),
        "TERM": program.term, "LC_ALL": "C.UTF-8", "PS1": "$", "ENV": "",
        "EDITOR": "true", "VISUAL": "true", "FCEDIT": "true",
    }  # fmt: skip
    assignments = " ".join(f"{name}='{value}'" for name, value in settings.items())
    created = served.tmux(
        "new-window", "-dP", "-F", "#{window_id} #{pane_id} #{pane_tty}",
        "-c", str(home), "-t", "work:", f"{assignments} exec {program.command}",
    )  # fmt: skip
    window, pane, tty = created.split()
    try:
        async with (
            httpx.AsyncClient(base_url=served.running.address, timeout=LONGEST_SECONDS) as http,
            client(served) as socket,
        ):
            yield Target(served, program, window, pane, tty, home, http, socket)
    finally:
        with contextlib.suppress(subprocess.CalledProcessError):  # an attack may have ended it
            served.tmux("kill-pane", "-t", pane)


# --- the doors --------------------------------------------------------------------------------

Door = Callable[[Target, str], Awaitable[bool]]  # whether the text was accepted


async def send(target: Target, text: str, **options: object) -> httpx.Response:
    path = f"/api/panes/{target.pane.lstrip('%')}/send"
    return await target.http.post(path, json={"text": text, **options})


async def rest(target: Target, text: str) -> bool:
    response = await send(target, text)
    if response.status_code == 200:
        return True
    assert response.status_code in {400, 422}, response.text
    assert response.json()["error"]["code"] == "invalid"
    return False


async def send_to_window(target: Target, text: str) -> bool:
    arguments = {"mode": "execute", "windowId": target.window, "text": text}
    return await _call_tool(target, "send_to_window", arguments)


async def send_keys_literal(target: Target, text: str) -> bool:
    arguments = {"target": target.pane, "keys": text, "literal": True}
    return await _call_tool(target, "tmux_send_keys", arguments)


async def send_keys_quoted(target: Target, text: str) -> bool:
    return await _call_tool(target, "tmux_send_keys", {"target": target.pane, "keys": f'"{text}"'})


async def upload(target: Target, text: str) -> bool:
    """Uploads are not acknowledged. An invalid one is, by an error, and it is processed later."""
    payload = b"notes.txt\0text/plain\0" + text.encode("utf-8", "surrogatepass")
    await target.socket.put(FrameType.UPLOAD, target.pane, payload)
    await target.socket.put(FrameType.UPLOAD, target.pane, b"invalid")
    error = await target.socket.error()
    assert "expected fileName" in error, error
    return True


async def _call_tool(target: Target, tool: str, arguments: Mapping[str, object]) -> bool:
    response = await target.http.post("/mcp", json=tool_call(tool, arguments), headers=MCP_HEADERS)
    assert response.status_code == 200, response.text
    return not response.json()["result"].get("isError", False)


MCP_HEADERS = {"accept": "application/json, text/event-stream"}


def tool_call(tool: str, arguments: Mapping[str, object]) -> dict[str, object]:
    return {
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": tool, "arguments": arguments},
    }  # fmt: skip


DOORS: dict[str, Door] = {
    "rest": rest,
    "send_to_window": send_to_window,
    "tmux_send_keys literal": send_keys_literal,
    "tmux_send_keys quoted": send_keys_quoted,
    "upload": upload,
}


@contextlib.asynccontextmanager
async def watching(target: Target) -> AsyncIterator[None]:
    """A client watches the pane, and the program has drawn a new prompt since."""
    # Without a limit of messages: this client does not read them, and could not close otherwise.
    async with client(target.served, max_queue=None) as socket:
        await socket.ask("subscribe-output", agent=target.pane)
        await socket.frame(target.pane)
        await target.settle()
        await socket.settle()
        yield
