"""Adds hooks to the command line and environment of one launch of an agent. Pure.

Nothing of the user's configuration is touched. Measured with the versions in lab/package.json.
"""

import hashlib
import json
import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePath

# The events that are reported, by the runtime's own names. Others (each streamed message, each
# change of a file) say nothing about the state of an agent.
CLAUDE_EVENTS = (
    "SessionStart",
    "SessionEnd",
    "UserPromptSubmit",
    "PreToolUse",
    "PermissionRequest",
    "PostToolUse",
    "PostToolUseFailure",
    "Stop",
    "StopFailure",
)
CODEX_EVENTS = (
    "SessionStart",
    "SessionEnd",
    "UserPromptSubmit",
    "PreToolUse",
    "PermissionRequest",
    "PostToolUse",
    "Stop",
)
GEMINI_EVENTS = (
    "SessionStart",
    "SessionEnd",
    "BeforeAgent",
    "AfterAgent",
    "BeforeTool",
    "AfterTool",
    "Notification",
)
COPILOT_EVENTS = (
    "sessionStart",
    "sessionEnd",
    "userPromptSubmitted",
    "preToolUse",
    "permissionRequest",
    "postToolUse",
    "agentStop",
    "errorOccurred",
)
CODEX_FLAGS = "/<session-flags>/config.toml"  # Codex's name for options on the command line
TIMEOUT_SECONDS = 3  # the script ends by itself long before; Codex allows SessionEnd no more

Launch = tuple[list[str], dict[str, str]]


def command(directory: PurePath, runtime: str, event: str) -> str:
    """The shell command of a hook. It succeeds in any shell, even if the script was removed."""
    script = shlex.quote(str(directory / "report"))
    return f"{script} {runtime} {event} 2>/dev/null; true"


def claude_hooks(directory: PurePath) -> dict[str, object]:
    return {
        event: [{"hooks": [_command_hook(directory, "claude", event)]}] for event in CLAUDE_EVENTS
    }


def _command_hook(directory: PurePath, runtime: str, event: str) -> dict[str, object]:
    return {
        "type": "command",
        "command": command(directory, runtime, event),
        "timeout": TIMEOUT_SECONDS,
    }


def _claude(directory: PurePath, argv: list[str], env: dict[str, str]) -> Launch:
    settings = json.dumps({"hooks": claude_hooks(directory)})
    return [argv[0], "--settings", settings, *argv[1:]], env


def codex_hash(event: str, hook: Mapping[str, object]) -> str:
    """What Codex stores of a hook that its user trusts: a hash of its normalised form (0.169)."""
    identity = {"event_name": snake_case(event), "hooks": [{"async": False, **hook}]}
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"


def snake_case(event: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", event).lower()


def codex_hooks(directory: PurePath) -> dict[str, object]:
    return {
        event: [{"hooks": [_command_hook(directory, "codex", event)]}] for event in CODEX_EVENTS
    }


def _codex(directory: PurePath, argv: list[str], env: dict[str, str]) -> Launch:
    """The trust of these hooks is passed too, so that no dialog appears and no other is trusted."""
    options: list[str] = []
    trusted: list[str] = []
    for event in CODEX_EVENTS:
        hook = _command_hook(directory, "codex", event)
        options += ["-c", f"hooks.{event}=[{{hooks=[{_toml(hook)}]}}]"]
        key = json.dumps(f"{CODEX_FLAGS}:{snake_case(event)}:0:0")
        trusted.append(f"{key}={{trusted_hash={json.dumps(codex_hash(event, hook))}}}")
    return [argv[0], *options, "-c", f"hooks.state={{{','.join(trusted)}}}", *argv[1:]], env


def _toml(table: Mapping[str, object]) -> str:
    """An inline table of texts and numbers; JSON's form of these is also TOML's."""
    items = (f"{key}={json.dumps(value, ensure_ascii=False)}" for key, value in table.items())
    return f"{{{','.join(items)}}}"


def gemini_hooks(directory: PurePath) -> dict[str, object]:
    """Only for its settings: 0.61 has no way to add hooks to one launch.

    It reads the file in GEMINI_CLI_SYSTEM_SETTINGS_PATH only if root owns it.
    """
    return {
        event: [
            {
                "matcher": "*",
                "hooks": [
                    {
                        **_command_hook(directory, "gemini", event),
                        "name": f"webtmux-{event}",
                        "timeout": TIMEOUT_SECONDS * 1000,
                    }
                ],
            }
        ]
        for event in GEMINI_EVENTS
    }


def copilot_plugin(directory: PurePath) -> dict[str, dict[str, object]]:
    """The files of a plugin directory for Copilot."""
    hooks = {
        event: [
            {
                "type": "command",
                "bash": command(directory, "copilot", event),
                "timeoutSec": TIMEOUT_SECONDS,
            }
        ]
        for event in COPILOT_EVENTS
    }
    manifest: dict[str, object] = {
        "name": "webtmux",
        "version": "1.0.0",
        "description": "Reports events to webtmux",
    }
    return {"plugin.json": manifest, "hooks/hooks.json": {"version": 1, "hooks": hooks}}


def _copilot(directory: PurePath, argv: list[str], env: dict[str, str]) -> Launch:
    return [argv[0], "--plugin-dir", str(directory / "copilot"), *argv[1:]], env


def _opencode(directory: PurePath, argv: list[str], env: dict[str, str]) -> Launch:
    plugin = f"file://{directory / 'opencode.js'}"
    config = json.loads(env.get("OPENCODE_CONFIG_CONTENT") or "{}")
    config["plugin"] = [*config.get("plugin", ()), plugin]
    return argv, {**env, "OPENCODE_CONFIG_CONTENT": json.dumps(config)}


def _pi(directory: PurePath, argv: list[str], env: dict[str, str]) -> Launch:
    return [argv[0], "-e", str(directory / "pi.mjs"), *argv[1:]], env


_LAUNCHES: Mapping[str, Callable[[PurePath, list[str], dict[str, str]], Launch]] = {
    "claude": _claude,
    "codex": _codex,
    "copilot": _copilot,
    "opencode": _opencode,
    "pi": _pi,
}


def launch(
    runtime: str, argv: Sequence[str], env: Mapping[str, str], *, directory: PurePath
) -> Launch:
    add = _LAUNCHES.get(runtime)
    return add(directory, list(argv), dict(env)) if add else (list(argv), dict(env))
