"""The screen of each window as a resource, notifications of its changes, and the prompts."""

import asyncio
import json
from typing import Any

import pytest
from mcp import Client, MCPError
from mcp.types import ResourceUpdatedNotification, TextContent, TextResourceContents

from core.errors import NotFound
from mcp_gateway import resource_watch, resources
from mcp_gateway.server import Gateway
from terminals.runtime import Runtime
from tests.conftest import RunTmux
from tests.waiting import LONGEST_SECONDS, eventually

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.filterwarnings("ignore:resources/.*subscribe is removed"),
]
SOON = LONGEST_SECONDS


@pytest.fixture
def server(runtime: Runtime, run_tmux: RunTmux, monkeypatch: pytest.MonkeyPatch) -> Gateway:
    run_tmux("rename-window", "-t", "work:0", "sh")  # else tmux renames it as it pleases
    monkeypatch.setattr(resource_watch, "PAUSE_SECONDS", 0.01)
    monkeypatch.setattr(resources, "CHECK_SECONDS", 0.05)
    return Gateway()


def window_id(run_tmux: RunTmux) -> str:
    return run_tmux("display-message", "-p", "-t", "work:0", "#{window_id}")


async def test_every_window_has_a_screen_notes_and_a_board(
    server: Gateway, run_tmux: RunTmux
) -> None:
    run_tmux("new-window", "-d", "-t", "work:5", "-n", "logs", "exec sh")
    async with Client(server) as client:
        listed = (await client.list_resources()).resources
    assert [resource.name for resource in listed] == [
        f"{view} of work:{window}"
        for window in ("0 sh", "5 logs")
        for view in ("screen", "notes", "board", "chat")
    ]
    assert listed[0].uri == f"webtmux://window/{window_id(run_tmux)}/screen"


async def test_a_resource_contains_the_screen_of_its_window(
    server: Gateway, run_tmux: RunTmux
) -> None:
    run_tmux("send-keys", "-t", "work:0", "echo so it is", "Enter")

    async def shown() -> bool:
        async with Client(server) as client:
            response = await client.read_resource(f"webtmux://window/{window_id(run_tmux)}/screen")
        [part] = response.contents
        assert isinstance(part, TextResourceContents)
        return "\nso it is\n" in part.text

    await eventually(shown)


async def test_an_unknown_window_is_reported(server: Gateway) -> None:
    async with Client(server) as client:
        with pytest.raises(MCPError, match="find pane: @999"):
            await client.read_resource("webtmux://window/@999/screen")


async def test_without_tmux_there_are_no_resources() -> None:
    async with Client(Gateway()) as client:
        assert (await client.list_resources()).resources == []


@pytest.mark.parametrize("address", ["", "webtmux://window/@1/nothing", "tmux://window/@1/screen"])
def test_other_addresses_are_unknown(address: str) -> None:
    with pytest.raises(NotFound):
        resources.parse(address)


async def test_a_listener_is_notified_when_the_screen_changes(
    server: Gateway, run_tmux: RunTmux
) -> None:
    address = f"webtmux://window/{window_id(run_tmux)}/screen"
    async with Client(server) as client:
        async with client.listen(resource_subscriptions=[address]) as events:
            assert await next_of(events) == address  # from here on nothing is missed
            run_tmux("send-keys", "-t", "work:0", "echo news", "Enter")
            assert await next_of(events) == address
        await eventually(watched(server))


@pytest.mark.django_db(transaction=True)
async def test_notes_and_board_are_read_and_their_changes_notified(
    server: Gateway, run_tmux: RunTmux
) -> None:
    place = f"webtmux://window/{window_id(run_tmux)}"
    where = {"mode": "execute", "windowId": window_id(run_tmux)}
    async with Client(server) as client:
        async with client.listen(resource_subscriptions=[f"{place}/board"]) as events:
            assert await next_of(events) == f"{place}/board"
            await client.call_tool("write_window_notes", {**where, "notes": "[WIP] a"})
            assert await next_of(events) == f"{place}/board"
        [notes] = (await client.read_resource(f"{place}/notes")).contents
        [board] = (await client.read_resource(f"{place}/board")).contents
    assert isinstance(notes, TextResourceContents)
    assert isinstance(board, TextResourceContents)
    assert notes.text == "[WIP] a"
    assert json.loads(board.text)["WIP"] == [{"index": 0, "text": "a"}]


async def test_a_session_of_the_older_protocol_is_notified_too(
    server: Gateway, run_tmux: RunTmux
) -> None:
    address = f"webtmux://window/{window_id(run_tmux)}/screen"
    updates: asyncio.Queue[str] = asyncio.Queue()

    async def hear(message: Any) -> None:
        if isinstance(message, ResourceUpdatedNotification):
            updates.put_nowait(message.params.uri)

    async with Client(server, mode="legacy", message_handler=hear) as client:
        assert client.server_capabilities.resources is not None
        assert client.server_capabilities.resources.subscribe
        await client.subscribe_resource(address)
        assert await asyncio.wait_for(updates.get(), SOON) == address
        run_tmux("send-keys", "-t", "work:0", "echo news", "Enter")
        assert await asyncio.wait_for(updates.get(), SOON) == address
        await client.unsubscribe_resource(address)
        await eventually(watched(server))
        await client.subscribe_resource(address)
    await eventually(watched(server))


async def next_of(events: Any) -> str:
    event: Any = await asyncio.wait_for(anext(aiter(events)), SOON)
    return str(event.uri)


def watched(server: Gateway, *addresses: str) -> Any:
    async def look() -> bool:
        return server._watch.addresses == set(addresses)

    return look


async def test_the_end_of_a_window_is_notified_and_ends_the_watch(
    server: Gateway, run_tmux: RunTmux
) -> None:
    window = run_tmux("new-window", "-dP", "-F", "#{window_id}", "-t", "work:", "exec cat")
    address = f"webtmux://window/{window}/screen"
    async with Client(server) as client, client.listen(resource_subscriptions=[address]) as events:
        assert await next_of(events) == address
        run_tmux("kill-window", "-t", window)
        assert await next_of(events) == address


async def test_the_number_of_listeners_is_limited(
    server: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resource_watch, "MOST_ADDRESSES", 1)
    async with Client(server, mode="legacy") as client:
        await client.subscribe_resource("webtmux://window/@1/screen")
        await client.subscribe_resource("webtmux://window/@1/screen")
        with pytest.raises(MCPError, match="too many"):
            await client.subscribe_resource("webtmux://window/@2/screen")


async def test_the_guidance_is_the_documents(server: Gateway) -> None:
    async with Client(server) as client:
        response = await client.get_prompt("guidance")
    [message] = response.messages
    assert isinstance(message.content, TextContent)
    for words in ('`mode: "execute"`', "`submit: false` only types", "`read_chat_messages`"):
        assert words in message.content.text


async def test_a_task_is_handed_over_with_its_text(server: Gateway) -> None:
    async with Client(server) as client:
        names = [prompt.name for prompt in (await client.list_prompts()).prompts]
        response = await client.get_prompt("hand-over", {"task": "mend {this}", "agent": "main"})
    assert names == ["guidance", "stand-up", "hand-over"]
    [message] = response.messages
    assert isinstance(message.content, TextContent)
    assert "to the agent main" in message.content.text
    assert "mend {this}" in message.content.text
