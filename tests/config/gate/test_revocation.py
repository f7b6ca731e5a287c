"""A caller whose permission ends loses the socket. Looked up in the real database."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client

from config.env import Env
from config.gate import revocation as module
from config.gate.gate import Gate, Policy
from core.callers import PRINCIPAL, CallerKind, Principal, Scope
from mcp_gateway.services import create_token, revoke_token
from tests.config.gate.callers import knock, scope_of
from tests.waiting import LONGEST_SECONDS, eventually

pytestmark = pytest.mark.django_db(transaction=True)
SOON = LONGEST_SECONDS
HOST = ("host", "localhost")
ORIGIN = ("origin", "http://localhost")
ENV = Env(require_token=True)


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RECHECK_SECONDS", 0.02)


class Line:
    """One socket through the gate: what the client sends, and what it gets."""

    def __init__(self) -> None:
        self.to_server: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.heard: list[str] = []
        self.caller: Principal | None = None

    async def door(self, scope: Any, receive: Any, send: Any) -> None:
        self.caller = scope[PRINCIPAL]
        await send({"type": "websocket.accept"})
        while (event := await receive())["type"] != "websocket.disconnect":
            self.heard.append(event["text"])
            await send({"type": "websocket.send", "text": event["text"]})

    async def next(self) -> dict[str, Any]:
        return await asyncio.wait_for(self.sent.get(), SOON)


@asynccontextmanager
async def line(
    headers: list[tuple[str, str]], door: Callable[..., Any] | None = None
) -> AsyncIterator[tuple[Line, asyncio.Task[None]]]:
    socket = Line()
    gate = Gate(door or socket.door, Policy.of(ENV))
    scope: Any = scope_of("websocket", "GET", "/ws", headers)
    served = asyncio.create_task(gate(scope, socket.to_server.get, socket.sent.put))  # type: ignore[arg-type]
    try:
        yield socket, served
    finally:
        served.cancel()
        await asyncio.wait({served}, timeout=SOON)


async def test_revoking_a_token_closes_its_socket_and_mutes_it() -> None:
    row, secret = await sync_to_async(create_token)(name="laptop", scope=Scope.READ)
    before = asyncio.all_tasks()
    async with line([HOST, ("authorization", f"Bearer {secret}")]) as (socket, served):
        assert (await socket.next())["type"] == "websocket.accept"
        assert socket.caller == Principal(CallerKind.TOKEN, "laptop", Scope.READ)
        await socket.to_server.put({"type": "websocket.receive", "text": "early"})
        assert (await socket.next())["text"] == "early"
        await sync_to_async(revoke_token)(token=row)
        assert await socket.next() == {
            "type": "websocket.close",
            "code": 4401,
            "reason": "signed out",
        }
        await socket.to_server.put({"type": "websocket.receive", "text": "late"})
        await socket.to_server.put({"type": "websocket.disconnect", "code": 4401})
        await asyncio.wait_for(served, SOON)
        assert socket.heard == ["early"]
        assert socket.sent.empty()
    await eventually(lambda: asyncio.all_tasks() == before)  # the watch ends with the last caller


async def test_an_application_that_does_not_end_is_cancelled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "LEAVE_SECONDS", 0.05)
    row, secret = await sync_to_async(create_token)(name="laptop")

    async def stuck(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.accept"})
        await asyncio.Event().wait()

    async with line([HOST, ("authorization", f"Bearer {secret}")], stuck) as (socket, served):
        assert (await socket.next())["type"] == "websocket.accept"
        await sync_to_async(revoke_token)(token=row)
        assert (await socket.next())["type"] == "websocket.close"
        await asyncio.wait_for(served, SOON)


async def test_an_exception_of_the_application_passes_through_the_gate() -> None:
    _, secret = await sync_to_async(create_token)(name="laptop")

    async def broken(scope: Any, receive: Any, send: Any) -> None:
        raise RuntimeError("of the door")

    async with line([HOST, ("authorization", f"Bearer {secret}")], broken) as (_, served):
        with pytest.raises(RuntimeError, match="of the door"):
            await asyncio.wait_for(served, SOON)


def signed_in(**fields: Any) -> tuple[User, Client, tuple[str, str]]:
    user = User.objects.create_user("ada", password="x", **fields)
    client = Client()
    client.force_login(user)
    key = client.cookies[settings.SESSION_COOKIE_NAME].value
    return user, client, ("cookie", f"{settings.SESSION_COOKIE_NAME}={key}")


def sign_out(user: User, client: Client) -> None:
    client.logout()


def deactivate(user: User, client: Client) -> None:
    user.is_active = False
    user.save()


def change_password(user: User, client: Client) -> None:
    user.set_password("other")
    user.save()


def make_ordinary(user: User, client: Client) -> None:
    user.is_staff = False
    user.save()


@pytest.mark.parametrize("ending", [sign_out, deactivate, change_password, make_ordinary])
async def test_the_end_of_a_session_closes_its_socket(
    ending: Callable[[User, Client], None],
) -> None:
    user, client, cookie = await sync_to_async(signed_in)(is_staff=True)
    async with line([HOST, ORIGIN, cookie]) as (socket, _):
        assert (await socket.next())["type"] == "websocket.accept"
        assert socket.caller == Principal(CallerKind.SESSION, "ada", Scope.ADMIN)
        await sync_to_async(ending)(user, client)
        assert (await socket.next())["code"] == 4401


async def test_a_failing_database_closes_no_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    _, secret = await sync_to_async(create_token)(name="laptop")
    async with line([HOST, ("authorization", f"Bearer {secret}")]) as (socket, served):
        assert (await socket.next())["type"] == "websocket.accept"
        request = asyncio.Event()

        async def fail(self: Gate, knock: Any) -> None:
            request.set()
            raise OSError("database is locked")

        monkeypatch.setattr(Gate, "judge", fail)
        await asyncio.wait_for(request.wait(), SOON)
        await socket.to_server.put({"type": "websocket.receive", "text": "still here"})
        assert (await socket.next())["text"] == "still here"
        assert not served.done()


async def test_a_session_and_a_token_are_recognised_over_http() -> None:
    async def door(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "test.inside", "caller": scope[PRINCIPAL]})

    gate = Gate(door, Policy.of(ENV.model_copy(update={"auth_token": "hush"})))
    _, _, cookie = await sync_to_async(signed_in)()
    _, secret = await sync_to_async(create_token)(name="script", scope=Scope.WRITE)
    for headers, known in [
        ([HOST, cookie], Principal(CallerKind.SESSION, "ada", Scope.WRITE)),
        (
            [HOST, ("authorization", f"bearer {secret}")],
            Principal(CallerKind.TOKEN, "script", Scope.WRITE),
        ),
        (
            [HOST, ("authorization", "Bearer hush")],
            Principal(CallerKind.TOKEN, "auth-token", Scope.ADMIN),
        ),
        ([HOST, ("authorization", "Bearer hushh")], 401),
        ([HOST, ("cookie", f"{settings.SESSION_COOKIE_NAME}=stale")], 401),
        ([HOST], 401),
    ]:
        assert await knock(gate, scope_of("http", "GET", "/x", headers)) == known
