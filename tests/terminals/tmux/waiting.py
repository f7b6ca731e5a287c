"""Waiting for a condition with a bound, instead of sleeping and hoping."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")
LONGEST = 30.0  # a shared machine has minutes in which everything takes ten times as long


async def eventually(look: Callable[[], Awaitable[T]], seconds: float = LONGEST) -> T:
    """The first true answer of `look`."""
    deadline = asyncio.get_running_loop().time() + seconds
    while not (found := await look()):
        assert asyncio.get_running_loop().time() < deadline, "it did not happen in time"
        await asyncio.sleep(0.01)
    return found


async def start_again(
    run_tmux: Callable[..., str], command: str = "exec sh", *, name: str = ""
) -> bool:
    """A server that is just ending still answers, and turns a new session away."""
    window = ("-n", name) if name else ()
    size = ("-x", "80", "-y", "24")
    run_tmux("new-session", "-d", "-s", "work", *window, *size, command, check=False)
    return "work" in run_tmux("list-sessions", "-F", "#S", check=False).split()
