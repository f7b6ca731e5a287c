"""The REST operation for the timeline of a project."""

from typing import Self

from django.http import HttpRequest
from ninja import Query, Router
from pydantic import Field

from config import timeline
from core.database import in_db
from core.errors import Invalid
from core.timeline import LARGEST_PAGE, TimelineCursor, TimelineItem, TimelineKind
from core.wire import Wire
from terminals.runtime import main_tmux
from terminals.services import get_project

router = Router(by_alias=True, tags=["projects"])


class TimelinePaging(Wire):
    limit: int = Field(50, ge=1, le=LARGEST_PAGE)
    before: str = Field("", description="the `key` of the last item of the previous page")
    kinds: str = Field("", description=f"some of {','.join(TimelineKind)}; empty: all")

    def chosen(self) -> set[TimelineKind]:
        try:
            return {TimelineKind(word.strip()) for word in self.kinds.split(",") if word.strip()}
        except ValueError:
            raise Invalid(
                f"kinds must be a comma-separated list of {', '.join(TimelineKind)}"
            ) from None


class TimelineItemOut(Wire):
    key: str = Field(description="its position in the list: pass the last one as `before`")
    ts: int = Field(description="ms since 1970")
    kind: TimelineKind
    window: str | None = Field(description="the key of the window it happened in")
    window_name: str
    action: str = Field(description="the tool that was called, or what was done to the notes")
    text: str
    by: str = Field(description="who did it; empty: a user at a local terminal")
    detail: str

    @classmethod
    def of(cls, item: TimelineItem) -> Self:
        window = item.window
        return cls(
            key=str(item.place),
            ts=item.place.at // 1000,
            kind=item.place.kind,
            window=window.key if window else None,
            window_name=window.name if window else "",
            action=item.action,
            text=item.text,
            by=item.by,
            detail=item.detail,
        )


class TimelineOut(Wire):
    project: str
    items: list[TimelineItemOut]
    has_more: bool


@router.get("/projects/{path:project}/timeline", response=TimelineOut)
async def read_timeline(
    request: HttpRequest, project: str, paging: Query[TimelinePaging]
) -> TimelineOut:
    """Prompts, turns, changes of tasks, calls of tools and attachments, newest first."""
    row = await get_project(tmux=main_tmux(), project=project)
    before = TimelineCursor.parse(paging.before) if paging.before else None
    page = await in_db(timeline.read_timeline)(
        project=row, kinds=paging.chosen(), before=before, limit=paging.limit
    )
    items = [TimelineItemOut.of(item) for item in page.items]
    return TimelineOut(project=row.name, items=items, has_more=page.has_more)
