"""Measures every callback of the event loop, and reports those that used too much processor time.

Four properties make the result independent of what else the machine does:

- The processor time of the loop's own thread counts, not the time of the clock. Garbage collections
  do not count.
- On a loaded machine the same code takes more processor time: caches are cold, and the hypervisor
  takes a virtual processor away. So a fixed computation is timed while a slow callback runs and
  right after it, and the limit grows by how much longer it takes than at its best. The best time is
  measured all the time, and servers inherit it from the test process, because a process that starts
  on a loaded machine could not measure it.
- The kernel of a virtual machine adds time that the hypervisor took away to whatever thread was
  running, up to hundreds of milliseconds. It also counts that time as "steal", which is subtracted.
- Not every hypervisor reports what it takes. So there must be a second witness: a thread that looks
  at the stack of a slow callback, so that a report names the code and not only the task. If it
  never came to look, C code held the interpreter's lock, and then the thread woke up every 5 ms to
  ask for the lock. If it did not even do that, the whole machine stood still.

Standard library only: it is also loaded into server processes (site/sitecustomize.py).
"""

import asyncio
import gc
import json
import os
import resource
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE
from pathlib import Path
from statistics import median
from types import FrameType
from typing import Any

LIMIT = 0.05  # seconds of processor time
MOST_SLOWDOWN = 3.0
MARGIN = 1.25  # a median of a few samples: how far the slowdown of a callback may differ from it
SAMPLES = 5  # of the fixed computation, at the start and after a slow callback
LOOK_SECONDS = 0.015  # between two looks at a running callback
IDLE_LOOKS = 40  # looks between two measurements of the best time
LOOKS = 20  # stacks that are kept of one callback
STEAL_SAMPLES = 4_000  # one for each look: a minute
ROOT = Path(__file__).resolve().parent.parent.parent
PRODUCT = frozenset({"agents", "config", "core", "mcp_gateway", "notes", "terminals"})


@dataclass(frozen=True, slots=True)
class SlowCallback:
    seconds: float  # of processor time
    callback: str  # the coroutine of a task, or the function
    stacks: tuple[tuple[str, ...], ...]  # "terminals/scrollback/ansi.py:strip", the outermost first
    server: bool = False  # in a process that a test started
    slowdown: float = 1.0  # of the machine, during the pause

    def names(self) -> set[str]:
        return {self.callback, *(name for stack in self.stacks for name in stack)}

    def __str__(self) -> str:
        stack = " > ".join(self.stacks[-1][-12:]) if self.stacks else "no stack"
        machine = f" (machine {self.slowdown:.1f} times slower)" if self.slowdown > 1 else ""
        return f"{self.seconds * 1000:.0f} ms{machine} in {self.callback}: {stack}"


Report = Callable[[SlowCallback], None]


class _Watch:
    """One for each process."""

    def __init__(self, report: Report, best: float) -> None:
        self.report = report
        self.running: dict[int, _Look] = {}  # by thread
        self.collected: dict[int, float] = {}  # seconds of garbage collection, by thread
        self._collecting: dict[int, float] = {}
        self._steal = deque([(time.monotonic(), _steal())], maxlen=STEAL_SAMPLES)
        self._switches = deque([(time.monotonic(), 0)], maxlen=STEAL_SAMPLES)
        self.best = min(best, *(_time_fixed_work() for _ in range(SAMPLES)))
        gc.callbacks.append(self._collect)
        threading.Thread(target=self._look, name="loop watchdog", daemon=True).start()

    def slowdown(self, measured: list[float]) -> float:
        """How many times longer the fixed computation takes now, or took meanwhile, than at its
        best: the larger of the two medians."""
        after = [self._measure() for _ in range(SAMPLES)]
        slowest = max(median(after), median(measured or after))
        return max(1.0, min(slowest / self.best, MOST_SLOWDOWN))

    def stolen(self, began: float) -> float:
        """How much the hypervisor took since a callback began: at most so much is in its time."""
        samples = list(self._steal)  # a copy: the other thread appends
        earlier = (steal for clock, steal in reversed(samples) if clock <= began)
        return max(0.0, _steal() - next(earlier, samples[0][1]))

    def is_witnessed(self, sample: "_Look", began: float, seconds: float) -> bool:
        """Whether the other thread saw the callback run, or waited for it."""
        if sample.stacks:
            return True
        ended = time.monotonic()
        time.sleep(2 * LOOK_SECONDS)  # so that the other thread can count its switches
        samples = list(self._switches)
        earlier = (switches for clock, switches in reversed(samples) if clock <= began)
        later = (switches for clock, switches in samples if clock >= ended)
        waits = next(later, samples[-1][1]) - next(earlier, samples[0][1])
        return waits * sys.getswitchinterval() >= seconds / 2

    def _measure(self) -> float:
        seconds = _time_fixed_work()
        self.best = min(self.best, seconds)
        return seconds

    def _collect(self, phase: str, info: dict[str, int]) -> None:
        thread, now = threading.get_ident(), time.thread_time()
        if phase == "start":
            self._collecting[thread] = now
        elif (began := self._collecting.pop(thread, None)) is not None:
            self.collected[thread] = self.collected.get(thread, 0.0) + now - began

    def _look(self) -> None:
        """Every callback that still runs at the second look is looked at from then on."""
        before: dict[int, _Look] = {}
        looks = 0
        while True:
            time.sleep(LOOK_SECONDS)
            looks += 1
            self._steal.append((time.monotonic(), _steal()))
            switches = resource.getrusage(resource.RUSAGE_THREAD).ru_nvcsw
            self._switches.append((time.monotonic(), switches))
            now = dict(self.running)
            slow = {
                thread: sample
                for thread, sample in now.items()
                if before.get(thread) is sample and len(sample.stacks) < LOOKS
            }
            if slow:
                frames = sys._current_frames()
                seconds = self._measure()
                for thread, sample in slow.items():
                    sample.seconds.append(seconds)
                    if thread in frames:
                        sample.stacks.append(_stack(frames[thread]))
            elif looks % IDLE_LOOKS == 0:
                self._measure()
            before = now


class _Look:
    """What was noticed about a running callback."""

    __slots__ = ("seconds", "stacks")

    def __init__(self) -> None:
        self.stacks: list[tuple[str, ...]] = []
        self.seconds: list[float] = []  # of the fixed computation


_watch: _Watch | None = None
_run = asyncio.Handle._run


def install(report: Report, best: float = float("inf")) -> None:
    """`best`: seconds of the fixed computation, as another process measured them."""
    global _watch
    _watch = _Watch(report, best)
    asyncio.Handle._run = _timed  # type: ignore[method-assign]


def is_installed() -> bool:
    return _watch is not None


def best() -> float:
    """The best time of the fixed computation in this process."""
    return _watch.best if _watch is not None else float("inf")


def write_to(path: Path) -> Report:
    """Reports go to a file, one JSON document a line."""

    def write(slow: SlowCallback) -> None:
        with path.open("a") as file:
            file.write(json.dumps(asdict(slow) | {"server": True}) + "\n")

    return write


def parse(line: str) -> SlowCallback:
    fields = json.loads(line)
    return SlowCallback(**fields | {"stacks": tuple(map(tuple, fields["stacks"]))})


def _timed(self: Any) -> None:
    watch, thread = _watch, threading.get_ident()
    if watch is None or thread in watch.running:  # a loop inside a loop belongs to the outer one
        _run(self)
        return
    callback = self._callback  # a cancelled handle forgets it
    watch.running[thread] = sample = _Look()
    collected, began = watch.collected.get(thread, 0.0), time.thread_time()
    clock = time.monotonic()
    try:
        _run(self)
    finally:
        del watch.running[thread]
        seconds = time.thread_time() - began - watch.collected.get(thread, 0.0) + collected
        if seconds > LIMIT and (seconds := seconds - watch.stolen(clock)) > LIMIT:
            slowdown = watch.slowdown(sample.seconds)
            limit = LIMIT * (slowdown if slowdown == 1 else slowdown * MARGIN)
            if seconds > limit and watch.is_witnessed(sample, clock, seconds):
                stacks = tuple(sample.stacks)
                watch.report(SlowCallback(seconds, _name(callback), stacks, slowdown=slowdown))


def _steal() -> float:
    """Seconds that the hypervisor has taken from all processors, as far as the kernel knows."""
    try:
        with open("/proc/stat", "rb") as file:
            return int(file.readline().split()[8]) / _TICKS
    except (OSError, IndexError, ValueError):
        return 0.0


_TICKS = os.sysconf("SC_CLK_TCK")


def _time_fixed_work() -> float:
    """The processor time of a fixed computation, less than a millisecond."""
    began, values = time.thread_time(), dict[str, int]()
    for number in range(4_000):
        values[str(number % 1_000)] = number
    return time.thread_time() - began


def _name(callback: Any) -> str:
    task = getattr(callback, "__self__", None)
    if isinstance(task, asyncio.Task):
        coroutine = task.get_coro()
        code = getattr(coroutine, "cr_code", None) or getattr(coroutine, "gi_code", None)
        return _code_name(code) if code is not None else repr(coroutine)
    code = getattr(getattr(callback, "func", callback), "__code__", None)
    return _code_name(code) if code is not None else repr(callback)[:200]


def _stack(frame: FrameType | None) -> tuple[str, ...]:
    """Outermost first, from the callback on; `await` marks a coroutine."""
    names = list[str]()
    while frame is not None and frame.f_code is not _timed.__code__:
        is_coroutine = frame.f_code.co_flags & (CO_COROUTINE | CO_ASYNC_GENERATOR)
        names.append(("await " if is_coroutine else "") + _code_name(frame.f_code))
        frame = frame.f_back
    return tuple(reversed(names))


def _code_name(code: Any) -> str:
    """The file as a path in this tree, or the end of a library's path, and the function."""
    path = Path(code.co_filename)
    try:
        short = path.relative_to(ROOT).as_posix()
    except ValueError:
        short = "/".join(path.parts[-3:])
    return f"{short}:{getattr(code, 'co_qualname', code.co_name)}"
