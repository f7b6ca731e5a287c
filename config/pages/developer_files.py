"""--debug-serve-dir: a developer's own files at /, and their log lines on our stderr.

A developer's file takes precedence over our pages, so that a dashboard can have its own `/shared/`,
as the one of tmux-adapter does. It never replaces a path of RESERVED: those are documented, act
with the caller's rights or take passwords, and the gate has separate rules for some of them. Only
known callers get a file, even on paths that are public otherwise (`/shared/`, `/static/`).
"""

import asyncio
import logging
import mimetypes
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from asgiref.typing import ASGI3Application
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from config.gate.gate import PUBLIC
from config.gate.request import AsgiAny, AsgiScope
from config.server.api_handler import HEADERS
from core.callers import PRINCIPAL

logger = logging.getLogger("ui")

LOG_LIMIT = 64 * 1024  # bytes of one POST: a stack trace is a few
INDEX = "index.html"
NO_STORE = {"Cache-Control": "no-store"}
Route = URLPattern | URLResolver
# First parts of paths that files never replace. The document of tmux-adapter defines /ws, /healthz,
# /readyz, /debug/log and /tmux-adapter-web/; /api, /mcp, /admin and /login act or take passwords.
RESERVED = frozenset(
    {"ws", "healthz", "readyz", "debug", "tmux-adapter-web", "api", "mcp", "admin", "login"}
)
# A developer's page has its own scripts; only its framing by other sites stays forbidden.
FILE_HEADERS = {
    **HEADERS,
    **NO_STORE,
    "Content-Security-Policy": "frame-ancestors 'none'",
}


def in_front_of(application: ASGI3Application, directory: str) -> ASGI3Application:
    """The pages, with a developer's files before them if a directory is set."""
    if not directory:
        return application
    root = Path(directory).expanduser().resolve()
    if not root.is_dir():
        logger.warning("--debug-serve-dir: there is no directory %s", root)
    return cast(ASGI3Application, DeveloperFiles(root, application))


def routes_with_log(routes: Sequence[Route], directory: str) -> list[Route]:
    return [path("debug/log", debug_log), *routes] if directory else list(routes)


class DeveloperFiles:
    """ASGI, in front of the pages: responds with a developer's file if there is one."""

    def __init__(self, root: Path, otherwise: ASGI3Application) -> None:
        self._root, self._otherwise = root, otherwise

    async def __call__(self, scope: AsgiAny, receive: AsgiAny, send: AsgiAny) -> None:
        file = self._file_for(scope)
        if file is None:
            await self._otherwise(scope, receive, send)
            return
        content = await asyncio.to_thread(file.read_bytes)
        kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
        fields = {"Content-Type": kind, "Content-Length": str(len(content)), **FILE_HEADERS}
        headers = [(name.lower().encode(), value.encode()) for name, value in fields.items()]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        body = content if scope["method"] == "GET" else b""
        await send({"type": "http.response.body", "body": body})

    def _file_for(self, scope: AsgiScope) -> Path | None:
        is_known = scope.get(PRINCIPAL, PUBLIC) != PUBLIC
        if not is_known or scope["method"] not in {"GET", "HEAD"}:
            return None
        return find(self._root, scope["path"])


def find(root: Path, address: str) -> Path | None:
    """A file below `root`, with all links resolved. Hidden files such as .env are not served."""
    name = address.removeprefix("/")
    first, *_ = parts = name.split("/")
    if "\0" in name or first in RESERVED:
        return None
    # An empty part comes from `//api`, which a file system reads as `/api`.
    if any(part.startswith(".") or not part for part in parts[:-1]) or parts[-1].startswith("."):
        return None
    file = (root / name).resolve()
    file = file / INDEX if file.is_dir() else file
    return file if file.is_relative_to(root) and file.is_file() else None


# The gate has checked the Origin; a page under development has no CSRF token.
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
    """Without control, direction and format characters: a page must not control our terminal."""
    return "".join(character for character in line if character.isprintable())
