"""The gate's decision on a request whose body has not been read yet.

config/server/http_connection.py requests it when the headers are complete and passes it on in the
scope, so that the gate does not query the database again. A client cannot write into the scope, and
the gate accepts the decision only for exactly this request.
"""

from collections.abc import Callable
from dataclasses import dataclass

from asgiref.typing import (
    ASGIReceiveCallable,
    ASGIReceiveEvent,
    ASGISendCallable,
    ASGISendEvent,
    HTTPScope,
)

from config.gate.refusals import Refusal, answer
from config.gate.request import AsgiScope, Call
from core.callers import CallerKind, Principal

ADMISSION = "webtmux.admission"
# Bytes of a body that are accepted before its sender is admitted, and on public paths.
UNADMITTED_LIMIT = 64 * 1024
TOO_LARGE = Refusal(
    413,
    "too_large",
    f"The body is larger than {UNADMITTED_LIMIT} bytes. Larger bodies need a token or a signed-in"
    " session.",
)


@dataclass(frozen=True, slots=True)
class Admission:
    call: Call
    caller: Principal
    # Calls its argument when the caller is revoked; returns a function that cancels this.
    watch: Callable[[Callable[[], None]], Callable[[], None]]

    @property
    def is_public(self) -> bool:
        return self.caller.kind is CallerKind.PUBLIC


def admitted(scope: AsgiScope, call: Call) -> Principal | None:
    admission = scope.get(ADMISSION)
    if isinstance(admission, Admission) and admission.call == call:
        return admission.caller
    return None


def bounded(
    scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable
) -> tuple[ASGIReceiveCallable, ASGISendCallable]:
    """For servers that stream bodies: beyond the limit, respond with 413 and end the body."""
    read, refused = 0, False

    async def bounded_receive() -> ASGIReceiveEvent:
        nonlocal read, refused
        if refused:
            return {"type": "http.disconnect"}
        event = await receive()
        if event["type"] == "http.request":
            read += len(event.get("body", b""))
            if read > UNADMITTED_LIMIT:
                refused = True
                await answer(scope, send, TOO_LARGE)
                return {"type": "http.disconnect"}
        return event

    async def bounded_send(event: ASGISendEvent) -> None:
        if not refused:
            await send(event)

    return bounded_receive, bounded_send
