"""Which lines hold a text or match a pattern, in bounded time.

A pattern runs in a process of its own (matching.py), which is ended when it takes too long.
"""

import asyncio
import contextlib
import json
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

from terminals.errors import Invalid

PATTERN_SECONDS = 3.0  # for all lines of one search
REPLY = 4 * 1024 * 1024  # bytes: a number for every line that can be asked about
PROGRAM = Path(__file__).with_name("matching.py")
TOO_LONG = "this pattern takes too long: make it simpler, or search for plain text"

Match = Callable[[Sequence[str]], Awaitable[list[int]]]  # the numbers of the lines that match


@contextlib.asynccontextmanager
async def matcher(query: str, *, regex: bool) -> AsyncIterator[Match]:
    """Plain text in whatever case, or a regular expression of Python's."""
    if not regex:
        yield _plain(query)
        return
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", "-S", str(PROGRAM)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        limit=REPLY,
    )
    try:
        pattern = _Pattern(process)
        await pattern.compile(query)
        yield pattern.match
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def _plain(query: str) -> Match:
    wanted = query.casefold()

    def found(lines: Sequence[str]) -> list[int]:
        return [number for number, line in enumerate(lines) if wanted in line.casefold()]

    async def match(lines: Sequence[str]) -> list[int]:
        return await asyncio.to_thread(found, lines)

    return match


class _Pattern:
    """A regular expression in a process of its own, with so much time for all its work."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self._left = PATTERN_SECONDS

    async def compile(self, query: str) -> None:
        if problem := (await self._ask(query)).get("error"):
            raise Invalid(f"invalid pattern: {problem}")

    async def match(self, lines: Sequence[str]) -> list[int]:
        numbers: list[int] = await self._ask(lines)
        return numbers

    async def _ask(self, request: object) -> Any:
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            async with asyncio.timeout(self._left):
                told = await self._exchange(await asyncio.to_thread(json.dumps, request))
        except (TimeoutError, ConnectionError):
            raise Invalid(TOO_LONG) from None
        if not told:
            raise Invalid(TOO_LONG)  # its own limits ended it
        self._left = max(0.0, self._left - (loop.time() - began))
        return json.loads(told)

    async def _exchange(self, request: str) -> bytes:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None  # noqa: S101 - both are pipes
        assert stdout is not None  # noqa: S101
        stdin.write(request.encode() + b"\n")
        await stdin.drain()
        return await stdout.readline()
