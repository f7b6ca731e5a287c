"""Wire models of windows in MCP: exactly the fields that webtmux-mcp documents.

REST returns more fields of a window (terminals/schemas.py); a model pays for each of them.
"""

from typing import Literal, Self

from core.wire import Wire
from terminals.models import Window
from terminals.tmux.rows import WindowRow


class WindowRef(Wire):
    session: str
    window_id: str
    window_index: int
    window_name: str
    active: bool
    project: str

    @classmethod
    def of(cls, row: WindowRow, *, project: str) -> Self:
        return cls(
            session=row.session_name,
            window_id=row.id,
            window_index=row.index,
            window_name=row.name,
            active=row.active,
            project=project,
        )

    @classmethod
    def of_stored(cls, row: Window) -> Self:
        return cls(
            session=row.project.session,
            window_id=row.tmux_id,
            window_index=row.index,
            window_name=row.name,
            active=row.active,
            project=row.project.name,
        )


class WindowsOut(Wire):
    windows: list[WindowRef]


class SelectedOut(Wire):
    selected: WindowRef


class TypedOut(Wire):
    window: WindowRef
    submitted: bool
    status: Literal["typed", "sent", "duplicate_ignored"]


class EnteredOut(Wire):
    window: WindowRef
    submitted: bool
    status: Literal["entered"]


class ServerInfo(Wire):
    version: str
    tmux: str
    windows: int
    tool_sets: list[str]
    scope: str
    own_pane: str
