"""The page at /login: a one-time code or a token becomes a browser session.

Opening the address only shows the page; pressing its button uses the code up. Mail scanners and
chat previews open addresses too, and would otherwise use it first.
"""

from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.http import require_http_methods

from config import sign_in_codes
from config.refusals import with_code
from config.sessions import marks_of
from config.token_exchange import BAD_TOKEN, FORWARDED, safe_target
from terminals.errors import WebtmuxError

BACKEND = "django.contrib.auth.backends.ModelBackend"
CODE_LIMIT = 500  # characters; a token has fewer
NOT_VALID = (
    "This token is not valid: it is misspelt, revoked or expired. Run"
    " `manage.py create_token NAME` where webtmux runs to make another one."
)
NOTHING = "Enter the code from the address that webtmux printed, or a token."
# Why a person was sent here, said before anything was entered.
REASONS = {
    BAD_TOKEN: NOT_VALID,
    FORWARDED: (
        "This connection comes through a proxy or a forwarded port, so webtmux cannot know that it"
        " is you."
    ),
}


@never_cache
@csrf_protect
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    given = request.POST if request.method == "POST" else request.GET
    code = given.get("code", "").strip()[:CODE_LIMIT]
    target = safe_target(given.get("next", ""))
    problem = ""
    if request.method == "POST":
        problem = _enter(request, code)
        if not problem:
            return HttpResponseRedirect(target + _fragment(given.get("fragment", "")))
    reason = REASONS.get(given.get("why", ""), "")
    context = {
        "code": "" if problem else code,
        "target": target,
        "problem": with_code(problem) if problem else "",
        "reason": with_code(reason) if reason else "",
    }
    return render(request, "sign_in.html", context, status=400 if problem else 200)


def _enter(request: HttpRequest, code: str) -> str:
    """Sign in; the answer says what went wrong and what to do, or nothing."""
    if not code:
        return NOTHING
    if len(code) > sign_in_codes.MAX_LENGTH:
        return _enter_by_token(request, code)
    try:
        user = sign_in_codes.use_code(code=code)
    except WebtmuxError as refused:
        # A configured token may look like a code.
        return _enter_by_token(request, code) and refused.message
    request.session.flush()
    login(request, user, backend=BACKEND)
    return ""


def _enter_by_token(request: HttpRequest, secret: str) -> str:
    marks = marks_of(secret)
    if marks is None:
        return NOT_VALID
    request.session.flush()
    request.session.update(marks)
    return ""


def _fragment(text: str) -> str:
    """The place within the workspace page, which browsers do not send to a server."""
    return text if text.startswith("#/") and len(text) < CODE_LIMIT else ""
