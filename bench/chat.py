"""`make bench-chat`: the cost of recording, the latency of a wait, the time of a search."""

import asyncio
import itertools
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import psutil

_data = tempfile.TemporaryDirectory(prefix="wtb-data")  # gone with the process
os.environ["WEBTMUX_DATA_DIR"] = _data.name
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
import django  # noqa: E402

django.setup()

from django.core.management import call_command  # noqa: E402
from django.db import connection  # noqa: E402

from agents.chat import selectors as chat  # noqa: E402
from agents.chat.search import SearchFilters  # noqa: E402
from agents.models import ChatMessage, ChatRecord, Role  # noqa: E402
from agents.waiting.wait import WaitCondition, wait_for_window  # noqa: E402
from bench.private_tmux import Bench, ms, private_tmux  # noqa: E402
from terminals.models import Project, Window  # noqa: E402
from tests.config.servers import environment, manage, serving  # noqa: E402

WINDOWS, BUSY = 500, 5
MEASURE_SECONDS = 20.0
WARM_SECONDS = 8.0
ROUNDS = 200
POLL_SECONDS = 0.05
RECORDS = 1_000_000
SEARCHES = 300
VOCABULARY = 20_000
# Ten lines a second, as a build or an agent prints.
PRINTER = "while :; do echo line $((n=n+1)) of some output; sleep 0.1; done"


def recording(directory: Path) -> None:
    """A server with and without its recorder; a few of many windows print."""
    socket = f"{directory}/s"
    env = environment(directory / "data", WEBTMUX_TMUX_SOCKET=socket)
    manage(env, "migrate", "--verbosity", "0")

    def cli(*arguments: str) -> str:
        command = ["tmux", "-S", socket, "-f", "/dev/null", *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    cli("new-session", "-d", "-s", "s0", "-x", "80", "-y", "24", "exec cat")
    try:
        for number in range(1, WINDOWS):
            command = PRINTER if number <= BUSY else "exec cat"
            cli("new-window", "-d", "-t", f"s{number // 50 if number >= 50 else 0}:", command)
            if number % 50 == 49 and number < WINDOWS - 1:
                name = f"s{(number + 1) // 50}"
                cli("new-session", "-d", "-s", name, "-x", "80", "-y", "24", "exec cat")
        tmux = psutil.Process(int(cli("display-message", "-p", "#{pid}")))
        print(f"\n{WINDOWS} windows, {BUSY} of them print ten lines a second")
        for label, extra in (
            ("without recording", {"WEBTMUX_RECORD_CHAT": "0"}),
            ("recording", {}),
        ):
            with serving(["manage.py", "serve", "--port", "0"], {**env, **extra}) as running:
                server_cpu, tmux_cpu = _cpu(psutil.Process(running.process.pid), tmux)
                print(f"  {label:20} server {server_cpu:5.2f} %   tmux {tmux_cpu:5.2f} %")
    finally:
        cli("kill-server")


def _cpu(*processes: psutil.Process) -> list[float]:
    time.sleep(WARM_SECONDS)
    before = [sum(process.cpu_times()[:2]) for process in processes]
    time.sleep(MEASURE_SECONDS)
    after = [sum(process.cpu_times()[:2]) for process in processes]
    return [
        100 * (late - early) / MEASURE_SECONDS for early, late in zip(before, after, strict=True)
    ]


async def waking(bench: Bench) -> None:
    """From printed text to the response, compared with polling every 50 ms."""
    created = await bench.tmux.new_window("$0", command="exec cat", background=True)
    [row] = [window for window in await bench.tmux.windows() if window.id == created.window_id]
    woken, polled = [], []
    for number in range(ROUNDS):
        text = f"token{number}x"
        wait = wait_for_window(
            tmux=bench.tmux, windows=[row], condition=WaitCondition(text=text), seconds=10
        )
        woken.append(await _timed(bench, created.pane_id, text, wait))
        polled.append(
            await _timed(
                bench, created.pane_id, text + "p", _poll(bench, created.pane_id, text + "p")
            )
        )
    print("\nfrom text to its waiter")
    print(f"  wait_for_window      {ms(woken)}   (goal: 15 ms)")
    print(f"  polled every 50 ms   {ms(polled)}")


async def _timed(bench: Bench, pane: str, text: str, wait: Awaitable[object]) -> float:
    task = asyncio.ensure_future(wait)
    await asyncio.sleep(0.03 + random.random() * POLL_SECONDS)
    began = time.perf_counter()
    await bench.tmux.type(pane, text.encode() + b"\n")
    await task
    return time.perf_counter() - began


async def _poll(bench: Bench, pane: str, text: str) -> None:
    while text.encode() not in await bench.tmux.capture(pane):
        await asyncio.sleep(POLL_SECONDS)


def searching() -> None:
    call_command("migrate", verbosity=0)
    project = Project.objects.create(name="bench", session="bench")
    windows = [
        Window.objects.create(project=project, tmux_id=f"@{n}", life="1-1", index=n, name="w")
        for n in range(500)
    ]
    words = [f"word{number}" for number in range(VOCABULARY)]
    # As often as words are in any language.
    weights = list(itertools.accumulate(1 / (rank + 1) for rank in range(VOCABULARY)))
    began, count = time.monotonic(), 0
    connection.cursor().execute("PRAGMA synchronous=OFF")
    while count < RECORDS:
        rows = [
            ChatRecord(
                window=windows[number % 500], ts=number * 50, pane="%1",
                role=Role.USER if number % 2 else Role.ASSISTANT,
                text=" ".join(random.choices(words, cum_weights=weights, k=16)),
            )
            for number in range(count, min(RECORDS, count + 20_000))
        ]  # fmt: skip
        # Half of it are messages of journals.
        half = len(rows) // 2
        ChatRecord.objects.bulk_create(rows[:half])
        ChatMessage.objects.bulk_create(
            ChatMessage(
                window=row.window, ts=row.ts, key=str(row.ts), pane=row.pane, session_id="s",
                role=row.role, kind="text", text=row.text,
            )
            for row in rows[half:]
        )  # fmt: skip
        count += len(rows)
    print(f"\n{RECORDS:,} records and messages written in {time.monotonic() - began:.0f} s")
    for label, pick in _queries(words, weights, windows).items():
        times = []
        for _ in range(SEARCHES // 5):
            query, filters = pick()
            began = time.perf_counter()
            chat.search_chat(query=query, filters=filters)
            times.append((time.perf_counter() - began) * 1000)
        p95 = sorted(times)[int(len(times) * 0.95)]
        print(f"  {label:22} p50 {statistics.median(times):7.2f} ms   p95 {p95:7.2f} ms")


def _queries(
    words: list[str], weights: list[float], windows: list[Window]
) -> dict[str, Callable[[], tuple[str, SearchFilters]]]:
    def word() -> str:
        return random.choices(words, cum_weights=weights)[0]

    def moment() -> int:
        return random.randrange(RECORDS) * 50

    return {
        "one word": lambda: (word(), SearchFilters()),
        "the commonest word": lambda: (words[0], SearchFilters()),
        "two words": lambda: (f"{word()} {word()}", SearchFilters()),
        "in one window": lambda: (word(), SearchFilters(window=random.choice(windows).pk)),
        "role and time": lambda: (word(), SearchFilters(role="user", before=moment())),
    }


async def in_process() -> None:
    async with private_tmux() as bench:
        await waking(bench)


def main() -> None:
    """Run all parts, or those named on the command line."""
    wanted = sys.argv[1:] or ["waking", "recording", "searching"]
    if "waking" in wanted:
        asyncio.run(in_process())
    if "recording" in wanted:
        with tempfile.TemporaryDirectory(prefix="wtb") as directory:
            recording(Path(directory))
    if "searching" in wanted:
        searching()


if __name__ == "__main__":
    main()
