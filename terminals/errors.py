"""The small language of failures, shared by every app and translated once per door.

Not for bugs: an unexpected exception stays what it is and is logged with its traceback.
"""

from typing import ClassVar


class WebtmuxError(Exception):
    """Something the caller can act on. The message says the way out."""

    code: ClassVar[str] = "error"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class NotFound(WebtmuxError):
    code = "not_found"


class Ambiguous(WebtmuxError):
    code = "ambiguous"


class Conflict(WebtmuxError):
    """It has changed since the caller read it."""

    code = "conflict"


class Refused(WebtmuxError):
    code = "refused"


class Invalid(WebtmuxError):
    code = "invalid"


class TmuxFailed(WebtmuxError):
    """tmux answered with an error, or did not answer."""

    code = "tmux_failed"


class TmuxAway(TmuxFailed):
    """There is no tmux server to talk to at the moment."""

    code = "tmux_away"
