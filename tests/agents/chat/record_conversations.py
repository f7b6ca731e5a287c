"""Records conversations with fake agents and real shells, for tests/golden/chat/.

Not a test. The actual messages are known from the scripts in talk.py.
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
from agents.chat.worker import record_chat
from agents.models import ChatRecord
from agents.runtimes.loader import AgentState
from bench.private_tmux import private_tmux
from core.database import in_db
from terminals import runtime
from terminals.runtime import Runtime
from terminals.tmux.driver import Tmux
from terminals.windows import panes
from tests.agents.chat import talk
from tests.agents.chat.conversations import save
from tests.agents.fakes.launch import command, environment, install
from tests.waiting import eventually

WAIT_SECONDS = 30.0
SETTLED_SECONDS = 2.0  # longer than a screen takes to settle and to be stored
CONCURRENT = 4


@dataclass(frozen=True)
class RecordedPane:
    tmux: Tmux
    directory: Path
    name: str
    pane: str
    window: str

    async def rows(self) -> list[ChatRecord]:
        return await in_db(lambda: list(ChatRecord.objects.filter(pane=self.pane).order_by("ts")))()

    async def settled(self) -> None:
        """Waits until nothing more is recorded."""
        before = -1
        while (now := len(await self.rows())) != before:
            before = now
            await asyncio.sleep(SETTLED_SECONDS)


async def start(
    tmux: Tmux, directory: Path, name: str, size: str, program: str, env: dict[str, str]
) -> RecordedPane:
    session = await tmux.new_session(name, cwd=str(directory), command=program, env=env)
    columns, rows = map(int, size.split("x"))
    await tmux.request_size(session.window_id, columns, rows)
    return RecordedPane(tmux, directory, name, session.pane_id, session.window_id)


async def with_agent(
    tmux: Tmux, directory: Path, kind: str, size: str, script: talk.Script, *, quick: bool
) -> None:
    name = f"{kind}-{script.name}-{size}"
    replies = directory / f"{name}.replies"
    replies.write_text(json.dumps([turn.reply for turn in script.turns]))
    env = {
        **environment(kind, directory / f"{name}.log", turn=0.05 if quick else 0.4),
        "FAKE_REPLIES": str(replies),
    }
    program = command(install(directory / "bin", kind))
    recorded = await start(tmux, directory, name, size, program, env)
    expected = [("assistant", f"{kind} (a fake)")]

    async def idle() -> bool:
        agent = registry.current().agents.get(name)
        return agent is not None and agent.state is AgentState.IDLE

    for turn in script.turns:
        await eventually(idle, WAIT_SECONDS)
        agent = registry.current().find(name)
        receipt = await services.send_prompt(tmux=tmux, agent=agent, prompt=turn.prompt)
        assert receipt.ok, receipt
        if not quick:
            await recorded.settled()
        expected += [("user", turn.prompt), ("assistant", "\n".join(turn.reply))]
    await recorded.settled()
    save(name, await recorded.rows(), expected)


async def with_shell(
    tmux: Tmux, directory: Path, shell: str, size: str, script: talk.Script, *, quick: bool
) -> None:
    kind = shell.split()[0]
    name = f"{kind}-{script.name}-{size}"
    env = {"PS1": "$ ", "LANG": "C.UTF-8", "PROMPT": "$ "}
    recorded = await start(tmux, directory, name, size, f"exec {shell}", env)
    await recorded.settled()
    expected: list[tuple[str, str]] = []
    for number, turn in enumerate(script.turns):
        path = directory / f"{name}.{number}"
        path.write_text("\n".join(turn.reply) + "\n")
        line = turn.prompt.format(file=path.name)
        await panes.send_text(tmux=tmux, pane=recorded.pane, text=line, submit=True)
        if not quick:
            await recorded.settled()
        expected.append(("user", line))
        if reply := "\n".join(turn.reply).strip("\n"):
            expected.append(("assistant", reply))
    await recorded.settled()
    save(name, await recorded.rows(), expected)


def jobs(tmux: Tmux, directory: Path, only: str) -> list[Callable[[], Awaitable[None]]]:
    """All conversations, or those whose script's name contains `only`."""
    agents = (
        partial(with_agent, tmux, directory, kind, size, script, quick=quick)
        for kind, size, script, quick in talk.AGENTS
        if only in script.name
    )
    shells = (
        partial(with_shell, tmux, directory, shell, size, script, quick=quick)
        for shell, size, script, quick in talk.SHELLS
        if only in script.name
    )
    return [*agents, *shells]


async def record(only: str) -> None:
    async with private_tmux() as bench:
        with tempfile.TemporaryDirectory(prefix="wtc") as directory:
            own = Runtime(socket=bench.socket, data_dir=Path(directory))
            await own.start()
            stop, slots = asyncio.Event(), asyncio.Semaphore(CONCURRENT)
            tasks = [
                asyncio.create_task(workers.scan_agents(own, stop=stop)),
                asyncio.create_task(record_chat(own, stop=stop)),
            ]

            async def run(job: Callable[[], Awaitable[None]]) -> None:
                async with slots:
                    await job()

            assert runtime.current() is own
            await asyncio.gather(*(run(job) for job in jobs(own.main, Path(directory), only)))
            stop.set()
            await asyncio.gather(*tasks)
            await own.stop()


def main() -> None:
    call_command("migrate", verbosity=0)
    asyncio.run(record(sys.argv[1] if len(sys.argv) > 1 else ""))


if __name__ == "__main__":
    main()
