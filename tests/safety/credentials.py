"""Credentials of a running server, made and taken away by another process: in its database.

Django of the test process has another database, so this is plain SQL.
"""

import hashlib
import json
import secrets
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.config.servers import manage

MAKE_SESSION = """
import json
from django.contrib.auth.models import User
from django.test import Client
from django.conf import settings
made = {}
for name in %r:
    user = User.objects.create_user(name, password="right horse", is_staff=True)
    client = Client()
    client.force_login(user)
    made[name] = client.cookies[settings.SESSION_COOKIE_NAME].value
print("made", json.dumps(made))
"""


@dataclass(frozen=True)
class Token:
    database: Path
    name: str
    secret: str

    @property
    def headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self.secret}"}

    def set(self, **fields: Any) -> None:
        changes = ", ".join(f"{name} = ?" for name in fields)
        run(
            self.database,
            f"UPDATE mcp_gateway_accesstoken SET {changes} WHERE name = ?",
            *fields.values(),
            self.name,
        )

    def revoke(self) -> None:
        self.set(revoked_at=when(0))

    def delete(self) -> None:
        run(self.database, "DELETE FROM mcp_gateway_accesstoken WHERE name = ?", self.name)


def database(env: dict[str, str]) -> Path:
    return Path(env["WEBTMUX_DATA_DIR"]) / "webtmux.sqlite3"


def make_token(env: dict[str, str], *, scope: str = "admin", seconds: float | None = None) -> Token:
    secret = "wtx_" + secrets.token_urlsafe(32)
    token = Token(database(env), f"token {secrets.token_hex(4)}", secret)
    run(
        token.database,
        "INSERT INTO mcp_gateway_accesstoken (name, prefix, hash, scope, created_at, expires_at)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        token.name, secret[:12], hashlib.sha256(secret.encode()).hexdigest(), scope, when(0),
        when(seconds) if seconds is not None else None,
    )  # fmt: skip
    return token


def make_sessions(env: dict[str, str], names: list[str]) -> dict[str, str]:
    """The session key of a new user of each name."""
    done = manage(env, "shell", "-v", "0", "-c", MAKE_SESSION % (names,))
    assert done.returncode == 0, done.stderr
    made: dict[str, str] = json.loads(done.stdout.split("made ", 1)[1])
    return made


def run(path: Path, statement: str, *values: Any) -> list[Any]:
    with closing(sqlite3.connect(path, timeout=20)) as connection, connection:
        return connection.execute(statement, values).fetchall()


def when(seconds: float) -> str:
    return str((datetime.now(UTC) + timedelta(seconds=seconds)).replace(tzinfo=None))
