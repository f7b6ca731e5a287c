"""The window address of the MCP tools: its parameters, and the lookup of the window.

A tool that acts on a window declares one parameter, `window: WindowAddress`, and is decorated with
`takes_window`. Its callers pass the five parameters of `address_of` instead.
terminals/windows/targets.py decides which identifier takes precedence.
"""

import functools
import inspect
from collections.abc import Callable, Coroutine
from typing import Annotated, Any, TypeVar

from pydantic import Field

from mcp_gateway.schemas import WindowRef
from terminals import runtime, selectors
from terminals.tmux.driver import Tmux
from terminals.tmux.rows import WindowRow
from terminals.windows.targets import WindowAddress

Result = TypeVar("Result")
ToolFunction = Callable[..., Coroutine[object, None, Result]]


# Texts are `str`, because the SDK parses `str | None` as JSON if it can: a window named `[1]` or
# `null` could not be addressed then.
def address_of(
    session: str = "",
    windowIndex: int | str | None = None,
    windowName: str = "",
    windowId: Annotated[str, Field(description="as @7")] = "",
    current: Annotated[bool, Field(description="the focused window")] = False,
) -> WindowAddress:
    """The address from the parameters of a tool, which are named as on the wire."""
    return WindowAddress(
        window_id=windowId,
        session=session,
        window_index=windowIndex,
        window_name=windowName,
        current=current,
    )


def takes_window(run: ToolFunction[Result]) -> ToolFunction[Result]:
    """Replace the parameter `window` of a tool by the parameters of `address_of`."""
    signature = inspect.signature(run, eval_str=True)
    address = [
        each.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for each in inspect.signature(address_of).parameters.values()
    ]
    names = {each.name for each in address}
    parameters = []
    for each in signature.parameters.values():
        parameters += address if each.name == "window" else [each]

    @functools.wraps(run)
    async def call(*arguments: Any, **values: Any) -> Result:  # the SDK has validated them
        window = address_of(**{name: values.pop(name) for name in names & values.keys()})
        return await run(*arguments, window=window, **values)

    # inspect.signature(), and with it the SDK and registry.py, reads this attribute.
    vars(call)["__signature__"] = signature.replace(parameters=parameters)
    return call


async def find_window(address: WindowAddress) -> WindowRow:
    """The live window at this address."""
    active = runtime.current()
    return await selectors.find_address(active.main, address, page_focus=active.page_focus)


async def echo(tmux: Tmux, row: WindowRow) -> WindowRef:
    return describe(row, await selectors.project_names(tmux))


def describe(row: WindowRow, projects: dict[str, str]) -> WindowRef:
    """A new session has no project for up to a second; the project will have the session's name."""
    return WindowRef.of(row, project=projects.get(row.session_id, row.session_name))
