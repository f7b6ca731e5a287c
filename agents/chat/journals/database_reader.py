"""Follows one session in opencode's SQLite database. Plain blocking calls, for a worker's thread.

Read-only, with a connection for each read, so that opencode can write and clean up. Nothing is read
while neither the database nor its write-ahead log has changed.
"""

import contextlib
import json
import os
import sqlite3
from pathlib import Path

from agents.chat.journals.follower import NOTHING, JournalPiece
from agents.chat.journals.opencode import is_complete

MESSAGES = 100  # read by one call
FIRST_MESSAGES = 500  # of a session that already exists, the newest
PART_LIMIT = 512 * 1024  # characters of a part; a longer one is left out
BUSY_SECONDS = 0.5

_MESSAGES = """
SELECT m.id, m.time_created, m.data,
    (SELECT min(c.time_created) FROM message c
     WHERE c.session_id = m.session_id AND json_extract(c.data, '$.parentID') = m.id),
    EXISTS (SELECT 1 FROM message n WHERE n.session_id = m.session_id AND n.id > m.id)
FROM message m WHERE m.session_id = ? AND m.id >= ? AND length(m.data) < ?
ORDER BY m.id LIMIT ?
"""
_FIRST = "SELECT id FROM message WHERE session_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?"
_PARTS = """
SELECT id, time_created, data FROM part
WHERE message_id = ? AND length(data) < ? ORDER BY id LIMIT 1000
"""


class SessionFollower:
    def __init__(self, path: Path, session_id: str) -> None:
        self.path, self._session = path, session_id
        self._version: tuple[object, ...] = ()
        self._from = ""  # the first message that may change
        self._has_more = False

    def read(self) -> JournalPiece:
        """Raises nothing: a database that is busy or unreadable has nothing new."""
        version = (_version(self.path), _version(Path(f"{self.path}-wal")))
        if version == self._version and not self._has_more:
            return NOTHING
        try:
            with contextlib.closing(connect(self.path)) as database:
                piece = self._read(database)
        except sqlite3.Error:
            return NOTHING
        self._version, self._has_more = version, piece.has_more
        return piece

    def _read(self, database: sqlite3.Connection) -> JournalPiece:
        if not self._from:
            first = database.execute(_FIRST, (self._session, FIRST_MESSAGES)).fetchone()
            self._from = first[0] if first else ""
        rows = database.execute(_MESSAGES, (self._session, self._from, PART_LIMIT, MESSAGES))
        lines, is_open = [], False
        for number, created, data, answered, has_later in rows.fetchall():
            parts = [
                {"id": part, "created": part_created, "data": json.loads(content)}
                for part, part_created, content in database.execute(_PARTS, (number, PART_LIMIT))
            ]
            record = {
                "id": number,
                "created": created,
                "data": json.loads(data),
                # A prompt that was never answered counts when another message follows.
                "answered": answered or (created if has_later else None),
                "parts": parts,
            }
            if not is_open:  # the next read begins with the first message that may change
                self._from, is_open = number, not is_complete(record)
            lines.append(json.dumps(record, ensure_ascii=False).encode())
        return JournalPiece(lines, has_more=len(lines) == MESSAGES and not is_open)


def connect(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=BUSY_SECONDS)


def _version(path: Path) -> tuple[int, int] | None:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns
