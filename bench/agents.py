"""`make bench-agents`: the cost of detecting agents, of idle agents, and the delay of their states.

The processes are real and bear the agents' names; the screens are labelled ones of the tests.
"""

# ruff: noqa: RUF001 - the marks of the real programs

import asyncio
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path

import httpx
import psutil

from agents.detection.scanner import Scanner
from agents.runtimes.loader import load, runtimes
from agents.screen.states import read_screen
from bench import agent_delay
from bench.private_tmux import Bench, ms, private_tmux
from tests.agents.corpus import samples
from tests.agents.detection.programs import SHOW, script, sleeper
from tests.config.servers import Running, environment, manage, serving

PANES = 200
ROUNDS = 50
WINDOWS, AGENTS = 100, 20
IDLE_SECONDS = 20.0
WARM_SECONDS = 5.0
PIECE_SECONDS = 0.1  # a program that takes a pty, starts and prints has done so after a few
NAMES = ("claude", "codex", "gemini", "amp")


async def scan_time(bench: Bench, directory: Path) -> None:
    """A quarter agents in front, a quarter behind a script, a quarter shells, a quarter others."""
    programs = [sleeper(directory / "bin", name) for name in NAMES]
    for number in range(PANES - 1):
        program = programs[number // 4 % 4]
        command = (f"exec {program} 600", f"sh -c '{program} 600; true'", "exec sh",
                   "exec sleep 600")[number % 4]  # fmt: skip
        await bench.tmux.new_window("$0", command=command, background=True)
    scanner = Scanner(runtimes())
    pids = {row.id: row.pid for row in await bench.tmux.panes()}
    deadline = time.monotonic() + 20
    while len(scanner.scan(pids)) < PANES // 2 - 1 and time.monotonic() < deadline:
        await asyncio.sleep(PIECE_SECONDS)
    detected = scanner.scan(pids)
    first, later, whole = [], [], []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        Scanner(runtimes()).scan(pids)
        first.append(time.perf_counter() - began)
        began = time.perf_counter()
        scanner.scan(pids)
        later.append(time.perf_counter() - began)
        began = time.perf_counter()
        rows, _ = await asyncio.gather(bench.tmux.panes(), bench.tmux.clients())
        scanner.scan({row.id: row.pid for row in rows})
        whole.append(time.perf_counter() - began)
    print(
        f"\n{len(pids)} panes, {len(detected)} agents detected, {len(psutil.pids())} processes here"
    )
    print(f"  processes, first time  {ms(first)}")
    print(f"  processes, again       {ms(later)}   (goal: 30 ms)")
    print(f"  with tmux's own list   {ms(whole)}")


def read_time() -> None:
    pictures = [(sample.lines, load(sample.runtime)) for sample in samples()]
    times = []
    for lines, rules in pictures * 5:
        began = time.perf_counter()
        read_screen(lines, rules)
        times.append(time.perf_counter() - began)
    print(f"\nreading a screen         {ms(times)}")


def idle_server(directory: Path) -> None:
    """CPU of a server with idle agents, then with as many that show a spinner."""
    socket = f"{directory}/s"
    env = environment(directory / "data", WEBTMUX_TMUX_SOCKET=socket)
    manage(env, "migrate", "--verbosity", "0")
    idle = script(directory / "idle", "claude", SHOW)
    picture = directory / "picture"
    [sample] = [sample for sample in samples() if sample.name == "claude-idle-prose-80x24"]
    picture.write_text("\n".join(sample.lines).rstrip("\n"))

    def cli(*arguments: str) -> str:
        command = ["tmux", "-S", socket, "-f", "/dev/null", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    cli("new-session", "-d", "-s", "s0", "-x", "80", "-y", "24", "exec sh")
    try:
        for number in range(1, WINDOWS):
            command = f"exec {idle}" if number <= AGENTS else "exec sh"
            pane = cli("new-session", "-dP", "-F", "#{pane_id}", "-s", f"s{number}", "-x", "80",
                       "-y", "24", command).strip()  # fmt: skip
            if number <= AGENTS:
                cli("send-keys", "-t", pane, str(picture), "Enter")
        with serving(["manage.py", "serve", "--port", "0"], env) as running:
            print(f"\na server with {WINDOWS} windows and {AGENTS} agents, over {IDLE_SECONDS} s")
            _measure("agents at rest (goal: 3 %)", running, socket)
            busy = _spinner(directory)
            for number in range(1, AGENTS + 1):
                cli("respawn-pane", "-k", "-t", f"s{number}", busy)
            _measure("all of them at work, ten frames a second", running, socket)
    finally:
        cli("kill-server")


def _spinner(directory: Path) -> str:
    """Repaint the status line as real agents do."""
    text = (
        "#!/bin/sh\nprintf '\\033[2J\\033[3;1H────────────\\r\\n❯ \\r\\n────────────\\r\\n'\n"
        "while :; do for mark in ✻ ✽ ✶ ✳; do printf '\\033[1;1H%s Pondering… (3s)' $mark; "
        "sleep 0.1; done; done\n"
    )
    return f"exec {script(directory / 'busy', 'claude', text)}"


def _measure(title: str, running: Running, socket: str) -> None:
    server = psutil.Process(running.process.pid)
    number = subprocess.run(
        ["tmux", "-S", socket, "display-message", "-p", "#{pid}"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    tmux = psutil.Process(int(number))
    time.sleep(WARM_SECONDS)
    before = [sum(process.cpu_times()[:2]) for process in (server, tmux)]
    time.sleep(IDLE_SECONDS)
    after = [sum(process.cpu_times()[:2]) for process in (server, tmux)]
    server_cpu, tmux_cpu = (
        100 * (late - early) / IDLE_SECONDS for early, late in zip(before, after, strict=True)
    )
    agents = httpx.get(f"{running.address}/api/agents").json()["items"]
    states = dict(Counter(agent["state"] for agent in agents))
    memory = server.memory_info().rss / 1e6
    print(f"  {title}: {states}")
    print(f"    server {server_cpu:5.2f} %   tmux {tmux_cpu:5.2f} %   {memory:.0f} MB")


async def in_process() -> None:
    async with private_tmux() as bench:
        with tempfile.TemporaryDirectory(prefix="wtb") as directory:
            await scan_time(bench, Path(directory))


def main() -> None:
    print(subprocess.run(["tmux", "-V"], capture_output=True, text=True).stdout.strip())
    read_time()
    asyncio.run(in_process())
    with tempfile.TemporaryDirectory(prefix="wtb") as directory:
        idle_server(Path(directory))
    asyncio.run(agent_delay.main())


if __name__ == "__main__":
    main()
