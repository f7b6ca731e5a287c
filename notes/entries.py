"""The notes of one project or window as a record of a JSON file, read and written.

Pure. How records stand in a file is in exchange.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from notes.notion.addresses import page_id
from terminals.errors import Invalid

SOURCES = ("local", "notion")
SCOPES = ("project", "window")
FIELDS = {
    "notes", "body", "source", "notionpageid", "updatedat", "session", "project", "scope", "window",
    "windowindex", "windowname", "windowid", "windowkey", "windows",
}  # fmt: skip
# Told by our own API beside the record: they follow from it.
DERIVED = {"version", "tasks", "kanban", "notion", "statuslabels"}
MS_SINCE = 100_000_000_000  # a smaller number is taken for seconds


Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowName:
    """What a file says of a window; `word` is a key of a map: an id, a name or an index."""

    key: str = ""
    id: str = ""
    index: int | None = None
    name: str = ""
    word: str = ""

    def __str__(self) -> str:
        told = self.word or self.name or self.id or self.key
        return told if told or self.index is None else str(self.index)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """The notes of one project or window; `place` is where they stand in the file."""

    place: str
    session: str
    project: str = ""
    window: WindowName | None = None
    notes: str = ""
    source: str = "local"
    page: str = ""
    updated_at: datetime | None = None
    ignored: tuple[str, ...] = ()

    def __str__(self) -> str:
        owner = self.session or self.project
        return owner if self.window is None else f"{owner}:{self.window}"


# --- reading ----------------------------------------------------------------------------------


def read(
    place: str, value: Any, session: str = "", word: str = "", *, need_window: bool = False
) -> Entry:
    if isinstance(value, str):
        value = {"notes": value}
    if not isinstance(value, dict):
        raise Invalid("neither a text nor an object with `notes`")
    told = {plain(name): each for name, each in value.items()}
    window = _window(told, word)
    session, project = _encodable(session) or _text(told, "session"), _text(told, "project")
    if need_window and window is None:
        raise Invalid("says of no window: give `windowName` or `windowIndex`")
    _check_scope(told.get("scope"), window)
    if not (session or project) and not (window and (window.id or window.key or _is_id(word))):
        raise Invalid("says of no session: give `session`")
    source, page = _source(told)
    return Entry(
        place=place,
        session=session,
        project=project,
        window=window,
        notes=_notes(told),
        source=source,
        page=page,
        updated_at=_moment(told.get("updatedat")),
        ignored=tuple(name for name in value if plain(name) not in FIELDS | DERIVED),
    )


def plain(name: str) -> str:
    """`notion_page_id` and `notionPageId` are one."""
    return name.replace("_", "").lower()


def _is_id(word: str) -> bool:
    return word.startswith("@") and word[1:].isdecimal()


def _text(told: Record, name: str) -> str:
    value = told.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise Invalid(f"{name} is not a text")
    return _encodable(value)


def _encodable(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Invalid("half of a surrogate pair is no text") from None
    return text


def _notes(told: Record) -> str:
    return _text(told, "notes" if "notes" in told else "body")


def _window(told: Record, word: str) -> WindowName | None:
    """`window` may be the window's own record, as our API tells it, or an id, name or index."""
    own = told.get("window")
    if isinstance(own, dict):
        told = {**told, **{_named(name): value for name, value in own.items()}}
    elif isinstance(own, str):
        word = word or own
    elif own is not None:
        told = {**told, "windowindex": own}
    index = told.get("windowindex")
    if isinstance(index, str) and index.isdecimal():
        index = int(index)
    if index is not None and (type(index) is not int or index < 0):
        raise Invalid("windowIndex is not a number from 0")
    name, key, id_ = (_text(told, f"window{each}") for each in ("name", "key", "id"))
    if not (word or key or id_ or name or index is not None):
        return None
    return WindowName(key=key, id=id_, index=index, name=name, word=_encodable(word))


def _named(name: str) -> str:
    told = plain(name)
    return told if told.startswith("window") else f"window{told}"


def _check_scope(scope: Any, window: WindowName | None) -> None:
    if scope is None:
        return
    if scope not in SCOPES:
        raise Invalid("scope is neither project nor window")
    if (scope == "window") != (window is not None):
        raise Invalid(f"scope is {scope}, but the record says {window or 'of no window'}")


def _source(told: Record) -> tuple[str, str]:
    source, page = _text(told, "source").lower() or "local", _text(told, "notionpageid")
    if source not in SOURCES:
        raise Invalid("source is neither local nor notion")
    if source == "notion" and not page:
        raise Invalid("source is notion, but there is no notionPageId")
    return source, page_id(page) if page else ""


def _moment(value: Any) -> datetime | None:
    if value is None or value == "":
        return None
    try:
        if isinstance(value, str):
            moment = datetime.fromisoformat(value)
            return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value / 1000 if value >= MS_SINCE else value, UTC)
    except (ValueError, OverflowError, OSError):
        pass
    raise Invalid("updatedAt is neither a time such as 2026-05-13T10:14:22Z nor milliseconds")


# --- writing ----------------------------------------------------------------------------------


def record(entry: Entry) -> dict[str, Any]:
    window = entry.window
    named = {"windowKey": window.key, "windowIndex": window.index, "windowName": window.name} \
        if window else {}  # fmt: skip
    return {
        "scope": "window" if window else "project",
        "session": entry.session,
        "project": entry.project,
        **named,
        "source": entry.source,
        "notionPageId": entry.page or None,
        "updatedAt": _told(entry.updated_at),
        "notes": entry.notes,
    }


def _told(moment: datetime | None) -> str | None:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z") if moment else None
