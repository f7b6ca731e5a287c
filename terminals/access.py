"""Who is calling and what they may do. Decided by the gate, read by every door."""

from collections.abc import Awaitable, Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

PRINCIPAL = "webtmux.principal"  # where the gate leaves it in an ASGI scope
# Where our server leaves (pid, uid) of a caller that came over the unix socket.
UNIX_PEER = "webtmux.unix_peer"
WATCH = "webtmux.watch"  # likewise: a Watched, through which a request can be ended
CLIENT = "webtmux.client"  # likewise: the caller's address, behind trusted proxies too


class Scope(StrEnum):
    """What a caller may do; each includes the ones before it."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"

    def includes(self, wanted: "Scope") -> bool:
        order = list(Scope)
        return order.index(self) >= order.index(wanted)


class Kind(StrEnum):
    """How the caller was known."""

    PEER = "peer"  # the same user of this machine, as tmux's own socket would admit
    TOKEN = "token"  # noqa: S105
    SESSION = "session"
    PUBLIC = "public"  # a route that anybody may read


class Watched(Protocol):
    """A request that ends when its caller loses the right to it (config/watch.py)."""

    def join(self, key: Hashable, check: Callable[[], Awaitable[bool]]) -> None:
        """Also end it as soon as `check`, asked about once a second, is false."""

    def outlives(self, end: Callable[[], None], *, alive: Callable[[], bool]) -> None:
        """Call `end` when the caller loses the right, also after this request has ended."""


@dataclass(frozen=True, slots=True)
class Principal:
    kind: Kind
    name: str
    scope: Scope


_caller: ContextVar[str] = ContextVar("caller_name", default="")


@contextmanager
def calling(principal: Principal) -> Iterator[None]:
    """For as long as this caller is served: whatever is noted meanwhile is noted under the name."""
    token = _caller.set(principal.name)
    try:
        yield
    finally:
        _caller.reset(token)


def caller_name() -> str:
    """Empty: nobody asked for it, as for what is typed at a terminal of one's own."""
    return _caller.get()
