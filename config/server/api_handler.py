"""Django without the middleware that only pages need, for REST and the health checks.

Middleware costs thread changes on every request. Programs use no session and no form; the gate has
identified the caller and restricted browser cookies to our own pages.
"""

import json
import logging
from collections.abc import Mapping
from typing import IO, Any, cast

from django.core.handlers.asgi import ASGIHandler, ASGIRequest
from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from config.gate.request import AsgiAny, AsgiScope
from config.server.rest_audit import audited
from core.rest import BODY_TOO_LARGE, NO_SUCH_PATH, is_logged, mark_logged
from terminals.page.csp import AsyncView, add_default_policy

logger = logging.getLogger(__name__)

API = "/api"
PATHS = (API, "/healthz", "/readyz")
JSON = "application/json"
# Codes and messages for errors that Django or ninja would answer in HTML.
PLAIN_ERRORS: Mapping[int, tuple[str, str]] = {
    400: ("invalid", "the request cannot be read: its path, query or headers are not valid"),
    404: ("not_found", NO_SUCH_PATH),
    405: ("method_not_allowed", "this path does not take this method: see /api/docs"),
    413: ("too_large", BODY_TOO_LARGE),
}
# Headers that Django's middleware would add; /api/docs is a page too.
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class Programs(ASGIHandler):
    """An ASGI handler with the same routes and settings as Django's."""

    def load_middleware(self, is_async: bool = False) -> None:
        self._view_middleware: list[object] = []
        self._template_response_middleware: list[object] = []
        self._exception_middleware: list[object] = []
        inner: Any = self  # the stubs lack Django's private method
        answer = cast(
            "AsyncView[HttpResponseBase]", convert_exception_to_response(inner._get_response_async)
        )

        async def respond(request: HttpRequest) -> HttpResponseBase:
            response = _completed(await answer(request))
            _log_error(request, response)
            return response

        self._middleware_chain = audited(respond)

    async def __call__(self, scope: AsgiAny, receive: AsgiAny, send: AsgiAny) -> None:
        """Without Django's thread per request: nothing here needs it."""
        await self.handle(scope, receive, send)

    def create_request(
        self, scope: AsgiScope, body_file: IO[bytes]
    ) -> tuple[ASGIRequest, None] | tuple[None, HttpResponseBase]:
        """Django's response to a request that it cannot parse has no body."""
        result = super().create_request(scope, body_file)
        return result if result[1] is None else (None, _completed(result[1]))


def _completed(response: HttpResponseBase) -> HttpResponseBase:
    if response.status_code >= 400 and not response.headers["Content-Type"].startswith(JSON):
        response = _as_json(response)
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    add_default_policy(response)
    if isinstance(response, HttpResponse):
        response.headers.setdefault("Content-Length", str(len(response.content)))
    return response


def _as_json(response: HttpResponseBase) -> HttpResponseBase:
    code, message = PLAIN_ERRORS.get(response.status_code, ("failed", response.reason_phrase))
    body = json.dumps({"error": {"code": code, "message": message}})
    kept = {name: value for name, value in response.headers.items() if name == "Allow"}
    return HttpResponse(body, content_type=JSON, status=response.status_code, headers=kept)


def _log_error(request: HttpRequest, response: HttpResponseBase) -> None:
    """In place of Django's own line.

    Here 502 and 503 say that tmux or Notion is away, which is expected. A bug is logged where it
    is caught, with its traceback.
    """
    if response.status_code < 400 or is_logged(response):
        return
    # repr(), because the path may contain control characters.
    logger.warning("%s %r: %d", request.method, request.path, response.status_code)
    mark_logged(response)


def takes(path: str) -> bool:
    return path in PATHS or path.startswith(API + "/")
