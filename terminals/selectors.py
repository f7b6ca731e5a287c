"""Reads: finds the row or the live session, window or pane that a caller names, and lists them.

Nothing here writes. Where a live window may not have a row yet, use `get_window` and `get_project`
of services.py, which synchronise first.
"""

import asyncio
import re
from collections import Counter
from dataclasses import dataclass

from django.db.models import Prefetch, QuerySet

from core.database import in_db
from core.errors import NotFound, Refused, TmuxAway
from terminals.models import (
    KEY_LENGTH,
    KEY_LETTERS,
    MAIN,
    WORKSPACE_ROWS,
    Project,
    Window,
    fit_session_name,
)
from terminals.tmux.driver import HIDDEN_SESSION, Tmux
from terminals.tmux.rows import PaneRow, SessionRow, WindowRow
from terminals.windows import targets
from terminals.windows.targets import WindowAddress

_KEY = re.compile(f"[{KEY_LETTERS}]{{{KEY_LENGTH}}}")
OWN_SESSION = f"{HIDDEN_SESSION} is webtmux's own session: leave it alone"


@dataclass(frozen=True, slots=True)
class SessionState:
    row: SessionRow
    project: str | None
    attached: int


# --- rows -------------------------------------------------------------------------------------


def projects() -> QuerySet[Project]:
    """All projects, with their live windows prefetched."""
    alive = Window.objects.filter(alive=True).order_by("index")
    return Project.objects.prefetch_related(Prefetch("windows", alive))


def windows(*, session: str = "", include_gone: bool = False) -> QuerySet[Window]:
    rows = Window.objects.select_related("project")
    if session:
        rows = rows.filter(project__session=session)
    return rows if include_gone else rows.filter(alive=True)


def is_window_key(text: str) -> bool:
    """Whether it has the form of a window's key."""
    return _KEY.fullmatch(text) is not None


def window_by_key(*, key: str) -> Window | None:
    return Window.objects.select_related("project").filter(key=key).first()


def window_by_id(*, server_run: str, tmux_id: str) -> Window | None:
    rows = Window.objects.select_related("project").filter(life=server_run, tmux_id=tmux_id)
    return rows.first()


def project_by_name(*, name: str) -> Project:
    row = _named(name)
    if row is None:
        raise NotFound(f"there is no project named {name!r}")
    return row


def project_of_session(*, session: str) -> Project | None:
    return Project.objects.filter(server=MAIN, session=fit_session_name(session)).first()


def find_project(*, name: str) -> Project | None:
    """By its name or the name of its session."""
    return _named(name) or project_of_session(session=name)


def _query_project_names(*, server_run: str) -> dict[str, str]:
    return dict(Project.objects.filter(life=server_run).values_list("tmux_id", "name"))


def _named(name: str) -> Project | None:
    return Project.objects.filter(name=name).first()


_project_names: tuple[object, dict[str, str]] = (None, {})


async def project_names(tmux: Tmux) -> dict[str, str]:
    """Names of projects by the tmux id of their session. Queried only if they may have changed."""
    global _project_names
    rows, server_run = WORKSPACE_ROWS.version(), tmux.server_run
    known, names = _project_names
    if rows is None or known != (rows, server_run):
        names = await in_db(_query_project_names)(server_run=server_run)
        _project_names = ((rows, server_run) if rows is not None else None), names
    return names


# --- live -------------------------------------------------------------------------------------


async def list_sessions(*, tmux: Tmux) -> list[SessionState]:
    rows, clients = await asyncio.gather(tmux.sessions(), tmux.clients())
    attached = Counter(client.session_id for client in clients)
    names = await project_names(tmux)
    return [SessionState(row, names.get(row.id), attached[row.id]) for row in rows]


async def list_panes(*, tmux: Tmux, target: str = "") -> list[PaneRow]:
    """All panes, or those of a session or window (in tmux's syntax, or a window's key)."""
    if not target:
        return await tmux.panes()
    if is_window_key(target) and await in_db(window_by_key)(key=target):
        return await tmux.panes((await find_window(tmux, target)).id)
    try:
        return await tmux.panes(targets.pick_scope(target, await tmux.windows()))
    except NotFound:
        await _refuse_own_session(tmux, target)
        raise


async def find_session(tmux: Tmux, session: str) -> SessionRow:
    try:
        return targets.pick_session(session, await tmux.sessions())
    except NotFound:
        await _refuse_own_session(tmux, session)
        raise


async def find_window(tmux: Tmux, window: str) -> WindowRow:
    """A live window by its key, or in tmux's syntax."""
    if is_window_key(window) and (row := await in_db(window_by_key)(key=window)):
        if not row.alive or row.life != tmux.server_run:
            raise NotFound(f"the window {row} is gone")
        window = row.tmux_id
    try:
        return targets.pick_window(window, await tmux.windows())
    except NotFound:
        await _refuse_own_session(tmux, window)
        raise


async def find_pane(tmux: Tmux, pane: str) -> PaneRow:
    """By its id, which costs one tmux command, or in tmux's syntax."""
    if targets.is_id(pane, "%"):
        row = await tmux.pane(pane)
        if row.session_name == HIDDEN_SESSION:
            raise Refused(OWN_SESSION)
        return row
    rows, panes = await asyncio.gather(tmux.windows(), tmux.panes())
    try:
        return targets.pick_pane(pane, rows, panes)
    except NotFound:
        await _refuse_own_session(tmux, pane)
        raise


async def find_address(tmux: Tmux, address: WindowAddress, *, page_focus: str = "") -> WindowRow:
    """By the fields of webtmux-mcp; `window_id` may also be a window's key."""
    if address.window_id and not targets.is_id(address.window_id):
        return await find_window(tmux, address.window_id)
    current = await tmux.current_window(page_focus) if address.current else None
    return targets.pick_address(address, await tmux.windows(), current=current)


async def _refuse_own_session(tmux: Tmux, target: str) -> None:
    """Our own session is in no list. Naming it is refused with the reason, not as unknown."""
    name = target.partition(":")[0].removeprefix("=")
    if targets.is_id(target):
        try:
            name = (await tmux.pane(target)).session_name
        except (NotFound, TmuxAway):
            return
    if name == HIDDEN_SESSION:
        raise Refused(OWN_SESSION)
