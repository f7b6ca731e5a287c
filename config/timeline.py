"""The timeline of a project: merges the items of all apps into one paginated list."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from agents import timeline as agents
from core import timeline
from core.timeline import TimelineCursor, TimelineItem, TimelineKind
from mcp_gateway import timeline as mcp_gateway
from notes import timeline as notes
from terminals.models import Project
from terminals.uploads import services as uploads

Source = Callable[[Project, TimelineCursor | None, int], list[TimelineItem]]

SOURCES: Mapping[TimelineKind, Source] = {
    TimelineKind.ATTACHMENT: uploads.timeline_items,
    TimelineKind.CALL: mcp_gateway.timeline_items,
    TimelineKind.PROMPT: agents.prompt_items,
    TimelineKind.TASK: notes.timeline_items,
    TimelineKind.TURN: agents.turn_items,
}


@dataclass(frozen=True, slots=True)
class Timeline:
    items: list[TimelineItem]
    has_more: bool


def read_timeline(
    *,
    project: Project,
    kinds: Collection[TimelineKind] = (),
    before: TimelineCursor | None = None,
    limit: int,
) -> Timeline:
    """The newest `limit` items that come after `before`, newest first; no kinds: all of them."""
    sources = [source for kind, source in SOURCES.items() if not kinds or kind in kinds]
    items = [source(project, before, limit + 1) for source in sources]
    return Timeline(*timeline.page(items, limit))
