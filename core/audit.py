"""The interface of the audit log: who did what and where, never the text itself. Pure.

mcp_gateway/audit/recorder.py implements it; config/asgi.py puts it into every ASGI scope.
"""

from collections.abc import Mapping
from typing import Protocol

from core.callers import Principal

JOURNAL = "webtmux.journal"  # the key in an ASGI scope


class Journal(Protocol):
    def note(
        self,
        door: str,
        operation: str,
        arguments: Mapping[str, object],
        caller: Principal,
        *,
        outcome: str = "ok",
        seconds: float = 0.0,
        length: int = 0,
    ) -> None: ...
