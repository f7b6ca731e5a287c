"""How live sessions and windows are matched with the rows that we know. Decides, writes nothing.

Within one life of the tmux server the id decides. After a restart ids mean nothing: a session is
found again by its name, a window by its session and name, and then by its index.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from terminals.tmux.rows import WindowRow


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownProject:
    pk: int
    name: str
    session: str
    tmux_id: str
    life: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownWindow:
    """`closed`: it ended while its tmux server lived on, so that no later window is it."""

    pk: int
    session: str
    tmux_id: str
    index: int
    name: str
    life: str
    active: bool = False
    alive: bool = True
    closed: bool = False


@dataclass(frozen=True, slots=True)
class CreateProject:
    tmux_id: str
    session: str
    name: str


@dataclass(frozen=True, slots=True)
class UpdateProject:
    pk: int
    tmux_id: str
    session: str
    name: str


@dataclass(frozen=True, slots=True)
class ReleaseProject:
    """Another session took its session's name: it keeps its notes and has no session."""

    pk: int


@dataclass(frozen=True, slots=True)
class Create:
    window: WindowRow


@dataclass(frozen=True, slots=True)
class Adopt:
    """A row that had no live window gets one."""

    pk: int
    window: WindowRow


@dataclass(frozen=True, slots=True)
class Update:
    pk: int
    window: WindowRow


@dataclass(frozen=True, slots=True)
class MarkGone:
    pk: int
    closed: bool


ProjectAction = CreateProject | UpdateProject | ReleaseProject
WindowAction = Create | Adopt | Update | MarkGone


def plan_projects(
    known: Sequence[KnownProject],
    sessions: Mapping[str, str],
    *,
    life: str,
    names: Iterable[str] = (),
) -> list[ProjectAction]:
    """`sessions`: the name of each live session by its id. `names`: taken by other projects."""
    by_id = {project.tmux_id: project for project in known if project.life == life}
    owners = {identifier: by_id[identifier] for identifier in sessions if identifier in by_id}
    taken = {project.pk for project in owners.values()}
    by_name = {project.session: project for project in known if project.pk not in taken}
    for identifier, session in sessions.items():
        if identifier not in owners and session in by_name:
            owners[identifier] = by_name.pop(session)
    taken_names = {*names, *(project.name for project in known)}
    actions: list[ProjectAction] = [
        ReleaseProject(project.pk)
        for session, project in by_name.items()
        if session and session in sessions.values()
    ]
    for identifier, session in sessions.items():
        action = _project(owners.get(identifier), identifier, session, life, taken_names)
        if action is not None:
            taken_names.add(action.name)
            actions.append(action)
    return actions


def _project(
    owner: KnownProject | None, identifier: str, session: str, life: str, names: set[str]
) -> CreateProject | UpdateProject | None:
    if owner is None:
        return CreateProject(identifier, session, free_name(session, names))
    if (owner.tmux_id, owner.session, owner.life) == (identifier, session, life):
        return None
    # A name that nobody chose follows the session's, as far as it is free.
    follows = owner.name == owner.session and session not in names
    return UpdateProject(owner.pk, identifier, session, session if follows else owner.name)


def free_name(wanted: str, taken: set[str]) -> str:
    number, name = 1, wanted
    while name in taken:
        number += 1
        name = f"{wanted} {number}"
    return name


def plan_windows(
    known: Sequence[KnownWindow], live: Sequence[WindowRow], *, life: str
) -> list[WindowAction]:
    """`known` is sorted by when it was last seen, latest first: of equal claims the latest wins."""
    here = {window.tmux_id: window for window in known if window.life == life}
    homes = _homes(live, here)
    matched = {identifier: here[identifier] for identifier in homes if identifier in here}
    strangers = [row for row in homes.values() if row.id not in matched]
    orphans = [window for window in known if window.life != life and not window.closed]
    matched.update(_found_again(strangers, orphans))
    found = {window.pk for window in matched.values()}
    return [
        *(
            MarkGone(window.pk, closed=window.life == life)
            for window in known
            if window.alive and window.pk not in found
        ),
        *(action for row in homes.values() if (action := _window(matched.get(row.id), row, life))),
    ]


def _homes(live: Iterable[WindowRow], here: Mapping[str, KnownWindow]) -> dict[str, WindowRow]:
    """One row per window: where it is linked into several sessions, the one it was in before."""
    homes: dict[str, WindowRow] = {}
    for row in sorted(live, key=lambda row: (_number(row.session_id), row.index)):
        before = here.get(row.id)
        if row.id not in homes or (
            before is not None
            and row.session_name == before.session
            and homes[row.id].session_name != before.session
        ):
            homes[row.id] = row
    return homes


def _found_again(
    strangers: Sequence[WindowRow], orphans: Sequence[KnownWindow]
) -> dict[str, KnownWindow]:
    """The stronger likeness is looked for in all windows before the weaker one in any."""
    likenesses: list[Callable[[WindowRow | KnownWindow, str], Hashable]] = [
        lambda row, session: (session, row.name, row.index),
        lambda row, session: (session, row.name),
        lambda row, session: (session, row.index),
    ]
    found: dict[str, KnownWindow] = {}
    taken: set[int] = set()
    for likeness in likenesses:
        alike: dict[Hashable, list[KnownWindow]] = {}
        for orphan in reversed(orphans):  # so that pop() gives the latest
            if orphan.pk not in taken:
                alike.setdefault(likeness(orphan, orphan.session), []).append(orphan)
        for row in strangers:
            candidates = alike.get(likeness(row, row.session_name))
            if row.id not in found and candidates:
                found[row.id] = candidates.pop()
                taken.add(found[row.id].pk)
    return found


def _window(known: KnownWindow | None, row: WindowRow, life: str) -> WindowAction | None:
    if known is None:
        return Create(row)
    if known.life != life or not known.alive:
        return Adopt(known.pk, row)
    before = (known.session, known.index, known.name, known.active)
    if before == (row.session_name, row.index, row.name, row.active):
        return None
    return Update(known.pk, row)


def _number(identifier: str) -> int:
    return int(identifier[1:]) if identifier[1:].isdigit() else 0
