import json
import subprocess
import tomllib
from pathlib import Path, PurePath

import pytest

from agents.witnesses.hooks import launch
from agents.witnesses.hooks.install import RUNTIMES

DIRECTORY = PurePath("/home/o'brien/my data/hooks")


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_launch_keeps_its_arguments_and_environment(runtime: str) -> None:
    argv, env = [runtime, "--model", "x"], {"A": "1"}
    new_argv, new_env = launch.launch(runtime, argv, env, directory=DIRECTORY)
    assert (argv, env) == ([runtime, "--model", "x"], {"A": "1"})
    assert new_argv[0] == runtime
    assert new_argv[-2:] == ["--model", "x"]
    assert new_env["A"] == "1"
    assert (new_argv, new_env) != (argv, env) or runtime == "gemini"


def test_an_unknown_runtime_is_not_changed() -> None:
    assert launch.launch("amp", ["amp"], {}, directory=DIRECTORY) == (["amp"], {})


def test_settings_of_claude_are_json_with_all_events() -> None:
    argv, _ = launch.launch("claude", ["claude"], {}, directory=DIRECTORY)
    settings = json.loads(argv[argv.index("--settings") + 1])
    assert set(settings["hooks"]) == set(launch.CLAUDE_EVENTS)


def test_options_of_codex_are_toml_and_trust_exactly_these_hooks() -> None:
    argv, _ = launch.launch("codex", ["codex"], {}, directory=DIRECTORY)
    options = [argv[index + 1] for index, word in enumerate(argv) if word == "-c"]
    parsed = [tomllib.loads(option)["hooks"] for option in options]
    *hooks, trust = parsed
    assert {event for table in hooks for event in table} == set(launch.CODEX_EVENTS)
    keys = {f"/<session-flags>/config.toml:{launch.snake_case(e)}:0:0" for e in launch.CODEX_EVENTS}
    assert set(trust["state"]) == keys


def test_the_hash_is_the_one_that_codex_writes() -> None:
    """Recorded from Codex 0.169 after its user had trusted this hook."""
    hook = {
        "type": "command",
        "command": "/tmp/hkr-codex/report codex Stop 2>/dev/null; true",
        "timeout": 5,
    }
    expected = "e03f5b55524fd3032894ebb170cf15b53c0b16b9b44eb87b362ad30bb6d1b38a"
    assert launch.codex_hash("Stop", hook) == f"sha256:{expected}"


def test_plugins_of_opencode_are_added_to_the_others() -> None:
    env = {"OPENCODE_CONFIG_CONTENT": '{"plugin": ["mine"], "theme": "x"}'}
    _, new_env = launch.launch("opencode", ["opencode"], env, directory=PurePath("/d"))
    config = json.loads(new_env["OPENCODE_CONFIG_CONTENT"])
    assert config == {"plugin": ["mine", "file:///d/opencode.js"], "theme": "x"}


@pytest.mark.parametrize("shell", ["/bin/sh", "/bin/bash"])
def test_the_command_succeeds_silently_if_the_script_was_removed(
    shell: str, tmp_path: Path
) -> None:
    command = launch.command(tmp_path / "it's gone", "claude", "Stop")
    done = subprocess.run([shell, "-c", command], capture_output=True, timeout=30, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
