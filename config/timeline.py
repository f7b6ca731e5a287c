"""The timeline of a project: what each app tells of it, joined into one list in pages."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from agents import timeline as agents
from mcp_gateway import timeline as mcp_gateway
from notes import timeline as notes
from terminals import attachments, timeline
from terminals.models import Project
from terminals.timeline import Cursor, Item, Kind, Source

SOURCES: Mapping[Kind, Source] = {
    Kind.ATTACHMENT: attachments.timeline_items,
    Kind.CALL: mcp_gateway.timeline_items,
    Kind.PROMPT: agents.prompt_items,
    Kind.TASK: notes.timeline_items,
    Kind.TURN: agents.turn_items,
}


@dataclass(frozen=True, slots=True)
class Timeline:
    items: list[Item]
    has_more: bool


def read_timeline(
    *, project: Project, kinds: Collection[Kind] = (), before: Cursor | None = None, limit: int
) -> Timeline:
    """The newest `limit` items that come after `before`, newest first; no kinds: all of them."""
    asked = [source for kind, source in SOURCES.items() if not kinds or kind in kinds]
    found, has_more = timeline.page([each(project, before, limit + 1) for each in asked], limit)
    return Timeline(found, has_more)
