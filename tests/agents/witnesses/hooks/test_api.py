"""REST and the page for the hooks of agents that are started by hand."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from django.core.asgi import get_asgi_application


@pytest.fixture
async def http(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[httpx.AsyncClient]:
    monkeypatch.setenv("HOME", str(tmp_path))
    transport = httpx.ASGITransport(app=cast(Any, get_asgi_application()))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost/api") as client:
        yield client


def states(response: httpx.Response) -> dict[str, str]:
    assert response.status_code == 200, response.text
    return {item["runtime"]: item["state"] for item in response.json()["runtimes"]}


async def test_hooks_are_installed_and_removed(http: httpx.AsyncClient, tmp_path: Path) -> None:
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude/settings.json").write_text('{"model": "opus"}')
    assert set(states(await http.get("/hooks")).values()) == {"missing"}
    installed = await http.post("/hooks/install", json={})
    assert states(installed) == {"claude": "installed"}
    assert installed.json()["runtimes"][0]["files"] == [str(tmp_path / ".claude/settings.json")]
    assert states(await http.get("/hooks"))["claude"] == "installed"
    removed = await http.post("/hooks/uninstall", json={"runtimes": ["claude"]})
    assert states(removed) == {"claude": "missing"}
    assert (tmp_path / ".claude/settings.json").read_text() == '{"model": "opus"}'


async def test_errors_say_what_to_do(http: httpx.AsyncClient) -> None:
    unknown = await http.post("/hooks/install", json={"runtimes": ["amp"]})
    assert unknown.status_code == 422
    assert "choose from claude" in unknown.json()["error"]["message"]
    nothing = await http.post("/hooks/install", json={})
    assert nothing.status_code == 403
    assert "start one, or name it" in nothing.json()["error"]["message"]
