"""A change that an agent makes over MCP reaches whoever looks at the notes."""

from collections.abc import Iterator

import pytest
from mcp import Client

from tests.terminals.served import Served, client, served_tmux


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with served_tmux() as served:
        yield served


async def test_a_task_changed_over_mcp_arrives_at_a_socket(served: Served) -> None:
    where = {"mode": "execute", "session": "work"}
    async with client(served) as ws, Client(f"{served.running.address}/mcp") as agent:
        await ws.ask("subscribe-notes", session="work")
        await agent.call_tool("write_project_notes", {**where, "notes": "a\nb"})
        assert (await ws.event("notes-updated"))["version"] == 1
        asked = {"scope": "project", "action": "set_status", "index": 1, "status": "WIP"}
        await agent.call_tool("update_task", {**where, **asked})
        event = await ws.event("notes-updated")
        assert (event["action"], event["tasks"][1]["status"]) == ("set_status", "WIP")
        assert event["by"]
