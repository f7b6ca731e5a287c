"""/healthz: the process answers. /readyz: tmux answers too. Open to all.

/readyz tells the reason only to callers whom the gate has admitted.
"""

from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from config.gate import PUBLIC
from terminals.access import PRINCIPAL

RUNTIME = "webtmux.runtime"
NO_STORE = {"Cache-Control": "no-store"}
# The details hold paths of this machine.
NOT_READY = "tmux is not available: the details are in the log, and for callers who are signed in"


@require_safe
async def healthz(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"ok": True}, headers=NO_STORE)


@require_safe
async def readyz(request: HttpRequest) -> JsonResponse:
    problem = _problem(request)
    if not problem:
        return JsonResponse({"ok": True}, headers=NO_STORE)
    response = JsonResponse({"ok": False, "error": problem}, status=503, headers=NO_STORE)
    # Django would log every probe as an error for as long as tmux is away.
    response._has_been_logged = True  # type: ignore[attr-defined]
    return response


def _problem(request: HttpRequest) -> str:
    """The runtime comes with the request from config/asgi.py: there is none before it started."""
    scope = getattr(request, "scope", {})
    runtime = scope.get(RUNTIME)
    problem = str(runtime.main.problem) if runtime is not None else "tmux was not started"
    is_known = scope.get(PRINCIPAL, PUBLIC) != PUBLIC
    return problem if is_known or not problem else NOT_READY
