"""Finds or creates the project or window that an imported entry belongs to.

Called by importing.py. A created row has no session or window in tmux yet: when a session or
window of its name appears, terminals/windows/matching.py recognises it.
"""

from collections.abc import Iterator

from django.db.models import QuerySet

from core.errors import Ambiguous, Invalid, NotFound
from notes.exchange.records import NotesEntry, WindowName
from notes.selectors import Owner
from terminals.models import MAIN, Project, Window, fit_session_name, new_key
from terminals.services import project_name
from terminals.windows import targets
from terminals.windows.matching import free_name
from terminals.windows.sync import NO_SERVER

# The index of a window of which only the name is known. No window of tmux has it, so that none is
# matched to this one by its index.
NO_INDEX = 2_147_483_647


def find_or_create(entry: NotesEntry) -> Owner:
    """Must be called inside a transaction."""
    window = entry.window
    if window is None:
        return _project(entry)
    if window.key and (known := _windows().filter(key=window.key).first()):
        return known
    if not (entry.session or entry.project):
        return _live_window(_windows(), window)
    project = _project(entry)
    rows = _windows().filter(project=project)
    return _existing_window(rows, window) or _new_window(project, window)


# --- projects -----------------------------------------------------------------------------------


def _project(entry: NotesEntry) -> Project:
    session = fit_session_name(entry.session)
    named = entry.project or entry.session
    known = Project.objects.filter(server=MAIN, session=session).first() if session else None
    # If the entry names both session and project, a project of that name with another session is
    # a different one.
    if known is None and not (session and entry.project):
        known = Project.objects.filter(name=named).first()
    return known or _new_project(session, named)


def _new_project(session: str, named: str) -> Project:
    if session:
        project_name(session)
    taken = set(Project.objects.values_list("name", flat=True))
    name = free_name(project_name(fit_session_name(named)), taken)
    return Project.objects.create(name=name, session=session, server=MAIN)


# --- windows ------------------------------------------------------------------------------------


def _windows() -> QuerySet[Window]:
    return Window.objects.select_related("project").order_by("-alive", "-last_seen_at", "-pk")


def _existing_window(rows: QuerySet[Window], window: WindowName) -> Window | None:
    name, index = _name_and_index(window)
    if targets.is_id(window.id or window.word, "@"):
        try:
            return _live_window(rows, window)
        except NotFound:
            if not window.name and index is None:
                raise
    if window.key:
        return None  # a window that is not here yet
    for criteria in _criteria(window.word, name, index):
        if match := _unambiguous(rows.filter(**criteria), window):
            return match
    return None


def _name_and_index(window: WindowName) -> tuple[str, int | None]:
    word = window.word
    number = int(word) if word.isdecimal() and len(word) <= len(str(NO_INDEX)) else None
    index = number if window.index is None else window.index
    return window.name or ("" if number is not None else word), index


def _criteria(word: str, name: str, index: int | None) -> Iterator[dict[str, object]]:
    """Filters, the strongest first. A number is an index only if no window has it as its name."""
    if word:
        yield {"name": word}
    if name and index is not None:
        yield {"name": name, "index": index}
    yield {"name": name} if name else {"index": index}


def _unambiguous(rows: QuerySet[Window], window: WindowName) -> Window | None:
    """The only live window, or else the one that disappeared last, as in windows/matching.py."""
    candidates = list(rows.filter(closed_at=None)[:2])
    if len(candidates) == 2 and candidates[1].alive:
        raise Ambiguous(f"several windows match {window}: add `windowIndex`")
    return candidates[0] if candidates else None


def _live_window(rows: QuerySet[Window], window: WindowName) -> Window:
    identifier = window.id or window.word
    match = rows.filter(alive=True, tmux_id=identifier).first()
    if match is None:
        raise NotFound(
            f"no window {identifier} is open, and ids are not kept when tmux restarts: add"
            " `session` and `windowName` or `windowIndex`"
        )
    return match


def _new_window(project: Project, window: WindowName) -> Window:
    name, index = _name_and_index(window)
    if "\0" in name:
        raise Invalid("a window's name cannot contain the character NUL")
    if index is not None and index > NO_INDEX:
        raise Invalid(f"a window's index is at most {NO_INDEX}")
    key = window.key or new_key()
    return Window.objects.create(
        key=key,
        project=project,
        # Not an id of tmux, but unique, as the constraint on `life` and `tmux_id` requires.
        tmux_id=key,
        life=NO_SERVER,
        index=NO_INDEX if index is None else index,
        name=name,
        alive=False,
    )
