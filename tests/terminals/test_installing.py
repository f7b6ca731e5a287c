"""The page as an app: its manifest, its worker, its page for no network."""

import re
import struct
from pathlib import Path

import pytest
from django.test import AsyncClient

from terminals import installing

FRONTEND = Path(__file__).parents[2] / "frontend"


async def test_the_manifest_has_what_browsers_ask_of_an_app(async_client: AsyncClient) -> None:
    answer = await async_client.get("/manifest.webmanifest")
    told = answer.json()
    assert answer["Content-Type"] == "application/manifest+json"
    assert (told["start_url"], told["scope"], told["display"]) == ("/", "/", "standalone")
    sizes = {(icon["sizes"], icon["purpose"]) for icon in told["icons"]}
    assert sizes == {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}


@pytest.mark.parametrize(("name", "size", "purpose"), installing.ICONS)
def test_an_icon_is_as_large_as_the_manifest_says(name: str, size: str, purpose: str) -> None:
    head = (FRONTEND / name).read_bytes()[:24]
    assert head.startswith(b"\x89PNG")
    assert "{}x{}".format(*struct.unpack(">II", head[16:])) == size


async def test_the_worker_is_another_one_when_a_file_has_changed(
    async_client: AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = []
    for version in ("one", "two"):
        monkeypatch.setattr(installing, "files_version", lambda version=version: version)
        answer = await async_client.get("/sw.js")
        assert answer["Cache-Control"] == "no-cache"
        assert answer["Content-Type"].startswith("text/javascript")
        told.append(answer.content)
    assert told[0].startswith(b'const VERSION = "one"\n')
    assert told[0] != told[1]


async def test_the_offline_page_needs_nothing_that_the_worker_does_not_keep(
    async_client: AsyncClient,
) -> None:
    page = (await async_client.get("/offline")).content.decode()
    scripts = re.findall(r"<script[^>]*>(.*?)</script>", page, re.DOTALL)
    assert scripts == [""]
    loaded = re.findall(r'<(?:script|link rel="stylesheet")[^>]*(?:src|href)="([^"]+)"', page)
    assert loaded
    assert all(address.startswith("/static/") for address in loaded)
