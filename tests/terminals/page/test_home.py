"""The page at /: its security policy and its scripts."""

import json
import re

import pytest
from django.conf import settings
from django.test import AsyncClient

from terminals.page import csp

pytestmark = pytest.mark.django_db(transaction=True)


async def test_every_script_of_the_page_carries_the_nonce_of_its_policy(
    async_client: AsyncClient,
) -> None:
    response = await async_client.get("/")
    [nonce] = set(re.findall(r'nonce="([^"]+)"', response.content.decode()))
    policy = response["Content-Security-Policy"]
    assert f"script-src 'self' 'nonce-{nonce}'" in policy
    assert "require-trusted-types-for 'script'" in policy
    assert "unsafe-eval" not in policy


async def test_every_response_has_its_own_nonce(async_client: AsyncClient) -> None:
    policies = [(await async_client.get("/"))["Content-Security-Policy"] for _ in range(2)]
    assert policies[0] != policies[1]


async def test_the_page_preloads_the_modules_it_needs(async_client: AsyncClient) -> None:
    page = (await async_client.get("/")).content.decode()
    manifest = json.loads(settings.VITE_MANIFEST.read_text())
    imports = manifest["pages/workspace.ts"]["imports"]
    links = re.findall(r'<link[^>]*rel="modulepreload"[^>]*>', page)
    assert len(links) == len(imports) > 0
    for name in imports:
        assert any(manifest[name]["file"] in link for link in links), name


async def test_the_page_links_its_stylesheets_and_has_one_script(async_client: AsyncClient) -> None:
    page = (await async_client.get("/")).content.decode()
    manifest = json.loads(settings.VITE_MANIFEST.read_text())
    for name in (manifest["core/base.css"]["file"], *manifest["pages/workspace.ts"]["css"]):
        assert re.search(rf"<link[^>]*{re.escape(name)}[^>]*>", page), name
    assert page.count("<script") == 1


async def test_the_page_rejects_post(async_client: AsyncClient) -> None:
    assert (await async_client.post("/")).status_code == 405


def test_scripts_come_only_from_our_own_server() -> None:
    assert "script-src 'self' 'nonce-n';" in csp.policy("n", "here:8080")
    assert "ws://here:8080" in csp.policy("n", "here:8080")
