"""Notes as a JSON file: every shape of a `window-notes.json` read into entries, and written.

Pure. Where an entry belongs among the rows is decided in placing.py. What cannot be read is told
as a problem with its place in the file, never skipped in silence.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from notes.entries import FIELDS, Entry, Record, plain, read, record
from terminals.errors import Invalid

# About the file, not about notes.
META = {"version", "format", "updatedat"}


@dataclass(frozen=True, slots=True)
class Problem:
    place: str
    message: str


@dataclass(slots=True)
class Found:
    entries: list[Entry] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


# --- reading ----------------------------------------------------------------------------------


def parse(text: str) -> Found:
    """Whole files that cannot be read raise; single entries become problems."""
    found = Found()
    told = _loads(text, found.problems)
    if not isinstance(told, dict | list):
        raise Invalid("the file holds neither an object nor a list: see `import_notes --help`")
    for place, reader in _readers(told):
        try:
            found.entries.append(reader())
        except Invalid as problem:
            found.problems.append(Problem(place, problem.message))
    return found


def _loads(text: str, problems: list[Problem]) -> Any:
    def pairs(told: list[tuple[str, Any]]) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for name, value in told:
            if name in made:
                problems.append(Problem(name, "stands twice in one object: the first is taken"))
            made.setdefault(name, value)
        return made

    try:
        return json.loads(text, object_pairs_hook=pairs)
    except json.JSONDecodeError as error:
        raise Invalid(f"not JSON: {error.msg} in line {error.lineno}") from None
    except ValueError:
        raise Invalid("not JSON: a number has too many digits") from None
    except RecursionError:
        raise Invalid("nested too deep to be notes") from None


Reader = tuple[str, Callable[[], Entry]]  # its place, and how to read it


def _readers(told: dict[str, Any] | list[Any]) -> Iterator[Reader]:
    """One for each entry, so that one which fails does not hold up the others."""
    if isinstance(told, list):
        yield from _of_list(told, "")
    elif _is_split(told):
        yield from _of_split(told)
    else:
        yield from _of_map(told)


def _is_split(told: Record) -> bool:
    """`{"projects": …, "windows": …}`, unless these are sessions of that name."""
    inside = [told[name] for name in ("projects", "windows") if name in told]
    return bool(inside) and all(isinstance(each, list) or _is_map(each) for each in inside)


def _is_map(value: Any) -> bool:
    """An object that is no record itself: what stands below its keys may be."""
    return isinstance(value, dict) and not any(plain(name) in FIELDS for name in value)


def _of_split(told: Record) -> Iterator[Reader]:
    for name, value in told.items():
        if isinstance(value, list):
            yield from _of_list(value, name)
        elif name == "projects":
            yield from _of_map(value)
        elif name == "windows":
            yield from _of_windows(value)
        else:
            yield from _of_map({name: value})


def _of_list(told: Sequence[Any], name: str) -> Iterator[Reader]:
    for number, value in enumerate(told):
        place = f"{name}[{number}]"
        yield place, partial(read, place, value)


def _of_map(told: Record) -> Iterator[Reader]:
    """By session, by `session:window`, or by the id of a window."""
    for name, value in told.items():
        session, colon, word = name.partition(":")
        if name.startswith("@"):
            yield name, partial(read, name, value, word=name)
        elif colon:
            yield name, partial(read, name, value, session, word, need_window=True)
        elif _is_map(value) and value:
            yield from _of_session_windows(session, value)
        elif isinstance(value, dict) or plain(name) not in META:
            yield from _of_session(session, value)


def _of_session(session: str, value: Any) -> Iterator[Reader]:
    windows = value.get("windows") if isinstance(value, dict) else None
    # An object with windows alone says nothing about the project's own notes.
    if windows is None or set(value) - {"windows"}:
        yield session, partial(read, session, value, session)
    if isinstance(windows, dict):
        yield from _of_session_windows(session, windows)
    elif isinstance(windows, list):
        for number, each in enumerate(windows):
            place = f"{session}.windows[{number}]"
            yield place, partial(read, place, each, session, need_window=True)
    elif windows is not None:
        yield f"{session}.windows", _no_windows


def _of_session_windows(session: str, told: Record) -> Iterator[Reader]:
    for word, value in told.items():
        place = f"{session}:{word}"
        yield place, partial(read, place, value, session, word, need_window=True)


def _of_windows(told: Record) -> Iterator[Reader]:
    """By `session:window` or id; or by session, and below it by window."""
    for name, value in told.items():
        if ":" in name or name.startswith("@"):
            yield from _of_map({name: value})
        elif _is_map(value):
            yield from _of_session_windows(name, value)
        else:
            yield name, partial(read, name, value, word=name)


def _no_windows() -> Entry:
    raise Invalid("windows are an object or a list")


# --- writing ----------------------------------------------------------------------------------


def render(entries: Iterable[Entry]) -> str:
    """A list of records: the one shape in which two windows of one name stay two."""
    return json.dumps([record(entry) for entry in entries], ensure_ascii=False, indent=2) + "\n"
