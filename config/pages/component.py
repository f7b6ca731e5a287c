"""/tmux-adapter-web/*: the terminal element for pages of other origins, as plain ES modules.

Not the static files of our own pages: those are WhiteNoise's. `vite.component.config.ts` builds
these files; their names never change, and anybody may read them.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import PurePosixPath

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

# The original's addresses. They share chunks, so that their state exists once.
ENTRANCES = ("index.js", "tmux-adapter-web.js", "protocol.js")
# Explicit types: the system's table may be wrong, and browsers require a correct type.
TYPES: Mapping[str, str] = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".md": "text/plain; charset=utf-8",
}
# no-store, as the document of tmux-adapter prescribes: phones kept stale modules. cross-origin:
# isolated pages (COEP) may embed it too. config/gate/gate.py adds Access-Control-Allow-Origin.
HEADERS = {"Cache-Control": "no-store", "Cross-Origin-Resource-Policy": "cross-origin"}


@require_safe
def component(request: HttpRequest, name: str) -> HttpResponse:
    body = files().get(name)
    if body is None:
        raise Http404(f"the component has no file {name!r}")
    kind = TYPES[PurePosixPath(name).suffix]
    return HttpResponse(body, content_type=kind, headers=HEADERS)


@cache
def files() -> Mapping[str, bytes]:
    """The contents by name, read once; empty without a build."""
    directory = settings.BUILD / "component"
    if not directory.is_dir():
        return {}
    return {path.name: path.read_bytes() for path in directory.iterdir() if path.suffix in TYPES}
