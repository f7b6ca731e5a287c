"""The page at /login: a one-time code or a token becomes a browser session.

Opening the address only shows the page; its button uses the code. Mail scanners and chat previews
also open addresses, and would otherwise use the code first.
"""

from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.http import require_http_methods

from config.gate.refusals import with_code
from config.sign_in import codes
from config.sign_in.sessions import marks_of
from config.sign_in.token_exchange import BAD_TOKEN, FORWARDED, safe_target
from core.errors import WebtmuxError

BACKEND = "django.contrib.auth.backends.ModelBackend"
CODE_LIMIT = 500  # characters; a token has fewer
NOT_VALID = (
    "This token is not valid: it is wrong, revoked or expired. Run"
    " `manage.py create_token NAME` on the machine that runs webtmux to create a new one."
)
NOTHING = "Enter the code from the address that webtmux printed, or a token."
# Shown before anything was entered: why the browser was redirected here.
REASONS = {
    BAD_TOKEN: NOT_VALID,
    FORWARDED: (
        "This connection comes through a proxy or a forwarded port, so you have to sign in."
    ),
}


@never_cache
@csrf_protect
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    fields = request.POST if request.method == "POST" else request.GET
    code = fields.get("code", "").strip()[:CODE_LIMIT]
    target = safe_target(fields.get("next", ""))
    problem = ""
    if request.method == "POST":
        problem = _enter(request, code)
        if not problem:
            return HttpResponseRedirect(target + _fragment(fields.get("fragment", "")))
    reason = REASONS.get(fields.get("why", ""), "")
    context = {
        "code": "" if problem else code,
        "target": target,
        "problem": with_code(problem) if problem else "",
        "reason": with_code(reason) if reason else "",
    }
    return render(request, "sign_in.html", context, status=400 if problem else 200)


def _enter(request: HttpRequest, code: str) -> str:
    """Sign in. Returns what went wrong and what to do, or an empty string."""
    if not code:
        return NOTHING
    if len(code) > codes.MAX_LENGTH:
        return _enter_by_token(request, code)
    try:
        user = codes.use_code(code=code)
    except WebtmuxError as error:
        # A configured token may look like a code.
        return _enter_by_token(request, code) and error.message
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
    """The location within the workspace page, which browsers do not send to servers."""
    return text if text.startswith("#/") and len(text) < CODE_LIMIT else ""
