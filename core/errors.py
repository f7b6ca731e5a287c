"""The errors that callers can act on, shared by all apps and translated once per door. Pure.

Not for bugs: an unexpected exception is logged with its traceback.
"""

from typing import ClassVar


class WebtmuxError(Exception):
    """An error that the caller can act on. The message says how.

    `field`: the field of the request that it is about, if it is about one.
    """

    code: ClassVar[str] = "error"

    def __init__(self, message: str, *, field: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.field = field


class NotFound(WebtmuxError):
    code = "not_found"


class Ambiguous(WebtmuxError):
    code = "ambiguous"


class Conflict(WebtmuxError):
    """The object has changed since the caller read it."""

    code = "conflict"


class Refused(WebtmuxError):
    code = "refused"


class Invalid(WebtmuxError):
    code = "invalid"


class TmuxFailed(WebtmuxError):
    """tmux replied with an error, or did not reply."""

    code = "tmux_failed"


class TmuxAway(TmuxFailed):
    """No tmux server is running at the moment."""

    code = "tmux_away"
