"""The REST door: one NinjaAPI over the apps' routers, and the one place where errors get a status.

Who may call is decided in front of it, by config/gate.py.
"""

import json
import logging
from typing import Any, cast

from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent
from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI, Router
from ninja.errors import HttpError, ValidationError
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation
from ninja.parser import Parser
from ninja.types import DictStrAny

from agents.api import router as agents
from agents.voice import VoiceFailed
from config.timeline_api import router as timeline
from mcp_gateway.api import router as mcp_gateway
from notes.api import router as notes
from notes.notion import NotionFailed, NotionGone, NotionRefused, NotionTooLarge
from terminals.api import router as terminals
from terminals.errors import (
    Ambiguous,
    Conflict,
    Invalid,
    NotFound,
    Refused,
    TmuxAway,
    TmuxFailed,
    WebtmuxError,
)
from terminals.json_limits import check_values
from terminals.recordings_api import router as recordings
from terminals.requests import finite
from terminals.schemas import ErrorDetail, ErrorOut
from terminals.version import VERSION

log = logging.getLogger(__name__)

STATUS: dict[str, int] = {
    NotFound.code: 404,
    Ambiguous.code: 409,
    Conflict.code: 409,
    Refused.code: 403,
    Invalid.code: 422,
    TmuxFailed.code: 502,
    TmuxAway.code: 503,
    NotionFailed.code: 502,
    NotionRefused.code: 502,
    NotionGone.code: 502,
    NotionTooLarge.code: 502,
    VoiceFailed.code: 502,
}
TOO_LARGE = 413
ERRORS_SHOWN = 20  # of the fields of one request
MEANING = {
    403: "refused",
    404: "nothing has this name or id",
    409: "several things have this name, or what you read has changed since",
    413: "too much for one request",
    422: "the request cannot be meant; the message says what is accepted",
    502: "tmux, Notion or the server for speech answered with an error",
    503: "there is no tmux server at the moment",
}
ERROR_BODY = {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorOut"}}}


class JsonParser(Parser):
    def parse_body(self, request: HttpRequest) -> DictStrAny:
        """Whatever this raises is the caller's mistake: also NaN, and arrays nested too deep."""
        check_values(request.body)
        return cast(DictStrAny, json.loads(request.body, parse_constant=finite, parse_float=finite))


class WebtmuxAPI(NinjaAPI):
    def get_openapi_operation_id(self, operation: Operation) -> str:
        """The service's own verb."""
        return operation.view_func.__name__

    def get_openapi_schema(self, **options: Any) -> OpenAPISchema:
        """Any operation may fail in any of our ways: said here, once for all of them."""
        schema = super().get_openapi_schema(**options)
        parts = ErrorOut.model_json_schema(ref_template="#/components/schemas/{model}")
        schema["components"]["schemas"].update(parts.pop("$defs"), ErrorOut=parts)
        for methods in schema["paths"].values():
            for operation in methods.values():
                for status, meaning in MEANING.items():
                    operation["responses"][status] = {"description": meaning, "content": ERROR_BODY}
        return schema


api = WebtmuxAPI(
    title="webtmux",
    version=VERSION,
    description="Workspaces of tmux: their windows and panes, their notes, the agents in them.",
    urls_namespace="api",
    parser=JsonParser(),
)
# Before the projects themselves: their names may hold a slash.
api.add_router("", timeline)
api.add_router("", notes)
api.add_router("", terminals)
api.add_router("", recordings)
api.add_router("", agents)
api.add_router("", mcp_gateway)


def failure(request: HttpRequest, status: int, code: str, message: str) -> HttpResponse:
    told = ErrorOut(error=ErrorDetail(code=code, message=message))
    return api.create_response(request, told.model_dump(), status=status)


@api.exception_handler(WebtmuxError)
def expected(request: HttpRequest, error: WebtmuxError) -> HttpResponse:
    return failure(request, STATUS.get(error.code, 500), error.code, error.message)


@api.exception_handler(ValidationError)
def not_valid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    """Names the fields, never their contents: what was typed goes nowhere else."""
    told = "; ".join(
        f"{_place(part['loc'])}: {part['msg']}" for part in error.errors[:ERRORS_SHOWN]
    )
    return failure(request, STATUS[Invalid.code], Invalid.code, told)


@api.exception_handler(HttpError)
def not_readable(request: HttpRequest, error: HttpError) -> HttpResponse:
    """ninja's own word for a body that is not JSON is 400; to a caller it is one more mistake."""
    status = STATUS[Invalid.code] if error.status_code == 400 else error.status_code
    return failure(request, status, Invalid.code, str(error))


@api.exception_handler(RequestDataTooBig)
def too_large(request: HttpRequest, error: RequestDataTooBig) -> HttpResponse:
    return failure(request, TOO_LARGE, "too_large", "the body is too large: send it in parts")


@api.exception_handler(TooManyFieldsSent)
def too_many(request: HttpRequest, error: TooManyFieldsSent) -> HttpResponse:
    return failure(request, TOO_LARGE, "too_large", "too many parameters: send fewer")


@api.exception_handler(Http404)
def not_there(request: HttpRequest, error: Http404) -> HttpResponse:
    return failure(request, 404, NotFound.code, "there is nothing at this path: see /api/docs")


@api.exception_handler(Exception)
def unexpected(request: HttpRequest, error: Exception) -> HttpResponse:
    """A bug of ours. The traceback is in the log and nowhere else."""
    log.exception("%s %s failed", request.method, request.path)
    return failure(request, 500, "internal", "webtmux failed: its log says why")


nowhere = Router()


@nowhere.api_operation(
    ["GET", "POST", "PUT", "PATCH", "DELETE"], "/{path:anything}", include_in_schema=False
)
async def nothing(request: HttpRequest, anything: str) -> HttpResponse:
    raise Http404


# Last of all routers: it takes every path that is left.
api.add_router("", nowhere)


def _place(location: tuple[str | int, ...]) -> str:
    """`body.text`: ninja names the parameter between the two, which a caller does not know."""
    head, *rest = location
    return ".".join(str(part) for part in (head, *(rest[1:] if len(rest) > 1 else rest)))
