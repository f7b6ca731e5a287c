"""Calls of tools as items of a project's timeline. Changes nothing."""

from mcp_gateway.models import Door, ToolCall
from terminals import timeline
from terminals.models import Project
from terminals.timeline import Cursor, Item, Kind


def timeline_items(project: Project, before: Cursor | None, limit: int) -> list[Item]:
    rows = ToolCall.objects.filter(
        timeline.older(Kind.CALL, before), project=project, door=Door.MCP
    )
    return [
        Item(
            place=Cursor(timeline.microseconds(row.at), Kind.CALL, row.pk), window=row.window,
            text=row.target, action=row.tool, by=row.caller, detail=f"{row.outcome}, {row.ms} ms",
        )
        for row in rows.select_related("window").order_by("-at", "-pk")[:limit]
    ]  # fmt: skip
