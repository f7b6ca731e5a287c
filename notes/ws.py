"""Socket requests that subscribe to changes of notes. Notes are written over REST and MCP."""

from core.database import in_db
from core.errors import Invalid
from core.wire import Exchange, SocketAnswer, SocketMessage
from notes import selectors, writing
from notes.schemas import NotesOut, NotesRequest, NotesUpdated, SubscribedNotesOut
from notes.selectors import Owner
from terminals.services import get_project, get_window
from terminals.socket.connection import Connection, Handler
from terminals.socket.requests import Request, text_field

ALL_NOTES = "notes"


async def subscribe_notes(connection: Connection, request: Request) -> dict[str, object]:
    """Subscribes to the notes of one project (`session`) or window (`window`) and returns their
    current state; without either, subscribes to all notes."""
    owner = await _owner(connection, request)
    if owner is None:
        await connection.follow(ALL_NOTES, writing.ALL_NOTES_TOPIC, connection.send)
        return SocketAnswer().message()
    group = writing.topic(owner)
    await connection.follow(group, group, connection.send)
    # Subscribe first, then read: a change in between is sent twice but never missed.
    notes = await in_db(selectors.read_notes)(owner=owner)
    return SubscribedNotesOut.model_construct(notes=NotesOut.of(notes)).message()


async def unsubscribe_notes(connection: Connection, request: Request) -> dict[str, object]:
    owner = await _owner(connection, request)
    key = ALL_NOTES if owner is None else writing.topic(owner)
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
EXCHANGES: dict[str, Exchange] = {
    "subscribe-notes": Exchange(NotesRequest, SubscribedNotesOut),
    "unsubscribe-notes": Exchange(NotesRequest),
}
EVENTS: tuple[type[SocketMessage], ...] = (NotesUpdated,)
