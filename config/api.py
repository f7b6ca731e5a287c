"""The REST API: the routers of all apps in one NinjaAPI, and the HTTP status of every error.

config/gate/gate.py decides who may call.
"""

import json
import logging
from typing import cast

from django.core.exceptions import (
    BadRequest,
    RequestDataTooBig,
    TooManyFieldsSent,
    TooManyFilesSent,
)
from django.http import Http404, HttpRequest, HttpResponse
from django.http.multipartparser import MultiPartParserError
from django.views.decorators.csrf import csrf_exempt
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError
from ninja.openapi.schema import OpenAPISchema
from ninja.operation import Operation
from ninja.parser import Parser
from ninja.types import DictStrAny

from agents.api import router as agents
from agents.voice import VoiceFailed
from agents.witnesses.hooks.api import router as hooks
from config.sign_in.api import router as sign_in
from config.timeline_api import router as timeline
from core.errors import (
    Ambiguous,
    Conflict,
    Invalid,
    NotFound,
    Refused,
    TmuxAway,
    TmuxFailed,
    WebtmuxError,
)
from core.json_limits import check_values
from core.rest import BODY_TOO_LARGE, NO_SUCH_PATH, mark_logged
from core.version import VERSION
from core.wire import ErrorDetail, ErrorOut
from mcp_gateway.api import router as mcp_gateway
from notes.api import router as notes
from notes.notion import NotionFailed, NotionGone, NotionRefused, NotionTooLarge
from terminals.api import router as terminals
from terminals.recordings.api import router as recordings
from terminals.socket.requests import finite

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
    403: "Refused.",
    404: "Not found: no object has this name or id.",
    409: "Conflict: the name is ambiguous, or the object has changed since you read it.",
    413: "The request is too large.",
    422: "Invalid request: the message says what is accepted.",
    502: "tmux, Notion or the transcription server returned an error.",
    503: "No tmux server is running at the moment.",
}
ERROR_BODY = {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorOut"}}}


class JsonParser(Parser):
    def parse_body(self, request: HttpRequest) -> DictStrAny:
        """Every exception from here is a 422: also NaN, and arrays that are nested too deeply."""
        check_values(request.body)
        return cast(DictStrAny, json.loads(request.body, parse_constant=finite, parse_float=finite))


class WebtmuxAPI(NinjaAPI):
    def get_openapi_operation_id(self, operation: Operation) -> str:
        """The name of the service."""
        return operation.view_func.__name__

    def get_openapi_schema(
        self, *, path_prefix: str | None = None, path_params: DictStrAny | None = None
    ) -> OpenAPISchema:
        """Document the error responses, which are the same for every operation."""
        schema = super().get_openapi_schema(path_prefix=path_prefix, path_params=path_params)
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
# Before the projects: their names may contain a slash.
api.add_router("", timeline)
api.add_router("", notes)
api.add_router("", terminals)
api.add_router("", recordings)
api.add_router("", agents)
api.add_router("", hooks)
api.add_router("", mcp_gateway)
api.add_router("", sign_in)


def failure(
    request: HttpRequest, status: int, code: str, message: str, *, field: str = ""
) -> HttpResponse:
    body = ErrorOut(error=ErrorDetail(code=code, message=message, field=field or None))
    return api.create_response(request, body.model_dump(exclude_none=True), status=status)


@api.exception_handler(WebtmuxError)
def expected(request: HttpRequest, error: WebtmuxError) -> HttpResponse:
    status = STATUS.get(error.code, 500)
    return failure(request, status, error.code, error.message, field=error.field)


@api.exception_handler(ValidationError)
def not_valid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    """Names the fields, never their contents, which may be text that a user typed."""
    message = "; ".join(
        f"{_place(part['loc'])}: {part['msg']}" for part in error.errors[:ERRORS_SHOWN]
    )
    return failure(request, STATUS[Invalid.code], Invalid.code, message)


@api.exception_handler(HttpError)
def not_readable(request: HttpRequest, error: HttpError) -> HttpResponse:
    """ninja responds to a body that is not JSON with 400; here every invalid request is a 422."""
    status = STATUS[Invalid.code] if error.status_code == 400 else error.status_code
    return failure(request, status, Invalid.code, str(error))


@api.exception_handler(RequestDataTooBig)
def too_large(request: HttpRequest, error: RequestDataTooBig) -> HttpResponse:
    return failure(request, TOO_LARGE, "too_large", BODY_TOO_LARGE)


@api.exception_handler(TooManyFieldsSent)
def too_many(request: HttpRequest, error: TooManyFieldsSent) -> HttpResponse:
    return failure(request, TOO_LARGE, "too_large", "too many parameters: send fewer")


@api.exception_handler(TooManyFilesSent)
def too_many_files(request: HttpRequest, error: TooManyFilesSent) -> HttpResponse:
    return failure(request, TOO_LARGE, "too_large", "too many files: send one at a time")


@api.exception_handler(MultiPartParserError)
@api.exception_handler(BadRequest)
def not_a_form(request: HttpRequest, error: MultiPartParserError | BadRequest) -> HttpResponse:
    """Django parses forms, for example a body of multipart/form-data without its boundary.

    Not Django's own message: it repeats parts of the body.
    """
    message = "the body is not a valid form: send multipart/form-data with its boundary"
    return failure(request, STATUS[Invalid.code], Invalid.code, message)


@api.exception_handler(Http404)
def not_there(request: HttpRequest, error: Http404) -> HttpResponse:
    return failure(request, 404, NotFound.code, NO_SUCH_PATH)


@api.exception_handler(Exception)
def unexpected(request: HttpRequest, error: Exception) -> HttpResponse:
    """A bug. The traceback is only in the log."""
    log.exception("%s %s failed", request.method, request.path)
    response = failure(request, 500, "internal", "internal error: see the log of webtmux")
    mark_logged(response)
    return response


@csrf_exempt
def no_such_path(request: HttpRequest) -> HttpResponse:
    """The view of every path below /api/ that no router has, by any method."""
    return failure(request, 404, NotFound.code, NO_SUCH_PATH)


def _place(location: tuple[str | int, ...]) -> str:
    """`body.text`: ninja names the parameter between the two, which a caller does not know."""
    head, *rest = location
    return ".".join(str(part) for part in (head, *(rest[1:] if len(rest) > 1 else rest)))
