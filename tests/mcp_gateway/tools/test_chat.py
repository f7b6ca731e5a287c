"""The chat tools called as the gateway calls them: the documented fields, addresses and limits."""

import asyncio
import inspect
from typing import Any

import pytest

from agents.chat import store as chat_store
from agents.chat.store import NewRecord
from agents.models import Role
from core.callers import Scope
from core.database import in_db
from core.errors import Invalid, NotFound
from mcp_gateway.registry import CONTEXT
from mcp_gateway.tools import chat as tools
from terminals import services
from terminals.runtime import Runtime
from tests.waiting import eventually

pytestmark = pytest.mark.django_db(transaction=True)


async def write_records(runtime: Runtime, count: int) -> None:
    window = await services.get_live_window(runtime.main, "@0")
    for number in range(count):
        for role, text in (
            (Role.USER, f"echo {number}"), (Role.ASSISTANT, f"$ echo {number}\n{number}\n$"),
        ):  # fmt: skip
            new = NewRecord(role=role, text=text, ts=1, pane="%0")
            await in_db(chat_store.add_record)(window=window, new=new)


def wire(out: Any) -> dict[str, Any]:
    response: dict[str, Any] = out.model_dump(mode="json")
    return response


async def test_history_is_paged_as_documented(runtime: Runtime) -> None:
    await write_records(runtime, 3)
    page = wire(await tools.read_chat_history(session="work", windowIndex=0, limit=4))
    assert page["hasMore"] is True
    assert page["window"]["windowId"] == "@0"
    assert page["messages"][0]["text"] == "echo 1"
    assert set(page["messages"][0]) == {"ts", "role", "session", "window", "text"}
    assert (page["messages"][0]["session"], page["messages"][0]["window"]) == ("work", "@0")
    oldest = min(message["ts"] for message in page["messages"])
    rest = wire(await tools.read_chat_history(windowId="@0", before=oldest))
    assert (len(rest["messages"]), rest["hasMore"]) == (2, False)
    none = wire(await tools.read_chat_history(current=True, since=oldest + 100))
    assert none["messages"] == []


async def test_messages_are_complete_and_clean(runtime: Runtime) -> None:
    await write_records(runtime, 2)
    response = wire(await tools.read_chat_messages(session="work", windowName="sh"))
    assert [(item["role"], item["text"]) for item in response["messages"]] == [
        ("user", "echo 0"), ("assistant", "0"), ("user", "echo 1"), ("assistant", "1"),
    ]  # fmt: skip


async def test_a_summary_names_its_author(runtime: Runtime) -> None:
    await write_records(runtime, 2)
    response = wire(await tools.summarize_window(windowId="@0"))
    assert response["by"] == "extract"
    assert response["summary"][0] == "You asked: “echo 0” and “echo 1”."


async def test_a_window_that_is_gone_is_read_by_its_key(runtime: Runtime) -> None:
    await write_records(runtime, 1)
    window = await services.get_live_window(runtime.main, "@0")
    await runtime.main.new_window("$0", command="exec cat")
    await runtime.main.kill("@0")
    response = wire(await tools.read_chat_history(windowId=window.key))
    assert len(response["messages"]) == 2
    with pytest.raises(NotFound):
        await tools.read_chat_history(windowId="@0")
    with pytest.raises(Invalid, match="which window"):
        await tools.read_chat_history()


async def test_waiting_returns_with_the_reason(runtime: Runtime) -> None:
    created = await runtime.main.new_window("$0", command="exec cat")
    waiting = asyncio.create_task(
        tools.wait_for(windowIds=(created.window_id,), text="ready", seconds=10)
    )

    async def tapped() -> bool:
        return any(stream.busy for stream in runtime.main.streams._streams.values())

    await eventually(tapped)
    await runtime.main.type(created.pane_id, b"ready\n")
    response = wire(await waiting)
    assert response["met"] is True
    [window] = response["windows"]
    assert (window["windowId"], window["why"], window["detail"]) == (
        created.window_id, "text", "ready",
    )  # fmt: skip
    late = wire(await tools.wait_for(windowId=created.window_id, pattern="never", seconds=0.1))
    assert (late["met"], late["windows"][0]["why"]) == (False, "time_out")


def test_every_tool_only_reads_and_is_described() -> None:
    assert [tool.name for tool in tools.TOOLS] == [
        "summarize_window", "read_chat_history", "read_chat_messages", "wait_for",
    ]  # fmt: skip
    for tool in tools.TOOLS:
        assert tool.scope is Scope.READ
        assert inspect.getdoc(tool.run)
        assert CONTEXT not in tool.arguments
        assert {"session", "windowIndex", "windowName", "windowId", "current"} <= {*tool.arguments}
