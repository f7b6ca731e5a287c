"""A real webtmux server next to a real agent, for the suites and for scripts.

The server is `manage.py serve` with its own data directory, on the agent's private tmux socket.
Prompts and answers go through REST. What the agent did is read from the files that its commands
create, and from the model server's log.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any

import psutil

from agents.witnesses.hooks import files, launch
from lab import agents as programs
from lab import panes
from lab.agents import AgentProgram, Launch
from lab.model_server import ModelServer
from lab.model_server import serving as model_serving
from lab.panes import Pane
from lab.screens import Tour
from tests.config.servers import ROOT, Running, environment, serving

CALL_SECONDS = 60
STATE_SECONDS = 30.0
POLL_SECONDS = 0.1
STILL = (psutil.STATUS_STOPPED, psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)


@dataclass(frozen=True)
class Reply:
    status: int
    body: dict[str, Any]

    @property
    def ok(self) -> bool:
        return self.status == 200 and bool(self.body.get("ok", True))

    @property
    def error(self) -> str:
        error = self.body.get("error") or self.body.get("detail") or ""
        return str(error.get("message") if isinstance(error, dict) else error)


@dataclass
class Bench:
    """One agent, its model, and the server that drives it."""

    pane: Pane
    model: ModelServer
    server: Running
    screens: Path
    # Without it this process would be taken for a proxy, because it also serves the model.
    token: str

    @property
    def tour(self) -> Tour:
        return Tour(self.pane, self.screens)

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Reply:
        request = urllib.request.Request(
            f"{self.server.address}/api{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json", "Authorization": f"Bearer {self.token}"},
        )
        try:
            with urllib.request.urlopen(request, timeout=CALL_SECONDS) as reply:
                return Reply(reply.status, json.load(reply))
        except urllib.error.HTTPError as failure:
            return Reply(failure.code, json.loads(failure.read() or b"{}"))

    def tool(self, name: str, **arguments: Any) -> dict[str, Any]:
        """The structured result of an MCP tool."""
        params = {"name": name, "arguments": arguments}
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        request = urllib.request.Request(
            f"{self.server.address}/mcp",
            method="POST",
            data=json.dumps(body).encode(),
            headers={
                "Content-Type": "application/json",
                "Accept": "application/json, text/event-stream",
                "Authorization": f"Bearer {self.token}",
            },
        )
        with urllib.request.urlopen(request, timeout=CALL_SECONDS) as reply:
            text = reply.read().decode()
        if text.startswith(("event:", "data:")):
            text = text.partition("data:")[2]
        result: dict[str, Any] = json.loads(text).get("result") or {}
        return result.get("structuredContent") or {}

    def agent(self) -> dict[str, Any]:
        """What webtmux reports of the agent now; empty if it does not detect it."""
        reply = self.call("GET", "/agents")
        if reply.status != HTTPStatus.OK:
            raise RuntimeError(f"{reply.status}: {reply.error}")
        agents: list[dict[str, Any]] = reply.body["items"]
        ours = (each for each in agents if each.get("session") == self.pane.session)
        return next(ours, {})

    def until(self, state: str, seconds: float = STATE_SECONDS) -> dict[str, Any]:
        deadline = time.monotonic() + seconds
        while (agent := self.agent()).get("state") != state:
            if time.monotonic() > deadline:
                raise TimeoutError(f"not {state}: {agent}\n{self.pane.screen()}")
            time.sleep(POLL_SECONDS)
        return agent

    def prompt(self, text: str) -> Reply:
        return self.call("POST", f"/agents/{self._name()}/prompt", {"prompt": text})

    def answer(self, answer: str, **more: str) -> Reply:
        return self.call("POST", f"/agents/{self._name()}/answer", {"answer": answer, **more})

    def explain(self) -> dict[str, Any]:
        return self.call("GET", f"/agents/{self._name()}/explain").body

    @contextlib.contextmanager
    def stalled(self, *, visibly: bool = True) -> Iterator[None]:
        """Stops the agent for the block; with `visibly`, also the process that webtmux watches."""
        stopped = psutil.Process(self.pane.pid()).children(recursive=True)
        if not visibly:
            pid = self.call("GET", f"/agents/{self._name()}").body["pid"]
            stopped = [process for process in stopped if process.pid != pid]
        assert stopped
        _signal(stopped, signal.SIGSTOP)
        try:
            yield
            running = [process for process in stopped if _status(process) not in STILL]
            assert not running, f"not stopped: {running}"
        finally:
            _signal(stopped, signal.SIGCONT)

    def _name(self) -> str:
        return urllib.parse.quote(self.pane.session)


def _signal(processes: list[psutil.Process], number: int) -> None:
    for process in processes:
        with contextlib.suppress(psutil.NoSuchProcess):
            process.send_signal(number)


def _status(process: psutil.Process) -> str:
    with contextlib.suppress(psutil.NoSuchProcess):
        return str(process.status())
    return psutil.STATUS_DEAD


def hooked(
    place: Launch, kind: AgentProgram, argv: list[str], env: dict[str, str]
) -> launch.Launch:
    """The launch with hooks that report to the data directory of the bench, as webtmux starts it.

    Gemini CLI has none for one launch; there they are in its settings.
    """
    directory = files.data_directory(_data(place))
    if problem := files.write_scripts(directory):
        raise RuntimeError(problem)
    if kind.name == "gemini":
        path = place.home / ".gemini" / "settings.json"
        settings = json.loads(path.read_text())
        hooks = {"hooks": launch.gemini_hooks(directory), "hooksConfig": {"enabled": True}}
        path.write_text(json.dumps({**settings, **hooks}))
    return launch.launch(kind.name, argv, env, directory=directory)


def access_token(env: dict[str, str]) -> str:
    """An access token of the running server, which still trusts browsers of this user."""
    done = subprocess.run(
        [sys.executable, "manage.py", "create_token", "lab", "--scope", "admin"],
        cwd=ROOT,
        env=env,
        capture_output=True,
        text=True,
        timeout=CALL_SECONDS,
        check=True,
    )
    return done.stdout.split()[-1]


def _data(place: Launch) -> Path:
    return place.home.parent / "data"


@contextlib.contextmanager
def start_bench(kind: AgentProgram, *, size: str = "120x40", dialog: str = "") -> Iterator[Bench]:
    """Starts the model server, the agent and webtmux. $WEBTMUX_LAB_HOOKS=0: without hooks."""
    adapt = hooked if os.environ.get("WEBTMUX_LAB_HOOKS", "1") == "1" else None
    # The log has a unique name, because the same agent may be measured twice at a time.
    log = programs.directory() / "logs" / f"{kind.name}-{os.getpid()}-{time.time_ns()}.jsonl"
    with (
        model_serving(log) as model,
        panes.running(kind, model.address, size=size, dialog=dialog, adapt=adapt) as pane,
    ):
        data = _data(pane.place)
        env = environment(data, WEBTMUX_TMUX_SOCKET=str(pane.socket))
        with serving(["manage.py", "serve", "--port", "0"], env) as server:
            yield Bench(pane, model, server, programs.directory() / "screens", access_token(env))
            server.end(signal.SIGTERM)
