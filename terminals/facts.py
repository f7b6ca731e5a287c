"""Keeps the rows of projects and windows true to tmux. Here a window becomes a row.

What is matched with what is decided in adoption.py; when to look is up to workers.py and services.
"""

import asyncio
import hashlib
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from terminals import live
from terminals.adoption import (
    Adopt,
    Create,
    CreateProject,
    KnownProject,
    KnownWindow,
    MarkGone,
    ReleaseProject,
    Update,
    UpdateProject,
    WindowAction,
    plan_projects,
    plan_windows,
)
from terminals.db import in_db
from terminals.errors import TmuxAway
from terminals.models import MAIN, NAME_LIMIT, Project, Window
from terminals.schemas import ProjectOut, WindowOut
from terminals.tmux.driver import Tmux
from terminals.tmux.rows import WindowRow

WINDOWS = live.topic("windows")  # the group that hears of every change to the facts here
NOWHERE = ""  # the life of a tmux that is not there
_locks: "weakref.WeakKeyDictionary[Tmux, asyncio.Lock]" = weakref.WeakKeyDictionary()


@dataclass(slots=True)
class Changes:
    """The new state of what a look at tmux has changed."""

    projects: list[Project] = field(default_factory=list)
    windows: list[Window] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.projects or self.windows)


async def look(tmux: Tmux) -> Changes:
    """Make the facts true now."""
    # One at a time: an older list must not be written after a newer one.
    async with _locks.setdefault(tmux, asyncio.Lock()):
        life = tmux.life
        windows = await tmux.windows()
        try:
            return await in_db(sync_windows)(life=life, windows=windows)
        except IntegrityError:
            # Another process wrote the same at the same time; now it reads as known.
            return await in_db(sync_windows)(life=life, windows=windows)


async def look_after_kill(tmux: Tmux) -> None:
    """With its last session tmux itself ends, and with it every window."""
    try:
        await look(tmux)
    except TmuxAway:
        await mark_all_gone(tmux)


async def mark_all_gone(tmux: Tmux) -> Changes:
    """There is no tmux; its windows may be found again when it returns."""
    async with _locks.setdefault(tmux, asyncio.Lock()):
        return await in_db(sync_windows)(life=NOWHERE, windows=[])


def sync_windows(*, life: str, windows: Sequence[WindowRow], server: str = MAIN) -> Changes:
    """`windows`: all of the server, of one moment; each names its session, and none is empty."""
    rows = [_fitting(row) for row in windows]
    sessions = {row.session_id: row.session_name for row in rows}
    # Without a transaction first: with SQLite each takes the write lock, and mostly nothing is new.
    if not _plan_projects(server, sessions, life) and not _plan_windows(server, rows, life):
        return Changes()
    with transaction.atomic():
        projects = _write_projects(server, sessions, life)
        changes = Changes(projects, _write_windows(server, rows, life, projects))
        announce(changes)
    return changes


def announce(changes: Changes) -> None:
    """To every socket, after the commit."""
    live.publish(
        WINDOWS,
        {
            "type": "windows-updated",
            "projects": [ProjectOut.of(row).model_dump(mode="json") for row in changes.projects],
            "windows": [WindowOut.of(row).model_dump(mode="json") for row in changes.windows],
        },
    )


def fit(name: str) -> str:
    """A session's name as a row can hold it; tmux knows no limit, a database's index does."""
    if len(name) <= NAME_LIMIT:
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()[:16]
    return f"{name[: NAME_LIMIT - 32]}…{digest}"


def _fitting(row: WindowRow) -> WindowRow:
    name = fit(row.session_name)
    return row if name == row.session_name else replace(row, session_name=name)


# --- projects ---------------------------------------------------------------------------------


def _plan_projects(
    server: str, sessions: dict[str, str], life: str
) -> list[CreateProject | UpdateProject | ReleaseProject]:
    rows = list(Project.objects.all())
    known = [
        KnownProject(
            pk=row.pk, name=row.name, session=row.session, tmux_id=row.tmux_id, life=row.life
        )
        for row in rows
        if row.server == server
    ]
    return plan_projects(known, sessions, life=life, names=[row.name for row in rows])


def _write_projects(server: str, sessions: dict[str, str], life: str) -> list[Project]:
    plan = _plan_projects(server, sessions, life)
    touched = [action.pk for action in plan if not isinstance(action, CreateProject)]
    # First nobody has the names that change hands, then each gets its own.
    Project.objects.filter(pk__in=touched).update(session="", version=F("version") + 1)
    known = Project.objects.in_bulk(touched)
    return [_write_project(action, known, server, life) for action in plan]


def _write_project(
    action: CreateProject | UpdateProject | ReleaseProject,
    known: dict[int, Project],
    server: str,
    life: str,
) -> Project:
    if isinstance(action, ReleaseProject):
        return known[action.pk]
    row = Project(server=server) if isinstance(action, CreateProject) else known[action.pk]
    row.name, row.session = action.name, action.session
    row.tmux_id, row.life = action.tmux_id, life
    row.save()
    return row


# --- windows ----------------------------------------------------------------------------------


def _plan_windows(server: str, rows: Sequence[WindowRow], life: str) -> list[WindowAction]:
    ids = {row.id for row in rows}
    own = Window.objects.filter(project__server=server)
    known = _known(own.filter(Q(alive=True) | Q(life=life, tmux_id__in=ids)))
    if ids - {window.tmux_id for window in known if window.life == life}:
        # Only for a window that is new: rows of earlier lives may be many.
        known += _known(own.filter(alive=False, closed_at=None).exclude(life=life))
    return plan_windows(known, rows, life=life)


def _known(rows: QuerySet[Window]) -> list[KnownWindow]:
    """Plain values: making model instances of 500 rows takes longer than all the rest."""
    told = rows.order_by("-last_seen_at", "-pk").values_list(
        "pk", "project__session", "tmux_id", "index", "name", "life", "active", "alive", "closed_at"
    )
    return [
        KnownWindow(
            pk=pk, session=session, tmux_id=tmux_id, index=index, name=name, life=life,
            active=active, alive=alive, closed=closed_at is not None,
        )
        for pk, session, tmux_id, index, name, life, active, alive, closed_at in told
    ]  # fmt: skip


def _write_windows(
    server: str, rows: Sequence[WindowRow], life: str, projects: Sequence[Project]
) -> list[Window]:
    plan = _plan_windows(server, rows, life)
    pks = [action.pk for action in plan if not isinstance(action, Create)]
    known = Window.objects.select_related("project").in_bulk(pks)
    owners = {row.session: row for row in Project.objects.filter(server=server)}
    now = timezone.now()
    gone = [_end(known[action.pk], now, action) for action in plan if isinstance(action, MarkGone)]
    new = [_place(Window(), action, owners, life, now)
           for action in plan if isinstance(action, Create)]  # fmt: skip
    moved = [_place(known[action.pk], action, owners, life, now)
             for action in plan if isinstance(action, Adopt | Update)]  # fmt: skip
    _save(gone, new, moved)
    written = [*gone, *new, *moved]
    # A window tells its project's name: with a renamed project its windows are new too.
    beside = Window.objects.filter(project__in=projects, alive=True)
    others = beside.exclude(pk__in=[row.pk for row in written])
    return [*written, *others.select_related("project")]


def _end(row: Window, now: datetime, action: MarkGone) -> Window:
    row.alive = row.active = False
    row.closed_at = now if action.closed else None
    row.version, row.last_seen_at = row.version + 1, now
    return row


def _place(
    row: Window,
    action: Create | Adopt | Update,
    owners: Mapping[str, Project],
    life: str,
    now: datetime,
) -> Window:
    window = action.window
    row.project = owners[window.session_name]
    row.tmux_id, row.life, row.alive, row.closed_at = window.id, life, True, None
    row.index, row.name, row.active = window.index, window.name, window.active
    row.version, row.last_seen_at = (1 if row.pk is None else row.version + 1), now
    return row


def _save(gone: Sequence[Window], new: Sequence[Window], moved: Sequence[Window]) -> None:
    """All windows of a server may end or begin at once: one statement for many."""
    for closed_at in {row.closed_at for row in gone}:
        ended = [row.pk for row in gone if row.closed_at == closed_at]
        Window.objects.filter(pk__in=ended).update(
            alive=False,
            active=False,
            closed_at=closed_at,
            version=F("version") + 1,
            last_seen_at=gone[0].last_seen_at,
        )
    Window.objects.bulk_create(new)
    for row in moved:
        row.save()
