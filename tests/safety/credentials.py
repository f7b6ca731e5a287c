"""Creates and revokes credentials of a running server, directly in its database.

In plain SQL, because Django in the test process uses another database.
"""

import hashlib
import secrets
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from django.test import override_settings

from config.env import secret_key
from tests.waiting import LONGEST_SECONDS

PASSWORD = "right horse"


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

    def expire(self) -> None:
        self.set(expires_at=when(-60))

    def lower_scope(self) -> None:
        self.set(scope="read")

    def was_used(self) -> bool:
        """Whether the server has accepted it at least once."""
        statement = "SELECT last_used_at FROM mcp_gateway_accesstoken WHERE name = ?"
        return run(self.database, statement, self.name) != [(None,)]

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
    """Create staff users with PASSWORD and sign them in. Returns their session keys by name."""
    with override_settings(SECRET_KEY=secret_key(Path(env["WEBTMUX_DATA_DIR"]))):
        return {name: _sign_in(database(env), name) for name in names}


def _sign_in(path: Path, name: str) -> str:
    # Quick to compute: Django hashes it again with all iterations when the user signs in.
    password = PBKDF2PasswordHasher().encode(PASSWORD, secrets.token_hex(16), iterations=1)
    user = User(username=name, password=password)
    [(number,)] = run(
        path,
        "INSERT INTO auth_user (username, password, is_staff, is_active, is_superuser, date_joined,"
        " first_name, last_name, email) VALUES (?, ?, 1, 1, 0, ?, '', '', '') RETURNING id",
        user.username, user.password, when(0),
    )  # fmt: skip
    key = secrets.token_hex(16)
    session = {
        SESSION_KEY: str(number),
        BACKEND_SESSION_KEY: settings.AUTHENTICATION_BACKENDS[0],
        HASH_SESSION_KEY: user.get_session_auth_hash(),
    }
    statement = "INSERT INTO django_session (session_key, session_data, expire_date)"
    run(path, f"{statement} VALUES (?, ?, ?)", key, SessionStore().encode(session), when(3600))
    return key


def run(path: Path, statement: str, *values: Any) -> list[Any]:
    with closing(sqlite3.connect(path, timeout=LONGEST_SECONDS)) as connection, connection:
        return connection.execute(statement, values).fetchall()


def when(seconds: float) -> str:
    """The time in so many seconds, as Django writes it."""
    return str((datetime.now(UTC) + timedelta(seconds=seconds)).replace(tzinfo=None))
