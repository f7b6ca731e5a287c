"""What tmux shows now, window by window with its panes: for pages that draw it.

In memory, one for each process; not the facts of the database, which outlive a window (facts.py).
"""

import asyncio
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from terminals import live
from terminals.db import in_db
from terminals.errors import TmuxAway
from terminals.schemas import PaneOut, Wire
from terminals.tmux.driver import Tmux
from terminals.tmux.rows import PaneRow, WindowRow

WORKSPACE = live.topic("workspace")  # the group that hears that it is time to compare


class ShownPaneOut(Wire):
    pane_id: str
    pane_index: int
    active: bool
    width: int
    height: int
    left: int
    top: int
    dead: bool
    in_mode: bool
    alternate: bool
    title: str
    command: str
    path: str

    @classmethod
    def of(cls, row: PaneRow) -> Self:
        return cls.model_validate(PaneOut.of(row).model_dump(include=set(cls.model_fields)))


class ShownWindowOut(Wire):
    """`layout` is tmux's own word for where the panes are; `activity` when it last printed."""

    window_id: str
    window_index: int
    window_name: str
    session: str
    session_id: str
    active: bool
    zoomed: bool
    bell: bool
    layout: str
    activity: int
    attached: int  # people's terminals on its session
    panes: list[ShownPaneOut]

    @classmethod
    def of(cls, row: WindowRow, panes: list[PaneRow], attached: int) -> Self:
        return cls(
            window_id=row.id, window_index=row.index, window_name=row.name,
            session=row.session_name, session_id=row.session_id, active=row.active,
            zoomed=row.zoomed, bell=row.bell, layout=row.layout, activity=row.activity,
            attached=attached, panes=[ShownPaneOut.of(pane) for pane in panes],
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shown:
    """`problem`: why tmux cannot be asked; then there are no windows."""

    windows: Mapping[str, ShownWindowOut]
    problem: str = ""

    def wire(self) -> dict[str, Any]:
        windows = [window.model_dump(mode="json") for window in self.windows.values()]
        return {"windows": windows, "problem": self.problem}

    def since(self, before: "Shown") -> dict[str, Any] | None:
        """What leads from `before` to this; None where nothing is different."""
        changed = {
            key: window for key, window in self.windows.items() if before.windows.get(key) != window
        }
        gone = [key for key in before.windows if key not in self.windows]
        if not changed and not gone and self.problem == before.problem:
            return None
        return {**Shown(changed, self.problem).wire(), "gone": gone}


NOTHING = Shown({})


class Workspace:
    def __init__(self, tmux: Tmux) -> None:
        self._tmux = tmux
        self._looking = asyncio.Lock()  # an older look must not replace a newer one
        self.shown = NOTHING

    async def look(self) -> None:
        """Whoever follows is told if something is different from the last look."""
        async with self._looking:
            before, self.shown = self.shown, await self._look()
        if self.shown != before:
            await in_db(live.publish)(WORKSPACE, {"type": "workspace-changed"})

    async def _look(self) -> Shown:
        try:
            windows = await self._tmux.windows()
            panes = await self._tmux.panes()
            people = Counter(client.session_id for client in await self._tmux.clients())
        except TmuxAway as away:
            return Shown({}, self._tmux.problem or away.message)
        by_window: defaultdict[tuple[str, str], list[PaneRow]] = defaultdict(list)
        for pane in panes:
            by_window[pane.session_id, pane.window_id].append(pane)
        rows = {row.id: row for row in reversed(windows)}  # linked to several: the first counts
        return Shown(
            {
                row.id: ShownWindowOut.of(
                    row, by_window[row.session_id, row.id], people[row.session_id]
                )
                for row in windows
                if rows[row.id] is row
            }
        )
