"""Reads: which row or live thing a caller means, and the lists that every door shows.

Changes nothing, except that it may look at tmux once more for a window that no row knows yet.
"""

import asyncio
import contextlib
import re
from collections import Counter
from dataclasses import dataclass

from django.db.models import Prefetch, QuerySet

from terminals import facts, targets
from terminals.db import in_db
from terminals.errors import NotFound, Refused, TmuxAway
from terminals.models import KEY_LENGTH, KEY_LETTERS, MAIN, Project, Window
from terminals.targets import WindowAddress
from terminals.tmux.driver import HIDDEN_SESSION, Tmux
from terminals.tmux.rows import PaneRow, SessionRow, WindowRow

_KEY = re.compile(f"[{KEY_LETTERS}]{{{KEY_LENGTH}}}")
OWN_SESSION = f"{HIDDEN_SESSION} is webtmux's own session: leave it alone"


@dataclass(frozen=True, slots=True)
class SessionState:
    row: SessionRow
    project: str | None
    attached: int


# --- rows -------------------------------------------------------------------------------------


def projects() -> QuerySet[Project]:
    """All, each with its live windows at hand."""
    alive = Window.objects.filter(alive=True).order_by("index")
    return Project.objects.prefetch_related(Prefetch("windows", alive))


def windows(*, session: str = "", include_gone: bool = False) -> QuerySet[Window]:
    rows = Window.objects.select_related("project")
    if session:
        rows = rows.filter(project__session=session)
    return rows if include_gone else rows.filter(alive=True)


def window_by_key(*, key: str) -> Window | None:
    return Window.objects.select_related("project").filter(key=key).first()


def window_by_id(*, life: str, tmux_id: str) -> Window | None:
    rows = Window.objects.select_related("project").filter(life=life, tmux_id=tmux_id)
    return rows.first()


def project_by_name(*, name: str) -> Project:
    row = Project.objects.filter(name=name).first()
    if row is None:
        raise NotFound(f"there is no project named {name!r}")
    return row


def project_by_session(*, session: str, server: str = MAIN) -> Project:
    row = Project.objects.filter(server=server, session=facts.fit(session)).first()
    if row is None:
        raise NotFound(f"there is no project of the session {session!r}")
    return row


def project_called(*, name: str) -> Project | None:
    """By its name, or that of its session."""
    return _by_name(name) or _by_session(name)


def project_names(*, life: str) -> dict[str, str]:
    """By the id of the session."""
    return dict(Project.objects.filter(life=life).values_list("tmux_id", "name"))


async def get_project(*, tmux: Tmux, project: str) -> Project:
    """By its name, or that of its session."""
    named = await in_db(_by_name)(project)
    return named or await get_project_of(tmux=tmux, session=project)


async def get_project_of(*, tmux: Tmux, session: str) -> Project:
    """By the name of its session; one that was made a moment ago gets its row now."""
    row = await in_db(_by_session)(session)
    if row is None:
        with contextlib.suppress(TmuxAway):
            await facts.look(tmux)
        row = await in_db(_by_session)(session)
    if row is None:
        raise NotFound(f"there is no project or session {session!r}: list the windows")
    return row


async def get_window(*, tmux: Tmux, window: str) -> Window:
    """By our key, which also finds windows that are gone, or by tmux's id."""
    if _KEY.fullmatch(window) and (row := await in_db(window_by_key)(key=window)):
        return row
    if not targets.is_id(window, "@"):
        raise NotFound(f"there is no window {window!r}: give its key, or its tmux id such as @3")
    return await fact_of(tmux, window)


async def fact_of(tmux: Tmux, window_id: str) -> Window:
    """The row of a live window; one that was made a moment ago gets its row now."""
    row = await in_db(window_by_id)(life=tmux.life, tmux_id=window_id)
    if row is None or not row.alive:
        await facts.look(tmux)
        row = await in_db(window_by_id)(life=tmux.life, tmux_id=window_id)
    if row is None:
        raise NotFound(f"can't find window: {window_id}")
    return row


# --- live -------------------------------------------------------------------------------------


async def list_sessions(*, tmux: Tmux) -> list[SessionState]:
    rows, people = await asyncio.gather(tmux.sessions(), tmux.clients())
    attached = Counter(client.session_id for client in people)
    names = await in_db(project_names)(life=tmux.life)
    return [SessionState(row, names.get(row.id), attached[row.id]) for row in rows]


async def list_panes(*, tmux: Tmux, target: str = "") -> list[PaneRow]:
    """Of a session, of a window (in tmux's syntax, or by our key), or all."""
    if not target:
        return await tmux.panes()
    if _KEY.fullmatch(target) and await in_db(window_by_key)(key=target):
        return await tmux.panes((await find_window(tmux, target)).id)
    try:
        return await tmux.panes(targets.pick_scope(target, await tmux.windows()))
    except NotFound:
        await _refuse_own(tmux, target)
        raise


async def find_session(tmux: Tmux, session: str) -> SessionRow:
    try:
        return targets.pick_session(session, await tmux.sessions())
    except NotFound:
        await _refuse_own(tmux, session)
        raise


async def find_window(tmux: Tmux, window: str) -> WindowRow:
    """A live window by our key, or in tmux's syntax."""
    if _KEY.fullmatch(window) and (row := await in_db(window_by_key)(key=window)):
        if not row.alive or row.life != tmux.life:
            raise NotFound(f"the window {row} is gone")
        window = row.tmux_id
    try:
        return targets.pick_window(window, await tmux.windows())
    except NotFound:
        await _refuse_own(tmux, window)
        raise


async def find_pane(tmux: Tmux, pane: str) -> PaneRow:
    """By its id, at the price of one command, or in tmux's syntax."""
    if targets.is_id(pane, "%"):
        row = await tmux.pane(pane)
        if row.session_name == HIDDEN_SESSION:
            raise Refused(OWN_SESSION)
        return row
    rows, panes = await asyncio.gather(tmux.windows(), tmux.panes())
    try:
        return targets.pick_pane(pane, rows, panes)
    except NotFound:
        await _refuse_own(tmux, pane)
        raise


async def find_address(tmux: Tmux, address: WindowAddress, *, page_focus: str = "") -> WindowRow:
    """As webtmux-mcp addresses a window; `window_id` may also be our key."""
    if address.window_id and not targets.is_id(address.window_id):
        return await find_window(tmux, address.window_id)
    current = await tmux.current_window(page_focus) if address.current else None
    return targets.pick_address(address, await tmux.windows(), current=current)


def _by_name(name: str) -> Project | None:
    return Project.objects.filter(name=name).first()


def _by_session(session: str) -> Project | None:
    return Project.objects.filter(server=MAIN, session=facts.fit(session)).first()


async def _refuse_own(tmux: Tmux, target: str) -> None:
    """Our own session is in no list; whoever names it is told why, not that it does not exist."""
    name = target.partition(":")[0].removeprefix("=")
    if targets.is_id(target):
        try:
            name = (await tmux.pane(target)).session_name
        except (NotFound, TmuxAway):
            return
    if name == HIDDEN_SESSION:
        raise Refused(OWN_SESSION)
