"""Synchronises the rows of projects and windows with tmux. Here a window gets its row.

matching.py decides which live window belongs to which row. terminals/workers.py and the services
decide when to synchronise.
"""

import asyncio
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from core import events
from core.database import in_db
from core.errors import TmuxAway
from terminals.models import MAIN, WORKSPACE_ROWS, Project, Window, fit_session_name
from terminals.schemas import ProjectOut, WindowOut, WindowsUpdated
from terminals.tmux.driver import Tmux
from terminals.tmux.rows import WindowRow
from terminals.windows.matching import (
    AdoptWindow,
    CreateProject,
    CreateWindow,
    KnownProject,
    KnownWindow,
    MarkGone,
    ReleaseProject,
    UpdateProject,
    UpdateWindow,
    WindowAction,
    plan_projects,
    plan_windows,
)

WINDOWS = events.topic("windows")  # the group that gets every change of these rows
NO_SERVER = ""  # the server run while tmux is not running
_locks: "weakref.WeakKeyDictionary[Tmux, asyncio.Lock]" = weakref.WeakKeyDictionary()


@dataclass(slots=True)
class Changes:
    """The rows that a synchronisation has changed, in their new state."""

    projects: list[Project] = field(default_factory=list)
    windows: list[Window] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.projects or self.windows)


async def sync(tmux: Tmux) -> Changes:
    """Make the rows match tmux now."""
    # One at a time: an older list must not be written after a newer one.
    async with _locks.setdefault(tmux, asyncio.Lock()):
        server_run = tmux.server_run
        windows = await tmux.windows()
        try:
            return await in_db(sync_windows)(server_run=server_run, windows=windows)
        except IntegrityError:
            # Another process wrote the same rows at the same time; the second try finds them.
            return await in_db(sync_windows)(server_run=server_run, windows=windows)


async def sync_after_kill(tmux: Tmux) -> None:
    """tmux exits when its last session ends, and all windows end with it."""
    try:
        await sync(tmux)
    except TmuxAway:
        await mark_all_gone(tmux)


async def mark_all_gone(tmux: Tmux) -> Changes:
    """tmux is not running. Its windows may be matched again when it returns."""
    async with _locks.setdefault(tmux, asyncio.Lock()):
        return await in_db(sync_windows)(server_run=NO_SERVER, windows=[])


def sync_windows(*, server_run: str, windows: Sequence[WindowRow], server: str = MAIN) -> Changes:
    """`windows`: all windows of the server at one moment. Sessions are taken from them: tmux has no
    session without a window."""
    rows = [_fitting(row) for row in windows]
    sessions = {row.session_id: row.session_name for row in rows}
    # Plan without a transaction first: with SQLite every transaction takes the write lock, and
    # usually nothing has changed.
    if not _plan_projects(server, sessions, server_run) and not _plan_windows(
        server, rows, server_run
    ):
        return Changes()
    with transaction.atomic():
        projects = _write_projects(server, sessions, server_run)
        changes = Changes(projects, _write_windows(server, rows, server_run, projects))
        announce(changes)
    return changes


def announce(changes: Changes) -> None:
    """Send the changed rows to every subscribed socket, after the commit."""
    WORKSPACE_ROWS.changed()
    update = WindowsUpdated(
        projects=[ProjectOut.of(row) for row in changes.projects],
        windows=[WindowOut.of(row) for row in changes.windows],
    )
    events.publish(WINDOWS, update.message())


def _fitting(row: WindowRow) -> WindowRow:
    name = fit_session_name(row.session_name)
    return row if name == row.session_name else replace(row, session_name=name)


# --- projects ---------------------------------------------------------------------------------


def _plan_projects(
    server: str, sessions: dict[str, str], server_run: str
) -> list[CreateProject | UpdateProject | ReleaseProject]:
    rows = list(Project.objects.all())
    known = [
        KnownProject(
            pk=row.pk, name=row.name, session=row.session, tmux_id=row.tmux_id, server_run=row.life
        )
        for row in rows
        if row.server == server
    ]
    return plan_projects(known, sessions, server_run=server_run, names=[row.name for row in rows])


def _write_projects(server: str, sessions: dict[str, str], server_run: str) -> list[Project]:
    plan = _plan_projects(server, sessions, server_run)
    touched = [action.pk for action in plan if not isinstance(action, CreateProject)]
    # Clear the names first so that a swap cannot violate the unique constraint.
    Project.objects.filter(pk__in=touched).update(session="", version=F("version") + 1)
    known = Project.objects.in_bulk(touched)
    return [_write_project(action, known, server, server_run) for action in plan]


def _write_project(
    action: CreateProject | UpdateProject | ReleaseProject,
    known: dict[int, Project],
    server: str,
    server_run: str,
) -> Project:
    if isinstance(action, ReleaseProject):
        return known[action.pk]
    row = Project(server=server) if isinstance(action, CreateProject) else known[action.pk]
    row.name, row.session = action.name, action.session
    row.tmux_id, row.life = action.tmux_id, server_run
    row.save()
    return row


# --- windows ----------------------------------------------------------------------------------


def _plan_windows(server: str, rows: Sequence[WindowRow], server_run: str) -> list[WindowAction]:
    ids = {row.id for row in rows}
    own = Window.objects.filter(project__server=server)
    known = _known(own.filter(Q(alive=True) | Q(life=server_run, tmux_id__in=ids)))
    if ids - {window.tmux_id for window in known if window.server_run == server_run}:
        # Only when there is a new window: there may be many rows of earlier server runs.
        known += _known(own.filter(alive=False, closed_at=None).exclude(life=server_run))
    return plan_windows(known, rows, server_run=server_run)


def _known(rows: QuerySet[Window]) -> list[KnownWindow]:
    """Plain values: creating model instances for 500 rows takes longer than everything else."""
    values = rows.order_by("-last_seen_at", "-pk").values_list(
        "pk", "project__session", "tmux_id", "index", "name", "life", "active", "alive", "closed_at"
    )
    return [
        KnownWindow(
            pk=pk,
            session=session,
            tmux_id=tmux_id,
            index=index,
            name=name,
            server_run=run,
            active=active,
            alive=alive,
            closed=closed_at is not None,
        )
        for pk, session, tmux_id, index, name, run, active, alive, closed_at in values
    ]


def _write_windows(
    server: str, rows: Sequence[WindowRow], server_run: str, projects: Sequence[Project]
) -> list[Window]:
    plan = _plan_windows(server, rows, server_run)
    pks = [action.pk for action in plan if not isinstance(action, CreateWindow)]
    # Locked: another transaction may pin a window now.
    locked = Window.objects.select_related("project").select_for_update(of=("self",))
    known = locked.in_bulk(pks)
    owners = {row.session: row for row in Project.objects.filter(server=server)}
    now = timezone.now()
    gone_rows = [
        _mark_gone(known[action.pk], now, action) for action in plan if isinstance(action, MarkGone)
    ]
    new = [
        _assign(Window(), action.window, owners, server_run, now)
        for action in plan
        if isinstance(action, CreateWindow)
    ]
    changed = [
        _assign(known[action.pk], action.window, owners, server_run, now)
        for action in plan
        if isinstance(action, AdoptWindow | UpdateWindow)
    ]
    _save(gone_rows, new, changed)
    written = [*gone_rows, *new, *changed]
    # A window's wire model has its project's name: a renamed project changes all its windows.
    siblings = Window.objects.filter(project__in=projects, alive=True)
    unwritten = siblings.exclude(pk__in=[row.pk for row in written])
    return [*written, *unwritten.select_related("project")]


def _mark_gone(row: Window, now: datetime, action: MarkGone) -> Window:
    row.alive = row.active = False
    row.closed_at = now if action.closed else None
    row.version, row.last_seen_at = row.version + 1, now
    return row


def _assign(
    row: Window,
    window: WindowRow,
    owners: Mapping[str, Project],
    server_run: str,
    now: datetime,
) -> Window:
    row.project = owners[window.session_name]
    row.tmux_id, row.life, row.alive, row.closed_at = window.id, server_run, True, None
    row.index, row.name, row.active = window.index, window.name, window.active
    row.version, row.last_seen_at = (1 if row.pk is None else row.version + 1), now
    return row


def _save(gone_rows: Sequence[Window], new: Sequence[Window], changed: Sequence[Window]) -> None:
    """All windows of a server may end or appear at once: bulk statements for these."""
    for closed_at in {row.closed_at for row in gone_rows}:
        ended = [row.pk for row in gone_rows if row.closed_at == closed_at]
        Window.objects.filter(pk__in=ended).update(
            alive=False,
            active=False,
            closed_at=closed_at,
            version=F("version") + 1,
            last_seen_at=gone_rows[0].last_seen_at,
        )
    Window.objects.bulk_create(new)
    for row in changed:
        row.save()
