"""Reads the journals that agents keep of their conversations, to confirm messages.

Read-only, bounded and optional: without a journal the messages come from the terminal only.
Formats change between versions of the agents, so unknown entries are skipped.
"""

import asyncio
import hashlib
import json
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from agents import registry
from agents.chat.transcript import Message, Role
from terminals.models import Window

log = logging.getLogger(__name__)

FILES = 3  # newest journals of a directory; older ones belong to other conversations
BYTES = 4 * 1024 * 1024  # read from the end of a journal
CODEX_FILES = 20  # checked for their directory: Codex keeps all journals in one tree
SURE = 12  # letters that must match if one text contains the other


@dataclass(frozen=True, slots=True)
class JournalMessage:
    role: Role
    text: str


async def confirm_messages(window: Window, messages: Sequence[Message]) -> list[Message]:
    """Confirm messages by the journal of the agent that runs in the window, if there is one."""
    agents = registry.current().agents.values()
    agent = next((agent for agent in agents if agent.window_id == window.tmux_id), None)
    if agent is None or agent.runtime not in READERS or not messages:
        return list(messages)
    journal = await asyncio.to_thread(read, Path.home(), agent.runtime, agent.work_dir)
    return confirm(messages, journal)


def confirm(messages: Sequence[Message], journal: Iterable[JournalMessage]) -> list[Message]:
    """Mark the messages whose words the journal contains; punctuation and breaks are ignored."""
    known: dict[str, list[str]] = {"user": [], "assistant": []}
    for entry in journal:
        known[entry.role].append(_words(entry.text))
    return [
        replace(message, confirmed=_is_known(message, known[message.role])) for message in messages
    ]


def read(home: Path, runtime: str, work_dir: str) -> list[JournalMessage]:
    try:
        return list(READERS[runtime](home, work_dir))
    except OSError as problem:
        log.info("could not read the journal of %s: %s", runtime, problem.strerror)
        return []


def _is_known(message: Message, texts: Sequence[str]) -> bool:
    mine = _words(message.text)
    return any(
        mine == text or (len(text) >= SURE and text in mine) or (len(mine) >= SURE and mine in text)
        for text in texts
        if text
    )


def _words(text: str) -> str:
    """Letters and digits. Terminals do not show code fences and their language."""
    lines = (line for line in text.split("\n") if not line.lstrip().startswith("```"))
    return "".join(char for line in lines for char in line if char.isalnum())


# --- one reader per runtime -------------------------------------------------------------------


def _claude(home: Path, work_dir: str) -> Iterator[JournalMessage]:
    """One file per conversation, in a directory named after the working directory."""
    name = "".join(char if char.isalnum() else "-" for char in work_dir)
    for path in _newest((home / ".claude" / "projects" / name).glob("*.jsonl"), FILES):
        for entry in _lines(path):
            message = entry.get("message")
            if isinstance(message, dict) and entry.get("type") == message.get("role"):
                yield from _messages(message.get("role"), message.get("content"))


def _codex(home: Path, work_dir: str) -> Iterator[JournalMessage]:
    """One file per conversation, by date; the first line contains the directory."""
    for path in _newest((home / ".codex" / "sessions").rglob("*.jsonl"), CODEX_FILES):
        entries = list(_lines(path))
        payloads = [
            payload for entry in entries if isinstance(payload := entry.get("payload"), dict)
        ]
        if any(payload.get("cwd") == work_dir for payload in payloads):
            for payload in payloads:
                if payload.get("type") == "message":
                    yield from _messages(payload.get("role"), payload.get("content"))


def _gemini(home: Path, work_dir: str) -> Iterator[JournalMessage]:
    """One JSON file per conversation, below a hash of the directory."""
    name = hashlib.sha256(work_dir.encode()).hexdigest()
    for path in _newest((home / ".gemini" / "tmp" / name / "chats").glob("*.json"), FILES):
        if path.stat().st_size > BYTES:
            continue
        kept = _json(path.read_bytes())
        for entry in kept.get("messages", ()) if isinstance(kept, dict) else ():
            if isinstance(entry, dict):
                role = {"gemini": "assistant"}.get(str(entry.get("type")), entry.get("type"))
                yield from _messages(role, entry.get("content"))


READERS: dict[str, Callable[[Path, str], Iterator[JournalMessage]]] = {
    "claude": _claude,
    "codex": _codex,
    "gemini": _gemini,
}


def _messages(role: object, content: object) -> Iterator[JournalMessage]:
    """The text of an entry, or its text parts; tool results are not messages."""
    if role not in {"user", "assistant"}:
        return
    parts = content if isinstance(content, list) else [content]
    for part in parts:
        text = part.get("text") if isinstance(part, dict) else part
        if isinstance(text, str) and text.strip():
            yield JournalMessage("user" if role == "user" else "assistant", text)


def _newest(paths: Iterable[Path], count: int) -> list[Path]:
    files = [(path.stat().st_mtime, path) for path in paths if path.is_file()]
    return [path for _, path in sorted(files, reverse=True)[:count]]


def _lines(path: Path) -> Iterator[dict[str, object]]:
    """The first line and the end of the file."""
    with path.open("rb") as file:
        yield from _entry(file.readline(BYTES))
        size = path.stat().st_size
        if size - file.tell() > BYTES:
            file.seek(size - BYTES)
            file.readline()  # an incomplete line
        for line in file:
            yield from _entry(line)


def _entry(line: bytes) -> Iterator[dict[str, object]]:
    entry = _json(line)
    if isinstance(entry, dict):
        yield entry


def _json(data: bytes) -> object:
    try:
        return json.loads(data)
    except ValueError:
        return None
