"""The player's page, for whoever may see the workspace and for whoever has a secret link.

On its own page because of what its library needs (policy.py). What is below /shared/ is public at
the gate: here the secret is checked at every request, and nothing but its recording is shown.
"""

import math
from collections.abc import Callable, Coroutine
from functools import cache, partial, wraps
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from terminals import modules, recordings, sharing
from terminals.access import CLIENT, WATCH, Watched
from terminals.attempts import Attempts
from terminals.db import in_db
from terminals.errors import Invalid, NotFound
from terminals.models import Recording
from terminals.policy import playing
from terminals.recordings_api import cast_response, detail, search

attempts = Attempts(sharing.PAUSES)
Shown = Callable[[HttpRequest, Recording], Coroutine[Any, Any, HttpResponseBase]]
Answer = Callable[[HttpRequest, str], Coroutine[Any, Any, HttpResponseBase]]
# The secret stands in the address: it goes to no other page, no cache and no search engine.
PRIVATE = {
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex, nofollow",
}


@require_safe
@playing
async def player(request: HttpRequest, key: str) -> HttpResponse:
    try:
        row = await in_db(recordings.get_recording)(key=key)
    except NotFound as missing:
        return _missing(request, missing.message)
    return await _page(request, row)


def shared(view: Shown) -> Answer:
    """A view of the recording that the secret in the address opens."""

    @wraps(view)
    async def checked(request: HttpRequest, key: str) -> HttpResponseBase:
        address = str(getattr(request, "scope", {}).get(CLIENT, ""))
        try:
            secret = request.GET.get("token", "")
            row = await in_db(sharing.opened)(key=key, secret=secret)
            _watch(request, key, secret)
            answer = await view(request, row)
        except NotFound as missing:
            # A link that is right always opens: behind a proxy everybody may share one address.
            if wait := attempts.begin(address):
                return _too_many(wait)
            answer = _missing(request, missing.message)
        except Invalid as wrong:
            answer = HttpResponse(wrong.message, status=422)
        for name, value in PRIVATE.items():
            answer[name] = value
        return answer

    return checked


def _watch(request: HttpRequest, key: str, secret: str) -> None:
    """A download ends with its link."""
    watched: Watched | None = getattr(request, "scope", {}).get(WATCH)
    if watched is not None:
        still_open = partial(in_db(sharing.is_open), key=key, secret=secret)
        watched.join(("share", key, secret), still_open)


def _too_many(wait: float) -> HttpResponse:
    seconds = math.ceil(wait)
    text = f"Too many links that open nothing: try again in {seconds} s.\n"
    return HttpResponse(
        text, status=429, content_type="text/plain", headers={"Retry-After": str(seconds)}
    )


@require_safe
@playing
@shared
async def shared_player(request: HttpRequest, row: Recording) -> HttpResponse:
    return await _page(request, row, secret=request.GET["token"])


@require_safe
@shared
async def shared_detail(request: HttpRequest, row: Recording) -> HttpResponse:
    told = await in_db(detail)(row)
    # Who recorded where is not what was shared.
    shown = {"key", "title", "state", "problem", "columns", "rows", "size", "duration", "markers"}
    return JsonResponse(told.model_dump(mode="json", include={*shown, "started_at", "version"}))


@require_safe
@shared
async def shared_cast(request: HttpRequest, row: Recording) -> HttpResponseBase:
    return cast_response(row)


@require_safe
@shared
async def shared_search(request: HttpRequest, row: Recording) -> HttpResponse:
    found = await search(row, request.GET.get("q", ""))
    return JsonResponse(found.model_dump(mode="json"))


async def _page(request: HttpRequest, row: Recording, *, secret: str = "") -> HttpResponse:
    root = f"/shared/{row.key}" if secret else f"/api/recordings/{row.key}"
    context = {"recording": row, "root": root, "secret": secret, "modules": needed()}
    return render(request, "player.html", context)


def _missing(request: HttpRequest, message: str) -> HttpResponse:
    return render(request, "missing.html", {"message": message}, status=404)


@cache
def needed() -> list[str]:
    return modules.imported("terminals/player-page.js", Path(settings.STATICFILES_DIRS[0]))
