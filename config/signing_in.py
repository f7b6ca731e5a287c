"""The sign-in form with its limit, and a log line for every sign-in, right or wrong."""

import logging
from typing import Any, cast

from django.contrib import admin
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect

from config.attempts import explain, retry_after, sign_ins, source_of

logger = logging.getLogger(__name__)

ACCOUNT_SHOWN = 60


@never_cache
@csrf_protect
def login(request: HttpRequest) -> HttpResponse:
    """Django's own form, unless there were too many attempts."""
    if request.method == "POST":
        account = request.POST.get("username", "").strip().casefold()
        if wait := sign_ins.begin(_source(request), account):
            logger.warning("refused a sign-in from %s: too many attempts", _source(request))
            return too_many(wait)
    return admin.site.login(request)


def too_many(wait: float) -> HttpResponse:
    """For any page that signs somebody in."""
    text = f"Sign-in is paused: {explain(wait)}. Then reload this page.\n"
    response = HttpResponse(text, status=429, content_type="text/plain; charset=utf-8")
    response["Retry-After"] = str(retry_after(wait))
    response["Cache-Control"] = "no-store"
    return response


def note_success(sender: Any, request: HttpRequest | None, user: Any, **more: Any) -> None:
    if hasattr(request, "scope"):
        account, source = user.get_username(), _source(cast(HttpRequest, request))
        sign_ins.succeed(source, account.strip().casefold())
        logger.info("%.*r signed in from %s", ACCOUNT_SHOWN, account, source)


def note_failure(
    sender: Any, credentials: dict[str, Any], request: HttpRequest | None = None, **more: Any
) -> None:
    if hasattr(request, "scope"):
        account = str(credentials.get("username", ""))
        source = _source(cast(HttpRequest, request))
        # Some people type their password into the wrong field.
        logger.warning("a failed sign-in from %s, name of %d characters", source, len(account))


def connect() -> None:
    user_logged_in.connect(note_success, dispatch_uid="config.signing_in")
    user_login_failed.connect(note_failure, dispatch_uid="config.signing_in")


def _source(request: HttpRequest) -> str:
    scope = getattr(request, "scope", None)
    return source_of(scope) if scope is not None else str(request.META.get("REMOTE_ADDR", ""))
