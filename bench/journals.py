"""`make bench-journals`: large and fast journals of agents, and 20 agents at rest.

The processes are real and bear an agent's name; their journals are written by this program. The
event loop is watched in two ways: from outside, by requests to /healthz one after another (which
also see a thread that holds Python's lock, and the load of the machine), and from inside by the
watchdog of the tests, which reports callbacks over 50 ms of processor time.
"""

import argparse
import json
import os
import subprocess
import tempfile
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import httpx
import psutil

from bench.private_tmux import ms
from tests.agents.corpus import samples
from tests.agents.detection.programs import SHOW, script
from tests.config.servers import Running, environment, manage, serving
from tests.watchdog import loop as watchdog

LARGE = 200  # MB
RATE = 5  # MB per second
AGENTS = 20
SECONDS = 20.0
WARM_SECONDS = 8.0
POLL_SECONDS = 0.01
READ_SECONDS = 240.0
SITE = Path(watchdog.__file__).parent / "site"
TEXT = "It opens the **database** first, then it reads `settings.py`. " * 12


@dataclass
class Journal:
    """A journal of Claude Code, with messages, tool calls and their results."""

    path: Path
    number: int = 0
    parent: str = ""
    size: int = 0

    def records(self) -> Iterator[bytes]:
        """One turn: a prompt, a tool call, its result, and a reply; about 10 kB."""
        call = f"toolu_{self.number}"
        yield self._record("user", f"prompt {self.number}: please look at the tests")
        use = {"type": "tool_use", "id": call, "name": "Bash", "input": {"command": "make test"}}
        yield self._record("assistant", [use])
        result = {"type": "tool_result", "tool_use_id": call, "content": "ok 1.0s\n" * 1000}
        yield self._record("user", [result])
        yield self._record("assistant", [{"type": "text", "text": f"{self.number}. {TEXT}"}])

    def _record(self, role: str, content: object) -> bytes:
        self.number += 1
        own = str(uuid.uuid4())
        message: dict[str, object] = {"role": role, "content": content, "id": own}
        if role == "assistant":
            message |= {"stop_reason": "end_turn", "usage": {"input_tokens": 9, "output_tokens": 9}}
        record = {
            "type": role,
            "uuid": own,
            "parentUuid": self.parent or None,
            "timestamp": datetime.now(UTC).isoformat(),
            "message": message,
        }
        self.parent = own
        return json.dumps(record).encode() + b"\n"

    def write(self, megabytes: float) -> None:
        """Adds at least so much, in whole turns."""
        end = self.size + megabytes * 1e6
        with self.path.open("ab") as file:
            while self.size < end:
                self.size += sum(file.write(record) for record in self.records())


@dataclass
class Agents:
    """Panes with programs that bear the name of Claude Code."""

    directory: Path
    home: Path = field(init=False)
    socket: str = field(init=False)
    sessions: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.home, self.socket = self.directory / "home", f"{self.directory}/s"
        self.program = script(self.directory / "bin", "claude", SHOW)
        picture = self.directory / "picture"
        [sample] = [each for each in samples() if each.name == "claude-idle-prose-80x24"]
        picture.write_text("\n".join(sample.lines).rstrip("\n"))
        self.cli("new-session", "-d", "-s", "first", "-x", "80", "-y", "24", "exec sh")

    def cli(self, *arguments: str) -> str:
        command = ["tmux", "-S", self.socket, "-f", "/dev/null", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def start(self, name: str) -> Journal:
        pane, pid = self.cli(
            *("new-session", "-dP", "-F", "#{pane_id} #{pane_pid}", "-s", name, "-x", "80"),
            *("-y", "24", "-e", f"HOME={self.home}", f"exec {self.program}"),
        ).split()
        self.cli("send-keys", "-t", pane, str(self.directory / "picture"), "Enter")
        session = str(uuid.uuid4())
        status = self.home / ".claude" / "sessions" / f"{pid}.json"
        status.parent.mkdir(parents=True, exist_ok=True)
        status.write_text(json.dumps({"sessionId": session}))
        path = self.home / ".claude" / "projects" / "-project" / f"{session}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        return Journal(path)


@dataclass
class Watch:
    """What a server does meanwhile."""

    running: Running
    waits: list[float] = field(default_factory=list)
    memory: float = 0.0  # the most, in MB
    cpu: float = 0.0  # percent of one core
    _stop: threading.Event = field(default_factory=threading.Event)

    def _ask(self) -> None:
        with httpx.Client(base_url=self.running.address) as client:
            while not self._stop.wait(POLL_SECONDS):
                began = time.perf_counter()
                client.get("/healthz")
                self.waits.append(time.perf_counter() - began)

    def _look(self, server: psutil.Process) -> None:
        while not self._stop.wait(0.1):
            self.memory = max(self.memory, server.memory_info().rss / 1e6)

    @contextmanager
    def watching(self, *, asking: bool = True) -> Iterator[None]:
        server = psutil.Process(self.running.process.pid)
        threads = [threading.Thread(target=self._look, args=(server,))]
        if asking:
            threads.append(threading.Thread(target=self._ask))
        for thread in threads:
            thread.start()
        before, began = sum(server.cpu_times()[:2]), time.monotonic()
        try:
            yield
        finally:
            used = sum(server.cpu_times()[:2]) - before
            self.cpu = 100 * used / (time.monotonic() - began)
            self._stop.set()
            for thread in threads:
                thread.join()


def newest(running: Running, session: str) -> str:
    """The last message of the window of this session."""
    windows = httpx.get(f"{running.address}/api/windows?limit=500").json()["items"]
    keys = [each["key"] for each in windows if each.get("session") == session]
    if not keys:
        return ""
    page = httpx.get(f"{running.address}/api/windows/{keys[0]}/messages?limit=1").json()
    return str(page["messages"][-1]["text"]) if page.get("messages") else ""


def until(running: Running, session: str, text: str) -> float:
    began = time.monotonic()
    while text not in newest(running, session):
        if time.monotonic() - began > READ_SECONDS:
            raise TimeoutError(f"{text!r} is not there, but {newest(running, session)!r:.200}")
        time.sleep(0.5)
    return time.monotonic() - began


def report(title: str, watch: Watch, before: float) -> None:
    print(
        f"  {title:42} server {watch.cpu:5.1f} %   {before:.0f} MB, at most {watch.memory:.0f} MB\n"
        f"    /healthz {ms(watch.waits)}   longest {max(watch.waits) * 1000:.0f} ms"
        if watch.waits
        else f"  {title:42} server {watch.cpu:5.2f} %   at most {watch.memory:.0f} MB",
        flush=True,
    )


def rss(running: Running) -> float:
    return float(psutil.Process(running.process.pid).memory_info().rss / 1e6)


def watched(env: dict[str, str], record: Path) -> dict[str, str]:
    paths = [str(SITE), env.get("PYTHONPATH", "")]
    return {
        **env,
        "PYTHONPATH": os.pathsep.join(path for path in paths if path),
        "WEBTMUX_LOOP_WATCHDOG": str(record),
    }


def large_and_fast(directory: Path, *, large: float, seconds: float) -> float:
    """Returns the longest wait of a request while journals were read, in seconds."""
    agents, record = Agents(directory), directory / "slow"
    env = watched(environment(directory / "data", WEBTMUX_TMUX_SOCKET=agents.socket), record)
    manage(env, "migrate", "--verbosity", "0")
    try:
        with serving(["manage.py", "serve", "--port", "0"], env) as running:
            time.sleep(WARM_SECONDS / 2)
            print(f"load of the machine {os.getloadavg()[0]:.1f}")
            before, quiet = rss(running), Watch(running)
            with quiet.watching():
                time.sleep(seconds / 4)
            report("nothing to read", quiet, before)
            journal = agents.start("large")
            journal.write(large)
            before, first = rss(running), Watch(running)
            with first.watching():
                took = until(running, "large", f"{journal.number - 1}. It opens")
            report(f"a journal of {large:.0f} MB, read in {took:.0f} s", first, before)
            before, fast = rss(running), Watch(running)
            with fast.watching():
                began, written = time.monotonic(), 0.0
                while (now := time.monotonic() - began) < seconds:
                    journal.write(max(0.0, now * RATE - written))
                    written = max(written, now * RATE)
                    time.sleep(0.02)
                behind = until(running, "large", f"{journal.number - 1}. It opens")
            report(f"{RATE} MB/s, the last message {behind:.1f} s late", fast, before)
            slow = record.read_text().splitlines() if record.exists() else []
            print(f"  callbacks over 50 ms of processor time: {len(slow)}")
            for line in slow[:5]:
                print(f"    {line:.300}")
            return max(*first.waits, *fast.waits)
    finally:
        agents.cli("kill-server")


def at_rest(directory: Path, *, seconds: float) -> float:
    agents = Agents(directory)
    env = environment(directory / "data", WEBTMUX_TMUX_SOCKET=agents.socket)
    manage(env, "migrate", "--verbosity", "0")
    try:
        journals = [agents.start(f"agent{number}") for number in range(AGENTS)]
        for journal in journals:
            journal.write(1)
        with serving(["manage.py", "serve", "--port", "0"], env) as running:
            for number, journal in enumerate(journals):
                until(running, f"agent{number}", f"{journal.number - 1}. It opens")
            time.sleep(WARM_SECONDS)
            watch = Watch(running)
            with watch.watching(asking=False):
                time.sleep(seconds)
            report(f"{AGENTS} agents at rest (goal: 3 %)", watch, 0.0)
            return watch.cpu
    finally:
        agents.cli("kill-server")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--large", type=float, default=LARGE, help="MB")
    parser.add_argument("--seconds", type=float, default=SECONDS)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="wtb") as directory:
        large_and_fast(Path(directory), large=options.large, seconds=options.seconds)
    with tempfile.TemporaryDirectory(prefix="wtb") as directory:
        at_rest(Path(directory), seconds=options.seconds)


if __name__ == "__main__":
    main()
