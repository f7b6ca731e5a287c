"""The actions on projects, sessions and windows: one function per verb, for REST, MCP and socket.

Actions on panes are in windows/panes.py. When a call returns, the rows match tmux.
"""

import contextlib
import re
from dataclasses import dataclass

from django.db import IntegrityError, transaction

from core.database import in_db
from core.errors import Invalid, NotFound, TmuxAway, TmuxFailed
from terminals import selectors
from terminals.models import NAME_LIMIT, Project, Window
from terminals.selectors import SessionState
from terminals.tmux.driver import Tmux
from terminals.tmux.rows import CreatedRow, SessionRow
from terminals.windows import sync, targets
from terminals.windows.launch import Launch, start_session, start_window
from terminals.windows.order import windows_to_pass

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class CreatedSession:
    session: SessionState
    window: Window
    pane_id: str


@dataclass(frozen=True, slots=True)
class CreatedWindow:
    window: Window
    pane_id: str


# --- projects ---------------------------------------------------------------------------------


def project_name(text: str) -> str:
    """The name as it is stored. Raises Invalid if it cannot be a name."""
    name = text.strip()
    if not name or len(name) > NAME_LIMIT or _CONTROL.search(name):
        raise Invalid(
            f"a project's name has 1 to {NAME_LIMIT} characters and no control characters"
        )
    return name


def rename_project(*, project: str, name: str) -> Project:
    """The session keeps its name. The project's name no longer follows it."""
    name = project_name(name)
    try:
        with transaction.atomic():
            row = selectors.project_by_name(name=project)
            if row.name != name:
                row.name, row.version = name, row.version + 1
                row.save()
                alive = row.windows.select_related("project").filter(alive=True)
                sync.announce(sync.Changes([row], list(alive)))
            return row
    except IntegrityError:
        raise Invalid(f"there is already a project named {name!r}: use another name") from None


# --- sessions ---------------------------------------------------------------------------------


async def create_session(
    *,
    tmux: Tmux,
    name: str,
    cwd: str = "",
    command: str = "",
    window_name: str = "",
    keep: bool = True,
) -> CreatedSession:
    """In the work directory, or at home. Starts tmux if it is not running."""
    with contextlib.suppress(TmuxAway):  # without a server every name is free
        await _require_free(tmux, name)
    launch = Launch(directory=cwd, command=command, name=window_name, keep=keep)
    created = await start_session(tmux, name, launch)
    window = await _created_window(tmux, created)
    return CreatedSession(await _session(tmux, created.session_id), window, created.pane_id)


async def rename_session(*, tmux: Tmux, session: str, name: str) -> SessionState:
    row = await selectors.find_session(tmux, session)
    if row.name != name:
        await _require_free(tmux, name)
        await tmux.rename_session(row.id, name)
        await sync.sync(tmux)
    return await _session(tmux, row.id)


async def kill_session(*, tmux: Tmux, session: str) -> Project:
    """The project keeps its notes. A later session of the same name gets it back."""
    row = await selectors.find_session(tmux, session)
    await sync.sync(tmux)  # a session created seconds ago may not have its project yet
    await tmux.kill(row.id)
    await sync.sync_after_kill(tmux)
    return await get_project_of_session(tmux=tmux, session=row.name)


# --- windows ----------------------------------------------------------------------------------


async def create_window(
    *,
    tmux: Tmux,
    session: str,
    name: str = "",
    cwd: str = "",
    command: str = "",
    background: bool = False,
    keep: bool = True,
) -> CreatedWindow:
    row = await selectors.find_session(tmux, session)
    launch = Launch(directory=cwd, command=command, name=name, keep=keep)
    created = await start_window(tmux, row.id, launch, background=background)
    return CreatedWindow(await _created_window(tmux, created), created.pane_id)


async def start_program(*, tmux: Tmux, session: str, launch: Launch) -> CreatedWindow:
    """In a new window of the session, which is created if there is none of this name. The window
    that a user of the session looks at stays."""
    rows: list[SessionRow] = []
    with contextlib.suppress(TmuxAway):  # tmux starts with the session
        rows = await tmux.sessions()
    if targets.is_id(session, "$") or any(row.name == session for row in rows):
        row = await selectors.find_session(tmux, session)
        created = await start_window(tmux, row.id, launch, background=True)
    else:
        created = await start_session(tmux, session, launch)
    return CreatedWindow(await _created_window(tmux, created), created.pane_id)


async def rename_window(*, tmux: Tmux, window: str, name: str) -> Window:
    row = await selectors.find_window(tmux, window)
    await tmux.rename_window(row.id, name)
    await sync.sync(tmux)
    return await get_live_window(tmux, row.id)


async def select_window(*, tmux: Tmux, window: str) -> Window:
    row = await selectors.find_window(tmux, window)
    await tmux.select_window(row.id)
    await sync.sync(tmux)
    return await get_live_window(tmux, row.id)


async def move_window(*, tmux: Tmux, window: str, before: str = "", after: str = "") -> Window:
    """Before or after another window of its session, in tmux's own order."""
    if bool(before) == bool(after):
        raise Invalid("give the window that it moves before, or the one that it moves after")
    row = await selectors.find_window(tmux, window)
    neighbour = await selectors.find_window(tmux, before or after)
    if neighbour.session_id != row.session_id:
        raise Invalid("a window can only be moved within its session")
    order = [each.id for each in await tmux.windows(row.session_id)]
    await tmux.move_window(row, windows_to_pass(order, row.id, neighbour.id, after=bool(after)))
    await sync.sync(tmux)
    return await get_live_window(tmux, row.id)


async def pin_window(*, tmux: Tmux, window: str, pinned: bool) -> Window:
    """Stored with the window, so that every page shows it."""
    row = await get_window(tmux=tmux, window=window)
    return await in_db(_pin)(pk=row.pk, pinned=pinned)


def _pin(*, pk: int, pinned: bool) -> Window:
    with transaction.atomic():
        rows = Window.objects.select_related("project").select_for_update(of=("self",))
        row = rows.get(pk=pk)
        if row.pinned != pinned:
            row.pinned, row.version = pinned, row.version + 1
            row.save(update_fields=("pinned", "version"))
            sync.announce(sync.Changes(windows=[row]))
        return row


async def kill_window(*, tmux: Tmux, window: str) -> Window:
    row = await selectors.find_window(tmux, window)
    before = await get_live_window(tmux, row.id)
    await tmux.kill(row.id)
    await sync.sync_after_kill(tmux)
    after = await in_db(selectors.window_by_key)(key=before.key)
    return after or before


# --- rows that may have to be created first ---------------------------------------------------


async def get_project(*, tmux: Tmux, project: str) -> Project:
    """By its name or the name of its session, which may have been created a moment ago."""
    row = await in_db(selectors.find_project)(name=project)
    return row or await get_project_of_session(tmux=tmux, session=project)


async def get_project_of_session(*, tmux: Tmux, session: str) -> Project:
    """By the name of its session, which may have been created a moment ago."""
    row = await in_db(selectors.project_of_session)(session=session)
    if row is None:
        with contextlib.suppress(TmuxAway):
            await sync.sync(tmux)
        row = await in_db(selectors.project_of_session)(session=session)
    if row is None:
        raise NotFound(f"there is no project or session {session!r}: list the windows")
    return row


async def get_window(*, tmux: Tmux, window: str) -> Window:
    """By its key, which also finds windows that are gone, or by tmux's id."""
    if selectors.is_window_key(window) and (
        row := await in_db(selectors.window_by_key)(key=window)
    ):
        return row
    if not targets.is_id(window, "@"):
        raise NotFound(f"there is no window {window!r}: give its key, or its tmux id such as @3")
    return await get_live_window(tmux, window)


async def get_live_window(tmux: Tmux, window_id: str) -> Window:
    """By tmux's id. A window that was created a moment ago gets its row now."""
    row = await in_db(selectors.window_by_id)(server_run=tmux.server_run, tmux_id=window_id)
    if row is None or not row.alive:
        await sync.sync(tmux)
        row = await in_db(selectors.window_by_id)(server_run=tmux.server_run, tmux_id=window_id)
    if row is None:
        raise NotFound(f"can't find window: {window_id}")
    return row


# --- helpers ----------------------------------------------------------------------------------


async def _require_free(tmux: Tmux, name: str) -> None:
    if any(row.name == name for row in await tmux.sessions()):
        raise Invalid(f"there is already a session named {name!r}: use another name", field="name")


async def _session(tmux: Tmux, session_id: str) -> SessionState:
    for state in await selectors.list_sessions(tmux=tmux):
        if state.row.id == session_id:
            return state
    raise NotFound(f"can't find session: {session_id}")


async def _created_window(tmux: Tmux, created: CreatedRow) -> Window:
    try:
        await sync.sync(tmux)
        return await get_live_window(tmux, created.window_id)
    except (NotFound, TmuxAway):
        raise TmuxFailed(
            "it was created, but its command has already exited: check the command"
        ) from None
