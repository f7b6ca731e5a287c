"""Turns the bytes that a terminal sends into text, pastes and keys, as terminal programs do.

It takes bytes and the time, and returns events. It does not read a terminal itself.
"""

from dataclasses import dataclass, field
from enum import StrEnum

PASTE_BEGINS, PASTE_ENDS = b"\x1b[200~", b"\x1b[201~"
META_SECONDS = 0.05  # ESC and a key that come closer together are one key with Meta
ARROWS = {
    b"\x1b[A": "up",
    b"\x1b[B": "down",
    b"\x1bOA": "up",
    b"\x1bOB": "down",
    b"\x1b[C": "right",
    b"\x1b[D": "left",
    b"\x1bOC": "right",
    b"\x1bOD": "left",
}
CONTROLS = {0x03: "clear", 0x05: "end", 0x08: "back", 0x15: "kill", 0x7F: "back", 0x0D: "enter"}
SYNC = b"\x1e"  # a key that no agent knows: the fakes log it, so that tests know what was read
CONTROLS[SYNC[0]] = "sync"


class EventKind(StrEnum):
    TEXT = "text"
    PASTE = "paste"
    KEY = "key"


@dataclass(frozen=True, slots=True)
class Event:
    kind: EventKind
    data: bytes = b""
    key: str = ""


@dataclass(slots=True)
class InputParser:
    """`split`: a paste arrives in pieces, and an Enter in the same read as a piece is lost."""

    bracketed: bool = True
    meta: bool = False
    split: bool = False
    _held: bytes = b""
    _held_at: float = 0.0
    _pasting: bool = False
    _events: list[Event] = field(default_factory=list)

    def feed(self, data: bytes, now: float) -> list[Event]:
        burst = self.split and len(data) > 1
        data, self._held = self._held + data, b""
        self._events = []
        while data:
            before, data = data, self._parse_event(data)
            if data == before:
                self._held, self._held_at = data, now
                break
        events = [event for event in self._events if not (burst and event.key == "enter")]
        return _joined(events)

    @property
    def waiting(self) -> bool:
        return bool(self._held)

    def late(self, now: float) -> list[Event]:
        """An ESC that was not followed by anything for long enough is the Escape key."""
        if self._held == b"\x1b" and now - self._held_at >= META_SECONDS:
            self._held = b""
            return [Event(EventKind.KEY, key="escape")]
        return []

    def _parse_event(self, data: bytes) -> bytes:
        """The rest after one event; the same bytes if more are needed."""
        if self._pasting:
            return self._paste(data)
        if data[0] == 0x1B:
            return self._escape(data)
        if (key := CONTROLS.get(data[0])) is not None:
            self._events.append(Event(EventKind.KEY, key=key))
        else:
            self._events.append(Event(EventKind.TEXT, data[:1]))
        return data[1:]

    def _escape(self, data: bytes) -> bytes:
        if self.bracketed and data.startswith(PASTE_BEGINS):
            self._pasting = True
            return data[len(PASTE_BEGINS) :]
        for sequence, key in ARROWS.items():
            if data.startswith(sequence):
                self._events.append(Event(EventKind.KEY, key=key))
                return data[len(sequence) :]
        if self.meta and data[1:2] == b"\r":
            self._events.append(Event(EventKind.TEXT, b"\n"))
            return data[2:]
        if len(data) == 1 and self.meta:
            return data
        if len(data) > 1 and PASTE_BEGINS.startswith(data):
            return data
        self._events.append(Event(EventKind.KEY, key="escape"))
        return data[1:]

    def _paste(self, data: bytes) -> bytes:
        end = data.find(PASTE_ENDS)
        if end >= 0:
            self._pasting = False
            self._events.append(Event(EventKind.PASTE, data[:end]))
            return data[end + len(PASTE_ENDS) :]
        kept = max(
            n for n in range(len(PASTE_ENDS)) if PASTE_ENDS.startswith(data[len(data) - n :])
        )
        if self.split and len(data) > kept:
            self._events.append(Event(EventKind.PASTE, data[: len(data) - kept]))
            return data[len(data) - kept :] if kept else b""
        return data


def _joined(events: list[Event]) -> list[Event]:
    """Characters that arrived together are one event."""
    joined: list[Event] = []
    for event in events:
        if joined and event.kind is EventKind.TEXT is joined[-1].kind:
            joined[-1] = Event(EventKind.TEXT, joined[-1].data + event.data)
        else:
            joined.append(event)
    return joined
