"""Sample callers for the tests of the gate, and the outcome of their requests."""

import asyncio
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal, overload

from config.gate.peers import ESTABLISHED, PeerSocket
from config.gate.processes import Peer
from config.gate.relays import RelayVerdict
from config.gate.request import Address
from core.callers import Principal

OUR_UID = os.geteuid()
# The caller that was admitted, or the status of the refusal. None: admitted, without a response.
Outcome = Principal | int | None


@dataclass
class FakeRecords:
    tokens: dict[str, Principal] = field(default_factory=dict)
    sessions: dict[str, Principal] = field(default_factory=dict)

    async def by_token(self, secret: str) -> Principal | None:
        return self.tokens.get(secret)

    async def by_session(self, key: str) -> Principal | None:
        return self.sessions.get(key)

    async def exchange(self, secret: str) -> str | None:
        return f"session of {secret}" if secret in self.tokens else None


@dataclass(frozen=True)
class Direct:
    """Every peer calls directly."""

    async def judge(self, peer: Peer) -> RelayVerdict:
        return RelayVerdict()


def owned_by(uid: int | None) -> Callable[[Address, Address], PeerSocket | None]:
    """The kernel's answer about the peer's socket, with this owner."""
    peer = None if uid is None else PeerSocket(state=ESTABLISHED, uid=uid, inode=1)
    return lambda client, server: peer


def scope_of(
    kind: str, method: str, path: str, headers: Iterable[tuple[str, str]], *, query: str = ""
) -> dict[str, Any]:
    scope: dict[str, Any] = {
        "type": kind,
        "scheme": "http" if kind == "http" else "ws",
        "path": path,
        "query_string": query.encode(),
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in headers],
        "client": ("127.0.0.1", 50000),
        "server": ("127.0.0.1", 8080),
    }
    if kind == "http":
        return {**scope, "method": method}
    return {**scope, "extensions": {"websocket.http.response": {}}}


@overload
async def knock(application: Any, scope: dict[str, Any]) -> Outcome: ...
@overload
async def knock(
    application: Any, scope: dict[str, Any], *, raw: Literal[True]
) -> list[dict[str, Any]]: ...
async def knock(
    application: Any, scope: dict[str, Any], *, raw: bool = False
) -> Outcome | list[dict[str, Any]]:
    """One request through an ASGI application; `raw` gives every message that it sent."""
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": f"{scope['type']}.connect"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await asyncio.sleep(0)  # as a server would: thousands of requests do not block the loop
    await application(scope, receive, send)
    if raw:
        return sent
    if not sent:
        return None
    outcome: Outcome = sent[0]["caller" if sent[0]["type"] == "test.inside" else "status"]
    return outcome
