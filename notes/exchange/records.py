"""Reads and writes one record of a JSON file: the notes of one project or window.

Pure. The shapes of whole files are in files.py.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from core.errors import Invalid
from notes.notion.addresses import page_id

SOURCES = ("local", "notion")
SCOPES = ("project", "window")
FIELDS = {
    "notes", "body", "source", "notionpageid", "updatedat", "session", "project", "scope", "window",
    "windowindex", "windowname", "windowid", "windowkey", "windows",
}  # fmt: skip  # a list of words
# Part of our own API's responses but derived from the record: ignored.
DERIVED = {"version", "tasks", "kanban", "notion", "statuslabels"}
MILLISECONDS_FROM = 100_000_000_000  # smaller numbers are seconds

Record = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class WindowName:
    """How a file names a window. `word` is a key of an object: an id, a name or an index."""

    key: str = ""
    id: str = ""
    index: int | None = None
    name: str = ""
    word: str = ""

    def __str__(self) -> str:
        name = self.word or self.name or self.id or self.key
        return name if name or self.index is None else str(self.index)


@dataclass(frozen=True, slots=True, kw_only=True)
class NotesEntry:
    """The notes of one project or window. `place` is their position in the file."""

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


# --- reading ------------------------------------------------------------------------------------


def read(
    place: str, value: object, session: str = "", word: str = "", *, need_window: bool = False
) -> NotesEntry:
    if isinstance(value, str):
        value = {"notes": value}
    if not isinstance(value, dict):
        raise Invalid("neither a string nor an object with `notes`")
    fields = {plain(name): field for name, field in value.items()}
    window = _window(fields, word)
    session = _encodable(session) or _text(fields, "session")
    project = _text(fields, "project")
    if need_window and window is None:
        raise Invalid("no window: add `windowName` or `windowIndex`")
    _check_scope(fields.get("scope"), window)
    if not (session or project) and not (window and (window.id or window.key or _is_id(word))):
        raise Invalid("no session: add `session`")
    source, page = _source(fields)
    return NotesEntry(
        place=place,
        session=session,
        project=project,
        window=window,
        notes=_text(fields, "notes" if "notes" in fields else "body"),
        source=source,
        page=page,
        updated_at=_moment(fields.get("updatedat")),
        ignored=tuple(name for name in value if plain(name) not in FIELDS | DERIVED),
    )


def plain(name: str) -> str:
    """Normalises a key: `notion_page_id` and `notionPageId` are the same."""
    return name.replace("_", "").lower()


def _is_id(word: str) -> bool:
    return word.startswith("@") and word[1:].isdecimal()


def _text(fields: Record, name: str) -> str:
    value = fields.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise Invalid(f"{name} is not a string")
    return _encodable(value)


def _encodable(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Invalid("not valid Unicode: it contains half of a surrogate pair") from None
    return text


def _window(fields: Record, word: str) -> WindowName | None:
    """`window` may be an object as in our API's responses, or an id, name or index."""
    window = fields.get("window")
    if isinstance(window, dict):
        fields = {**fields, **{_window_field(name): value for name, value in window.items()}}
    elif isinstance(window, str):
        word = word or window
    elif window is not None:
        fields = {**fields, "windowindex": window}
    index = fields.get("windowindex")
    if isinstance(index, str) and index.isdecimal():
        index = int(index)
    if index is not None and (type(index) is not int or index < 0):
        raise Invalid("windowIndex is not a number from 0")
    name, key, id_ = (_text(fields, f"window{part}") for part in ("name", "key", "id"))
    if not (word or key or id_ or name or index is not None):
        return None
    return WindowName(key=key, id=id_, index=index, name=name, word=_encodable(word))


def _window_field(name: str) -> str:
    normal = plain(name)
    return normal if normal.startswith("window") else f"window{normal}"


def _check_scope(scope: object, window: WindowName | None) -> None:
    if scope is None:
        return
    if scope not in SCOPES:
        raise Invalid("scope is neither project nor window")
    if (scope == "window") != (window is not None):
        raise Invalid(f"scope is {scope}, but the record names {window or 'no window'}")


def _source(fields: Record) -> tuple[str, str]:
    source, page = _text(fields, "source").lower() or "local", _text(fields, "notionpageid")
    if source not in SOURCES:
        raise Invalid("source is neither local nor notion")
    if source == "notion" and not page:
        raise Invalid("source is notion, but there is no notionPageId")
    return source, page_id(page) if page else ""


def _moment(value: object) -> datetime | None:
    if value is None or value == "":
        return None
    try:
        if isinstance(value, str):
            moment = datetime.fromisoformat(value)
            return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(
                value / 1000 if value >= MILLISECONDS_FROM else value, UTC
            )
    except (ValueError, OverflowError, OSError):
        pass
    raise Invalid("updatedAt is neither a time such as 2026-05-13T10:14:22Z nor milliseconds")


# --- writing ------------------------------------------------------------------------------------


def record(entry: NotesEntry) -> dict[str, object]:
    window = entry.window
    names = {}
    if window:
        names = {
            "windowKey": window.key,
            "windowIndex": window.index,
            "windowName": window.name,
        }
    return {
        "scope": "window" if window else "project",
        "session": entry.session,
        "project": entry.project,
        **names,
        "source": entry.source,
        "notionPageId": entry.page or None,
        "updatedAt": _timestamp(entry.updated_at),
        "notes": entry.notes,
    }


def _timestamp(moment: datetime | None) -> str | None:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z") if moment else None
