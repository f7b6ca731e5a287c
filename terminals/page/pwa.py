"""The page as an installable app: its manifest, its service worker, its offline page.

Browsers request these without a token or cookie, so config/gate/request.py lists them as public.
They are the same for all users and contain no data.
"""

import json
from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.views.decorators.http import require_safe

from core.version import VERSION
from terminals.page.csp import strict

# Always revalidated: these names contain no hash.
FRESH = {"Cache-Control": "no-cache"}
ICONS = (
    ("icons/icon-192.png", "192x192", "any"),
    ("icons/icon-512.png", "512x512", "any"),
    ("icons/icon-maskable-512.png", "512x512", "maskable"),
)
# --paper of base.css in dark mode: shown until the page is loaded.
PAPER = "#0d1415"


@require_safe
async def manifest(request: HttpRequest) -> HttpResponse:
    content = {
        "id": "/",
        "name": "webtmux",
        "short_name": "webtmux",
        "description": "Your tmux workspaces and the AI agents in them.",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "categories": ["developer", "productivity"],
        "icons": [
            {"src": static(name), "sizes": size, "type": "image/png", "purpose": purpose}
            for name, size, purpose in ICONS
        ],
    }
    body = json.dumps(content)
    return HttpResponse(body, content_type="application/manifest+json", headers=FRESH)


@require_safe
async def worker(request: HttpRequest) -> HttpResponse:
    body = f"const VERSION = {json.dumps(files_version())}\n{script()}"
    return HttpResponse(body, content_type="text/javascript; charset=utf-8", headers=FRESH)


@require_safe
@strict
async def offline(request: HttpRequest) -> HttpResponse:
    return HttpResponse(render_to_string("offline.html"), headers=FRESH)


def files_version() -> str:
    """Changes whenever a static file has changed."""
    return getattr(staticfiles_storage, "manifest_hash", "") or VERSION


@cache
def script() -> str:
    """The service worker of the build. It has no hash in its address, so Django serves it."""
    manifest = json.loads(settings.VITE_MANIFEST.read_text())
    name: str = manifest["pages/service-worker.ts"]["file"]
    return Path(settings.STATICFILES_DIRS[0], name).read_text()
