"""Holds conversations with fake agents and real shells, and keeps what the recorder made of them.

Not a test: it makes the files of tests/golden/chat/. What was really said is known beforehand.
"""

# ruff: noqa: E402 - Django first

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
import django

django.setup()

from django.core.management import call_command

from agents import registry, services, workers
from agents.models import ChatRecord
from agents.recording import record_chat
from agents.rules import State
from bench.private_tmux import private_tmux
from terminals import panes, runtime
from terminals.db import in_db
from terminals.runtime import Runtime
from terminals.tmux.driver import Tmux
from tests.agents import talk
from tests.agents.conversations import save
from tests.agents.fakes.launch import command, environment, install
from tests.terminals.tmux.waiting import eventually

WAIT_SECONDS = 30.0
SETTLED_SECONDS = 2.0  # longer than it takes to settle and to be written
AT_ONCE = 4


@dataclass(frozen=True)
class Held:
    tmux: Tmux
    directory: Path
    name: str
    pane: str
    window: str

    async def rows(self) -> list[ChatRecord]:
        return await in_db(lambda: list(ChatRecord.objects.filter(pane=self.pane).order_by("ts")))()

    async def settled(self) -> None:
        """Until nothing more is recorded."""
        before = -1
        while (now := len(await self.rows())) != before:
            before = now
            await asyncio.sleep(SETTLED_SECONDS)


async def start(
    tmux: Tmux, place: Path, name: str, size: str, what: str, env: dict[str, str]
) -> Held:
    made = await tmux.new_session(name, cwd=str(place), command=what, env=env)
    columns, rows = map(int, size.split("x"))
    await tmux.ask_size(made.window_id, columns, rows)
    return Held(tmux, place, name, made.pane_id, made.window_id)


async def with_agent(
    tmux: Tmux, place: Path, kind: str, size: str, script: talk.Script, *, quick: bool
) -> None:
    name = f"{kind}-{script.name}-{size}"
    replies = place / f"{name}.replies"
    replies.write_text(json.dumps([turn.reply for turn in script.turns]))
    env = {
        **environment(kind, place / f"{name}.log", turn=0.05 if quick else 0.4),
        "FAKE_REPLIES": str(replies),
    }
    held = await start(tmux, place, name, size, command(install(place / "bin", kind)), env)
    said = [("assistant", f"{kind} (a fake)")]

    async def idle() -> bool:
        agent = registry.current().agents.get(name)
        return agent is not None and agent.state is State.IDLE

    for turn in script.turns:
        await eventually(idle, WAIT_SECONDS)
        agent = registry.current().find(name)
        receipt = await services.send_prompt(tmux=tmux, agent=agent, prompt=turn.prompt)
        assert receipt.ok, receipt
        if not quick:
            await held.settled()
        said += [("user", turn.prompt), ("assistant", "\n".join(turn.reply))]
    await held.settled()
    save(name, await held.rows(), said)


async def with_shell(
    tmux: Tmux, place: Path, shell: str, size: str, script: talk.Script, *, quick: bool
) -> None:
    kind = shell.split()[0]
    name = f"{kind}-{script.name}-{size}"
    env = {"PS1": "$ ", "LANG": "C.UTF-8", "PROMPT": "$ "}
    held = await start(tmux, place, name, size, f"exec {shell}", env)
    await held.settled()
    said: list[tuple[str, str]] = []
    for number, turn in enumerate(script.turns):
        path = place / f"{name}.{number}"
        path.write_text("\n".join(turn.reply) + "\n")
        line = turn.prompt.format(file=path.name)
        await panes.send_text(tmux=tmux, pane=held.pane, text=line, submit=True)
        if not quick:
            await held.settled()
        said.append(("user", line))
        if reply := "\n".join(turn.reply).strip("\n"):
            said.append(("assistant", reply))
    await held.settled()
    save(name, await held.rows(), said)


def jobs(tmux: Tmux, place: Path, only: str) -> list[Callable[[], Awaitable[None]]]:
    """All of them, or those with a script of this name."""
    agents = (
        partial(with_agent, tmux, place, kind, size, script, quick=quick)
        for kind, size, script, quick in talk.AGENTS
        if only in script.name
    )
    shells = (
        partial(with_shell, tmux, place, shell, size, script, quick=quick)
        for shell, size, script, quick in talk.SHELLS
        if only in script.name
    )
    return [*agents, *shells]


async def hold(only: str) -> None:
    async with private_tmux() as bench:
        with tempfile.TemporaryDirectory(prefix="wtc") as directory:
            held = Runtime(socket=bench.socket, data_dir=Path(directory))
            await held.start()
            stop, room = asyncio.Event(), asyncio.Semaphore(AT_ONCE)
            tasks = [
                asyncio.create_task(workers.scan_agents(held, stop=stop)),
                asyncio.create_task(record_chat(held, stop=stop)),
            ]

            async def one(job: Callable[[], Awaitable[None]]) -> None:
                async with room:
                    await job()

            assert runtime.current() is held
            await asyncio.gather(*(one(job) for job in jobs(held.main, Path(directory), only)))
            stop.set()
            await asyncio.gather(*tasks)
            await held.stop()


def main() -> None:
    call_command("migrate", verbosity=0)
    asyncio.run(hold(sys.argv[1] if len(sys.argv) > 1 else ""))


if __name__ == "__main__":
    main()
