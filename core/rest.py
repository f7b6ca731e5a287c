"""What REST operations of every app share: the caller's name, pages of lists, JSON responses,
texts of errors."""

from collections.abc import Callable, Sequence
from typing import TypeVar, cast

from django.core.handlers.asgi import ASGIRequest
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from core.actors import ActorDoor, actor_id
from core.callers import PRINCIPAL, Principal
from core.wire import Page, Paging, Wire

JSON = "application/json; charset=utf-8"  # the same as in ninja's own responses
NO_SUCH_PATH = "there is no operation at this path: see /api/docs"
BODY_TOO_LARGE = "the body is too large: send it in parts"
_LOGGED = "_has_been_logged"  # Django's own marker
Item = TypeVar("Item")
Row = TypeVar("Row", bound=Model)


def caller(request: HttpRequest) -> str:
    """The actor that is stored with a change. Browsers send an Origin with every write."""
    principal: Principal = cast(ASGIRequest, request).scope[PRINCIPAL]
    door = ActorDoor.BROWSER if "origin" in request.headers else ActorDoor.REST
    return actor_id(principal.name, door)


def is_logged(response: HttpResponseBase) -> bool:
    return bool(vars(response).get(_LOGGED))


def mark_logged(response: HttpResponseBase) -> None:
    """Prevents Django's own log line, which is an ERROR for every status from 500 on."""
    vars(response)[_LOGGED] = True


def json_response(out: Wire) -> HttpResponse:
    """Serialised by pydantic itself: ninja would copy a long answer into dictionaries first."""
    return HttpResponse(out.model_dump_json(by_alias=True), content_type=JSON)


def page_of_items(items: Sequence[Item], paging: Paging) -> Page[Item]:
    chosen = list(items[paging.offset : paging.offset + paging.limit])
    return Page(items=chosen, count=len(items), limit=paging.limit, offset=paging.offset)


def page_of_rows(*, rows: QuerySet[Row], paging: Paging, out: Callable[[Row], Item]) -> Page[Item]:
    """Queries only the rows of this page. Call it through `in_db`."""
    chosen = [out(row) for row in rows[paging.offset : paging.offset + paging.limit]]
    return Page(items=chosen, count=rows.count(), limit=paging.limit, offset=paging.offset)
