"""What is refused before a tool does anything: a mode that only plans, a caller's own pane.

Pure. Scopes are compared in server.py, for every tool alike.
"""

from collections.abc import Collection

from terminals.errors import Refused

EXECUTE = "execute"


def require_execute(mode: str) -> None:
    """`plan`, nothing, or any other word: nothing is changed."""
    if mode != EXECUTE:
        raise Refused(
            f'refused: mode is "{mode or "missing"}". Nothing was changed.'
            ' Pass mode: "execute" to perform the action.'
        )


def refuse_own_pane(panes: Collection[str], *, own: str, force: bool) -> None:
    """An agent that types into its own terminal, or ends it, does so by mistake."""
    if own and own in panes and not force:
        raise Refused(
            f"refused: {own} is the pane you run in. Name another one, or pass force: true."
        )
