"""Client configurations, on a page and over REST: valid, and with the right address."""

import json
import shlex
import tomllib
from typing import Any

import pytest
from django.test import Client as Browser
from pytest_django import Settings

from mcp_gateway.client_snippets import TOKEN, ClientSetup, describe_connection

PROGRAM = ("/venv/python", "/srv/manage.py", "mcp_stdio")
HERE = "http://127.0.0.1:8080"


def described(address: str = HERE, tools: str = "", *, token: bool = False) -> ClientSetup:
    return describe_connection(address=address, tools=tools, needs_token=token, program=PROGRAM)


def texts(connection: ClientSetup) -> dict[str, str]:
    return {snippet.client: snippet.text for snippet in connection.snippets}


def entry(text: str) -> dict[str, Any]:
    response: dict[str, Any] = json.loads(text)["mcpServers"]["webtmux"]
    return response


def test_every_client_gets_the_address() -> None:
    response = texts(described())
    url = f"{HERE}/mcp"
    assert shlex.split(response["Claude Code"])[-1] == url
    assert tomllib.loads(response["Codex"]) == {"mcp_servers": {"webtmux": {"url": url}}}
    assert entry(response["Gemini CLI"]) == {"httpUrl": url}
    assert json.loads(response["opencode"])["mcp"]["webtmux"] == {
        "type": "remote", "url": url, "enabled": True,
    }  # fmt: skip
    assert entry(response["Copilot CLI"]) == {"type": "http", "url": url, "tools": ["*"]}
    assert entry(response["pi"]) == {"url": url}
    assert entry(response["Any other client"]) == {"type": "streamable-http", "url": url}
    assert shlex.split(response["curl"])[3] == url
    assert TOKEN not in "".join(response.values())


def test_where_a_token_is_required_every_snippet_has_a_placeholder() -> None:
    response = texts(described(token=True))
    assert f"Authorization: Bearer {TOKEN}" in shlex.split(response["Claude Code"])
    assert entry(response["Gemini CLI"])["headers"] == {"Authorization": f"Bearer {TOKEN}"}
    for name in ("Copilot CLI", "pi"):
        assert entry(response[name])["headers"] == {"Authorization": f"Bearer {TOKEN}"}
    assert TOKEN in response["opencode"]
    codex = tomllib.loads(response["Codex"])["mcp_servers"]["webtmux"]
    assert codex["bearer_token_env_var"] == "WEBTMUX_TOKEN"
    assert entry(response["Claude Desktop"])["env"] == {"WEBTMUX_TOKEN": TOKEN}


def test_claude_desktop_starts_our_bridge_here_and_another_elsewhere() -> None:
    local = entry(texts(described(tools="notes"))["Claude Desktop"])
    assert local == {
        "command": "/venv/python",
        "args": ["/srv/manage.py", "mcp_stdio", "--url", HERE, "--tools", "notes"],
    }
    remote = entry(texts(described("https://tmux.example", token=True))["Claude Desktop"])
    assert remote["args"][:2] == ["mcp-remote", "https://tmux.example/mcp"]


def test_sets_are_part_of_the_address() -> None:
    response = described(tools="workspace,notes")
    assert response.url == f"{HERE}/mcp?tools=workspace,notes"
    assert shlex.split(texts(response)["Claude Code"])[-1] == response.url


@pytest.mark.django_db
def test_the_response_contains_the_requested_address(client: Browser) -> None:
    response = client.get("/api/connect?tools=notes", headers={"host": "localhost:9000"}).json()
    assert response["url"] == "http://localhost:9000/mcp?tools=notes"
    assert response["needsToken"] is False
    assert response["toolSets"] == ["workspace", "notes", "agents", "tmux", "tabs"]
    assert [each["client"] for each in response["snippets"]] == [
        "Claude Code", "Claude Desktop", "Codex", "Gemini CLI", "opencode", "Copilot CLI", "pi",
        "Any other client", "curl",
    ]  # fmt: skip


@pytest.mark.django_db
def test_an_unknown_set_is_an_error(client: Browser) -> None:
    answer = client.get("/api/connect?tools=nope")
    assert answer.status_code == 422
    assert "there is no tool set 'nope'" in answer.json()["error"]["message"]
    page = client.get("/connect?tools=<script>").content.decode()
    assert "there is no tool set &#x27;&lt;script&gt;" in page
    assert "<script>" not in page


@pytest.mark.django_db
@pytest.mark.parametrize("changed", [{"require_token": True}, {"auth_token": "hush"}])
def test_a_server_that_requires_a_token_says_so(
    client: Browser, settings: Settings, changed: dict[str, Any]
) -> None:
    settings.WEBTMUX = settings.WEBTMUX.model_copy(update=changed)
    assert client.get("/api/connect", headers={"host": "localhost"}).json()["needsToken"] is True
    page = client.get("/connect").content.decode()
    assert "manage.py create_token" in page
    assert "hush" not in page


@pytest.mark.django_db
def test_from_elsewhere_a_token_is_needed(client: Browser) -> None:
    response = client.get("/api/connect", headers={"host": "tmux.example"}).json()
    assert response["needsToken"] is True


@pytest.mark.django_db
def test_the_page_shows_every_snippet(client: Browser) -> None:
    page = client.get("/connect", headers={"host": "localhost:8080"}).content.decode()
    assert "http://localhost:8080/mcp" in page
    snippets = described("http://localhost:8080").snippets
    assert len(snippets) == 9
    for number, snippet in enumerate(snippets, 1):
        assert f">{snippet.client} <small>" in page
        assert f'data-copy="snippet-{number}"' in page
    assert "pi has no MCP client of its own" in page
    assert client.post("/connect").status_code == 405
