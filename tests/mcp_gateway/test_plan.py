"""While a caller plans, nothing changes: every tool that writes, tmux and the database compared."""

import inspect
import types
from typing import Any, Literal, Union, get_args, get_origin

import pytest
from django.apps import apps

from mcp_gateway.registry import Tool
from mcp_gateway.server import TOOLS, Gateway
from terminals import facts
from terminals.db import in_db
from terminals.runtime import Runtime
from tests.conftest import RunTmux
from tests.mcp_gateway.fixtures import failure

pytestmark = pytest.mark.django_db(transaction=True)
WRITERS = [tool for tool in TOOLS if "mode" in tool.arguments]
# Words that mean something to the tools that take them; what is left gets one of its own type.
MEANT: dict[str, Any] = {
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


def made_up(tool: Tool) -> dict[str, Any]:
    """Arguments that a tool would act on."""
    parameters = inspect.signature(tool.run, eval_str=True).parameters
    return {
        name: MEANT.get(name, value(parameters[name].annotation))
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


def test_there_are_tools_that_write() -> None:
    assert {"select_window", "send_to_window", "submit_current_window"} <= {
        tool.name for tool in WRITERS
    }


@pytest.mark.parametrize("tool", WRITERS, ids=lambda tool: tool.name)
async def test_plan_changes_nothing(tool: Tool, runtime: Runtime, run_tmux: RunTmux) -> None:
    await facts.look(runtime.main)
    before = state(run_tmux), await in_db(rows)()
    told = await failure(Gateway(), tool.name, mode="plan", **made_up(tool))
    assert "Nothing was changed" in told
    assert (state(run_tmux), await in_db(rows)()) == before


@pytest.mark.parametrize("tool", WRITERS, ids=lambda tool: tool.name)
def test_a_tool_with_a_mode_is_one_that_writes(tool: Tool) -> None:
    assert not tool.is_read_only
