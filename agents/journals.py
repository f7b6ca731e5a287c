"""The logs that agents keep of themselves: read to confirm what their terminals showed.

Read only, bounded, and never needed: the terminal's view stands alone. Formats change between
versions of the agents; what is not understood is passed over.
"""

import asyncio
import hashlib
import json
import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from agents import registry
from agents.transcript import Message, Role
from terminals.models import Window

log = logging.getLogger(__name__)

FILES = 3  # newest logs of a directory: older ones are of other conversations
BYTES = 4 * 1024 * 1024  # of a log its end
CODEX_FILES = 20  # that are asked for their directory: codex keeps all in one tree
SURE = 12  # letters that two texts must share where one holds the other


@dataclass(frozen=True, slots=True)
class Said:
    role: Role
    text: str


async def confirm_messages(window: Window, messages: Sequence[Message]) -> list[Message]:
    """With the log of the agent that runs in the window now, if it keeps one."""
    agents = registry.current().agents.values()
    agent = next((one for one in agents if one.window_id == window.tmux_id), None)
    if agent is None or agent.runtime not in READERS or not messages:
        return list(messages)
    said = await asyncio.to_thread(read, Path.home(), agent.runtime, agent.work_dir)
    return confirm(messages, said)


def confirm(messages: Sequence[Message], said: Iterable[Said]) -> list[Message]:
    """Those that the log has in the same words; marks and line breaks do not count."""
    known: dict[str, list[str]] = {"user": [], "assistant": []}
    for one in said:
        known[one.role].append(_words(one.text))
    return [replace(one, confirmed=_is_known(one, known[one.role])) for one in messages]


def read(home: Path, runtime: str, work_dir: str) -> list[Said]:
    try:
        return list(READERS[runtime](home, work_dir))
    except OSError as problem:
        log.info("the log of %s cannot be read: %s", runtime, problem.strerror)
        return []


def _is_known(message: Message, texts: Sequence[str]) -> bool:
    mine = _words(message.text)
    return any(
        mine == text or (len(text) >= SURE and text in mine) or (len(mine) >= SURE and mine in text)
        for text in texts
        if text
    )


def _words(text: str) -> str:
    """Letters and digits. The fences of code, with their language, are not shown."""
    lines = (line for line in text.split("\n") if not line.lstrip().startswith("```"))
    return "".join(one for line in lines for one in line if one.isalnum())


# --- one reader for each runtime --------------------------------------------------------------


def _claude(home: Path, work_dir: str) -> Iterator[Said]:
    """One file for each conversation, in a directory named after the working directory."""
    name = "".join(one if one.isalnum() else "-" for one in work_dir)
    for path in _newest((home / ".claude" / "projects" / name).glob("*.jsonl"), FILES):
        for entry in _lines(path):
            message = entry.get("message")
            if isinstance(message, dict) and entry.get("type") == message.get("role"):
                yield from _said(message.get("role"), message.get("content"))


def _codex(home: Path, work_dir: str) -> Iterator[Said]:
    """One file for each conversation, by date; its first line tells the directory."""
    for path in _newest((home / ".codex" / "sessions").rglob("*.jsonl"), CODEX_FILES):
        entries = list(_lines(path))
        payloads = [one for entry in entries if isinstance(one := entry.get("payload"), dict)]
        if any(payload.get("cwd") == work_dir for payload in payloads):
            for payload in payloads:
                if payload.get("type") == "message":
                    yield from _said(payload.get("role"), payload.get("content"))


def _gemini(home: Path, work_dir: str) -> Iterator[Said]:
    """One JSON for each conversation, under a hash of the directory."""
    name = hashlib.sha256(work_dir.encode()).hexdigest()
    for path in _newest((home / ".gemini" / "tmp" / name / "chats").glob("*.json"), FILES):
        if path.stat().st_size > BYTES:
            continue
        kept = _json(path.read_bytes())
        for entry in kept.get("messages", ()) if isinstance(kept, dict) else ():
            if isinstance(entry, dict):
                role = {"gemini": "assistant"}.get(str(entry.get("type")), entry.get("type"))
                yield from _said(role, entry.get("content"))


READERS: dict[str, Callable[[Path, str], Iterator[Said]]] = {
    "claude": _claude,
    "codex": _codex,
    "gemini": _gemini,
}


def _said(role: object, content: object) -> Iterator[Said]:
    """Text, or parts of which only those with text were said; results of tools were not."""
    if role not in {"user", "assistant"}:
        return
    parts = content if isinstance(content, list) else [content]
    for part in parts:
        text = part.get("text") if isinstance(part, dict) else part
        if isinstance(text, str) and text.strip():
            yield Said("user" if role == "user" else "assistant", text)


def _newest(paths: Iterable[Path], count: int) -> list[Path]:
    found = [(path.stat().st_mtime, path) for path in paths if path.is_file()]
    return [path for _, path in sorted(found, reverse=True)[:count]]


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    """The first line and the end of the file."""
    with path.open("rb") as file:
        yield from _entry(file.readline(BYTES))
        size = path.stat().st_size
        if size - file.tell() > BYTES:
            file.seek(size - BYTES)
            file.readline()  # half of a line
        for line in file:
            yield from _entry(line)


def _entry(line: bytes) -> Iterator[dict[str, Any]]:
    found = _json(line)
    if isinstance(found, dict):
        yield found


def _json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except ValueError:
        return None
