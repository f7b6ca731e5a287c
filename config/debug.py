"""--debug-serve-dir: a developer's own pages at /, and their log lines on our stderr.

Not for the files of webtmux itself. Only for callers whom the gate knows; nothing without the flag.
"""

import logging
import mimetypes
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from config.gate import PUBLIC
from terminals.access import PRINCIPAL
from terminals.views import home

logger = logging.getLogger("ui")

LOG_LIMIT = 64 * 1024  # bytes of one POST: a stack trace is a few
INDEX = "index.html"
NO_STORE = {"Cache-Control": "no-store"}
Route = URLPattern | URLResolver
Page = Callable[..., Coroutine[Any, Any, HttpResponse]]


def around(routes: Sequence[Route], directory: str) -> list[Route]:
    """The routes, with the developer's / before them and everything else after."""
    if not directory:
        return list(routes)
    root = Path(directory).expanduser().resolve()
    if not root.is_dir():
        logger.warning("--debug-serve-dir: there is no directory %s", root)
    front, rest = pages(root)
    return [path("", front), path("debug/log", debug_log), *routes, path("<path:name>", rest)]


def pages(root: Path) -> tuple[Page, Page]:
    """The views of / and of every other path. A directory without an index keeps our own /."""

    @require_safe
    async def front(request: HttpRequest) -> HttpResponse:
        return answer(root, INDEX) or await home(request)

    @require_safe
    async def rest(request: HttpRequest, name: str) -> HttpResponse:
        # What the gate lets anybody read (/static/…) must not lead in here.
        known = getattr(request, "scope", {}).get(PRINCIPAL, PUBLIC) != PUBLIC
        response = answer(root, name) if known else None
        if response is None:
            raise Http404(name)
        return response

    return front, rest


def answer(root: Path, name: str) -> HttpResponse | None:
    file = find(root, name)
    if file is None:
        return None
    kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
    return HttpResponse(file.read_bytes(), content_type=kind, headers=NO_STORE)


def find(root: Path, name: str) -> Path | None:
    """A file under `root`, after every link in its path; none that is hidden, such as .env."""
    if "\0" in name or any(part.startswith(".") for part in name.split("/")):
        return None
    file = (root / name.lstrip("/")).resolve()
    file = file / INDEX if file.is_dir() else file
    return file if file.is_relative_to(root) and file.is_file() else None


# The gate has checked the Origin; a page under development has no token of Django's.
@csrf_exempt
@require_POST
def debug_log(request: HttpRequest) -> HttpResponse:
    body = request.read(LOG_LIMIT + 1)
    if len(body) > LOG_LIMIT:
        return HttpResponse(f"at most {LOG_LIMIT} bytes\n", status=413, content_type="text/plain")
    for line in body.decode("utf-8", "replace").splitlines():
        logger.info("[UI] %s", printable(line))
    return HttpResponse(status=204, headers=NO_STORE)


def printable(line: str) -> str:
    """Without control, direction and format characters: a page must not steer our terminal."""
    return "".join(character for character in line if character.isprintable())
