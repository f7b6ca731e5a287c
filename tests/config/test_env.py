"""The settings that come from the environment: defaults, accepted values, and error messages."""

import os
import re
from pathlib import Path

import pytest

from config.env import BASE_DIR, Env, SettingError, channel_layer, database
from tests.config.servers import manage

BAD_VALUES = [
    ("PORT", "0", "use a number from 1 to 65535"),
    ("PORT", "http", "use a number from 1 to 65535"),
    ("PORT", "70000", "use a number from 1 to 65535"),
    ("DEBUG", "maybe", "use 1 or 0"),
    ("REQUIRE_TOKEN", "2", "use 1 or 0"),
    ("LOG_LEVEL", "LOUD", "use one of DEBUG, INFO, WARNING, ERROR, CRITICAL"),
    ("NOTION_SECONDS", "0.5", "use a number of seconds from 1 to 86400"),
    ("NOTION_SECONDS", "nan", "use a number of seconds from 1 to 86400"),
    ("NOTION_SECONDS", "inf", "use a number of seconds from 1 to 86400"),
    ("KEEP_CHAT_DAYS", "-1", "use a number, or 0 for no limit"),
    ("MAX_CONNECTIONS", "many", "use a number, or 0 for no limit"),
    ("LOGS_MAX_MB", "1000000000", "use a number, or 0 for no limit"),
]


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.startswith("WEBTMUX_") or name in {"DATABASE_URL", "REDIS_URL"}:
            monkeypatch.delenv(name)


def test_every_setting_has_a_default() -> None:
    env = Env.read()
    assert (env.data_dir, env.host, env.port) == (BASE_DIR / "data", "127.0.0.1", 8080)
    assert (env.auth_token, env.require_token, env.allowed_hosts) == ("", False, ())
    assert (env.max_connections, env.max_connections_per_address) == (2000, 256)
    assert (env.record_chat, env.log_level, env.notion_seconds) == (True, "INFO", 60.0)
    assert (env.llm_model, env.transcribe_model) == ("default", "whisper-1")


def test_settings_are_read_from_variables_with_our_prefix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBTMUX_DATA_DIR", "~/somewhere")
    monkeypatch.setenv("WEBTMUX_PORT", " 9000 ")
    monkeypatch.setenv("WEBTMUX_REQUIRE_TOKEN", "Yes")
    monkeypatch.setenv("WEBTMUX_RECORD_CHAT", "off")
    monkeypatch.setenv("WEBTMUX_ALLOWED_HOSTS", "a.example, b.example:80,,")
    monkeypatch.setenv("WEBTMUX_LOG_LEVEL", "debug")
    monkeypatch.setenv("WEBTMUX_AUTH_TOKEN", " hush ")
    env = Env.read()
    assert (env.data_dir, env.port) == (Path.home() / "somewhere", 9000)
    assert (env.require_token, env.record_chat) == (True, False)
    assert env.allowed_hosts == ("a.example", "b.example:80")
    assert (env.log_level, env.auth_token) == ("DEBUG", "hush")


@pytest.mark.parametrize("blank", ["", "  "])
def test_a_blank_variable_counts_as_unset(monkeypatch: pytest.MonkeyPatch, blank: str) -> None:
    for name in Env.model_fields:
        monkeypatch.setenv(f"WEBTMUX_{name.upper()}", blank)
    blank_env = Env.read()
    for name in Env.model_fields:
        monkeypatch.delenv(f"WEBTMUX_{name.upper()}")
    assert blank_env == Env.read()


@pytest.mark.parametrize(("name", "value", "way_out"), BAD_VALUES)
def test_a_bad_value_is_reported_with_the_variable_and_what_to_use(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str, way_out: str
) -> None:
    monkeypatch.setenv(f"WEBTMUX_{name}", value)
    with pytest.raises(SettingError) as caught:
        Env.read()
    assert str(caught.value) == f"WEBTMUX_{name} is {value!r}: {way_out}"


def test_an_unknown_tool_set_is_reported_with_the_known_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("WEBTMUX_MCP_TOOLS", "workspace,nope")
    known = "workspace,notes,agents,tmux,tabs"
    with pytest.raises(SettingError, match=f"^WEBTMUX_MCP_TOOLS is 'nope': use some of {known}$"):
        Env.read()


def test_several_bad_values_are_reported_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBTMUX_PORT", "x")
    monkeypatch.setenv("WEBTMUX_DEBUG", "maybe")
    with pytest.raises(SettingError, match=r"WEBTMUX_PORT is 'x'.*\nWEBTMUX_DEBUG is 'maybe'"):
        Env.read()


def test_every_setting_that_can_be_invalid_says_what_is_accepted() -> None:
    for name, field in Env.model_fields.items():
        free_text = field.annotation in {str, Path} or field.annotation == tuple[str, ...]
        assert free_text or field.description, name


def test_manage_prints_a_bad_setting_without_a_traceback(empty: dict[str, str]) -> None:
    done = manage({**empty, "WEBTMUX_PORT": "http"}, "check")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "WEBTMUX_PORT is 'http': use a number from 1 to 65535\n"


def test_all_tool_sets_are_on_unless_some_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Env.read().mcp_tools == ("workspace", "notes", "agents", "tmux", "tabs")
    monkeypatch.setenv("WEBTMUX_MCP_TOOLS", "notes, tmux")
    assert Env.read().mcp_tools == ("notes", "tmux")


@pytest.mark.parametrize("name", ["DATABASE_URL", "WEBTMUX_DATABASE_URL"])
def test_a_database_url_is_parsed_completely(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    url = "postgresql://u%40x:p%2Fw@db.example:5433/name?sslmode=require"
    monkeypatch.setenv(name, url)
    entry = database(Env.read())
    assert entry["ENGINE"] == "django.db.backends.postgresql"
    assert (entry["USER"], entry["PASSWORD"]) == ("u@x", "p/w")
    assert (entry["HOST"], entry["PORT"], entry["NAME"]) == ("db.example", 5433, "name")
    assert (entry["OPTIONS"], entry["CONN_HEALTH_CHECKS"]) == ({"sslmode": "require"}, True)


def test_our_own_database_variable_overrides_the_common_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://common/name")
    monkeypatch.setenv("WEBTMUX_DATABASE_URL", "")
    assert Env.read().database_url == "postgresql://common/name"
    monkeypatch.setenv("WEBTMUX_DATABASE_URL", "postgresql://ours/name")
    assert Env.read().database_url == "postgresql://ours/name"


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("mysql://me:hidden@x/y", "has the scheme 'mysql'"),
        ("sqlite:///tmp/x", "has the scheme 'sqlite'"),
        ("nonsense://me:hidden@x/y", "has the scheme 'nonsense'"),
        ("hidden", "has the scheme ''"),
        ("postgresql://me:hidden@host:port/name", "is not a valid URL"),
    ],
)
def test_an_unusable_database_url_is_reported_without_its_password(url: str, problem: str) -> None:
    with pytest.raises(SettingError) as caught:
        database(Env(database_url=url))
    message = str(caught.value)
    assert message.startswith(f"DATABASE_URL {problem}: use postgresql://user:password@host/name")
    assert "hidden" not in message


def test_an_unusable_redis_url_is_reported_without_its_password() -> None:
    with pytest.raises(SettingError, match=re.escape("use redis://host:6379/0")) as caught:
        channel_layer(Env(redis_url="http://me:hidden@host"))
    assert "hidden" not in str(caught.value)
