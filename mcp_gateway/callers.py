"""Who calls a tool at this moment: set by server.py around each call, read by tools that care.

Not who may call: the gate has decided that, and server.py compares the scope.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from mcp_gateway.registry import ToolSet
from terminals import access
from terminals.access import Kind, Principal, Scope


@dataclass(frozen=True, slots=True)
class Caller:
    principal: Principal
    # The pane that the calling program itself runs in, where that is known; else empty.
    pane: str = ""
    # The tools that the address they came by shows to them; the others do not exist there.
    sets: frozenset[ToolSet] = frozenset(ToolSet)


NOBODY = Caller(Principal(Kind.PUBLIC, "", Scope.READ))
_caller: ContextVar[Caller] = ContextVar("caller", default=NOBODY)


def current() -> Caller:
    return _caller.get()


@contextmanager
def calling(caller: Caller) -> Iterator[None]:
    token = _caller.set(caller)
    try:
        with access.calling(caller.principal):
            yield
    finally:
        _caller.reset(token)
