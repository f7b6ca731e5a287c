"""/tmux-adapter-web/*: the terminal element for pages of other origins, as plain ES modules.

Not the static files of our own pages: those are WhiteNoise's. A fixed list, readable by anybody.
"""

from collections.abc import Mapping
from pathlib import PurePosixPath

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from config.env import BASE_DIR

FRONTEND = BASE_DIR / "frontend"
# The addresses of the original; each is a door to one module, so that its state exists once.
ENTRANCES: Mapping[str, str] = {
    "index.js": "terminals/tmux-adapter-web.js",
    "tmux-adapter-web.js": "terminals/tmux-adapter-web.js",
    "protocol.js": "terminals/frames.js",
}
# As they lie in frontend/, so that relative imports hold here and under /static/ alike.
FILES = frozenset(
    {
        "lib/xterm/LICENSE",
        "lib/xterm/addon-fit.mjs",
        "lib/xterm/addon-unicode11.mjs",
        "lib/xterm/addon-web-links.mjs",
        "lib/xterm/xterm.css",
        "lib/xterm/xterm.mjs",
        "terminals/fitting.js",
        "terminals/frames.js",
        "terminals/links.js",
        "terminals/style-nonce.js",
        "terminals/terminal-options.js",
        "terminals/terminal-queries.js",
        "terminals/tmux-adapter-web.js",
        "terminals/touch-scroll.js",
        "terminals/transfers.js",
        "terminals/uploads.js",
    }
)
# Written down: what the machine's own table says of .mjs differs, and browsers insist.
SCRIPT = "text/javascript; charset=utf-8"
TYPES: Mapping[str, str] = {
    ".js": SCRIPT,
    ".mjs": SCRIPT,
    ".css": "text/css; charset=utf-8",
    "": "text/plain; charset=utf-8",
}
# config/gate.py adds Access-Control-Allow-Origin. The second lets pages embed it that are
# isolated (COEP); the first is the document's: phones kept stale modules.
HEADERS = {"Cache-Control": "no-store", "Cross-Origin-Resource-Policy": "cross-origin"}


@require_safe
def component(request: HttpRequest, name: str) -> HttpResponse:
    body = contents(name)
    if body is None:
        raise Http404(f"the component has no file {name!r}")
    kind = TYPES[PurePosixPath(name).suffix]
    return HttpResponse(body, content_type=kind, headers=HEADERS)


def contents(name: str) -> bytes | None:
    """None for whatever is not on the list, and for a library that was not installed."""
    if name in ENTRANCES:
        return f"export * from './{ENTRANCES[name]}'\n".encode()
    path = FRONTEND / name
    return path.read_bytes() if name in FILES and path.is_file() else None
