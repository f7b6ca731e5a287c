"""Where writes are noted: who did what where, never what they wrote (mcp_gateway/audit.py)."""

from collections.abc import Mapping
from typing import Any, Protocol

from terminals.access import Principal

JOURNAL = "webtmux.journal"  # the key in an ASGI scope


class Journal(Protocol):
    def note(
        self,
        door: str,
        operation: str,
        arguments: Mapping[str, Any],
        caller: Principal,
        *,
        outcome: str = "ok",
        seconds: float = 0.0,
        length: int = 0,
    ) -> None: ...
