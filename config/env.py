"""The settings that come from the environment: names, defaults, accepted values.

pydantic-settings reads and checks them. A value that is not accepted ends the program with one
line per variable that says what to write instead (`SettingError`; manage.py prints it).
Settings that users do not change are in settings.py.
"""

import os
import secrets
from pathlib import Path
from typing import Annotated, Any, Literal

import dj_database_url
from pydantic import (
    AfterValidator,
    AliasChoices,
    BeforeValidator,
    Field,
    ValidationError,
    model_validator,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from mcp_gateway.registry import ToolSet

BASE_DIR = Path(__file__).resolve().parent.parent
PREFIX = "WEBTMUX_"
KEY_ADVICE = "Remove it: webtmux creates a new one, and every user has to sign in again."
DATABASE_ADVICE = "use postgresql://user:password@host/name, or remove it to use SQLite"
REDIS_SCHEMES = {"redis", "rediss", "unix"}
REDIS_ADVICE = "use redis://host:6379/0, or remove it to run without Redis"


class SettingError(ValueError):
    """A setting that cannot be used. The message names it and says what is accepted."""


def words(text: str) -> tuple[str, ...]:
    """Split a comma-separated list; blank entries are dropped."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _words(value: object) -> object:
    return words(value) if isinstance(value, str) else value


def _absolute(path: Path) -> Path:
    return path.expanduser().absolute()


# The description of a type is the "use …" part of the error message for a bad value.
Flag = Annotated[bool, Field(description="1 or 0")]
Count = Annotated[int, Field(ge=0, le=999_999_999, description="a number, or 0 for no limit")]
Port = Annotated[int, Field(ge=1, le=65535, description="a number from 1 to 65535")]
Seconds = Annotated[
    float, Field(ge=1, le=86_400, description="a number of seconds from 1 to 86400")
]
LogLevel = Annotated[
    # WARN, FATAL and NOTSET are Python's own other names; they are accepted, but not advertised.
    Literal["DEBUG", "INFO", "WARNING", "WARN", "ERROR", "CRITICAL", "FATAL", "NOTSET"],
    BeforeValidator(str.upper),
    Field(description="one of DEBUG, INFO, WARNING, ERROR, CRITICAL"),
]
# NoDecode: pydantic-settings would expect a list as JSON.
Words = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_words)]
ToolSets = Annotated[
    tuple[ToolSet, ...],
    NoDecode,
    BeforeValidator(_words),
    Field(min_length=1, description=f"some of {','.join(ToolSet)}"),
]
# Never in a log, a traceback or a `repr`. URLs are secrets too: they may contain passwords.
Secret = Annotated[str, Field(repr=False)]


class Env(BaseSettings):
    """The field `port` is the variable WEBTMUX_PORT, and so on. A blank one counts as unset."""

    model_config = SettingsConfigDict(
        frozen=True,
        env_prefix=PREFIX,
        env_ignore_empty=True,
        str_strip_whitespace=True,
        validate_by_name=True,
        validate_by_alias=True,
    )

    data_dir: Annotated[Path, AfterValidator(_absolute)] = BASE_DIR / "data"
    static_dir: str = ""  # collected static files; several servers may share them
    host: str = "127.0.0.1"
    port: Port = 8080
    auth_token: Secret = ""
    token: Secret = ""  # for clients: `mcp_stdio` presents it to the server
    require_token: Flag = False
    allowed_origins: Words = ()
    allowed_hosts: Words = ()
    trusted_proxies: Words = ()  # X-Forwarded-For of these is used, for limits and logs only
    forwarders: Words = ()  # more names for config/gate/forwarders.py
    max_connections: Count = 2000  # in total
    max_connections_per_address: Count = 256  # for each address that is not this machine
    work_dir: str = ""
    debug_serve_dir: str = ""
    vite_server: str = ""  # `make dev`: the address of Vite, which then serves our modules
    tmux_socket: str = ""
    login_shell: Flag = False
    debug: Flag = False
    log_level: LogLevel = "INFO"
    database_url: Secret = Field(
        default="", validation_alias=AliasChoices(f"{PREFIX}DATABASE_URL", "DATABASE_URL")
    )
    redis_url: Secret = Field(
        default="", validation_alias=AliasChoices(f"{PREFIX}REDIS_URL", "REDIS_URL")
    )
    notion_token: Secret = ""
    notion_url: Secret = ""
    notion_parent: str = ""
    notion_seconds: Seconds = 60.0
    mcp_tools: ToolSets = tuple(ToolSet)
    llm_url: Secret = ""  # of an OpenAI-compatible server, including its /v1
    llm_key: Secret = ""
    llm_model: str = "default"
    transcribe_url: Secret = ""  # the same, for speech
    transcribe_key: Secret = ""
    transcribe_model: str = "whisper-1"
    record_chat: Flag = True
    keep_chat_days: Count = 90
    keep_chat_mb: Count = 1024  # of text
    recording_max_mb: Count = 512  # of one recording
    recordings_max_mb: Count = 4096  # of all recordings
    recordings_free_mb: Count = 512  # that must stay free on their disk
    keep_recordings_days: Count = 90
    log_max_mb: Count = 256  # of the log of one pane
    logs_max_mb: Count = 4096  # of all logs
    logs_free_mb: Count = 512  # that must stay free on their disk
    keep_logs_days: Count = 90  # after the pane has ended

    @model_validator(mode="before")
    @classmethod
    def _drop_blank(cls, values: dict[str, object]) -> dict[str, object]:
        return {
            name: value
            for name, value in values.items()
            if not isinstance(value, str) or value.strip()
        }

    @classmethod
    def read(cls) -> "Env":
        try:
            return cls()
        except ValidationError as error:
            raise SettingError("\n".join(_explanations(error))) from None


def _explanations(error: ValidationError) -> list[str]:
    """One line per bad variable. Only types with a description can fail: no secret is shown."""
    lines = []
    for problem in error.errors(include_url=False, include_context=False):
        name = str(problem["loc"][0])
        accepted = Env.model_fields[name].description
        lines.append(f"{PREFIX}{name.upper()} is {problem['input']!r}: use {accepted}")
    return lines


def sqlite_path(env: Env) -> Path:
    return env.data_dir / "webtmux.sqlite3"


def database(env: Env) -> dict[str, object]:
    """The entry of DATABASES: PostgreSQL if DATABASE_URL is set, else SQLite in `data_dir`."""
    if not env.database_url:
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": sqlite_path(env),
            "OPTIONS": {
                # With the default mode, a transaction that reads first and then writes fails at
                # once while another one writes, whatever the timeout.
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
            },
        }
    # core/database.py keeps connections: one that PostgreSQL closed must not fail a query.
    try:
        parsed = dj_database_url.parse(env.database_url, conn_health_checks=True)
    except dj_database_url.UnknownSchemeError as error:
        raise SettingError(
            f"DATABASE_URL has the scheme {error.scheme!r}: {DATABASE_ADVICE}"
        ) from None
    except ValueError:  # the message must not quote the URL: it contains the password
        raise SettingError(f"DATABASE_URL is not a valid URL: {DATABASE_ADVICE}") from None
    if parsed["ENGINE"] != "django.db.backends.postgresql":
        scheme = env.database_url.partition(":")[0]
        raise SettingError(f"DATABASE_URL has the scheme {scheme!r}: {DATABASE_ADVICE}")
    return dict(parsed)


def channel_layer(env: Env) -> dict[str, Any]:  # as Channels declares CHANNEL_LAYERS
    """The entry of CHANNEL_LAYERS: Redis if REDIS_URL is set, else inside the process."""
    if not env.redis_url:
        return {"BACKEND": "channels.layers.InMemoryChannelLayer"}
    scheme = env.redis_url.partition("://")[0]
    if scheme not in REDIS_SCHEMES:
        raise SettingError(f"REDIS_URL is not a Redis URL: {REDIS_ADVICE}")
    return {
        "BACKEND": "channels_redis.core.RedisChannelLayer",
        "CONFIG": {"hosts": [env.redis_url], "prefix": "webtmux"},
    }


def secret_key(data_dir: Path) -> str:
    """The key that signs sessions: created on first use, readable by its owner only."""
    path = data_dir / "secret.key"
    if not os.path.lexists(path):
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = data_dir / f"secret.{os.getpid()}-{secrets.token_hex(4)}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        with open(os.open(draft, flags, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(50))
        # link() does not replace: two processes that start together both use the first key.
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return _read_own(path)


def _read_own(path: Path) -> str:
    """Read one of webtmux's own files. Refuses links and files of other users, because the author
    of the file can sign sessions."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        raise SettingError(f"cannot read {path}: {error.strerror}. {KEY_ADVICE}") from None
    with open(handle) as file:
        status = os.fstat(handle)
        if status.st_uid != os.getuid():
            raise SettingError(f"{path} belongs to uid {status.st_uid}. {KEY_ADVICE}")
        if status.st_mode & 0o077:
            os.fchmod(handle, 0o600)
        return file.read()
