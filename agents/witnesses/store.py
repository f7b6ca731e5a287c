"""The events that agents have reported, by pane: in memory, one store per process.

Hooks and journals record events here after they were mapped to a pane; belief.py reads them. A pane
is forgotten when its agent's process ends, because the next agent in it is another one.
"""

import asyncio
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager

from agents.witnesses.evidence import AgentEvent

EVENTS_PER_PANE = 200
PANES = 1000  # with more, the pane that has been quiet for the longest time is forgotten


class EventStore:
    def __init__(self) -> None:
        self._panes: dict[str, deque[AgentEvent]] = {}
        self._watching: list[asyncio.Event] = []

    def record(self, event: AgentEvent) -> None:
        """Adds an event to its pane. An event without a pane is dropped: it has no agent."""
        if not event.pane_id:
            return
        events = self._panes.pop(event.pane_id, None)
        if events is None:
            events = deque(maxlen=EVENTS_PER_PANE)
        events.append(event)
        self._panes[event.pane_id] = events  # at the end: the last to be forgotten
        while len(self._panes) > PANES:
            del self._panes[next(iter(self._panes))]
        self._notify()

    def events(self, pane_id: str) -> Sequence[AgentEvent]:
        """The newest events of a pane, the newest last."""
        return tuple(self._panes.get(pane_id, ()))

    def forget(self, pane_id: str) -> None:
        """Called when the agent's process has ended."""
        if self._panes.pop(pane_id, None) is not None:
            self._notify()

    @contextmanager
    def watching(self, changed: asyncio.Event) -> Iterator[None]:
        """Sets the event whenever an event was recorded or a pane forgotten."""
        self._watching.append(changed)
        try:
            yield
        finally:
            self._watching.remove(changed)

    def _notify(self) -> None:
        for changed in self._watching:
            changed.set()


_current = EventStore()


def current() -> EventStore:
    """The store of this process."""
    return _current


def record(event: AgentEvent) -> None:
    _current.record(event)


def events(pane_id: str) -> Sequence[AgentEvent]:
    return _current.events(pane_id)


def forget(pane_id: str) -> None:
    _current.forget(pane_id)


def watching(changed: asyncio.Event) -> AbstractContextManager[None]:
    return _current.watching(changed)
