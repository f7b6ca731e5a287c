"""Names for who made a change: what is stored, and what a person reads. Pure.

The stored form is `DOOR:NAME`, for MCP clients that name themselves `mcp/CLIENT:NAME`. NAME is that
of the principal: `local`, `auth-token`, a token or a user. Older rows have only the NAME.
"""

from enum import StrEnum

LONGEST = 120  # characters; the shortest column that stores an actor


class ActorDoor(StrEnum):
    """How the change reached the server."""

    BROWSER = "browser"
    REST = "rest"
    MCP = "mcp"


# Principals without a name of their own: the person who runs webtmux.
OWNER = frozenset({"", "local", "auth-token", "peer", "stdio"})
# What MCP clients call themselves in `clientInfo`.
CLIENTS = {
    "claude-code": "Claude Code",
    "claude-ai": "Claude",
    "codex-mcp-client": "Codex",
    "gemini-cli-mcp-client": "Gemini CLI",
    "opencode": "OpenCode",
    "cursor-vscode": "Cursor",
}
# Actors that are not callers, and the principals of older rows.
OTHERS = {
    "local": "You",
    "auth-token": "You",
    "stdio": "MCP client",
    "peer": "MCP client",
    "import_notes": "Import",
}


def actor_id(name: str, door: ActorDoor, client: str = "") -> str:
    """The form that is stored."""
    shown = "".join(char for char in client if char.isprintable() and char not in ":/").strip()
    prefix = f"{door}/{shown[:40]}" if shown else door.value
    return f"{prefix}:{name}"[:LONGEST]


def display_name(actor: str) -> str:
    """`You (browser)`, `Claude Code via MCP`, `my laptop`, `REST`."""
    prefix, separator, name = actor.partition(":")
    door, _, client = prefix.partition("/")
    if not separator or door not in set(ActorDoor):
        return OTHERS.get(actor, actor)
    is_owner = name in OWNER
    match ActorDoor(door):
        case ActorDoor.BROWSER:
            return f"{'You' if is_owner else name} (browser)"
        case ActorDoor.REST:
            return "REST" if is_owner else name
        case ActorDoor.MCP if client:
            program = CLIENTS.get(client.lower(), client)
            return f"{program} via MCP" if is_owner else f"{program} via MCP ({name})"
        case ActorDoor.MCP:
            return "MCP client" if is_owner else f"{name} via MCP"
