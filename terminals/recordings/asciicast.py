"""The asciicast v2 format: a header, then events in order of time, one JSON array per line. Pure.

https://docs.asciinema.org/manual/asciicast/v2/ files.py reads and writes the files. Written by hand
because asciinema is a program, not a library, and the format is one JSON array per line.
"""

import heapq
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from terminals.scrollback import ansi

LABEL_LIMIT = 60
LINE_LIMIT = 10_000  # characters of an unfinished line that a search keeps
EXCERPT = 80  # characters shown on either side of a match
MATCHES_LIMIT = 500


@dataclass(frozen=True, slots=True)
class Marker:
    time: float
    label: str


@dataclass(frozen=True, slots=True)
class CastMatch:
    time: float
    before: str
    match: str
    after: str


def header(*, columns: int, rows: int, timestamp: int, title: str) -> bytes:
    content = {
        "version": 2,
        "width": columns,
        "height": rows,
        "timestamp": timestamp,
        "title": title,
        "env": {"TERM": "tmux-256color"},
    }
    return json.dumps(content, ensure_ascii=False).encode() + b"\n"


def event(time: float, code: str, data: str) -> bytes:
    return json.dumps([round(time, 6), code, data], ensure_ascii=False).encode() + b"\n"


def label(text: str) -> str:
    """A prompt or a task as one short printable line."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= LABEL_LIMIT else line[: LABEL_LIMIT - 1] + "…"


def time_of(line: bytes) -> float:
    """The time of an event, without parsing the rest, which may be long."""
    return float(line[1 : line.index(b",")])


def merged(ours: Iterable[bytes], output: Iterable[bytes]) -> Iterator[bytes]:
    """In order of time. At the same time ours come first: a capture precedes the output after
    it."""
    return heapq.merge(sorted(ours, key=time_of), output, key=time_of)


def markers(lines: Iterable[bytes]) -> list[Marker]:
    events = [json.loads(line) for line in lines if b'"m"' in line[:40]]
    rows = (Marker(seconds, text) for seconds, _, text in events)
    return sorted(rows, key=lambda marker: marker.time)


def search(lines: Iterable[bytes], wanted: str) -> Iterator[CastMatch]:
    """Where a text was printed, ignoring case. Does not emulate a terminal: text that a program
    draws with cursor movements is found only as it was printed."""
    wanted, line, rest = wanted.lower(), "", ""
    for raw in lines:
        seconds, code, data = json.loads(raw)
        if code != "o":
            continue
        data = rest + data
        whole = _finished(data)
        rest, searched = data[whole:], len(line)
        line += ansi.strip(data[:whole]).replace("\r", "\n")
        yield from _matches(line, wanted, seconds, searched)
        line = line[line.rfind("\n") + 1 :][-LINE_LIMIT:]


def _finished(data: str) -> int:
    """How many characters can be used now. A sequence that continues in the next event waits."""
    start = data.rfind("\x1b", max(0, len(data) - ansi.CUT_LIMIT))
    if start < 0:
        return len(data)
    encoded = data[start:].encode()
    return start if ansi.finished(encoded, escapes=True) == 0 else len(data)


def _matches(text: str, wanted: str, seconds: float, searched: int) -> Iterator[CastMatch]:
    """Matches that end in new text: the first `searched` characters were searched before."""
    lower, start = text.lower(), max(0, searched - len(wanted) + 1)
    if len(lower) != len(text):  # some capitals are longer in lower case: indexes must agree
        text = lower
    while (index := lower.find(wanted, start)) >= 0:
        end = index + len(wanted)
        begin, limit = max(0, index - EXCERPT), min(len(text), end + EXCERPT)
        left = max(text.rfind("\n", begin, index) + 1, begin)
        right = text.find("\n", end, limit)
        right = limit if right < 0 else right
        yield CastMatch(seconds, text[left:index], text[index:end], text[end:right])
        start = end
