"""With mode "plan" no tool changes anything: tmux and the database are compared."""

import inspect
import types
from typing import Any, Literal, Union, get_args, get_origin

import pytest
from django.apps import apps

from core.database import in_db
from mcp_gateway.registry import Tool
from mcp_gateway.server import TOOLS, Gateway
from terminals.runtime import Runtime
from terminals.windows import sync
from tests.conftest import RunTmux
from tests.mcp_gateway.fixtures import failure
from tests.waiting import eventually

pytestmark = pytest.mark.django_db(transaction=True)
WRITERS = [tool for tool in TOOLS if "mode" in tool.arguments]
# Values that the tools accept, by the name of the argument; other arguments get one by their type.
BY_NAME: dict[str, Any] = {
    "session": "work",
    "windowIndex": 0,
    "text": "touch planned",
    "notes": "planned",
    "prompt": "touch planned",
    "action": "add",
    "scope": "project",
    "current": True,
    "submit": True,
    "force": True,
}
BY_TYPE: dict[object, Any] = {str: "x", int: 1, float: 1.0, bool: True}


def sample_arguments(tool: Tool) -> dict[str, Any]:
    """Arguments that a tool would act on."""
    parameters = inspect.signature(tool.run, eval_str=True).parameters
    return {
        name: BY_NAME.get(name, value(parameters[name].annotation))
        for name in tool.arguments
        if name != "mode"
    }


def value(annotation: Any) -> Any:
    origin = get_origin(annotation)
    if origin is Literal:
        return get_args(annotation)[0]
    if origin in (Union, types.UnionType) or hasattr(annotation, "__metadata__"):
        return value(get_args(annotation)[0])
    if origin is list:
        return [value(get_args(annotation)[0])]
    return BY_TYPE.get(annotation)


def rows() -> dict[str, list[Any]]:
    return {
        model._meta.label: list(model._default_manager.order_by("pk").values())
        for model in apps.get_models()
    }


def state(run_tmux: RunTmux) -> str:
    form = "#{session_id} #{window_id} #{pane_id} #{window_name} #{window_active} #{pane_active} "
    panes = run_tmux("list-panes", "-a", "-F", form + "#{pane_width}x#{pane_height} #{pane_dead}")
    return panes + run_tmux("capture-pane", "-p", "-t", "work:0") + run_tmux("list-buffers")


def test_some_tools_write() -> None:
    assert {"select_window", "send_to_window", "submit_current_window"} <= {
        tool.name for tool in WRITERS
    }


@pytest.mark.parametrize("tool", WRITERS, ids=lambda tool: tool.name)
async def test_plan_changes_nothing(tool: Tool, runtime: Runtime, run_tmux: RunTmux) -> None:
    # A fixed name: tmux may rename a new window after its program at any time.
    run_tmux("rename-window", "-t", "work:0", "fixed")
    await eventually(lambda: run_tmux("capture-pane", "-p", "-t", "work:0"), description="a prompt")
    await sync.sync(runtime.main)
    before = state(run_tmux), await in_db(rows)()
    response = await failure(Gateway(), tool.name, mode="plan", **sample_arguments(tool))
    assert "Nothing was changed" in response
    assert (state(run_tmux), await in_db(rows)()) == before


@pytest.mark.parametrize("tool", WRITERS, ids=lambda tool: tool.name)
def test_a_tool_with_a_mode_is_one_that_writes(tool: Tool) -> None:
    assert not tool.is_read_only
