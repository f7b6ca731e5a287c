"""The gate's verdict on a request whose body has not been read yet.

config/connections.py asks for it when the headers are complete and passes it on in the scope, so
that the gate does not ask the database again. A client cannot write into the scope; and the gate
takes the verdict only for exactly the request that it was given for.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from asgiref.typing import ASGIReceiveCallable, ASGIReceiveEvent, ASGISendCallable, HTTPScope

from config.calls import Call
from config.refusals import Refusal, answer
from terminals.access import Kind, Principal

ADMISSION = "webtmux.admission"
# What is taken of a body before its sender is admitted, and of one that anybody may send.
UNADMITTED_LIMIT = 64 * 1024
TOO_LARGE = Refusal(
    413,
    "too_large",
    f"the body is larger than {UNADMITTED_LIMIT} bytes, and this path takes no more without a"
    " token or a signed-in session",
)


@dataclass(frozen=True, slots=True)
class Admission:
    call: Call
    caller: Principal
    # Calls its argument when the caller loses the right; returns how to stop that.
    watch: Callable[[Callable[[], None]], Callable[[], None]]

    @property
    def is_public(self) -> bool:
        return self.caller.kind is Kind.PUBLIC


def admitted(scope: Mapping[str, Any], call: Call) -> Principal | None:
    verdict = scope.get(ADMISSION)
    if isinstance(verdict, Admission) and verdict.call == call:
        return verdict.caller
    return None


def bounded(
    scope: HTTPScope, receive: ASGIReceiveCallable, send: ASGISendCallable
) -> tuple[ASGIReceiveCallable, ASGISendCallable]:
    """For servers that stream bodies: beyond the limit the answer is 413 and the body ends."""
    read, refused = 0, False

    async def heard() -> ASGIReceiveEvent:
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

    async def said(event: Any) -> None:
        if not refused:
            await send(event)

    return heard, said
