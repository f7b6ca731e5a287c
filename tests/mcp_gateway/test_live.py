"""A change that an agent makes over MCP reaches the subscribers of the notes."""

from mcp import Client

from tests.terminals.served import Served, client


async def test_a_task_changed_over_mcp_arrives_at_a_socket(served: Served) -> None:
    served.tmux("new-session", "-d", "-s", "live", "exec sh")
    where = {"mode": "execute", "session": "live"}
    async with client(served) as ws, Client(f"{served.running.address}/mcp") as agent:
        await ws.ask("subscribe-notes", session="live")
        await agent.call_tool("write_project_notes", {**where, "notes": "a\nb"})
        assert (await ws.event("notes-updated"))["version"] == 1
        request = {"scope": "project", "action": "set_status", "index": 1, "status": "WIP"}
        await agent.call_tool("update_task", {**where, **request})
        event = await ws.event("notes-updated")
        assert (event["action"], event["tasks"][1]["status"]) == ("set_status", "WIP")
        assert event["by"]
