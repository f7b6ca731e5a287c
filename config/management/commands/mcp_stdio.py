"""`manage.py mcp_stdio`: MCP over standard input and output, for clients that start programs.

A bridge to the running server, which is found through the data directory. If none runs, serves by
itself. Standard output carries only messages.
"""

import asyncio
import contextlib
import os
import signal
import socket
from ipaddress import ip_address
from typing import TYPE_CHECKING

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config import bootstrap
from config.env import Env
from config.gate.peers import listeners, peer_socket
from config.server.discovery import reachable, running_servers
from config.server.lifecycle import Lifecycle
from core.callers import Caller
from core.errors import Invalid
from mcp_gateway import toolsets
from mcp_gateway.registry import ToolSet
from terminals.tmux.sockets import peer_of

if TYPE_CHECKING:
    from config.asgi import Parts
    from mcp_gateway.transport.stdio import ServerAddress

INTERRUPTED = 130
ROOT = 0
WRONG_OWNER = (
    "the server at {place} runs as another user (uid {uid}), so nothing was sent to it. Start your"
    " own with `manage.py serve`, or stop the other one"
)


class Command(BaseCommand):
    help = "Serve MCP over standard input and output."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--url", default="", help="the address of the server (default: the running one)"
        )
        parser.add_argument(
            "--tools", default="", help="offer only these tool sets, for example workspace,notes"
        )
        parser.add_argument("--local", action="store_true", help="do not use a running server")

    def handle(self, *args: object, url: str, tools: str, local: bool, **options: object) -> None:
        # The thread that reads standard input cannot be ended otherwise.
        signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
        # Late: importing the SDK takes a second, also for `--help`.
        from mcp_gateway.transport import stdio

        env = settings.WEBTMUX
        address = url.removesuffix("/").removesuffix("/mcp")
        pane = stdio.own_pane(os.environ, tmux_socket=env.tmux_socket)
        with contextlib.ExitStack() as opened:
            server = None if local else _find(env, address, opened)
            if server is not None:
                path = "/mcp" + (f"?tools={tools}" if tools else "")
                asyncio.run(stdio.bridge(server, path, _headers(env, pane)))
            elif url:
                raise CommandError(f"no webtmux at {url}: start it with `manage.py serve`")
            else:
                self._serve_here(env, pane, tools)

    def _serve_here(self, env: Env, pane: str, tools: str) -> None:
        try:
            sets = toolsets.parse(tools, served=frozenset(map(ToolSet, env.mcp_tools)))
        except Invalid as failure:
            raise CommandError(failure.message) from None
        bootstrap.prepare_directory(env.data_dir)
        bootstrap.prepare_database()
        # Late, and before the event loop runs: this imports the whole application.
        from config.asgi import build_parts
        from mcp_gateway.server import LOCAL

        asyncio.run(_serve(build_parts(env, local=Caller(LOCAL.principal, pane, sets))))


def _find(env: Env, address: str, opened: contextlib.ExitStack) -> "ServerAddress | None":
    """The server at this address, or any on our data directory; None where none answers.

    A server on our data directory is reached over its unix socket, even if another program listens
    on the port.
    """
    from mcp_gateway.transport import stdio

    for running in running_servers(env.data_dir):
        if address in ("", running.address):
            path = opened.enter_context(reachable(running.socket))
            server = stdio.ServerAddress("http://localhost", _need_own_socket, path)
            if asyncio.run(stdio.answers(server)):
                return server
    server = stdio.ServerAddress(address, _need_own_port)
    return server if address and asyncio.run(stdio.answers(server)) else None


def _need_own_socket(connection: socket.socket) -> None:
    _, uid = peer_of(connection)
    if uid != os.geteuid():
        raise CommandError(WRONG_OWNER.format(place="our unix socket", uid=uid))


def _need_own_port(connection: socket.socket) -> None:
    """Only we or root may listen on a port of this machine; root owns a container's port."""
    other_end, own_end = connection.getpeername()[:2], connection.getsockname()[:2]
    if not ip_address(other_end[0]).is_loopback:
        return
    # A connection that was not accepted yet has no owner: then the listener's counts.
    accepted = peer_socket(other_end, own_end)
    holders = {accepted.uid} if accepted else listeners(other_end[1])
    if not holders or not holders <= {os.geteuid(), ROOT}:
        uids = ", ".join(map(str, sorted(holders))) or "unknown"
        raise CommandError(WRONG_OWNER.format(place=f"{other_end[0]}:{other_end[1]}", uid=uids))


def _headers(env: Env, pane: str) -> dict[str, str]:
    from mcp_gateway.transport.stdio import PANE_HEADER

    token = env.token or env.auth_token
    return {
        **({"authorization": f"Bearer {token}"} if token else {}),
        **({PANE_HEADER: pane} if pane else {}),
    }


async def _serve(parts: "Parts") -> None:
    lifecycle = Lifecycle(parts.services)
    await lifecycle.start()
    try:
        await parts.gateway.run_stdio_async()
    finally:
        await lifecycle.stop()
