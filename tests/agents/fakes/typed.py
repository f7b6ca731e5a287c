"""Bytes from a terminal, read as what a terminal program makes of them: text, pastes, keys.

Not a terminal: it gets bytes and the time, and gives events back.
"""

from dataclasses import dataclass, field
from enum import StrEnum

PASTE_BEGINS, PASTE_ENDS = b"\x1b[200~", b"\x1b[201~"
META_SECONDS = 0.05  # ESC and a key that come closer together are one key with Meta
ARROWS = {
    b"\x1b[A": "up", b"\x1b[B": "down", b"\x1bOA": "up", b"\x1bOB": "down",
    b"\x1b[C": "right", b"\x1b[D": "left", b"\x1bOC": "right", b"\x1bOD": "left",
}  # fmt: skip
CONTROLS = {0x03: "clear", 0x05: "end", 0x08: "back", 0x15: "kill", 0x7F: "back", 0x0D: "enter"}


class Did(StrEnum):
    TEXT = "text"
    PASTE = "paste"
    KEY = "key"


@dataclass(frozen=True, slots=True)
class Event:
    did: Did
    data: bytes = b""
    key: str = ""


@dataclass(slots=True)
class Typed:
    """`split`: a paste is not put together again, and an Enter in one read with it is lost."""

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
            before, data = data, self._one(data)
            if data == before:
                self._held, self._held_at = data, now
                break
        events = [event for event in self._events if not (burst and event.key == "enter")]
        return _joined(events)

    @property
    def waiting(self) -> bool:
        return bool(self._held)

    def late(self, now: float) -> list[Event]:
        """An ESC that stood alone for long enough is the key."""
        if self._held == b"\x1b" and now - self._held_at >= META_SECONDS:
            self._held = b""
            return [Event(Did.KEY, key="escape")]
        return []

    def _one(self, data: bytes) -> bytes:
        """What is left after one event; the same if more bytes are needed."""
        if self._pasting:
            return self._paste(data)
        if data[0] == 0x1B:
            return self._escape(data)
        if (key := CONTROLS.get(data[0])) is not None:
            self._events.append(Event(Did.KEY, key=key))
        else:
            self._events.append(Event(Did.TEXT, data[:1]))
        return data[1:]

    def _escape(self, data: bytes) -> bytes:
        if self.bracketed and data.startswith(PASTE_BEGINS):
            self._pasting = True
            return data[len(PASTE_BEGINS) :]
        for sequence, key in ARROWS.items():
            if data.startswith(sequence):
                self._events.append(Event(Did.KEY, key=key))
                return data[len(sequence) :]
        if self.meta and data[1:2] == b"\r":
            self._events.append(Event(Did.TEXT, b"\n"))
            return data[2:]
        if len(data) == 1 and self.meta:
            return data
        if len(data) > 1 and PASTE_BEGINS.startswith(data):
            return data
        self._events.append(Event(Did.KEY, key="escape"))
        return data[1:]

    def _paste(self, data: bytes) -> bytes:
        end = data.find(PASTE_ENDS)
        if end >= 0:
            self._pasting = False
            self._events.append(Event(Did.PASTE, data[:end]))
            return data[end + len(PASTE_ENDS) :]
        kept = max(
            n for n in range(len(PASTE_ENDS)) if PASTE_ENDS.startswith(data[len(data) - n :])
        )
        if self.split and len(data) > kept:
            self._events.append(Event(Did.PASTE, data[: len(data) - kept]))
            return data[len(data) - kept :] if kept else b""
        return data


def _joined(events: list[Event]) -> list[Event]:
    """Characters that came together are one piece of text."""
    joined: list[Event] = []
    for event in events:
        if joined and event.did is Did.TEXT is joined[-1].did:
            joined[-1] = Event(Did.TEXT, joined[-1].data + event.data)
        else:
            joined.append(event)
    return joined
