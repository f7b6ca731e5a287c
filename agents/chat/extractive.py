"""Extractive summary: commands, exit codes, errors, files, the last question, the agent's state.

Pure. It quotes and counts and does not interpret. Used when no language model is configured.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from agents.chat.transcript import Message

By = Literal["model", "extract"]
BULLETS = 8
QUOTE = 160  # characters per quotation
SHOWN = 5  # commands or files listed
_ERROR = re.compile(
    r"(?i)^(?!.*\b(?:0|no) errors?\b).*(?:\berror\b[:\s]|\bfailed\b|\btraceback\b|\bfatal\b"
    r"|\bpanic\b|\bexception\b|command not found|no such file|permission denied)"
)
_EXIT = re.compile(
    r"(?i)\b(?:exit(?:ed)?(?: with)?(?: code| status)?|returned|rc)[ :=]+(\d{1,3})\b"
)
_FILE = re.compile(r"(?<![\w/.-])(?:~?/|\.{1,2}/)?(?:[\w.-]+/)*[\w-]+\.[A-Za-z][A-Za-z0-9]{0,5}\b")
_QUESTION = re.compile(r"\S.*\?\s*(?:\[[^\]]*\]|\([^)]*\))?\s*$")


@dataclass(frozen=True, slots=True)
class Summary:
    bullets: tuple[str, ...]
    by: By
    model: str = ""


def summarize(messages: Sequence[Message], *, state: str = "", question: str = "") -> list[str]:
    """A list of sentences, empty only for an empty conversation."""
    sent = [message.text for message in messages if message.role == "user"]
    lines = [
        line
        for message in messages
        if message.role == "assistant"
        for line in message.text.split("\n")
    ]
    bullets = [
        _sent(sent),
        _codes(lines),
        _errors(lines),
        _files([*sent, *lines]),
        _output(lines),
        _last_question(question, lines),
        f"The agent is {state}." if state else "",
    ]
    return [bullet for bullet in bullets if bullet][:BULLETS]


def _sent(sent: Sequence[str]) -> str:
    if not sent:
        return ""
    shown = "; ".join(_quote(text) for text in sent[-SHOWN:])
    earlier = f" ({len(sent) - SHOWN} earlier ones are not listed)" if len(sent) > SHOWN else ""
    return f"Submitted: {shown}{earlier}"


def _codes(lines: Iterable[str]) -> str:
    codes = [match[1] for line in lines for match in _EXIT.finditer(line)]
    return f"Exit codes seen: {', '.join(codes[-SHOWN:])}" if codes else ""


def _errors(lines: Iterable[str]) -> str:
    errors = [line.strip() for line in lines if _ERROR.search(line)]
    if not errors:
        return ""
    count = (
        "An error was seen" if len(errors) == 1 else f"{len(errors)} lines with errors, the last"
    )
    return f"{count}: {_quote(errors[-1])}"


def _files(lines: Iterable[str]) -> str:
    files = dict.fromkeys(match for line in lines for match in _FILE.findall(line))
    names = list(files)[-SHOWN:]
    return f"Files named: {', '.join(names)}" if names else ""


def _output(lines: Sequence[str]) -> str:
    last = next((line.strip() for line in reversed(lines) if line.strip()), "")
    return f"{len(lines)} lines of output, the last: {_quote(last)}" if last else ""


def _last_question(question: str, lines: Sequence[str]) -> str:
    last = question or next(
        (line.strip() for line in reversed(lines[-20:]) if _QUESTION.match(line.strip())), ""
    )
    return f"Last question: {_quote(last)}" if last else ""


def _quote(text: str) -> str:
    flat = " ".join(text.split())
    return f"`{flat}`" if len(flat) <= QUOTE else f"`{flat[: QUOTE - 1]}…`"
