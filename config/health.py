"""/healthz: the process answers. /readyz: tmux answers too. Readable by anybody."""

from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

RUNTIME = "webtmux.runtime"
NO_STORE = {"Cache-Control": "no-store"}


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
    runtime = getattr(request, "scope", {}).get(RUNTIME)
    return str(runtime.main.problem) if runtime is not None else "tmux was not started"
