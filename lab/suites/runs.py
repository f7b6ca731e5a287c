"""`start_agent` with a first prompt, `run_prompt` over REST and MCP, a dialog at the start, a
program that ends at once. The agents are started by webtmux itself, with the hooks of that launch.
"""

import contextlib
import os
import shlex
import signal
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lab import agents as programs
from lab.agents import AgentProgram, Launch
from lab.harness import Bench, access_token
from lab.model_server import serving as model_serving
from lab.panes import Pane
from lab.quotes import QUOTES
from lab.suites.common import Table
from tests.config.servers import environment, serving

ROUNDS = 3
WAIT_SECONDS = 40.0
# (prompt, reply, how the turn ends)
RUNS = (
    ("STREAM 2 =lines", QUOTES["lines"], "ended"),
    ("SAY at once", "at once", "ended"),
    ("SAY =markdown", QUOTES["markdown"], "ended"),
    ("SLEEP 3 ;; SAY slept", "slept", "ended"),
)
NEVER_ASKS = ("pi",)


def measure(kind: AgentProgram, size: str, rounds: int | None = None) -> Table:
    table = Table("runs")
    with _bench(kind, size, "") as bench:
        started = _start(bench, "SAY first words")
        _judge_start(table, bench, started, "SAY first words")
        for number in range(rounds or ROUNDS):
            for prompt, reply, end in RUNS:
                _run(table, bench, "REST" if number % 2 else "MCP", prompt, reply, end)
        if kind.name not in NEVER_ASKS:
            _run(table, bench, "REST", "RUN touch ran", "", "waiting")
            made = (bench.pane.place.work / "ran").exists()
            table.add("dialog", "ANSWERED" if made else "untouched")
        _judge_end(table, bench)
    if "trust" in kind.dialogs:
        with _bench(kind, size, "trust") as bench:
            _judge_asked(table, bench, _start(bench, "1"))
    return table


def _start(bench: Bench, prompt: str, **more: Any) -> dict[str, Any]:
    kind, work = bench.pane.kind, bench.pane.place.work
    body = {"runtime": kind.name, "cwd": str(work), "session": kind.name, "prompt": prompt, **more}
    reply = bench.call("POST", "/agents/start", body)
    return {"status": reply.status, **reply.body}


def _judge_start(table: Table, bench: Bench, started: dict[str, Any], prompt: str) -> None:
    arrived = [request.prompt for request in bench.model.requests() if request.tools]
    right = started.get("ok") and _soon(bench, prompt)
    table.add("started with a prompt", "delivered" if right else "WRONG", "" if right else
              f"{started} {arrived}\n{bench.pane.screen()}")  # fmt: skip  # a note
    if right:
        receipt = started["receipt"]
        table.figures.append(f"first prompt: confirmed by {receipt['confirmedBy']}")


def _soon(bench: Bench, prompt: str) -> bool:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        if prompt in [request.prompt.strip() for request in bench.model.requests()]:
            return True
        time.sleep(0.1)
    return False


def _run(table: Table, bench: Bench, door: str, prompt: str, reply: str, end: str) -> None:
    _idle(bench)
    began = time.monotonic()
    if door == "MCP":
        result = bench.tool(
            "run_prompt", mode="execute", agent=bench.pane.kind.name, prompt=prompt,
            seconds=WAIT_SECONDS,
        )  # fmt: skip  # one call
    else:
        path = f"/agents/{bench.pane.kind.name}/run"
        result = bench.call("POST", path, {"prompt": prompt, "seconds": WAIT_SECONDS}).body
    right = result.get("end") == end and (not reply or result.get("text", "").strip() == reply)
    outcome = f"{end}, by {result.get('textFrom') or 'no one'}" if right else "WRONG"
    took = f"{time.monotonic() - began:.1f} s"
    table.add(f"run_prompt, {door}", outcome, "" if right else
              f"{prompt!r} {took} {result}\n{bench.pane.screen()}")  # fmt: skip  # a note


def _idle(bench: Bench) -> None:
    with contextlib.suppress(TimeoutError):
        bench.until("idle", 15)


def _judge_end(table: Table, bench: Bench) -> None:
    started = _start(bench, "SAY never", args=["--version"])
    version = programs.version(bench.pane.kind)
    windows = bench.pane.tmux("list-panes", "-a", "-F", "#{window_id} #{pane_dead}")
    kept = f"{started.get('window', {}).get('id', '')} 1" in windows
    right = not started.get("ok") and kept and version in str(started)
    table.add("ends at once", "kept, with its output" if right else "WRONG",
              "" if right else f"{started}\n{windows}")  # fmt: skip  # one row


def _judge_asked(table: Table, bench: Bench, started: dict[str, Any]) -> None:
    """A dialog that was answered would be gone."""
    agent = started.get("agent") or {}
    is_waiting = agent.get("state") == "waiting" and "trust" in bench.pane.screen().lower()
    refused = not started.get("ok") and is_waiting
    table.add("trust dialog", "untouched" if refused else "WRONG", "" if refused else
              f"{started}\n{bench.pane.screen()}")  # fmt: skip  # a note


@contextlib.contextmanager
def _bench(kind: AgentProgram, size: str, dialog: str) -> Iterator[Bench]:
    """A server whose login shell finds the agent; no agent runs yet."""
    root = Path(tempfile.mkdtemp(prefix=f"lab-{kind.name}-"))
    log = programs.directory() / "logs" / f"{kind.name}-{os.getpid()}-{time.time_ns()}.jsonl"
    with model_serving(log) as model:
        place = Launch(root / "home", root / "work", model.address, dialog)
        pane = Pane(kind, place, root / "tmux.sock", size)
        [binary], own = programs.command(kind, place)
        programs_found = root / "found"
        programs_found.mkdir()
        pairs = shlex.join([f"{name}={value}" for name, value in own.items() if name != "PATH"])
        (programs_found / kind.binary).write_text(f'#!/bin/sh\nexec env {pairs} {binary} "$@"\n')
        (programs_found / kind.binary).chmod(0o755)
        # The home of the server: its login shell reads this file.
        profile = root / "home-of-server" / ".bash_profile"
        profile.parent.mkdir()
        profile.write_text(f"export PATH={programs_found}:$PATH\n")
        width, _, height = size.partition("x")
        pane.tmux("new-session", "-d", "-s", "first", "-x", width, "-y", height, "sleep 9999")
        pane.tmux("set-option", "-g", "default-size", size)
        pane.tmux("set-option", "-g", "default-shell", "/bin/bash")
        env = environment(root / "data", WEBTMUX_TMUX_SOCKET=str(pane.socket))
        try:
            with serving(["manage.py", "serve", "--port", "0"], env) as server:
                screens = programs.directory() / "screens"
                yield Bench(pane, model, server, screens, access_token(env))
                server.end(signal.SIGTERM)
        finally:
            pane.end()
