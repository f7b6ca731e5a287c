"""REST without the middleware of pages: the same answers, headers and errors."""

from typing import Any, cast

import httpx
import pytest

from config.server import api_handler
from config.server.api_handler import HEADERS, Programs

# Django looks after its connections with every request.
pytestmark = pytest.mark.django_db(transaction=True)


async def get(path: str) -> httpx.Response:
    door = httpx.ASGITransport(app=cast(Any, Programs()))
    async with httpx.AsyncClient(transport=door, base_url="http://localhost") as client:
        return await client.get(path)


@pytest.mark.parametrize("path", ["/healthz", "/api/docs", "/api/nowhere"])
async def test_a_response_has_the_headers_of_a_page(path: str) -> None:
    answer = await get(path)
    assert {name: answer.headers[name] for name in HEADERS} == HEADERS
    assert int(answer.headers["Content-Length"]) == len(answer.content)
    assert "Set-Cookie" not in answer.headers


async def test_an_unknown_path_is_answered_as_before() -> None:
    answer = await get("/api/nowhere")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")


@pytest.mark.parametrize("path", ["/", "/admin/", "/apiary", "/healthzz", "/static/a.js", "/mcp"])
def test_pages_keep_their_middleware(path: str) -> None:
    assert not api_handler.takes(path)
