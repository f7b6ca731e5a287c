"""asciicast v2: a header, then events in the order of their times, one JSON array a line. Pure.

Not where the lines are kept: recording_files.py. https://docs.asciinema.org/manual/asciicast/v2/
"""

import heapq
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from terminals import ansi

LABEL_LIMIT = 60
LINE_LIMIT = 10_000  # characters of an unfinished line that are remembered for a search
EXCERPT = 80  # characters shown on either side of a hit
HITS_LIMIT = 500


@dataclass(frozen=True, slots=True)
class Marker:
    time: float
    label: str


@dataclass(frozen=True, slots=True)
class Hit:
    time: float
    before: str
    match: str
    after: str


def header(*, columns: int, rows: int, timestamp: int, title: str) -> bytes:
    told = {
        "version": 2, "width": columns, "height": rows, "timestamp": timestamp, "title": title,
        "env": {"TERM": "tmux-256color"},
    }  # fmt: skip
    return json.dumps(told, ensure_ascii=False).encode() + b"\n"


def event(time: float, code: str, data: str) -> bytes:
    return json.dumps([round(time, 6), code, data], ensure_ascii=False).encode() + b"\n"


def label(text: str) -> str:
    """One line of a prompt or a task that fits beside a time."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= LABEL_LIMIT else line[: LABEL_LIMIT - 1] + "…"


def time_of(line: bytes) -> float:
    """Without reading the rest, which may be long."""
    return float(line[1 : line.index(b",")])


def merged(ours: Iterable[bytes], output: Iterable[bytes]) -> Iterator[bytes]:
    """Of the same moment ours first: a picture goes before what is painted on it."""
    return heapq.merge(sorted(ours, key=time_of), output, key=time_of)


def markers(lines: Iterable[bytes]) -> list[Marker]:
    events = [json.loads(line) for line in lines if b'"m"' in line[:40]]
    return sorted((Marker(at, text) for at, _, text in events), key=lambda marker: marker.time)


def search(lines: Iterable[bytes], wanted: str) -> Iterator[Hit]:
    """Where a text was printed, whatever its case. Not a terminal: what a program paints with
    cursor movements is found in the pieces in which it was printed."""
    wanted, line, rest = wanted.lower(), "", ""
    for raw in lines:
        at, code, data = json.loads(raw)
        if code != "o":
            continue
        data = rest + data
        whole = _finished(data)
        rest, seen = data[whole:], len(line)
        line += ansi.strip(data[:whole]).replace("\r", "\n")
        yield from _hits(line, wanted, at, seen)
        line = line[line.rfind("\n") + 1 :][-LINE_LIMIT:]


def _finished(data: str) -> int:
    """An escape sequence that goes on in the next event is left to it."""
    start = data.rfind("\x1b", max(0, len(data) - ansi.CUT_LIMIT))
    if start < 0:
        return len(data)
    encoded = data[start:].encode()
    return start if ansi.finished(encoded, escapes=True) == 0 else len(data)


def _hits(text: str, wanted: str, at: float, seen: int) -> Iterator[Hit]:
    """Those that end in what is new: the first `seen` characters were looked at before."""
    lower, start = text.lower(), max(0, seen - len(wanted) + 1)
    if len(lower) != len(text):  # a few capitals have longer small letters: places must agree
        text = lower
    while (found := lower.find(wanted, start)) >= 0:
        end = found + len(wanted)
        begin, limit = max(0, found - EXCERPT), min(len(text), end + EXCERPT)
        left = max(text.rfind("\n", begin, found) + 1, begin)
        right = text.find("\n", end, limit)
        right = limit if right < 0 else right
        yield Hit(at, text[left:found], text[found:end], text[end:right])
        start = end
