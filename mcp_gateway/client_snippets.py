"""Configuration snippets that connect MCP clients to this server. Pure."""

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from core.hosts import is_loopback

TOKEN = "YOUR_TOKEN"  # a placeholder that the user replaces
TOKEN_VARIABLE = "WEBTMUX_TOKEN"


@dataclass(frozen=True, slots=True)
class Snippet:
    client: str
    where: str
    text: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class ClientSetup:
    url: str
    needs_token: bool
    snippets: tuple[Snippet, ...]


def describe_connection(
    *, address: str, tools: str, needs_token: bool, program: tuple[str, ...]
) -> ClientSetup:
    """`address`: of this server, without a path. `program`: starts `mcp_stdio` on this machine."""
    url = f"{address}/mcp" + (f"?tools={tools}" if tools else "")
    makers = (_claude_code, _codex, _gemini, _opencode, _copilot, _pi, _generic, _curl)
    snippets = [make(url, needs_token) for make in makers]
    snippets.insert(1, _claude_desktop(address, url, needs_token, program))
    return ClientSetup(url, needs_token, tuple(snippets))


def is_local(address: str) -> bool:
    return is_loopback(urlsplit(address).hostname or "")


def _claude_code(url: str, token: bool) -> Snippet:
    words = ["claude", "mcp", "add", "--transport", "http", "webtmux", url]
    if token:
        words += ["--header", f"Authorization: Bearer {TOKEN}"]
    return Snippet("Claude Code", "in a shell", shlex.join(words))


def _claude_desktop(address: str, url: str, token: bool, program: tuple[str, ...]) -> Snippet:
    """Claude Desktop starts programs: `mcp_stdio` on this machine, `mcp-remote` elsewhere."""
    if is_local(address):
        tools = urlsplit(url).query.removeprefix("tools=")
        words = [*program, "--url", address, *(["--tools", tools] if tools else [])]
        entry: dict[str, object] = {"command": words[0], "args": words[1:]}
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


def _opencode(url: str, token: bool) -> Snippet:
    entry = {"type": "remote", "url": url, "enabled": True, **_headers(token)}
    text = json.dumps({"mcp": {"webtmux": entry}}, indent=2)
    note = "For version 1. Version 2 has the entry under mcp.servers, without enabled."
    return Snippet("opencode", "~/.config/opencode/opencode.json", text, note)


def _copilot(url: str, token: bool) -> Snippet:
    entry = {"type": "http", "url": url, "tools": ["*"], **_headers(token)}
    return Snippet("Copilot CLI", "~/.copilot/mcp-config.json", _servers(entry))


def _pi(url: str, token: bool) -> Snippet:
    """pi has no MCP client by design. pi-mcp-adapter, an extension by others, adds one."""
    entry = {"url": url, **_headers(token)}
    note = (
        "pi has no MCP client of its own. Install the extension pi-mcp-adapter, which is not part"
        " of pi, with: pi install npm:pi-mcp-adapter"
    )
    return Snippet("pi", "~/.pi/agent/mcp.json", _servers(entry), note)


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


def _servers(entry: Mapping[str, object]) -> str:
    return json.dumps({"mcpServers": {"webtmux": entry}}, indent=2)
