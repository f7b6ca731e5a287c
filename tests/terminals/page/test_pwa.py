"""The page as an installable app: its manifest, its service worker, its offline page."""

import re
import struct
from pathlib import Path

import pytest
from django.test import AsyncClient

from terminals.page import pwa

FRONTEND = Path(__file__).parents[3] / "frontend/static"


async def test_the_manifest_has_what_browsers_require(async_client: AsyncClient) -> None:
    response = await async_client.get("/manifest.webmanifest")
    manifest = response.json()
    assert response["Content-Type"] == "application/manifest+json"
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == (
        "/",
        "/",
        "standalone",
    )
    sizes = {(icon["sizes"], icon["purpose"]) for icon in manifest["icons"]}
    assert sizes == {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}


@pytest.mark.parametrize(("name", "size", "purpose"), pwa.ICONS)
def test_an_icon_has_the_size_in_the_manifest(name: str, size: str, purpose: str) -> None:
    head = (FRONTEND / name).read_bytes()[:24]
    assert head.startswith(b"\x89PNG")
    assert "{}x{}".format(*struct.unpack(">II", head[16:])) == size


async def test_the_service_worker_changes_when_a_file_has_changed(
    async_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts = []
    for version in ("one", "two"):
        monkeypatch.setattr(pwa, "files_version", lambda version=version: version)
        response = await async_client.get("/sw.js")
        assert response["Cache-Control"] == "no-cache"
        assert response["Content-Type"].startswith("text/javascript")
        scripts.append(response.content)
    assert scripts[0].startswith(b'const VERSION = "one"\n')
    assert scripts[0] != scripts[1]


async def test_the_offline_page_loads_only_what_the_service_worker_caches(
    async_client: AsyncClient,
) -> None:
    page = (await async_client.get("/offline")).content.decode()
    scripts = re.findall(r"<script[^>]*>(.*?)</script>", page, re.DOTALL)
    assert scripts == [""]
    tags = re.findall(r"<(?:script|link)[^>]*>", page)
    loaded = [
        address
        for tag in tags
        if tag.startswith("<script") or 'rel="stylesheet"' in tag
        for address in re.findall(r'(?:src|href)="([^"]+)"', tag)
    ]
    assert loaded
    assert all(address.startswith("/static/") for address in loaded)
