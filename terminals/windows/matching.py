"""Matches live sessions and windows with known rows. Pure: returns actions, writes nothing.

Within one run of the tmux server the id decides. After a restart ids mean nothing: sessions are
matched by name, windows by session and name, then by session and index.
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
    server_run: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownWindow:
    """`closed`: it ended while its tmux server kept running, so no later window can be it."""

    pk: int
    session: str
    tmux_id: str
    index: int
    name: str
    server_run: str
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
    """Another session took its session's name: it keeps its notes but has no session."""

    pk: int


@dataclass(frozen=True, slots=True)
class CreateWindow:
    window: WindowRow


@dataclass(frozen=True, slots=True)
class AdoptWindow:
    """A row without a live window gets one."""

    pk: int
    window: WindowRow


@dataclass(frozen=True, slots=True)
class UpdateWindow:
    pk: int
    window: WindowRow


@dataclass(frozen=True, slots=True)
class MarkGone:
    pk: int
    closed: bool


ProjectAction = CreateProject | UpdateProject | ReleaseProject
WindowAction = CreateWindow | AdoptWindow | UpdateWindow | MarkGone


def plan_projects(
    known: Sequence[KnownProject],
    sessions: Mapping[str, str],
    *,
    server_run: str,
    names: Iterable[str] = (),
) -> list[ProjectAction]:
    """`sessions`: names of the live sessions by id. `names`: those that other projects have."""
    by_id = {project.tmux_id: project for project in known if project.server_run == server_run}
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
        action = _project(owners.get(identifier), identifier, session, server_run, taken_names)
        if action is not None:
            taken_names.add(action.name)
            actions.append(action)
    return actions


def _project(
    owner: KnownProject | None, identifier: str, session: str, server_run: str, names: set[str]
) -> CreateProject | UpdateProject | None:
    if owner is None:
        return CreateProject(identifier, session, free_name(session, names))
    if (owner.tmux_id, owner.session, owner.server_run) == (identifier, session, server_run):
        return None
    # A project that was never renamed follows its session's name, if that name is free.
    follows = owner.name == owner.session and session not in names
    return UpdateProject(owner.pk, identifier, session, session if follows else owner.name)


def free_name(wanted: str, taken: set[str]) -> str:
    number, name = 1, wanted
    while name in taken:
        number += 1
        name = f"{wanted} {number}"
    return name


def plan_windows(
    known: Sequence[KnownWindow], live: Sequence[WindowRow], *, server_run: str
) -> list[WindowAction]:
    """`known` is sorted by the time it was last seen, latest first: the latest match wins."""
    by_tmux_id = {window.tmux_id: window for window in known if window.server_run == server_run}
    homes = _homes(live, by_tmux_id)
    matched = {
        identifier: by_tmux_id[identifier] for identifier in homes if identifier in by_tmux_id
    }
    unmatched = [row for row in homes.values() if row.id not in matched]
    orphans = [window for window in known if window.server_run != server_run and not window.closed]
    matched.update(_match_orphans(unmatched, orphans))
    matched_pks = {window.pk for window in matched.values()}
    return [
        *(
            MarkGone(window.pk, closed=window.server_run == server_run)
            for window in known
            if window.alive and window.pk not in matched_pks
        ),
        *(
            action
            for row in homes.values()
            if (action := _window(matched.get(row.id), row, server_run))
        ),
    ]


def _homes(
    live: Iterable[WindowRow], by_tmux_id: Mapping[str, KnownWindow]
) -> dict[str, WindowRow]:
    """One row per window. A window linked into several sessions stays in the one it was in."""
    homes: dict[str, WindowRow] = {}
    for row in sorted(live, key=lambda row: (_number(row.session_id), row.index)):
        before = by_tmux_id.get(row.id)
        if row.id not in homes or (
            before is not None
            and row.session_name == before.session
            and homes[row.id].session_name != before.session
        ):
            homes[row.id] = row
    return homes


def _match_orphans(
    unmatched: Sequence[WindowRow], orphans: Sequence[KnownWindow]
) -> dict[str, KnownWindow]:
    """Each criterion, strongest first, is tried for all windows before the next one."""
    criteria: list[Callable[[WindowRow | KnownWindow, str], Hashable]] = [
        lambda row, session: (session, row.name, row.index),
        lambda row, session: (session, row.name),
        lambda row, session: (session, row.index),
    ]
    matched: dict[str, KnownWindow] = {}
    taken: set[int] = set()
    for criterion in criteria:
        by_criterion: dict[Hashable, list[KnownWindow]] = {}
        for orphan in reversed(orphans):  # so that pop() returns the latest
            if orphan.pk not in taken:
                by_criterion.setdefault(criterion(orphan, orphan.session), []).append(orphan)
        for row in unmatched:
            candidates = by_criterion.get(criterion(row, row.session_name))
            if row.id not in matched and candidates:
                matched[row.id] = candidates.pop()
                taken.add(matched[row.id].pk)
    return matched


def _window(known: KnownWindow | None, row: WindowRow, server_run: str) -> WindowAction | None:
    if known is None:
        return CreateWindow(row)
    if known.server_run != server_run or not known.alive:
        return AdoptWindow(known.pk, row)
    before = (known.session, known.index, known.name, known.active)
    if before == (row.session_name, row.index, row.name, row.active):
        return None
    return UpdateWindow(known.pk, row)


def _number(identifier: str) -> int:
    return int(identifier[1:]) if identifier[1:].isdigit() else 0
