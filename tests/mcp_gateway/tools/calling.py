"""Calls a tool as a program that runs in a pane does."""

from collections.abc import Iterator
from contextlib import contextmanager

from core import callers
from core.callers import Caller, CallerKind, Principal, Scope


@contextmanager
def from_pane(pane: str) -> Iterator[None]:
    with callers.calling(Caller(Principal(CallerKind.PEER, "me", Scope.WRITE), pane)):
        yield
