"""The live state of all windows and panes, for pages that draw it.

Kept in memory, once per process. windows/sync.py writes the rows in the database, which outlive a
window.
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from core import events
from core.database import in_db
from core.errors import TmuxAway
from terminals.schemas import ShownWindowOut, WorkspaceOut, WorkspaceUpdated
from terminals.tmux.driver import Tmux
from terminals.tmux.rows import PaneRow

WORKSPACE = events.topic("workspace")  # the group that is notified of every change


@dataclass(frozen=True, slots=True)
class WorkspaceState:
    """`problem`: why tmux is not available; then there are no windows."""

    windows: Mapping[str, ShownWindowOut]
    problem: str = ""

    def wire(self, tmux_command: str) -> dict[str, object]:
        return WorkspaceOut(
            windows=list(self.windows.values()), problem=self.problem, tmux_command=tmux_command
        ).message()

    def since(self, before: "WorkspaceState") -> dict[str, object] | None:
        """The event with the difference from `before`; None if there is none."""
        changed = {
            key: window for key, window in self.windows.items() if before.windows.get(key) != window
        }
        removed = [key for key in before.windows if key not in self.windows]
        if not changed and not removed and self.problem == before.problem:
            return None
        update = WorkspaceUpdated(
            windows=list(changed.values()), gone=removed, problem=self.problem
        )
        return update.message()


EMPTY = WorkspaceState({})


class Workspace:
    def __init__(self, tmux: Tmux) -> None:
        self._tmux = tmux
        self._refreshing = asyncio.Lock()  # an older state must not replace a newer one
        self.state = EMPTY

    async def refresh(self) -> None:
        """Read the state from tmux, and notify the subscribers if it has changed."""
        async with self._refreshing:
            before, self.state = self.state, await self._read()
        if self.state != before:
            await in_db(events.publish)(WORKSPACE, {"type": "workspace-changed"})

    async def _read(self) -> WorkspaceState:
        try:
            windows = await self._tmux.windows()
            panes = await self._tmux.panes()
            attached = Counter(client.session_id for client in await self._tmux.clients())
        except TmuxAway as away:
            return WorkspaceState({}, self._tmux.problem or away.message)
        by_window: defaultdict[tuple[str, str], list[PaneRow]] = defaultdict(list)
        for pane in panes:
            by_window[pane.session_id, pane.window_id].append(pane)
        # A window linked into several sessions is shown in the first of them.
        rows = {row.id: row for row in reversed(windows)}
        return WorkspaceState(
            {
                row.id: ShownWindowOut.of(
                    row, by_window[row.session_id, row.id], attached[row.session_id]
                )
                for row in windows
                if rows[row.id] is row
            }
        )
