"""The page at /: its policy, its parts, and that it acts by itself on nothing."""

import re
from pathlib import Path

import pytest
from django.test import AsyncClient

from terminals import modules, policy

pytestmark = pytest.mark.django_db(transaction=True)
FRONTEND = Path(__file__).parents[2] / "frontend"


async def test_every_script_of_the_page_carries_the_nonce_of_its_policy(
    async_client: AsyncClient,
) -> None:
    answer = await async_client.get("/")
    [nonce] = set(re.findall(r'nonce="([^"]+)"', answer.content.decode()))
    told = answer["Content-Security-Policy"]
    assert f"script-src 'self' 'nonce-{nonce}'" in told
    assert "require-trusted-types-for 'script'" in told
    assert "unsafe-eval" not in told


async def test_no_two_answers_share_a_nonce(async_client: AsyncClient) -> None:
    told = [(await async_client.get("/"))["Content-Security-Policy"] for _ in range(2)]
    assert told[0] != told[1]


async def test_the_page_names_the_modules_that_it_needs(async_client: AsyncClient) -> None:
    page = (await async_client.get("/")).content.decode()
    assert page.count('rel="modulepreload"') == len(modules.imported("page/main.js", FRONTEND))


async def test_the_page_is_only_for_reading(async_client: AsyncClient) -> None:
    assert (await async_client.post("/")).status_code == 405


def test_scripts_come_from_our_own_server_only() -> None:
    assert "script-src 'self' 'nonce-n';" in policy.written("n", "here:8080")
    assert "ws://here:8080" in policy.written("n", "here:8080")


def test_imports_are_followed_and_what_is_loaded_later_is_not(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/main.js").write_text(
        "import './one.js'\nimport { x } from '../two.js'\n"
        "const later = () => import('./late.js')\n"
    )
    (tmp_path / "a/one.js").write_text('import{a}from"../two.js";import{b}from"./main.js";\n')
    (tmp_path / "two.js").write_text("export * from './a/one.js'\n")
    assert modules.imported("a/main.js", tmp_path) == ["a/main.js", "a/one.js", "two.js"]
