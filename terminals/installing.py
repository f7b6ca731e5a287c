"""The page as an app of the device: its manifest, its service worker, its page for no network.

The same for everybody and about nobody: a browser asks for them without a token or a cookie, so
config/calls.py has them public.
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

from terminals.policy import strict
from terminals.version import VERSION

# Looked at again each time: these names hold no hash.
FRESH = {"Cache-Control": "no-cache"}
ICONS = (
    ("page/icon-192.png", "192x192", "any"),
    ("page/icon-512.png", "512x512", "any"),
    ("page/icon-maskable-512.png", "512x512", "maskable"),
)
# --paper of base.css, dark: what shows before the page does.
PAPER = "#0d1415"


@require_safe
async def manifest(request: HttpRequest) -> HttpResponse:
    told = {
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
    body = json.dumps(told)
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
    """Another one whenever any static file has changed."""
    return getattr(staticfiles_storage, "manifest_hash", "") or VERSION


@cache
def script() -> str:
    return (Path(settings.STATICFILES_DIRS[0]) / "page/service-worker.js").read_text()
