"""Every error below /api/ is JSON, and only a failure of the server is logged as an error."""

import logging
from collections.abc import AsyncIterator
from typing import Any, cast

import httpx
import pytest

from config import api
from config.server.api_handler import Programs
from core.errors import TmuxAway

# Django closes old database connections with every request.
pytestmark = pytest.mark.django_db(transaction=True)

UPLOADS = ("/api/panes/1/uploads", "/api/voice")
FORM = "multipart/form-data"


@pytest.fixture
async def http() -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=cast(Any, Programs()))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        yield client


def error_of(response: httpx.Response) -> dict[str, str]:
    assert response.headers["content-type"].startswith("application/json"), response.text
    assert int(response.headers["content-length"]) == len(response.content)
    error = response.json()["error"]
    assert set(error) == {"code", "message"}
    assert error["message"]
    return cast("dict[str, str]", error)


@pytest.mark.parametrize("path", UPLOADS)
@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        (FORM, b"x"),
        (f"{FORM}; boundary=", b"x"),
        (f"{FORM}; boundary=\xe4".encode("latin-1"), b"x"),
        (f"{FORM}; boundary={'a' * 300}", b"x"),
        (
            f"{FORM}; boundary=a",
            b'--a\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n'
            b"Content-Transfer-Encoding: base64\r\n\r\n!\r\n--a--\r\n",
        ),
        ("application/x-www-form-urlencoded; charset=utf-16", b"file=x"),
    ],
)
async def test_a_form_that_cannot_be_parsed_is_a_client_error(
    http: httpx.AsyncClient,
    caplog: pytest.LogCaptureFixture,
    path: str,
    content_type: str | bytes,
    body: bytes,
) -> None:
    headers = cast("dict[str, str]", {"content-type": content_type})
    response = await http.post(path, content=body, headers=headers)
    assert (response.status_code, error_of(response)["code"]) == (422, "invalid")
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


async def test_a_form_with_too_many_files_is_too_large(http: httpx.AsyncClient) -> None:
    part = b'--a\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n\r\n'
    response = await http.post(
        UPLOADS[0], content=part * 101 + b"--a--\r\n",
        headers={"content-type": f"{FORM}; boundary=a"},
    )  # fmt: skip
    assert (response.status_code, error_of(response)["code"]) == (413, "too_large")


@pytest.mark.parametrize("path", ["/api/", "/api/nothing", "/api/a/b/", "/api/%ff", "/api/docs/x"])
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "BREW"])
async def test_an_unknown_path_is_not_found(
    http: httpx.AsyncClient, path: str, method: str
) -> None:
    response = await http.request(method, path)
    assert (response.status_code, error_of(response)["code"]) == (404, "not_found")


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/api/windows", {"GET"}),
        ("TRACE", "/api/panes/1", {"DELETE"}),
        ("BREW", "/api/sessions", {"GET", "POST"}),
    ],
)
async def test_an_unsupported_method_is_reported_by_name(
    http: httpx.AsyncClient, method: str, path: str, allowed: set[str]
) -> None:
    response = await http.request(method, path)
    error = error_of(response)
    assert (response.status_code, error["code"]) == (405, "method_not_allowed")
    assert allowed <= set(response.headers["allow"].split(", "))


async def test_a_query_that_is_not_utf8_is_answered_in_json() -> None:
    """uvicorn passes such bytes on; daphne answers them itself."""
    application = cast(Any, Programs())

    async def with_bytes(scope: Any, receive: Any, send: Any) -> None:
        await application({**scope, "query_string": b"session=\xff"}, receive, send)

    transport = httpx.ASGITransport(app=with_bytes)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        response = await client.get("/api/windows")
    assert (response.status_code, error_of(response)["code"]) == (400, "invalid")


async def test_a_head_request_gets_the_status_and_no_body(http: httpx.AsyncClient) -> None:
    response = await http.head("/api/nothing")
    assert (response.status_code, response.content) == (404, b"")


async def test_an_expected_failure_is_logged_as_a_warning(
    http: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
) -> None:
    """There is no tmux server, which is a state and no failure of webtmux."""
    response = await http.get("/api/sessions")
    assert (response.status_code, error_of(response)["code"]) == (503, TmuxAway.code)
    levels = {record.levelno for record in caplog.records if "/api/sessions" in record.getMessage()}
    assert levels == {logging.WARNING}


async def test_a_bug_is_logged_once_as_an_error(
    http: httpx.AsyncClient, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr("terminals.api.main_tmux", broken)
    response = await http.get("/api/sessions")
    assert (response.status_code, error_of(response)["code"]) == (500, "internal")
    errors = [record for record in caplog.records if record.levelno >= logging.ERROR]
    assert [record.name for record in errors] == [api.__name__]
    assert errors[0].exc_info is not None
