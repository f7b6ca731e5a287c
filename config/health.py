"""/healthz: the process is up. /readyz: tmux is reachable too. Open to everyone.

/readyz gives the reason only to callers that the gate has admitted.
"""

from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from config.gate.gate import PUBLIC
from core.callers import PRINCIPAL
from core.rest import mark_logged

RUNTIME = "webtmux.runtime"
NO_STORE = {"Cache-Control": "no-store"}
# The details contain paths of this machine.
NOT_READY = "tmux is not available: sign in for details, or see the log"


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
    mark_logged(response)
    return response


def _problem(request: HttpRequest) -> str:
    """config/asgi.py puts the runtime into the scope; there is none before it has started."""
    scope = getattr(request, "scope", {})
    runtime = scope.get(RUNTIME)
    problem = str(runtime.main.problem) if runtime is not None else "tmux was not started"
    is_known = scope.get(PRINCIPAL, PUBLIC) != PUBLIC
    return problem if is_known or not problem else NOT_READY
