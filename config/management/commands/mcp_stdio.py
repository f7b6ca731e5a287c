"""`manage.py mcp_stdio`: MCP over standard input and output, for clients that start programs.

A bridge to the running server; where none runs, a server of its own. Standard output carries
messages and nothing else.
"""

import asyncio
import os
import signal
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config import prepare
from config.env import Env
from config.process import Process
from mcp_gateway import toolsets
from mcp_gateway.callers import Caller
from mcp_gateway.registry import ToolSet
from terminals.errors import Invalid

INTERRUPTED = 130
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  # where to call what listens there


class Command(BaseCommand):
    help = "Serve MCP over standard input and output."
    requires_system_checks: list[str] = []  # noqa: RUF012  # as Django declares it

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--url", default="", help="the server; else by WEBTMUX_HOST and _PORT")
        parser.add_argument("--tools", default="", help="only these sets: workspace,notes …")
        parser.add_argument("--local", action="store_true", help="never look for a running server")

    def handle(self, *args: Any, **options: Any) -> None:
        # The thread that reads standard input cannot be ended otherwise.
        signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
        # Late: importing the SDK takes a second, also for `--help`.
        from mcp_gateway import stdio

        env, url, tools = settings.WEBTMUX, options["url"], options["tools"]
        address = url.removesuffix("/").removesuffix("/mcp") or address_of(env)
        pane = stdio.own_pane(os.environ, socket=env.tmux_socket)
        if not options["local"] and asyncio.run(stdio.answers(address)):
            where = f"{address}/mcp" + (f"?tools={tools}" if tools else "")
            asyncio.run(stdio.bridge(where, _headers(env, pane)))
        elif url:
            raise CommandError(f"there is no webtmux at {url}: start it with `manage.py serve`")
        else:
            self._serve_here(env, pane, tools)

    def _serve_here(self, env: Env, pane: str, tools: str) -> None:
        try:
            sets = toolsets.parse(tools, served=frozenset(map(ToolSet, env.mcp_tools)))
        except Invalid as failure:
            raise CommandError(failure.message) from None
        prepare.prepare_directory(env.data_dir)
        prepare.prepare_database()
        asyncio.run(_serve(env, pane, sets))


def address_of(env: Env) -> str:
    host = EVERYWHERE.get(env.host, env.host)
    return f"http://[{host}]:{env.port}" if ":" in host else f"http://{host}:{env.port}"


def _headers(env: Env, pane: str) -> dict[str, str]:
    from mcp_gateway.stdio import PANE_HEADER

    token = env.token or env.auth_token
    return {
        **({"authorization": f"Bearer {token}"} if token else {}),
        **({PANE_HEADER: pane} if pane else {}),
    }


async def _serve(env: Env, pane: str, sets: frozenset[ToolSet]) -> None:
    from config.asgi import build_parts
    from mcp_gateway.server import LOCAL

    parts = build_parts(env, local=Caller(LOCAL.principal, pane, sets))
    process = Process(parts.services)
    await process.start()
    try:
        await parts.gateway.run_stdio_async()
    finally:
        await process.stop()
