"""Who is calling and what they may do. The gate decides it, every door reads it. Pure."""

from collections.abc import Awaitable, Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

# Keys in an ASGI scope.
PRINCIPAL = "webtmux.principal"  # the Principal, set by the gate
# (pid, uid) of a caller on the unix socket, set by our server.
UNIX_PEER = "webtmux.unix_peer"
WATCH = "webtmux.watch"  # a Watched, set by the gate: ends a request
CLIENT = "webtmux.client"  # the caller's address, also behind trusted proxies


class Scope(StrEnum):
    """What a caller may do; each includes the ones before it."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"

    def includes(self, wanted: "Scope") -> bool:
        order = list(Scope)
        return order.index(self) >= order.index(wanted)


class CallerKind(StrEnum):
    """How the caller was identified."""

    PEER = "peer"  # the same user of this machine, as tmux's own socket would admit
    TOKEN = "token"
    SESSION = "session"
    PUBLIC = "public"  # a route that everyone may read


class Watched(Protocol):
    """A request that ends when its caller loses the right to it (config/gate/revocation.py)."""

    def join(self, key: Hashable, check: Callable[[], Awaitable[bool]]) -> None:
        """Also end it as soon as `check`, called about once a second, returns false."""

    def outlives(self, end: Callable[[], None], *, alive: Callable[[], bool]) -> None:
        """Call `end` when the caller loses the right, also after this request has ended."""


@dataclass(frozen=True, slots=True)
class Principal:
    kind: CallerKind
    name: str
    scope: Scope


@dataclass(frozen=True, slots=True)
class Caller:
    """Who makes the current request. The gate sets it; MCP adds what it knows of its client."""

    principal: Principal
    pane: str = ""  # the pane that the calling program runs in, if known
    # MCP: the tool sets that the client's address serves. Other tools do not exist for it.
    tool_sets: frozenset[str] = frozenset()
    client: str = ""  # MCP: what the client calls itself


NO_CALLER = Caller(Principal(CallerKind.PUBLIC, "", Scope.READ))
_caller: ContextVar[Caller] = ContextVar("caller", default=NO_CALLER)


def current() -> Caller:
    return _caller.get()


@contextmanager
def calling(caller: Caller) -> Iterator[None]:
    """Within the context, `current` returns this caller."""
    token = _caller.set(caller)
    try:
        yield
    finally:
        _caller.reset(token)


def caller_name() -> str:
    """Empty if no request is being served, for example for text typed at a local terminal."""
    return current().principal.name
