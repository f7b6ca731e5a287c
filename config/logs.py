"""Keeps secrets out of the log: every record passes here before a handler writes it."""

import logging
import re

from django.conf import settings

HIDDEN = "[hidden]"
PATTERNS = (
    # `?token=…`, also where a whole address is quoted inside another one.
    re.compile(r"(?i)(token(?:=|%3d))[^&\s\"'<>#;,)\]}]+"),
    # The one-time code of a sign-in address.
    re.compile(r"(?i)(/login\?(?:[^\s\"'<>#]*&)?code=)[^&\s\"'<>#;,)\]}]+"),
    re.compile(r"(?i)(\bbearer\s+)[^\s\"'<>,;)\]}]+"),
    re.compile(r"()\bwtx_[A-Za-z0-9_-]{16,}"),
)
_formatter = logging.Formatter()


def redact(text: str, *, secret: str = "") -> str:
    if secret:
        text = text.replace(secret, HIDDEN)
    for pattern in PATTERNS:
        text = pattern.sub(rf"\g<1>{HIDDEN}", text)
    return text


class Redact(logging.Filter):
    """Rewrites message and traceback of a record; never drops one."""

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
