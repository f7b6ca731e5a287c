"""Measures every callback of the event loop, and reports those that used too much processor time.

The processor time of the loop's own thread is counted, not the time of the clock: tests share their
cores with others, and a callback that waits for a core does not hold the loop by its own doing.
The time of garbage collections is taken off. A second thread looks at the stack of a callback that
takes long, so that a report names the code and not only the task.

Standard library only: it is also loaded into server processes (site/sitecustomize.py).
"""

import asyncio
import gc
import json
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from inspect import CO_ASYNC_GENERATOR, CO_COROUTINE
from pathlib import Path
from types import FrameType
from typing import Any

LIMIT = 0.05  # seconds of processor time
LOOK_SECONDS = 0.015  # between two looks at a callback that runs
LOOKS = 20  # stacks that are kept of one callback
ROOT = Path(__file__).resolve().parent.parent.parent
PRODUCT = frozenset({"agents", "config", "mcp_gateway", "notes", "terminals"})


@dataclass(frozen=True, slots=True)
class Held:
    """A callback that held the loop."""

    seconds: float  # of processor time
    callback: str  # the coroutine of a task, or the function
    stacks: tuple[tuple[str, ...], ...]  # "terminals/ansi.py:strip", the outermost first
    server: bool = False  # in a process that a test started

    def names(self) -> set[str]:
        return {self.callback, *(name for stack in self.stacks for name in stack)}

    def __str__(self) -> str:
        stack = self.stacks[-1][-12:] if self.stacks else ()
        return f"{self.seconds * 1000:.0f} ms in {self.callback}: {' > '.join(stack) or 'no stack'}"


Report = Callable[[Held], None]


class _Watch:
    """One for each process."""

    def __init__(self, report: Report) -> None:
        self.report = report
        self.running: dict[int, _Look] = {}  # by thread
        self.collected: dict[int, float] = {}  # seconds of garbage collection, by thread
        self._collecting: dict[int, float] = {}
        gc.callbacks.append(self._collect)
        threading.Thread(target=self._look, name="loop watchdog", daemon=True).start()

    def _collect(self, phase: str, info: dict[str, int]) -> None:
        thread, now = threading.get_ident(), time.thread_time()
        if phase == "start":
            self._collecting[thread] = now
        elif (began := self._collecting.pop(thread, None)) is not None:
            self.collected[thread] = self.collected.get(thread, 0.0) + now - began

    def _look(self) -> None:
        """Every callback that still runs at the second look is looked at from then on."""
        before: dict[int, _Look] = {}
        while True:
            time.sleep(LOOK_SECONDS)
            now = dict(self.running)
            frames = sys._current_frames() if now and before else {}
            for thread, look in now.items():
                if before.get(thread) is look and thread in frames and len(look.stacks) < LOOKS:
                    look.stacks.append(_stack(frames[thread]))
            before = now


class _Look:
    __slots__ = ("stacks",)

    def __init__(self) -> None:
        self.stacks: list[tuple[str, ...]] = []


_watch: _Watch | None = None
_run = asyncio.Handle._run


def install(report: Report) -> None:
    global _watch
    _watch = _Watch(report)
    asyncio.Handle._run = _timed  # type: ignore[method-assign]


def writer(record: Path) -> Report:
    """Reports go to a file, one JSON document a line."""

    def write(held: Held) -> None:
        with record.open("a") as file:
            file.write(json.dumps(asdict(held) | {"server": True}) + "\n")

    return write


def read(line: str) -> Held:
    told = json.loads(line)
    return Held(**told | {"stacks": tuple(map(tuple, told["stacks"]))})


def _timed(self: Any) -> None:
    watch, thread = _watch, threading.get_ident()
    if watch is None or thread in watch.running:  # a loop inside a loop belongs to the outer one
        _run(self)
        return
    callback = self._callback  # a cancelled handle forgets it
    watch.running[thread] = look = _Look()
    collected, began = watch.collected.get(thread, 0.0), time.thread_time()
    try:
        _run(self)
    finally:
        del watch.running[thread]
        seconds = time.thread_time() - began - watch.collected.get(thread, 0.0) + collected
        if seconds > LIMIT:
            watch.report(Held(seconds, _name(callback), tuple(look.stacks)))


def _name(callback: Any) -> str:
    task = getattr(callback, "__self__", None)
    if isinstance(task, asyncio.Task):
        coroutine = task.get_coro()
        code = getattr(coroutine, "cr_code", None) or getattr(coroutine, "gi_code", None)
        return _code_name(code) if code is not None else repr(coroutine)
    code = getattr(getattr(callback, "func", callback), "__code__", None)
    return _code_name(code) if code is not None else repr(callback)[:200]


def _stack(frame: FrameType | None) -> tuple[str, ...]:
    """Outermost first, from the callback on; `await` marks a coroutine of ours."""
    names = list[str]()
    while frame is not None and frame.f_code is not _timed.__code__:
        is_coroutine = frame.f_code.co_flags & (CO_COROUTINE | CO_ASYNC_GENERATOR)
        names.append(("await " if is_coroutine else "") + _code_name(frame.f_code))
        frame = frame.f_back
    return tuple(reversed(names))


def _code_name(code: Any) -> str:
    """The file as a path in this tree, or the end of a library's, and the function."""
    path = Path(code.co_filename)
    try:
        short = path.relative_to(ROOT).as_posix()
    except ValueError:
        short = "/".join(path.parts[-3:])
    return f"{short}:{getattr(code, 'co_qualname', code.co_name)}"
