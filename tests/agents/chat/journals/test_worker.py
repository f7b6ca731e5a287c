"""The worker on a real tmux: agents in panes, with journals that grow, change and end."""

import asyncio
import json
import shlex
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from agents import registry
from agents.chat import selectors as chat
from agents.chat.journals import places
from agents.registry import Agent
from agents.runtimes.loader import AgentState
from terminals.services import get_live_window
from terminals.tmux.driver import Tmux

pytestmark = pytest.mark.django_db(transaction=True)


def line(key: str, role: str, text: str) -> str:
    said = {"role": role, "content": [{"type": "text", "text": text}], "stopReason": "stop"}
    moment = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime())
    return json.dumps({"type": "message", "id": key, "timestamp": moment, "message": said}) + "\n"


class Pi:
    """A pane that shows a conversation, and the journal of it."""

    def __init__(self, tmux: Tmux, home: Path, agent: Agent, name: str) -> None:
        self.tmux, self.agent = tmux, agent
        directory = agent.work_dir.strip("/").replace("/", "-")
        root = home / ".pi" / "agent" / "sessions" / f"--{directory}--"
        root.mkdir(parents=True, exist_ok=True)
        self.path = root / f"{name}.jsonl"
        self.path.write_text(json.dumps({"type": "session", "cwd": agent.work_dir}) + "\n")

    def turn(self, prompt: str, reply: str) -> None:
        with self.path.open("a") as file:
            file.write(line(f"{prompt}", "user", prompt) + line(f"{reply}", "assistant", reply))

    async def messages(self) -> list[str]:
        window = await get_live_window(self.tmux, self.agent.window_id)
        page = await chat.read_chat_messages(window=window)
        return [message.text for message in page.messages if message.source == "journal"]


@pytest.fixture
def start(
    tmux: Tmux, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str, str], "asyncio.Future[Pi]"]:
    monkeypatch.setattr(places, "environment_of", lambda pid: {"HOME": str(tmp_path)})

    async def begin(name: str, shown: str) -> Pi:
        row = await tmux.new_window("$0", command=f"echo {shlex.quote(shown)}; exec cat")
        pane = await tmux.pane(row.pane_id)
        agent = replace(pi.agent, state=AgentState.IDLE)

    registry.current().replace([agent])
    await worker.step()
    [followed] = worker._followed.values()
    due = followed.find_at
    await worker.step()
    assert followed.find_at == due > time.monotonic() + 5
