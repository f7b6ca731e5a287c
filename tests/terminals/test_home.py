"""The page at /: what is there, with and without tmux."""

import pytest
from django.test import AsyncClient

from terminals import facts
from terminals.db import in_db
from terminals.runtime import Runtime
from terminals.tmux.driver import HIDDEN_SESSION
from tests.factories import ProjectFactory, WindowFactory

pytestmark = pytest.mark.django_db(transaction=True)


async def test_the_page_shows_tmux_and_its_windows(
    runtime: Runtime, async_client: AsyncClient
) -> None:
    await facts.look(runtime.main)
    page = (await async_client.get("/")).content.decode()
    assert "tmux is running" in page
    assert ">work<" in page
    assert HIDDEN_SESSION not in page
    assert 'href="/api/docs"' in page
    assert 'href="/admin/"' in page
    assert "<script" not in page


async def test_without_tmux_the_page_says_so_and_what_to_do(async_client: AsyncClient) -> None:
    answer = await async_client.get("/")
    assert answer.status_code == 200
    page = answer.content.decode()
    assert "tmux is away" in page
    assert "tmux new-session" in page


async def test_names_are_text_on_the_page(async_client: AsyncClient) -> None:
    await in_db(lambda: WindowFactory.create(name="<script>alert(1)</script>"))()
    page = (await async_client.get("/")).content.decode()
    assert "<script" not in page
    assert "&lt;script&gt;" in page


async def test_a_project_whose_session_is_gone_is_shown_apart(async_client: AsyncClient) -> None:
    await in_db(lambda: ProjectFactory.create(name="Old"))()
    page = (await async_client.get("/")).content.decode()
    assert "Not running" in page
    assert page.index("Not running") < page.index("Old")


async def test_the_page_is_only_for_reading(async_client: AsyncClient) -> None:
    assert (await async_client.post("/")).status_code == 405
