"""Django without what only pages need: for REST and the health checks.

Each middleware of Django's costs an asynchronous request two changes of thread, and WhiteNoise one
more for all that is below it. Programs bring no session and no form: the gate has said who calls,
and that a browser's cookie acts only from a page of ours.
"""

from typing import Any

from django.core.handlers.asgi import ASGIHandler
from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

from config.rest_audit import audited
from terminals.policy import add_default_policy

PATHS = ("/api/", "/healthz", "/readyz")
# What Django's middleware would add: the documentation of the interface is a page too.
HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


class Programs(ASGIHandler):
    """Reads the same routes and settings."""

    def load_middleware(self, is_async: bool = False) -> None:
        self._view_middleware: list[Any] = []
        self._template_response_middleware: list[Any] = []
        self._exception_middleware: list[Any] = []
        inner: Any = self
        answer: Any = convert_exception_to_response(inner._get_response_async)

        async def respond(request: HttpRequest) -> HttpResponseBase:
            return _completed(await answer(request))

        self._middleware_chain = audited(respond)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Not in a thread of its own, as Django's: nothing here is bound to one."""
        await self.handle(scope, receive, send)


def _completed(response: HttpResponseBase) -> HttpResponseBase:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    add_default_policy(response)
    if isinstance(response, HttpResponse):
        response.headers.setdefault("Content-Length", str(len(response.content)))
    return response


def takes(path: str) -> bool:
    return path.startswith(PATHS[0]) or path in PATHS
