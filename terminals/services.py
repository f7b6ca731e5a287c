"""What can be done with projects, sessions and windows: one function per verb, for every door.

Panes have their own verbs in panes.py. When a call returns, the rows are true already.
"""

import contextlib
import re
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import IntegrityError, transaction

from terminals import facts, selectors
from terminals.db import in_db
from terminals.errors import Invalid, NotFound, TmuxAway, TmuxFailed
from terminals.models import NAME_LIMIT, Project, Window
from terminals.selectors import SessionState
from terminals.tmux.driver import Tmux
from terminals.tmux.rows import Created

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class NewSession:
    session: SessionState
    window: Window
    pane_id: str


@dataclass(frozen=True, slots=True)
class NewWindow:
    window: Window
    pane_id: str


# --- projects ---------------------------------------------------------------------------------


def project_name(text: str) -> str:
    """The name as it is kept, or why it cannot be."""
    name = text.strip()
    if not name or len(name) > NAME_LIMIT or _CONTROL.search(name):
        raise Invalid(f"a project's name has 1 to {NAME_LIMIT} characters, none of them control")
    return name


def rename_project(*, project: str, name: str) -> Project:
    """The session keeps its name; from now on the project's does not follow it."""
    name = project_name(name)
    try:
        with transaction.atomic():
            row = selectors.project_by_name(name=project)
            if row.name != name:
                row.name, row.version = name, row.version + 1
                row.save()
                alive = row.windows.select_related("project").filter(alive=True)
                facts.announce(facts.Changes([row], list(alive)))
            return row
    except IntegrityError:
        raise Invalid(f"there is already a project named {name!r}: use another name") from None


# --- sessions ---------------------------------------------------------------------------------


async def create_session(
    *, tmux: Tmux, name: str, cwd: str = "", command: str = "", window_name: str = ""
) -> NewSession:
    """In the work directory, or at home. Starts tmux if it is not running."""
    with contextlib.suppress(TmuxAway):  # no server: so no session has the name
        await _need_free(tmux, name)
    cwd = cwd or settings.WEBTMUX.work_dir or str(Path.home())
    made = await tmux.new_session(name, cwd=cwd, command=command, window=window_name)
    window = await _born(tmux, made)
    return NewSession(await _session(tmux, made.session_id), window, made.pane_id)


async def rename_session(*, tmux: Tmux, session: str, name: str) -> SessionState:
    row = await selectors.find_session(tmux, session)
    if row.name != name:
        await _need_free(tmux, name)
        await tmux.rename_session(row.id, name)
        await facts.look(tmux)
    return await _session(tmux, row.id)


async def kill_session(*, tmux: Tmux, session: str) -> Project:
    """The project stays, with its notes; a session of that name will find it again."""
    row = await selectors.find_session(tmux, session)
    await facts.look(tmux)  # or a session of the last seconds would end without a project
    await tmux.kill(row.id)
    await facts.look_after_kill(tmux)
    return await in_db(selectors.project_by_session)(session=row.name)


# --- windows ----------------------------------------------------------------------------------


async def create_window(
    *,
    tmux: Tmux,
    session: str,
    name: str = "",
    cwd: str = "",
    command: str = "",
    background: bool = False,
) -> NewWindow:
    row = await selectors.find_session(tmux, session)
    made = await tmux.new_window(row.id, name=name, cwd=cwd, command=command, background=background)
    return NewWindow(await _born(tmux, made), made.pane_id)


async def rename_window(*, tmux: Tmux, window: str, name: str) -> Window:
    row = await selectors.find_window(tmux, window)
    await tmux.rename_window(row.id, name)
    await facts.look(tmux)
    return await selectors.fact_of(tmux, row.id)


async def select_window(*, tmux: Tmux, window: str) -> Window:
    row = await selectors.find_window(tmux, window)
    await tmux.select_window(row.id)
    await facts.look(tmux)
    return await selectors.fact_of(tmux, row.id)


async def kill_window(*, tmux: Tmux, window: str) -> Window:
    row = await selectors.find_window(tmux, window)
    before = await selectors.fact_of(tmux, row.id)
    await tmux.kill(row.id)
    await facts.look_after_kill(tmux)
    after = await in_db(selectors.window_by_key)(key=before.key)
    return after or before


# --- inside -----------------------------------------------------------------------------------


async def _need_free(tmux: Tmux, name: str) -> None:
    if any(row.name == name for row in await tmux.sessions()):
        raise Invalid(f"there is already a session named {name!r}: use another name")


async def _session(tmux: Tmux, session_id: str) -> SessionState:
    for state in await selectors.list_sessions(tmux=tmux):
        if state.row.id == session_id:
            return state
    raise NotFound(f"can't find session: {session_id}")


async def _born(tmux: Tmux, made: Created) -> Window:
    try:
        await facts.look(tmux)
        return await selectors.fact_of(tmux, made.window_id)
    except (NotFound, TmuxAway):
        raise TmuxFailed("it was made and ended at once: its command has already exited") from None
