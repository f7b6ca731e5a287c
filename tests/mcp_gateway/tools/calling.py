"""Calls a tool as a program that itself runs in a pane would."""

from collections.abc import Iterator
from contextlib import contextmanager

from mcp_gateway import callers
from mcp_gateway.callers import Caller
from terminals.access import Kind, Principal, Scope


@contextmanager
def from_pane(pane: str) -> Iterator[None]:
    with callers.calling(Caller(Principal(Kind.PEER, "me", Scope.WRITE), pane)):
        yield
