"""From the identifiers of webtmux-mcp to one live window, the same for every tool.

Not how they are weighed against each other: terminals/targets.py.
"""

from typing import Annotated

from pydantic import Field

from mcp_gateway.schemas import WindowRef
from terminals import runtime, selectors
from terminals.db import in_db
from terminals.targets import WindowAddress
from terminals.tmux.driver import Tmux
from terminals.tmux.rows import WindowRow

# Parameters of a tool. Text is exactly `str`: of `str | None` the SDK makes JSON where it can, so
# that a window named `[1]` or `null` could not be named. The index is no text that could be lost.
Session = str
WindowIndex = int | str | None
WindowName = str
WindowId = Annotated[str, Field(description="as @7")]
Current = Annotated[bool, Field(description="the focused window")]


def of(
    session: str,
    window_index: int | str | None,
    window_name: str,
    window_id: str,
    current: bool,
) -> WindowAddress:
    """In the order in which every tool has them as parameters."""
    return WindowAddress(
        window_id=window_id,
        session=session,
        window_index=window_index,
        window_name=window_name,
        current=current,
    )


async def find_window(*given: *tuple[str, int | str | None, str, str, bool]) -> WindowRow:
    """The same parameters."""
    return await find(of(*given))


async def find(address: WindowAddress) -> WindowRow:
    held = runtime.current()
    return await selectors.find_address(held.main, address, page_focus=held.page_focus)


async def echo(tmux: Tmux, row: WindowRow) -> WindowRef:
    return describe(row, await in_db(selectors.project_names)(life=tmux.life))


def describe(row: WindowRow, projects: dict[str, str]) -> WindowRef:
    """A session of the last second has no project yet; it will get the session's name."""
    return WindowRef.of(row, project=projects.get(row.session_id, row.session_name))
