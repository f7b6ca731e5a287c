"""Every setting that comes from the environment, read and checked in one place.

Not the place for defaults of Django itself: those are in settings.py.
"""

import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from mcp_gateway.registry import ToolSet

BASE_DIR = Path(__file__).resolve().parent.parent
PREFIX = "WEBTMUX_"
TRUE_WORDS = {"1", "true", "yes", "on"}
KEY_ADVICE = "Remove it: webtmux makes a new one, and everybody has to sign in again."
FALSE_WORDS = {"", "0", "false", "no", "off"}


class SettingError(ValueError):
    """A setting that cannot be used; the message names it and says what is accepted."""


def _secret() -> str:
    """A setting that no log, traceback or `repr` may show. URLs are: they may hold passwords."""
    value: str = field(default="", repr=False)
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Env:
    data_dir: Path = BASE_DIR / "data"
    static_dir: str = ""  # collected static files; may be shared by several servers
    host: str = "127.0.0.1"
    port: int = 8080
    auth_token: str = _secret()
    token: str = _secret()  # of a client: what `mcp_stdio` shows to the server
    require_token: bool = False
    allowed_origins: tuple[str, ...] = ()
    allowed_hosts: tuple[str, ...] = ()
    trusted_proxies: tuple[str, ...] = ()  # whose X-Forwarded-For is believed, for limits and logs
    forwarders: tuple[str, ...] = ()  # more programs that pass on connections: config/forwarders.py
    max_connections: int = 2000  # in all; 0: any number
    max_connections_per_address: int = 256  # of one address that is not this machine; 0: likewise
    work_dir: str = ""
    debug_serve_dir: str = ""
    tmux_socket: str = ""
    login_shell: bool = False
    debug: bool = False
    log_level: str = "INFO"
    database_url: str = _secret()
    redis_url: str = _secret()
    notion_token: str = _secret()
    notion_url: str = _secret()
    notion_parent: str = ""
    notion_seconds: float = 60.0
    mcp_tools: tuple[str, ...] = tuple(ToolSet)
    llm_url: str = _secret()  # of an OpenAI-compatible server, up to and with its /v1
    llm_key: str = _secret()
    llm_model: str = ""
    transcribe_url: str = _secret()  # likewise; for speech
    transcribe_key: str = _secret()
    transcribe_model: str = ""
    record_chat: bool = True
    keep_chat_days: int = 90  # 0: for ever
    keep_chat_mb: int = 1024  # of text; 0: any amount
    recording_max_mb: int = 512  # of one recording; 0: any size
    recordings_max_mb: int = 4096  # of all together; 0: any amount
    recordings_free_mb: int = 512  # that must stay free on their disk
    keep_recordings_days: int = 90  # 0: for ever
    log_max_mb: int = 256  # of the log of one pane; 0: any size
    logs_max_mb: int = 4096  # of all together; 0: any amount
    logs_free_mb: int = 512  # that must stay free on their disk
    keep_logs_days: int = 90  # after the pane has ended; 0: for ever

    @classmethod
    def read(cls, environ: Mapping[str, str] = os.environ) -> "Env":
        def text(name: str, default: str = "") -> str:
            return environ.get(PREFIX + name, "").strip() or default

        return cls(
            data_dir=Path(text("DATA_DIR", str(cls.__dataclass_fields__["data_dir"].default)))
            .expanduser()
            .absolute(),
            static_dir=text("STATIC_DIR"),
            host=text("HOST", "127.0.0.1"),
            port=_port(text("PORT", "8080")),
            auth_token=text("AUTH_TOKEN"),
            token=text("TOKEN"),
            require_token=_flag("REQUIRE_TOKEN", text("REQUIRE_TOKEN")),
            allowed_origins=words(text("ALLOWED_ORIGINS")),
            allowed_hosts=words(text("ALLOWED_HOSTS")),
            trusted_proxies=words(text("TRUSTED_PROXIES")),
            forwarders=words(text("FORWARDERS")),
            max_connections=_count("MAX_CONNECTIONS", text("MAX_CONNECTIONS", "2000")),
            max_connections_per_address=_count(
                "MAX_CONNECTIONS_PER_ADDRESS", text("MAX_CONNECTIONS_PER_ADDRESS", "256")
            ),
            work_dir=text("WORK_DIR"),
            tmux_socket=text("TMUX_SOCKET"),
            login_shell=_flag("LOGIN_SHELL", text("LOGIN_SHELL")),
            debug=_flag("DEBUG", text("DEBUG")),
            log_level=text("LOG_LEVEL", "INFO").upper(),
            database_url=text("DATABASE_URL") or environ.get("DATABASE_URL", ""),
            redis_url=text("REDIS_URL") or environ.get("REDIS_URL", ""),
            notion_token=text("NOTION_TOKEN"),
            notion_url=text("NOTION_URL"),
            notion_parent=text("NOTION_PARENT"),
            notion_seconds=_seconds("NOTION_SECONDS", text("NOTION_SECONDS", "60")),
            mcp_tools=_tool_sets(text("MCP_TOOLS")),
            llm_url=text("LLM_URL"),
            llm_key=text("LLM_KEY"),
            llm_model=text("LLM_MODEL", "default"),
            transcribe_url=text("TRANSCRIBE_URL"),
            transcribe_key=text("TRANSCRIBE_KEY"),
            transcribe_model=text("TRANSCRIBE_MODEL", "whisper-1"),
            record_chat=_flag("RECORD_CHAT", text("RECORD_CHAT", "1")),
            keep_chat_days=_count("KEEP_CHAT_DAYS", text("KEEP_CHAT_DAYS", "90")),
            keep_chat_mb=_count("KEEP_CHAT_MB", text("KEEP_CHAT_MB", "1024")),
            recording_max_mb=_count("RECORDING_MAX_MB", text("RECORDING_MAX_MB", "512")),
            recordings_max_mb=_count("RECORDINGS_MAX_MB", text("RECORDINGS_MAX_MB", "4096")),
            recordings_free_mb=_count("RECORDINGS_FREE_MB", text("RECORDINGS_FREE_MB", "512")),
            keep_recordings_days=_count("KEEP_RECORDINGS_DAYS", text("KEEP_RECORDINGS_DAYS", "90")),
            log_max_mb=_count("LOG_MAX_MB", text("LOG_MAX_MB", "256")),
            logs_max_mb=_count("LOGS_MAX_MB", text("LOGS_MAX_MB", "4096")),
            logs_free_mb=_count("LOGS_FREE_MB", text("LOGS_FREE_MB", "512")),
            keep_logs_days=_count("KEEP_LOGS_DAYS", text("KEEP_LOGS_DAYS", "90")),
        )


def words(text: str) -> tuple[str, ...]:
    """A comma-separated list, blanks dropped."""
    return tuple(word.strip() for word in text.split(",") if word.strip())


def _flag(name: str, text: str) -> bool:
    if text.lower() in TRUE_WORDS:
        return True
    if text.lower() in FALSE_WORDS:
        return False
    raise SettingError(f"{PREFIX}{name} is {text!r}: use 1 or 0")


def _seconds(name: str, text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if 1 <= seconds <= 86_400:
        return seconds
    raise SettingError(f"{PREFIX}{name} is {text!r}: use a number of seconds from 1 to 86400")


def _count(name: str, text: str) -> int:
    if text.isdigit() and len(text) < 10:
        return int(text)
    raise SettingError(f"{PREFIX}{name} is {text!r}: use a number, or 0 for no limit")


def _port(text: str) -> int:
    if text.isdigit() and 0 < int(text) < 65536:
        return int(text)
    raise SettingError(f"{PREFIX}PORT is {text!r}: use a number from 1 to 65535")


def _tool_sets(text: str) -> tuple[str, ...]:
    wanted = words(text) or tuple(ToolSet)
    unknown = [word for word in wanted if word not in tuple(ToolSet)]
    if unknown:
        accepted = ",".join(ToolSet)
        raise SettingError(f"{PREFIX}MCP_TOOLS names {unknown[0]!r}: use some of {accepted}")
    return wanted


def database(env: Env) -> dict[str, Any]:
    """The entry of DATABASES: SQLite in the data directory, or what DATABASE_URL names."""
    if not env.database_url:
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": env.data_dir / "webtmux.sqlite3",
            "OPTIONS": {
                # A reader that turns writer would be refused at once, whatever the timeout.
                "transaction_mode": "IMMEDIATE",
                "timeout": 20,
                "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
            },
        }
    url = urlsplit(env.database_url)
    if url.scheme not in {"postgres", "postgresql"}:
        raise SettingError(
            f"DATABASE_URL has the scheme {url.scheme!r}: use postgresql://user:password@host/name"
        )
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(url.path.lstrip("/")),
        "USER": unquote(url.username or ""),
        "PASSWORD": unquote(url.password or ""),
        "HOST": unquote(url.hostname or ""),
        "PORT": str(url.port or ""),
        "OPTIONS": dict(parse_qsl(url.query)),
        # terminals/db.py keeps connections: one that the server closed must not fail a caller.
        "CONN_HEALTH_CHECKS": True,
    }


def channel_layer(env: Env) -> dict[str, Any]:
    """The entry of CHANNEL_LAYERS: inside the process, or Redis where REDIS_URL names one."""
    if not env.redis_url:
        return {"BACKEND": "channels.layers.InMemoryChannelLayer"}
    return {
        "BACKEND": "channels_redis.core.RedisChannelLayer",
        "CONFIG": {"hosts": [env.redis_url], "prefix": "webtmux"},
    }


def secret_key(data_dir: Path) -> str:
    """The key that signs sessions: made on first use, readable by its owner only."""
    path = data_dir / "secret.key"
    if not os.path.lexists(path):
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = data_dir / f"secret.{os.getpid()}-{secrets.token_hex(4)}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        with open(os.open(draft, flags, 0o600), "w") as file:
            file.write(secrets.token_urlsafe(50))
        # link() does not replace: of two processes that start at once, both use the first key.
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return _read_own(path)


def _read_own(path: Path) -> str:
    """Whoever made the key can sign sessions: only our own file counts, and no link to another."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as problem:
        raise SettingError(f"cannot read {path}: {problem.strerror}. {KEY_ADVICE}") from None
    with open(handle) as file:
        found = os.fstat(handle)
        if found.st_uid != os.getuid():
            raise SettingError(f"{path} belongs to uid {found.st_uid}. {KEY_ADVICE}")
        if found.st_mode & 0o077:
            os.fchmod(handle, 0o600)
        return file.read()
