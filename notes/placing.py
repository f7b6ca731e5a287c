"""Finds or makes the row that an imported entry belongs to.

Not what is written there: importing.py. A row that is made stands for nothing that lives; when a
session or window of its name comes, terminals/adoption.py takes it for the one that it knew.
"""

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from notes.entries import Entry, WindowName
from notes.selectors import Owner
from terminals import facts, targets
from terminals.adoption import free_name
from terminals.errors import Ambiguous, Invalid, NotFound
from terminals.models import MAIN, Project, Window, new_key
from terminals.services import project_name

# The place of a window that only its name is known of: no window of tmux comes to have it, so that
# none is taken for this one by its place.
NO_INDEX = 2_147_483_647


def place(entry: Entry) -> Owner:
    """Inside a transaction."""
    window = entry.window
    if window is None:
        return _project(entry)
    if window.key and (known := _windows().filter(key=window.key).first()):
        return known
    if not (entry.session or entry.project):
        return _living(_windows(), window)
    project = _project(entry)
    rows = _windows().filter(project=project)
    return _known(rows, window) or _new_window(project, window)


# --- projects ---------------------------------------------------------------------------------


def _project(entry: Entry) -> Project:
    session = facts.fit(entry.session)
    named = entry.project or entry.session
    known = Project.objects.filter(server=MAIN, session=session).first() if session else None
    # With a session and a name of its own, another project of that name is another project.
    if known is None and not (session and entry.project):
        known = Project.objects.filter(name=named).first()
    return known or _new_project(session, named)


def _new_project(session: str, named: str) -> Project:
    if session:
        project_name(session)
    taken = set(Project.objects.values_list("name", flat=True))
    name = free_name(project_name(facts.fit(named)), taken)
    return Project.objects.create(name=name, session=session, server=MAIN)


# --- windows ----------------------------------------------------------------------------------


def _windows() -> QuerySet[Window]:
    return Window.objects.select_related("project").order_by("-alive", "-last_seen_at", "-pk")


def _known(rows: QuerySet[Window], window: WindowName) -> Window | None:
    name, index = _name_and_index(window)
    if targets.is_id(window.id or window.word, "@"):
        try:
            return _living(rows, window)
        except NotFound:
            if not window.name and index is None:
                raise
    if window.key:
        return None  # a window of its own, and not here yet
    for likeness in _likenesses(window.word, name, index):
        if found := _one(rows.filter(**likeness), window):
            return found
    return None


def _name_and_index(window: WindowName) -> tuple[str, int | None]:
    word = window.word
    number = int(word) if word.isdecimal() and len(word) <= len(str(NO_INDEX)) else None
    index = number if window.index is None else window.index
    return window.name or ("" if number is not None else word), index


def _likenesses(word: str, name: str, index: int | None) -> Iterator[dict[str, Any]]:
    """The stronger first. A number is an index only where nothing has it for a name."""
    if word:
        yield {"name": word}
    if name and index is not None:
        yield {"name": name, "index": index}
    yield {"name": name} if name else {"index": index}


def _one(rows: QuerySet[Window], window: WindowName) -> Window | None:
    """Of those that are gone the latest, as adoption has it; of living ones there must be one."""
    found = list(rows.filter(closed_at=None)[:2])
    if len(found) == 2 and found[1].alive:
        raise Ambiguous(f"several windows are {window}: give `windowIndex` too")
    return found[0] if found else None


def _living(rows: QuerySet[Window], window: WindowName) -> Window:
    identifier = window.id or window.word
    found = rows.filter(alive=True, tmux_id=identifier).first()
    if found is None:
        raise NotFound(
            f"no window {identifier} lives now, and ids mean nothing after a restart of tmux:"
            " give `session` and `windowName` or `windowIndex`"
        )
    return found


def _new_window(project: Project, window: WindowName) -> Window:
    name, index = _name_and_index(window)
    if "\0" in name:
        raise Invalid("a window's name cannot hold the character NUL")
    if index is not None and index > NO_INDEX:
        raise Invalid(f"a window's index is at most {NO_INDEX}")
    key = window.key or new_key()
    return Window.objects.create(
        key=key,
        project=project,
        # No id of tmux's, and unlike every other: there is one row for each.
        tmux_id=key,
        life=facts.NOWHERE,
        index=NO_INDEX if index is None else index,
        name=name,
        alive=False,
    )
