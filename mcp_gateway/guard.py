"""Refusals before a tool acts: a mode other than `execute`, the caller's own pane.

Pure. server.py checks scopes.
"""

from collections.abc import Collection

from core.errors import Refused

EXECUTE = "execute"


def require_execute(mode: str) -> None:
    """Refuse `plan`, a missing mode and any other word."""
    if mode != EXECUTE:
        raise Refused(
            f'refused: mode is "{mode or "missing"}". Nothing was changed.'
            ' Pass mode: "execute" to perform the action.'
        )


def refuse_own_pane(panes: Collection[str], *, own: str, force: bool) -> None:
    """An agent that types into its own terminal, or closes it, does so by mistake."""
    if own and own in panes and not force:
        raise Refused(
            f"refused: {own} is the pane you run in. Name another one, or pass force: true."
        )
