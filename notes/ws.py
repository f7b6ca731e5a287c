"""The socket's requests about notes: parse, join, answer.

Notes are written over REST and MCP; here one hears of it.
"""

from typing import Any

from notes import selectors, services
from notes.schemas import NotesOut
from notes.selectors import Owner
from terminals.db import in_db
from terminals.errors import Invalid
from terminals.requests import Request, text_field
from terminals.selectors import get_project, get_window
from terminals.socket import Connection, Handler

EVERY = "notes"


async def subscribe_notes(connection: Connection, request: Request) -> dict[str, Any]:
    """Of one project (`session`) or window (`window`), with its state; without either, of all."""
    owner = await _owner(connection, request)
    if owner is None:
        await connection.follow(EVERY, services.EVERY_SHEET, connection.send)
        return {"ok": True}
    group = services.topic(owner)
    await connection.follow(group, group, connection.send)
    # Joined first and read afterwards: a change in between is told twice, never missed.
    notes = await in_db(selectors.read_notes)(owner=owner)
    return {"ok": True, "notes": NotesOut.of(notes).model_dump(mode="json")}


async def unsubscribe_notes(connection: Connection, request: Request) -> dict[str, Any]:
    owner = await _owner(connection, request)
    key = EVERY if owner is None else services.topic(owner)
    await connection.unfollow(key)
    return {"ok": True}


async def _owner(connection: Connection, request: Request) -> Owner | None:
    tmux = connection.runtime.main
    if "session" in request and "window" in request:
        raise Invalid("name a session or a window, not both")
    if "session" in request:
        return await get_project(tmux=tmux, project=text_field(request, "session"))
    if "window" in request:
        return await get_window(tmux=tmux, window=text_field(request, "window"))
    return None


HANDLERS: dict[str, Handler] = {
    "subscribe-notes": subscribe_notes,
    "unsubscribe-notes": unsubscribe_notes,
}
