"""REST for the timeline of a project: parse, call, serialise. No rule lives here."""

from typing import Self

from django.http import HttpRequest
from ninja import Query, Router
from pydantic import Field

from config import timeline
from terminals.api import tmux
from terminals.db import in_db
from terminals.errors import Invalid
from terminals.schemas import Wire
from terminals.selectors import get_project
from terminals.timeline import LARGEST_PAGE, Cursor, Item, Kind

router = Router(by_alias=True, tags=["projects"])


class TimelinePaging(Wire):
    limit: int = Field(50, ge=1, le=LARGEST_PAGE)
    before: str = Field("", description="the `key` of the last item of the page before")
    kinds: str = Field("", description=f"some of {','.join(Kind)}; empty: all")

    def chosen(self) -> set[Kind]:
        try:
            return {Kind(word.strip()) for word in self.kinds.split(",") if word.strip()}
        except ValueError:
            raise Invalid(f"kinds are some of {', '.join(Kind)}, with commas between") from None


class TimelineItemOut(Wire):
    key: str = Field(description="its place in the list: pass the last one as `before`")
    ts: int = Field(description="ms since 1970")
    kind: Kind
    window: str | None = Field(description="the key of the window it happened in")
    window_name: str
    action: str = Field(description="the tool that was called, or what was done to the notes")
    text: str
    by: str = Field(description="who did it; empty: somebody at a terminal of their own")
    detail: str

    @classmethod
    def of(cls, item: Item) -> Self:
        window = item.window
        return cls(
            key=str(item.place), ts=item.place.at // 1000, kind=item.place.kind,
            window=window.key if window else None, window_name=window.name if window else "",
            action=item.action, text=item.text, by=item.by, detail=item.detail,
        )  # fmt: skip


class TimelineOut(Wire):
    project: str
    items: list[TimelineItemOut]
    has_more: bool


@router.get("/projects/{path:project}/timeline", response=TimelineOut)
async def read_timeline(
    request: HttpRequest, project: str, paging: Query[TimelinePaging]
) -> TimelineOut:
    """Prompts, turns, changes of tasks, calls of tools and attachments, newest first."""
    row = await get_project(tmux=tmux(), project=project)
    before = Cursor.parse(paging.before) if paging.before else None
    told = await in_db(timeline.read_timeline)(
        project=row, kinds=paging.chosen(), before=before, limit=paging.limit
    )
    items = [TimelineItemOut.of(item) for item in told.items]
    return TimelineOut(project=row.name, items=items, has_more=told.has_more)
