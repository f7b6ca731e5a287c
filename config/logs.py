"""Logging: removes secrets, and writes in a thread.

Standard error may be a terminal that was stopped with Ctrl-S, or a pipe that is not read. A write
to it then blocks; on the event loop it would stop the whole server.
"""

import logging
import queue
import re
import sys
import threading
import time

from django.conf import settings

from core import secret_tokens

HIDDEN = "[hidden]"
PATTERNS = (
    # `?token=…`, also where a whole address is quoted inside another one.
    re.compile(r"(?i)(token(?:=|%3d))[^&\s\"'<>#;,)\]}]+"),
    # The one-time code of a sign-in address.
    re.compile(r"(?i)(/login\?(?:[^\s\"'<>#]*&)?code=)[^&\s\"'<>#;,)\]}]+"),
    re.compile(r"(?i)(\bbearer\s+)[^\s\"'<>,;)\]}]+"),
    re.compile(rf"()\b{secret_tokens.PREFIX}[A-Za-z0-9_-]{{16,}}"),
)
QUEUE_LINES = 10_000  # when full, lines are dropped and counted
FLUSH_SECONDS = 1.0  # at the end of the process
_formatter = logging.Formatter()


def redact(text: str, *, secret: str = "") -> str:
    if secret:
        text = text.replace(secret, HIDDEN)
    for pattern in PATTERNS:
        text = pattern.sub(rf"\g<1>{HIDDEN}", text)
    return text


class Redact(logging.Filter):
    """Rewrites the message and the traceback of a record; never drops a record."""

    def filter(self, record: logging.LogRecord) -> bool:
        secret = settings.WEBTMUX.auth_token
        record.msg, record.args = redact(_message(record), secret=secret), None
        if record.exc_info and not record.exc_text:
            record.exc_text = _formatter.formatException(record.exc_info)
        if record.exc_text:
            record.exc_text = redact(record.exc_text, secret=secret)
        if record.stack_info:
            record.stack_info = redact(record.stack_info, secret=secret)
        return True


def _message(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except Exception:
        # logging would print the arguments as they are.
        return f"a record of {record.pathname}:{record.lineno} that cannot be formatted"


class BackgroundHandler(logging.Handler):
    """Formats a record at once and leaves the writing to a thread."""

    def __init__(self) -> None:
        super().__init__()
        self._lines: queue.Queue[str] = queue.Queue(QUEUE_LINES)
        self._dropped = 0
        self._thread: threading.Thread | None = None

    def emit(self, record: logging.LogRecord) -> None:
        try:
            line = self.format(record)
        except Exception:
            self.handleError(record)
            return
        # `handle` holds the handler's lock: one thread is started, and the count is right.
        if self._thread is None:
            self._thread = threading.Thread(target=self._write_all, name="log", daemon=True)
            self._thread.start()
        if self._dropped and not self._put(f"{self._dropped} lines of the log were dropped"):
            self._dropped += 1
            return
        self._dropped = 0 if self._put(line) else 1

    def flush(self) -> None:
        """At exit: write what is left, with a limit in case nothing reads it."""
        deadline = time.monotonic() + FLUSH_SECONDS
        while self._lines.unfinished_tasks and time.monotonic() < deadline:
            time.sleep(0.005)

    def _put(self, line: str) -> bool:
        try:
            self._lines.put_nowait(line)
        except queue.Full:
            return False
        return True

    def _write_all(self) -> None:
        while True:
            line = self._lines.get()
            try:
                sys.stderr.write(line + "\n")
                sys.stderr.flush()
            except (OSError, ValueError):
                pass  # standard error was closed: there is nowhere to report that
            finally:
                self._lines.task_done()
