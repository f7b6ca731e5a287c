"""Tool calls as items of a project's timeline."""

from core import timeline
from core.actors import ActorDoor, actor_id, display_name
from core.timeline import TimelineCursor, TimelineItem, TimelineKind
from mcp_gateway.models import Door, ToolCall
from terminals.models import Project


def timeline_items(
    project: Project, before: TimelineCursor | None, limit: int
) -> list[TimelineItem]:
    rows = ToolCall.objects.filter(
        timeline.older(TimelineKind.CALL, before), project=project, door=Door.MCP
    )
    return [
        TimelineItem(
            place=TimelineCursor(timeline.microseconds(row.at), TimelineKind.CALL, row.pk),
            window=row.window,
            text=row.target,
            action=row.tool,
            by=_author(row.caller),
            detail=f"{row.outcome}, {row.ms} ms",
        )
        for row in rows.select_related("window").order_by("-at", "-pk")[:limit]
    ]


def _author(caller: str) -> str:
    """`caller` is the kind and the name of a principal: `token my laptop`."""
    return display_name(actor_id(caller.partition(" ")[2], ActorDoor.MCP))
