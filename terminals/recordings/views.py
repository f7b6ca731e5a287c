"""The page of the player, for users of the workspace and for everyone with a secret link.

It is a page of its own because its library needs another security policy (page/csp.py). The gate
lets everyone through to /shared/: here the secret is checked at every request, and only its
recording is shown.
"""

import math
from collections.abc import Callable, Coroutine
from functools import partial, wraps

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core.backoff import Attempts, Pauses
from core.callers import CLIENT, WATCH, Watched
from core.database import in_db
from core.errors import Invalid, NotFound
from terminals.models import Recording
from terminals.page.csp import playing
from terminals.recordings import selectors
from terminals.recordings.api import cast_response
from terminals.recordings.schemas import HitsOut, RecordingDetailOut

PAUSES = Pauses(free=30, first=2.0, longest=60.0, forget=600.0)  # for wrong secrets, per address
attempts = Attempts(PAUSES)
RecordingView = Callable[[HttpRequest, Recording], Coroutine[object, None, HttpResponseBase]]
KeyView = Callable[[HttpRequest, str], Coroutine[object, None, HttpResponseBase]]
# The URL contains the secret: no other page, cache or search engine may get it.
PRIVATE = {
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex, nofollow",
}


@require_safe
@playing
async def player(request: HttpRequest, key: str) -> HttpResponse:
    try:
        row = await in_db(selectors.get_recording)(key=key)
    except NotFound as missing:
        return _missing(request, missing.message)
    return await _page(request, row)


def shared(view: RecordingView) -> KeyView:
    """Calls the view with the recording that the secret in the URL opens."""

    @wraps(view)
    async def checked(request: HttpRequest, key: str) -> HttpResponseBase:
        address = str(getattr(request, "scope", {}).get(CLIENT, ""))
        try:
            secret = request.GET.get("token", "")
            row = await in_db(selectors.shared_recording)(key=key, secret=secret)
            _watch(request, key, secret)
            response = await view(request, row)
        except NotFound as missing:
            # Only wrong links are slowed down: behind a proxy all users may share one address.
            if wait := attempts.begin(address):
                return _too_many(wait)
            response = _missing(request, missing.message)
        except Invalid as invalid:
            response = HttpResponse(invalid.message, status=422)
        for name, value in PRIVATE.items():
            response[name] = value
        return response

    return checked


def _watch(request: HttpRequest, key: str, secret: str) -> None:
    """End a download when its link is revoked or expires."""
    watched: Watched | None = getattr(request, "scope", {}).get(WATCH)
    if watched is not None:
        is_shared = partial(in_db(selectors.is_shared), key=key, secret=secret)
        watched.join(("share", key, secret), is_shared)


def _too_many(wait: float) -> HttpResponse:
    seconds = math.ceil(wait)
    text = f"Too many invalid links. Try again in {seconds} s.\n"
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
    detail = await in_db(RecordingDetailOut.detailed)(row)
    # Without who recorded it and where: that was not shared.
    public = {"key", "title", "state", "problem", "columns", "rows", "size", "duration", "markers"}
    return JsonResponse(detail.model_dump(mode="json", include={*public, "started_at", "version"}))


@require_safe
@shared
async def shared_cast(request: HttpRequest, row: Recording) -> HttpResponseBase:
    return cast_response(row)


@require_safe
@shared
async def shared_search(request: HttpRequest, row: Recording) -> HttpResponse:
    query = request.GET.get("q", "")
    hits = HitsOut.of(*await selectors.search_recording(recording=row, query=query))
    return JsonResponse(hits.model_dump(mode="json"))


async def _page(request: HttpRequest, row: Recording, *, secret: str = "") -> HttpResponse:
    root = f"/shared/{row.key}" if secret else f"/api/recordings/{row.key}"
    context = {"recording": row, "root": root, "secret": secret}
    return render(request, "player.html", context)


def _missing(request: HttpRequest, message: str) -> HttpResponse:
    return render(request, "missing.html", {"message": message}, status=404)
