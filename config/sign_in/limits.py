"""Rate limits the sign-in pages and logs every attempt.

Wraps views in config/urls.py. Such a view responds to a POST with a redirect if it succeeded.
"""

import logging
from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse

from config.sign_in.attempts import explain, retry_after, sign_ins, source_of

logger = logging.getLogger(__name__)

SUCCESS = 302
View = Callable[..., HttpResponse]


def limited(view: View) -> View:
    """The field `username` of the form, if any, names the account."""

    @wraps(view)
    def checked(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
        if request.method != "POST":
            return view(request, *args, **kwargs)
        source, account = _source(request), request.POST.get("username", "").strip().casefold()
        if wait := sign_ins.begin(source, account):
            logger.warning("refused a sign-in from %s: too many attempts", source)
            return too_many(wait)
        response = view(request, *args, **kwargs)
        if response.status_code == SUCCESS:
            sign_ins.succeed(source, account)
            name = request.user.get_username() or "a token"
            logger.info("%.60r signed in from %s", name, source)
        else:
            # Not the name: users sometimes type their password there.
            logger.warning("failed sign-in from %s", source)
        return response

    return checked


def too_many(wait: float) -> HttpResponse:
    text = f"Sign-in is paused: {explain(wait)}. Then reload this page.\n"
    response = HttpResponse(text, status=429, content_type="text/plain; charset=utf-8")
    response["Retry-After"] = str(retry_after(wait))
    response["Cache-Control"] = "no-store"
    return response


def _source(request: HttpRequest) -> str:
    scope = getattr(request, "scope", None)
    return source_of(scope) if scope is not None else str(request.META.get("REMOTE_ADDR", ""))
