"""Writes an audit row for every write over REST: operation, target, caller, outcome.

Called by api_handler.py for every request below /api/. The text itself is never recorded.
"""

import json
import time
from collections.abc import Awaitable, Callable, Mapping
from functools import cache
from inspect import getclosurevars
from typing import cast

from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest
from django.http.request import RawPostDataException
from django.http.response import HttpResponse, HttpResponseBase
from ninja.operation import PathView

from config.gate.request import SAFE_METHODS
from core.audit import JOURNAL, Journal
from core.callers import PRINCIPAL
from mcp_gateway.models import Door

# Larger bodies are files or long texts: only their length is recorded, to avoid a second parse.
PARSED_LIMIT = 256 * 1024

Answer = Callable[[HttpRequest], Awaitable[HttpResponseBase]]


def audited(answer: Answer) -> Answer:
    async def respond(request: HttpRequest) -> HttpResponseBase:
        scope = cast(ASGIRequest, request).scope
        journal: Journal | None = scope.get(JOURNAL)
        if journal is None or request.method in SAFE_METHODS:
            return await answer(request)
        began, outcome = time.perf_counter(), "cancelled"
        try:
            response = await answer(request)
            outcome = _outcome(response)
            return response
        finally:
            arguments, length = _arguments(request)
            journal.note(
                Door.REST,
                _operation(request),
                arguments,
                scope[PRINCIPAL],
                outcome=outcome,
                seconds=time.perf_counter() - began,
                length=length,
            )

    return respond


def _operation(request: HttpRequest) -> str:
    """The name of the route's function, or the path if there is none."""
    match = request.resolver_match
    names = _names(match.func) if match is not None else {}
    return names.get(str(request.method)) or f"{request.method} {request.path}"


@cache
def _names(view: Callable[..., object]) -> Mapping[str, str]:
    """The operations of a path by method. ninja hides them in its Django view."""
    path_view = getclosurevars(view).nonlocals.get("self")
    if not isinstance(path_view, PathView):
        return {}
    return {
        method: operation.view_func.__name__
        for operation in path_view.operations
        for method in operation.methods
    }


def _arguments(request: HttpRequest) -> tuple[Mapping[str, object], int]:
    """The arguments in the path and a JSON body, and the length of any other body."""
    match = request.resolver_match
    named: dict[str, object] = dict(match.kwargs) if match is not None else {}
    length = _length(request)
    if length > PARSED_LIMIT or request.content_type != "application/json":
        return named, length
    try:
        body = json.loads(request.body)
    except (ValueError, RecursionError, RawPostDataException):
        return named, length
    return ({**body, **named}, 0) if isinstance(body, dict) else (named, length)


def _length(request: HttpRequest) -> int:
    text = request.headers.get("content-length", "")
    return int(text) if text.isdigit() and len(text) < 10 else 0


def _outcome(response: HttpResponseBase) -> str:
    if response.status_code < 400:
        return "ok"
    try:
        return str(json.loads(cast(HttpResponse, response).content)["error"]["code"])
    except (AttributeError, ValueError, KeyError, TypeError):
        return f"http {response.status_code}"
