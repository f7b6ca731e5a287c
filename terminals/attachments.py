"""Files that were given to windows: that they came, when and by whom. Never what is in them."""

from terminals import timeline
from terminals.access import caller_name
from terminals.models import NAME_LIMIT, Attachment, Project, Window
from terminals.timeline import Cursor, Item, Kind
from terminals.uploads import Upload, safe_name


def note_attachment(*, window: Window, pane: str, upload: Upload) -> Attachment:
    return Attachment.objects.create(
        window=window, pane=pane, name=safe_name(upload.name), size=len(upload.content),
        mime=upload.mime.replace("\0", "")[:NAME_LIMIT], by=caller_name(),
    )  # fmt: skip


def timeline_items(project: Project, before: Cursor | None, limit: int) -> list[Item]:
    rows = Attachment.objects.filter(
        timeline.older(Kind.ATTACHMENT, before), window__project=project
    )
    return [
        Item(
            place=Cursor(timeline.microseconds(row.at), Kind.ATTACHMENT, row.pk),
            window=row.window, text=row.name, by=row.by, detail=f"{row.size} bytes, {row.mime}",
        )
        for row in rows.select_related("window").order_by("-at", "-pk")[:limit]
    ]  # fmt: skip
