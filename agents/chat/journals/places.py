"""Where an agent keeps its journals: which one is certainly its own, and which ones may be.

Plain blocking calls, for a worker's thread. Certain are: the path that a hook reported; Claude
Code's file about its own process; the session that Copilot holds open. The other agents keep
nothing that names the process, so the journals of the directory that were written since the agent
started are candidates, and worker.py compares them with what the pane shows.
"""

import json
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from agents.chat.journals.database_reader import SessionFollower, connect
from agents.chat.journals.follower import LineFollower
from agents.witnesses.evidence import AgentEvent, EventSource

CANDIDATES = 8  # newest first; with more, the older ones are left out
ENTRIES = 2000  # of one directory
DAYS = 3  # newest folders of Codex, which has one per day
HEADER = 64 * 1024  # bytes of a journal that are read for its directory
STATUS_LIMIT = 64 * 1024
START_SECONDS = 2.0  # clocks and file systems round times


@dataclass(frozen=True, slots=True)
class JournalPlace:
    runtime: str
    path: Path
    session_id: str

    def follower(self) -> LineFollower | SessionFollower:
        if self.runtime == "opencode":
            return SessionFollower(self.path, self.session_id)
        return LineFollower(self.path)

    def version(self) -> tuple[object, ...]:
        """Changes whenever the journal does."""
        paths = [self.path, Path(f"{self.path}-wal")] if self.runtime == "opencode" else [self.path]
        return tuple(map(_version, paths))


@dataclass(frozen=True, slots=True)
class AgentProcess:
    """What is known of the process of an agent."""

    runtime: str
    pids: tuple[int, ...]  # the agent and the processes that it consists of
    started: float
    work_dir: str
    environment: Mapping[str, str]

    def directory(self, variable: str, default: str) -> Path:
        """The directory in a variable of its environment, else one below its home."""
        named = self.environment.get(variable)
        return Path(named) if named else self.home / default

    @property
    def home(self) -> Path:
        return Path(self.environment.get("HOME") or Path.home())


_VARIABLES = {
    "HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "XDG_DATA_HOME",
    "PI_CODING_AGENT_DIR", "GEMINI_CLI_HOME",
}  # fmt: skip  # one row


def environment_of(pid: int) -> dict[str, str]:
    """The variables that name directories; empty if the process has ended."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            pairs = file.read(1024 * 1024).decode("utf-8", "replace").split("\0")
    except OSError:
        return {}
    named = (pair.partition("=") for pair in pairs)
    return {name: value for name, _, value in named if name in _VARIABLES and value}


# --- certain ----------------------------------------------------------------------------------


def certain(
    process: AgentProcess, events: Sequence[AgentEvent], *, current: JournalPlace | None = None
) -> JournalPlace | None:
    """The journal that the agent itself names. `current` is the one that is followed now."""
    if (place := _reported(process, events)) is not None:
        return place
    exact = _EXACT.get(process.runtime)
    return exact(process, current) if exact else None


def _reported(process: AgentProcess, events: Sequence[AgentEvent]) -> JournalPlace | None:
    for event in reversed(events):
        if event.source is not EventSource.HOOK or event.runtime != process.runtime:
            continue
        if event.timestamp < process.started - START_SECONDS:
            continue
        if process.runtime == "opencode" and event.session_id:
            return JournalPlace("opencode", _opencode_path(process), event.session_id)
        if event.transcript_path.endswith(".jsonl"):
            path = Path(event.transcript_path)
            return JournalPlace(process.runtime, path, event.session_id or path.stem)
    return None


def _claude(process: AgentProcess, current: JournalPlace | None) -> JournalPlace | None:
    """It writes a file about each running process, which changes with /clear and /resume."""
    directory = process.directory("CLAUDE_CONFIG_DIR", ".claude")
    for pid in process.pids:
        status = _status(directory / "sessions" / f"{pid}.json")
        session = status.get("sessionId")
        if not isinstance(session, str) or not session or "/" in session:
            continue
        if str(status.get("procStart", "")) not in {"", _start_of(pid)}:
            continue  # of an earlier process with the same number
        if current is not None and current.session_id == session and current.path.exists():
            return current  # instead of looking into the directories of all projects
        for path in (directory / "projects").glob(f"*/{session}.jsonl"):
            return JournalPlace("claude", path, session)
    return None


def _copilot(process: AgentProcess, current: JournalPlace | None) -> JournalPlace | None:
    """It keeps a file open in the directory of its session."""
    for pid in process.pids:
        name = f"inuse.{pid}.hold"
        open_directories = {
            Path(path).parent for path in _open_files(pid) if path.endswith(f"/{name}")
        }
        sessions = [path for path in open_directories if path.parent.name == "session-state"]
        if len(sessions) == 1:
            return JournalPlace("copilot", sessions[0] / "events.jsonl", sessions[0].name)
    return None


_EXACT: Mapping[str, Callable[[AgentProcess, JournalPlace | None], JournalPlace | None]] = {
    "claude": _claude,
    "copilot": _copilot,
}


def _version(path: Path) -> tuple[int, int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


def _status(path: Path) -> dict[str, object]:
    try:
        with path.open("rb") as file:
            value = json.loads(file.read(STATUS_LIMIT))
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}


def _start_of(pid: int) -> str:
    """The start of a process in clock ticks since the machine was started."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            fields = file.read(4096).rpartition(b")")[2].split()
    except OSError:
        return ""
    return fields[19].decode() if len(fields) > 19 else ""


def _open_files(pid: int) -> Iterator[str]:
    try:
        names = os.listdir(f"/proc/{pid}/fd")[:ENTRIES]
    except OSError:
        return
    for name in names:
        try:
            yield os.readlink(f"/proc/{pid}/fd/{name}")
        except OSError:
            continue


# --- possible ---------------------------------------------------------------------------------


def candidates(process: AgentProcess) -> list[JournalPlace]:
    """The journals of the agent's directory that were written since it started, newest first."""
    possible = _POSSIBLE.get(process.runtime)
    try:
        return possible(process)[:CANDIDATES] if possible else []
    except (OSError, sqlite3.Error):
        return []


def _claude_files(process: AgentProcess) -> list[JournalPlace]:
    """For versions that write no file about their process."""
    name = "".join(char if char.isalnum() else "-" for char in process.work_dir)
    directory = process.directory("CLAUDE_CONFIG_DIR", ".claude") / "projects" / name
    return _places(process, _recent(directory, ".jsonl", process.started))


def _codex(process: AgentProcess) -> list[JournalPlace]:
    """One folder per day; the first line of a journal contains the directory."""
    root = process.directory("CODEX_HOME", ".codex") / "sessions"
    days = sorted(root.glob("[0-9]*/[0-9]*/[0-9]*"), reverse=True)[:DAYS]
    files = [path for day in days for path in _recent(day, ".jsonl", process.started)]
    return _places(process, (path for path in files if _names(path, process.work_dir)))


def _gemini(process: AgentProcess) -> list[JournalPlace]:
    """Below a name that .project_root maps to the directory."""
    root = process.directory("GEMINI_CLI_HOME", "") / ".gemini" / "tmp"
    for project in list(root.iterdir())[:ENTRIES]:
        try:
            named = (project / ".project_root").read_text("utf-8")[:STATUS_LIMIT].strip()
        except (OSError, ValueError):
            continue
        if os.path.realpath(named) == os.path.realpath(process.work_dir):
            return _places(process, _recent(project / "chats", ".jsonl", process.started))
    return []


def _pi(process: AgentProcess) -> list[JournalPlace]:
    """Below a name made of the directory; the first line contains the directory itself."""
    root = process.directory("PI_CODING_AGENT_DIR", ".pi/agent") / "sessions"
    name = f"--{process.work_dir.strip('/').replace('/', '-')}--"
    files = _recent(root / name, ".jsonl", process.started)
    return _places(process, (path for path in files if _names(path, process.work_dir)))


def _opencode(process: AgentProcess) -> list[JournalPlace]:
    path = _opencode_path(process)
    if not path.is_file():
        return []
    since = int((process.started - START_SECONDS) * 1000)
    with closing(connect(path)) as database:
        rows = database.execute(
            "SELECT id FROM session WHERE directory = ? AND parent_id IS NULL AND time_updated >= ?"
            " ORDER BY time_updated DESC LIMIT ?",
            (process.work_dir, since, CANDIDATES),
        ).fetchall()
    return [JournalPlace("opencode", path, session) for (session,) in rows]


_POSSIBLE: Mapping[str, Callable[[AgentProcess], list[JournalPlace]]] = {
    "claude": _claude_files,
    "codex": _codex,
    "gemini": _gemini,
    "opencode": _opencode,
    "pi": _pi,
}


def _opencode_path(process: AgentProcess) -> Path:
    return process.directory("XDG_DATA_HOME", ".local/share") / "opencode" / "opencode.db"


def _places(process: AgentProcess, paths: Iterator[Path] | list[Path]) -> list[JournalPlace]:
    return [JournalPlace(process.runtime, path, path.stem) for path in paths]


def _recent(directory: Path, suffix: str, since: float) -> list[Path]:
    """The files that were written since then, newest first."""
    files: list[tuple[float, Path]] = []
    try:
        with os.scandir(directory) as entries:
            for _, entry in zip(range(ENTRIES), entries, strict=False):
                if entry.name.endswith(suffix) and entry.is_file():
                    written = entry.stat().st_mtime
                    if written >= since - START_SECONDS:
                        files.append((written, Path(entry.path)))
    except OSError:
        return []
    return [path for _, path in sorted(files, reverse=True)]


def _names(path: Path, work_dir: str) -> bool:
    """Whether the first line of a journal names this directory."""
    try:
        with path.open("rb") as file:
            line = file.read(HEADER).partition(b"\n")[0]
    except OSError:
        return False
    named = f'"cwd":{json.dumps(work_dir, ensure_ascii=False)}'.encode()
    return named in line.replace(b'": "', b'":"')
