"""The message that scripts/report and the plugins send for one event. Pure.

Fields are separated by NUL, which no environment variable can contain; the script needs no JSON:

    webtmux-hook-1 NUL runtime NUL event NUL $TMUX_PANE NUL $TMUX NUL pids NUL payload

`pids`: the process that ran the script and its ancestors, nearest first, separated by spaces. The
payload is the JSON that the agent gave to the hook. An older script may be installed, so
another form needs another first field, and this one must stay readable.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.errors import Invalid
from core.json_limits import check_values

VERSION = b"webtmux-hook-1"
PAYLOAD_LIMIT = 1 << 20
HEADER_LIMIT = 16 * 1024
MESSAGE_LIMIT = PAYLOAD_LIMIT + HEADER_LIMIT
FIELDS = 6  # before the payload
PIDS = 16
NAME_LIMIT = 64


@dataclass(frozen=True, slots=True)
class HookReport:
    runtime: str
    event: str
    pane_id: str = ""  # $TMUX_PANE of the process that reported
    tmux_socket: str = ""  # the path in its $TMUX
    pids: tuple[int, ...] = ()
    payload: Mapping[str, Any] = field(default_factory=dict)


def parse(message: bytes) -> HookReport:
    """Raises Invalid."""
    if len(message) > MESSAGE_LIMIT:
        raise Invalid("the message is too long")
    parts = message.split(b"\0", FIELDS)
    if len(parts) != FIELDS + 1 or parts[0] != VERSION:
        raise Invalid("this is not a message of a hook")
    runtime, event, pane, tmux, pids = (part.decode("utf-8", "replace") for part in parts[1:FIELDS])
    if not (0 < len(runtime) <= NAME_LIMIT and 0 < len(event) <= NAME_LIMIT):
        raise Invalid("the message names no runtime or no event")
    return HookReport(
        runtime=runtime,
        event=event,
        pane_id=pane if pane[:1] == "%" and _is_number(pane[1:]) else "",
        tmux_socket=tmux.rsplit(",", 2)[0],
        pids=tuple(int(pid) for pid in pids.split()[:PIDS] if _is_number(pid)),
        payload=_payload(parts[FIELDS]),
    )


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def _payload(data: bytes) -> Mapping[str, Any]:
    """Empty if the agent gave none, or one that is too long: the event itself still counts.

    Gemini passes the screen of a command, cell by cell, with the end of a tool.
    """
    if not data.strip():
        return {}
    try:
        check_values(data)
    except Invalid:
        return {}
    try:
        payload = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Invalid("the payload is not JSON") from error
    if not isinstance(payload, dict):
        raise Invalid("the payload is not a JSON object")
    return payload
