"""Sends random lines through every interface of a real server and reads what was recorded.

Used by a short test and by `make soak-chat`. Each window gets its lines in runs, one after another,
in all windows at once; within a run nothing waits.
"""

import asyncio
import random
import sqlite3
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from terminals.tmux.foreground import Echo, echo_of
from tests.agents.fakes.launch import command, environment, install
from tests.terminals.served import Client, Served, client
from tests.waiting import LONGEST_SECONDS, eventually

SHELLS = {
    "cat": "exec cat", "sh": "exec sh", "bash": "exec bash --norc --noprofile",
    "zsh": "exec zsh -f", "python": "exec python3 -q",
}  # fmt: skip
AGENTS = ("claude", "codex")
KINDS = (*SHELLS, *AGENTS)
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789,.=+-_/%@äé日本🎉"
SECRET = "hunter2-never-written-down"


@dataclass
class Target:
    """A window, and what was submitted to it."""

    kind: str
    name: str  # of its session
    pane: str
    tty: str
    chance: random.Random
    expected: list[str] = field(default_factory=list)

    @property
    def edits(self) -> bool:
        return self.kind in {"bash", "zsh", "python"}

    def line(self) -> str:
        words = [
            "".join(self.chance.choices(LETTERS, k=self.chance.randint(1, 12)))
            for _ in range(self.chance.randint(1, 14))
        ]
        text = " ".join(words)
        return {"cat": text, "python": f'"{text}"'}.get(self.kind, f": {text}")


@dataclass
class Interfaces:
    socket: Client
    http: httpx.AsyncClient
    served: Served

    # --- one line each --------------------------------------------------------------------------

    async def keys(self, target: Target, line: str) -> None:
        """Types like a user: mistakes, corrections, and cursor keys where a line editor runs."""
        await self.socket.type(target.pane, b"x y z" + b"\x7f" * 3)
        await self.socket.type(target.pane, b"\x17\x15")
        for character in line[:-1]:
            await self.socket.type(target.pane, character.encode())
            if target.chance.random() < 0.05:
                await self.socket.type(target.pane, "ß".encode() + b"\x7f")
        if target.kind == "bash":
            await self.socket.type(target.pane, b"q\x1b[D\x1b[D\x1b[C\x1b[3~")
        elif target.edits:
            await self.socket.type(target.pane, b"qr\x1b[D\x7f\x01\x05\x7f")
        await self.socket.type(target.pane, line[-1:].encode() + b"\r")

    async def burst(self, target: Target, line: str) -> None:
        await self.socket.type(target.pane, line.encode() + b"\r")

    async def pasted(self, target: Target, line: str) -> None:
        marked = b"\x1b[200~" + line.encode() + b"\x1b[201~"
        await self.socket.type(target.pane, marked if target.edits else line.encode())
        await self.socket.type(target.pane, b"\r")

    async def rest(self, target: Target, line: str) -> None:
        await self._post(target, "send", text=line, submit=True)

    async def rest_in_parts(self, target: Target, line: str) -> None:
        half = len(line) // 2
        await self._post(target, "send", text=line[:half])
        await self._post(target, "send", text=line[half:])
        await self._post(target, "keys", keys=["C-m"])

    async def rest_submit(self, target: Target, line: str) -> None:
        await self._post(target, "send", text=line)
        await self._post(target, "submit")

    async def prompt(self, target: Target, line: str) -> None:
        response = await self.socket.ask("send-prompt", agent=target.name, prompt=line)
        assert response["ok"], response

    async def prompt_by_rest(self, target: Target, line: str) -> None:
        url = f"/api/agents/{target.name}/prompt"
        response = await self.http.post(url, json={"prompt": line}, timeout=LONGEST_SECONDS)
        assert response.json()["ok"], response.text

    async def _post(self, target: Target, verb: str, **body: object) -> None:
        response = await self.http.post(f"/api/panes/{target.pane[1:]}/{verb}", json=body or None)
        assert response.status_code == 200, response.text


Sender = Callable[[Interfaces, Target, str], Awaitable[None]]
TYPED: tuple[Sender, ...] = (
    Interfaces.keys,
    Interfaces.burst,
    Interfaces.pasted,
    Interfaces.rest,
    Interfaces.rest_in_parts,
    Interfaces.rest_submit,
)
PROMPTED: tuple[Sender, ...] = (Interfaces.prompt, Interfaces.prompt_by_rest)


# --- runs ---------------------------------------------------------------------------------------


async def run(interfaces: Interfaces, target: Target, longest: int) -> int:
    """Sends some lines in one way, then waits for their records. Returns their number."""
    if target.kind in AGENTS:
        sender, count = target.chance.choice(PROMPTED), 1
    else:
        sender, count = target.chance.choice(TYPED), target.chance.randint(1, min(longest, 5))
    for _ in range(count):
        line = target.line()
        await sender(interfaces, target, line)
        target.expected.append(line)
    await until_recorded(interfaces.served, target)
    return count


async def recall(interfaces: Interfaces, target: Target) -> None:
    """Up recalls the last line; only the screen shows which one that is."""
    last = target.expected[-1]
    await until_shown(interfaces.served, target, "")
    await interfaces.socket.type(target.pane, b"\x1b[A")
    await until_shown(interfaces.served, target, last)
    await interfaces.socket.type(target.pane, b"\r")
    target.expected.append(last)
    await until_recorded(interfaces.served, target)


async def secret(interfaces: Interfaces, target: Target) -> None:
    """A password prompt: text typed there must not be recorded."""
    ask = {"bash": "read -rs x", "zsh": "read -rs x"}.get(
        target.kind, "stty -echo; read x; stty echo"
    )
    await interfaces.rest(target, ask)
    target.expected.append(ask)
    await eventually(lambda: _echoes(target, Echo.HIDDEN))
    await target.chance.choice((interfaces.burst, interfaces.rest, interfaces.rest_submit))(
        target, SECRET
    )
    await eventually(lambda: _echoes(target, Echo.PROGRAM, Echo.SHOWN))
    await until_recorded(interfaces.served, target)


async def _echoes(target: Target, *wanted: Echo) -> bool:
    return echo_of(target.tty) in wanted


async def until_shown(served: Served, target: Target, text: str) -> None:
    """Waits until the last line of the screen is a prompt and this text."""

    async def is_shown() -> bool:
        lines = served.tmux("capture-pane", "-pJ", "-t", target.pane).rstrip().split("\n")
        last = lines[-1].strip()
        return last.endswith(text) if text else last[-1:] in {"$", "#", "%", ">"}

    await eventually(is_shown)


async def drive(interfaces: Interfaces, target: Target, lines: int) -> None:
    hides = target.kind in {"sh", "bash", "zsh"}
    while len(target.expected) < lines:
        left = lines - len(target.expected)
        await run(interfaces, target, left)
        if target.kind in {"bash", "zsh"} and target.chance.random() < 0.3:
            await recall(interfaces, target)
        if hides and target.chance.random() < 0.2:
            await secret(interfaces, target)
    if hides:
        await secret(interfaces, target)


async def drive_all(served: Served, *, windows: int, lines: int, seed: int) -> list[Target]:
    """Sends at least `lines` lines, spread over the windows; each has its own client."""
    targets = [await start(served, number, seed) for number in range(windows)]
    per_window = -(-lines // windows)

    async def drive_one(target: Target, http: httpx.AsyncClient) -> None:
        async with client(served) as socket:
            await drive(Interfaces(socket, http, served), target, per_window)

    async with httpx.AsyncClient(base_url=served.running.address, timeout=LONGEST_SECONDS) as http:
        await eventually(lambda: _ready(http, targets))
        await asyncio.gather(*(drive_one(target, http) for target in targets))
    return targets


async def _ready(http: httpx.AsyncClient, targets: list[Target]) -> bool:
    wanted = {target.name for target in targets if target.kind in AGENTS}
    items = (await http.get("/api/agents")).json()["items"]
    idle = {agent["name"] for agent in items if agent["state"] == "idle"}
    editing = all(echo_of(target.tty) is Echo.PROGRAM for target in targets if target.edits)
    return wanted <= idle and editing


async def start(served: Served, number: int, seed: int) -> Target:
    kind = KINDS[number % len(KINDS)]
    name, chance = f"{kind}-{number}", random.Random(seed + number)
    if kind in AGENTS:
        log = served.directory / f"{name}.log"
        extra = environment(kind, log, turn=0.1)
        program = command(install(served.directory / "bin", kind))
    else:
        extra, program = {"PS1": "$ ", "LANG": "C.UTF-8"}, SHELLS[kind]
    flags = [part for key, value in extra.items() for part in ("-e", f"{key}={value}")]
    created = served.tmux(
        "new-session", "-dP", "-F", "#{pane_id} #{pane_tty}", "-s", name, "-x", "100", "-y", "30",
        *flags, program,
    )  # fmt: skip
    pane, tty = created.split()
    return Target(kind, name, pane, tty, chance)


# --- reading the records ------------------------------------------------------------------------


def database(served: Served) -> Path:
    return Path(served.env["WEBTMUX_DATA_DIR"]) / "webtmux.sqlite3"


def lines_of(served: Served, target: Target) -> list[str]:
    with sqlite3.connect(f"file:{database(served)}?mode=ro", uri=True) as connection:
        rows = connection.execute(
            "SELECT text FROM agents_chatrecord WHERE role = 'user' AND pane = ? ORDER BY ts",
            (target.pane,),
        )
        return [text for (text,) in rows]


async def until_recorded(served: Served, target: Target) -> None:
    async def is_complete() -> bool:
        return len(lines_of(served, target)) >= len(target.expected)

    try:
        await eventually(is_complete)
    except AssertionError:
        recorded_lines = lines_of(served, target)
        screen = served.tmux("capture-pane", "-pJ", "-S", "-", "-t", target.pane)
        reason = f"{target.name}: {target.expected[-6:]} but {recorded_lines[-6:]}: {screen}"
        raise AssertionError(reason) from None


def contains_secret(served: Served) -> bool:
    """Whether the secret is in the database file or in its write-ahead log."""
    files = database(served).parent.glob("webtmux.sqlite3*")
    return any(SECRET.encode() in path.read_bytes() for path in files)
