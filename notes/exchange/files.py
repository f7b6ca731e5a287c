"""Reads every shape of a `window-notes.json` into entries, and writes entries as a file.

Pure. Which rows an entry belongs to is decided in owners.py. What cannot be read is reported as a
problem with its position in the file, never skipped silently.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TypeGuard

from core.errors import Invalid
from notes.exchange.records import FIELDS, NotesEntry, Record, plain, read, record

# Keys that describe the file, not notes.
META_KEYS = {"version", "format", "updatedat"}


@dataclass(frozen=True, slots=True)
class Problem:
    place: str
    message: str


@dataclass(slots=True)
class ParsedFile:
    """What a file contains, and which of its entries cannot be read."""

    entries: list[NotesEntry] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


# --- reading ------------------------------------------------------------------------------------


def parse(text: str) -> ParsedFile:
    """Raises if the whole file cannot be read; single bad entries become problems."""
    parsed = ParsedFile()
    content = _loads(text, parsed.problems)
    if not isinstance(content, dict | list):
        raise Invalid("the file contains neither an object nor a list: see `import_notes --help`")
    for place, reader in _readers(content):
        try:
            parsed.entries.append(reader())
        except Invalid as problem:
            parsed.problems.append(Problem(place, problem.message))
    return parsed


def _loads(text: str, problems: list[Problem]) -> object:
    def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
        fields: dict[str, object] = {}
        for name, value in pairs:
            if name in fields:
                problems.append(Problem(name, "occurs twice in one object: the first is used"))
            fields.setdefault(name, value)
        return fields

    try:
        return json.loads(text, object_pairs_hook=unique)
    except json.JSONDecodeError as error:
        raise Invalid(f"not JSON: {error.msg} in line {error.lineno}") from None
    except ValueError:
        raise Invalid("not JSON: a number has too many digits") from None
    except RecursionError:
        raise Invalid("nested too deeply") from None


Reader = tuple[str, Callable[[], NotesEntry]]  # its place in the file, and a function that reads it


def _readers(content: dict[str, object] | list[object]) -> Iterator[Reader]:
    """One reader for each entry, so that a bad entry does not affect the others."""
    if isinstance(content, list):
        yield from _of_list(content, "")
    elif _is_split(content):
        yield from _of_split(content)
    else:
        yield from _of_map(content)


def _is_split(content: Record) -> bool:
    """`{"projects": …, "windows": …}`, unless these are sessions of that name."""
    parts = [content[name] for name in ("projects", "windows") if name in content]
    return bool(parts) and all(isinstance(part, list) or _is_map(part) for part in parts)


def _is_map(value: object) -> TypeGuard[Record]:
    """An object that is not a record itself, but may contain records."""
    return isinstance(value, dict) and not any(plain(name) in FIELDS for name in value)


def _of_split(content: Record) -> Iterator[Reader]:
    for name, value in content.items():
        if isinstance(value, list):
            yield from _of_list(value, name)
        elif name == "projects" and _is_map(value):
            yield from _of_map(value)
        elif name == "windows" and _is_map(value):
            yield from _of_windows(value)
        else:
            yield from _of_map({name: value})


def _of_list(content: Sequence[object], name: str) -> Iterator[Reader]:
    for number, value in enumerate(content):
        place = f"{name}[{number}]"
        yield place, partial(read, place, value)


def _of_map(content: Record) -> Iterator[Reader]:
    """Keys are sessions, `session:window` or window ids."""
    for name, value in content.items():
        session, colon, word = name.partition(":")
        if name.startswith("@"):
            yield name, partial(read, name, value, word=name)
        elif colon:
            yield name, partial(read, name, value, session, word, need_window=True)
        elif _is_map(value) and value:
            yield from _of_session_windows(session, value)
        elif isinstance(value, dict) or plain(name) not in META_KEYS:
            yield from _of_session(session, value)


def _of_session(session: str, value: object) -> Iterator[Reader]:
    fields = value if isinstance(value, dict) else {}
    windows = fields.get("windows")
    # An object with nothing but windows does not concern the notes of the project.
    if windows is None or set(fields) - {"windows"}:
        yield session, partial(read, session, value, session)
    if isinstance(windows, dict):
        yield from _of_session_windows(session, windows)
    elif isinstance(windows, list):
        for number, window in enumerate(windows):
            place = f"{session}.windows[{number}]"
            yield place, partial(read, place, window, session, need_window=True)
    elif windows is not None:
        yield f"{session}.windows", _bad_windows


def _of_session_windows(session: str, content: Record) -> Iterator[Reader]:
    for word, value in content.items():
        place = f"{session}:{word}"
        yield place, partial(read, place, value, session, word, need_window=True)


def _of_windows(content: Record) -> Iterator[Reader]:
    """Keys are `session:window` or window ids; or sessions with an object of windows below."""
    for name, value in content.items():
        if ":" in name or name.startswith("@"):
            yield from _of_map({name: value})
        elif _is_map(value):
            yield from _of_session_windows(name, value)
        else:
            yield name, partial(read, name, value, word=name)


def _bad_windows() -> NotesEntry:
    raise Invalid("windows must be an object or a list")


# --- writing ------------------------------------------------------------------------------------


def render(entries: Iterable[NotesEntry]) -> str:
    """A list of records: the only shape that can hold two windows of the same name."""
    return json.dumps([record(entry) for entry in entries], ensure_ascii=False, indent=2) + "\n"
