"""How a client is connected to this server: ready snippets with its address. Pure.

Not whether the client gets in: the gate decides that, with each request.
"""

import json
import shlex
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

TOKEN = "YOUR_TOKEN"  # noqa: S105  # what a person replaces by their own
TOKEN_VARIABLE = "WEBTMUX_TOKEN"  # noqa: S105


@dataclass(frozen=True, slots=True)
class Snippet:
    client: str
    where: str
    text: str


@dataclass(frozen=True, slots=True)
class Connection:
    url: str
    needs_token: bool
    snippets: tuple[Snippet, ...]


def describe_connection(
    *, address: str, tools: str, needs_token: bool, program: tuple[str, ...]
) -> Connection:
    """`address` is our own, without a path; `program` starts `mcp_stdio` on this machine."""
    url = f"{address}/mcp" + (f"?tools={tools}" if tools else "")
    makers = (_claude_code, _codex, _gemini, _generic, _curl)
    made = [make(url, needs_token) for make in makers]
    made.insert(1, _claude_desktop(address, url, needs_token, program))
    return Connection(url, needs_token, tuple(made))


def is_local(address: str) -> bool:
    host = urlsplit(address).hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _claude_code(url: str, token: bool) -> Snippet:
    words = ["claude", "mcp", "add", "--transport", "http", "webtmux", url]
    if token:
        words += ["--header", f"Authorization: Bearer {TOKEN}"]
    return Snippet("Claude Code", "in a shell", shlex.join(words))


def _claude_desktop(address: str, url: str, token: bool, program: tuple[str, ...]) -> Snippet:
    """It starts programs: ours on the same machine, a bridge of others from elsewhere."""
    if is_local(address):
        tools = urlsplit(url).query.removeprefix("tools=")
        words = [*program, "--url", address, *(["--tools", tools] if tools else [])]
        entry: dict[str, Any] = {"command": words[0], "args": words[1:]}
        if token:
            entry["env"] = {TOKEN_VARIABLE: TOKEN}
    else:
        header = ["--header", f"Authorization: Bearer {TOKEN}"] if token else []
        entry = {"command": "npx", "args": ["mcp-remote", url, *header]}
    return Snippet("Claude Desktop", "claude_desktop_config.json", _servers(entry))


def _codex(url: str, token: bool) -> Snippet:
    lines = ["[mcp_servers.webtmux]", f"url = {json.dumps(url)}"]
    if token:
        lines.append(f'bearer_token_env_var = "{TOKEN_VARIABLE}"')
    return Snippet("Codex", "~/.codex/config.toml", "\n".join(lines))


def _gemini(url: str, token: bool) -> Snippet:
    entry = {"httpUrl": url, **_headers(token)}
    return Snippet("Gemini CLI", "~/.gemini/settings.json", _servers(entry))


def _generic(url: str, token: bool) -> Snippet:
    entry = {"type": "streamable-http", "url": url, **_headers(token)}
    return Snippet("Any other client", "its list of MCP servers", _servers(entry))


def _curl(url: str, token: bool) -> Snippet:
    headers = ["Content-Type: application/json", "Accept: application/json, text/event-stream"]
    if token:
        headers.append(f"Authorization: Bearer {TOKEN}")
    lines = [f"curl -X POST {shlex.quote(url)}", *(f"  -H {shlex.quote(each)}" for each in headers)]
    lines.append("""  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'""")
    return Snippet("curl", "to try it", " \\\n".join(lines))


def _headers(token: bool) -> dict[str, dict[str, str]]:
    return {"headers": {"Authorization": f"Bearer {TOKEN}"}} if token else {}


def _servers(entry: dict[str, Any]) -> str:
    return json.dumps({"mcpServers": {"webtmux": entry}}, indent=2)
