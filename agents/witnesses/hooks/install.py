"""Which files change when hooks are installed for agents that are started by hand. Pure.

Existing settings are edited as text (jsonc.py), so that they keep their form. Where a runtime loads
all files of a directory, the hooks are a file of their own.
"""

import json
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.witnesses.hooks import jsonc, launch
from core.errors import Invalid, Refused

MARK = "webtmux"  # in every file that webtmux writes
_OURS = (
    "/webtmux/hooks/report"  # in every command that webtmux adds, also from another installation
)

Read = Callable[[Path], str | None]  # the text of a file, or None if there is none


@dataclass(frozen=True, slots=True)
class FileChange:
    path: Path
    before: str | None  # None: the file does not exist
    after: str | None


def changes(
    runtime: str, *, home: Path, directory: Path, install: bool, read: Read
) -> list[FileChange]:
    """What must be written; nothing if it is so already. `directory` contains the scripts."""
    wanted = _FILES[runtime](home, directory, install, read)
    return [
        FileChange(path, before, after)
        for path, after in wanted.items()
        if (before := read(path)) != after
    ]


# --- runtimes with settings in JSON -----------------------------------------------------------


def _is_ours(group: Any) -> bool:
    hooks = group.get("hooks") if isinstance(group, dict) else None
    return isinstance(hooks, list) and any(
        isinstance(hook, dict) and _OURS in str(hook.get("command")) for hook in hooks
    )


def _edit(path: Path, text: str | None, hooks: Mapping[str, Any], *, install: bool) -> str | None:
    """The text of a settings file with exactly these hooks of webtmux, or with none."""
    try:
        cleaned = jsonc.remove_items(text, "hooks", _is_ours) if text and text.strip() else text
        if not install:
            return cleaned
        edited = cleaned if cleaned and cleaned.strip() else "{}\n"
        for event, groups in hooks.items():
            for group in groups:
                edited = jsonc.append_item(edited, ("hooks", event), group)
    except Invalid as problem:
        raise Refused(
            f"{path} cannot be changed: {problem.message}. Correct it, and try again."
        ) from problem
    return edited


def _same_hooks(text: str | None, hooks: Mapping[str, Any]) -> bool:
    """Whether exactly these hooks of webtmux are there already, so that nothing must be moved."""
    if not text or not text.strip():
        return False
    try:
        settings = jsonc.parse(text).plain()
    except Invalid:
        return False
    present = settings.get("hooks") if isinstance(settings, dict) else None
    if not isinstance(present, dict):
        return False
    own_entries = {
        event: [group for group in groups if _is_ours(group)]
        for event, groups in present.items()
        if isinstance(groups, list)
    }
    return {event: groups for event, groups in own_entries.items() if groups} == dict(hooks)


def _settings(path: Path, hooks: Mapping[str, Any], install: bool, read: Read) -> str | None:
    text = read(path)
    if install and _same_hooks(text, hooks):
        return text
    return _edit(path, text, hooks, install=install)


def _claude(home: Path, directory: Path, install: bool, read: Read) -> dict[Path, str | None]:
    path = home / ".claude" / "settings.json"
    return {path: _settings(path, launch.claude_hooks(directory), install, read)}


def _gemini(home: Path, directory: Path, install: bool, read: Read) -> dict[Path, str | None]:
    path = home / ".gemini" / "settings.json"
    return {path: _settings(path, launch.gemini_hooks(directory), install, read)}


def _codex(home: Path, directory: Path, install: bool, read: Read) -> dict[Path, str | None]:
    """Hooks in hooks.json, and Codex's own record in config.toml that its user trusts them."""
    path, config = home / ".codex" / "hooks.json", home / ".codex" / "config.toml"
    hooks = launch.codex_hooks(directory)
    text = _settings(path, hooks, install, read)
    return {path: text, config: _trust(path, config, text, hooks, install, read)}


def _trust(
    path: Path, config: Path, text: str | None, hooks: Mapping[str, Any], install: bool, read: Read
) -> str | None:
    present = read(config)
    tables = dict(_tables(path, read(path) or "", hooks))
    wanted = dict(_tables(path, text or "", hooks)) if install else {}
    edited = present or ""
    for key, table in tables.items():
        if key not in wanted or wanted[key] != table:
            edited = edited.replace(f"\n{table}", "", 1)
    for table in wanted.values():
        if table not in edited:
            edited += ("" if not edited or edited.endswith("\n") else "\n") + f"\n{table}"
    if edited == (present or ""):
        return present
    try:
        tomllib.loads(edited)
    except tomllib.TOMLDecodeError as error:
        raise Refused(f"{config} cannot be changed: {error}. Correct it, and try again.") from error
    return edited


def _tables(path: Path, text: str, hooks: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The tables of config.toml that trust our hooks, where they stand in hooks.json now."""
    settings = jsonc.parse(text).plain() if text.strip() else {}
    tables: list[tuple[str, str]] = []
    for event in hooks:
        groups = settings.get("hooks", {}).get(event, [])
        for index, group in enumerate(groups):
            if not _is_ours(group):
                continue
            key = f"{path}:{launch.snake_case(event)}:{index}:0"
            digest = launch.codex_hash(event, group["hooks"][0])
            table = f'[hooks.state.{json.dumps(key)}]\ntrusted_hash = "{digest}"\n'
            tables.append((key, table))
    return tables


# --- runtimes that load files of a directory --------------------------------------------------


def _own_file(path: Path, content: str, install: bool, read: Read) -> dict[Path, str | None]:
    present = read(path)
    if present is not None and MARK not in present:
        raise Refused(f"{path} is not ours: rename it, and try again.")
    return {path: content if install else None}


def _copilot(home: Path, directory: Path, install: bool, read: Read) -> dict[Path, str | None]:
    content = json.dumps(launch.copilot_plugin(directory)["hooks/hooks.json"], indent=2) + "\n"
    return _own_file(home / ".copilot" / "hooks" / "webtmux.json", content, install, read)


_OPENCODE = """\
// Reports events to webtmux. Written by `manage.py hooks install`; `hooks uninstall` removes it.
export const WebtmuxPlugin = async (input) => {
	try {
		return await (await import(%s)).WebtmuxPlugin(input);
	} catch {
		return {}; // webtmux was removed
	}
};
"""

_PI = """\
// Reports events to webtmux. Written by `manage.py hooks install`; `hooks uninstall` removes it.
export default async function webtmux(pi) {
	try {
		(await import(%s)).default(pi);
	} catch {
		// webtmux was removed.
	}
}
"""


def _opencode(home: Path, directory: Path, install: bool, read: Read) -> dict[Path, str | None]:
    path = home / ".config" / "opencode" / "plugin" / "webtmux.js"
    content = _OPENCODE % json.dumps(str(directory / "opencode.js"))
    return _own_file(path, content, install, read)


def _pi(home: Path, directory: Path, install: bool, read: Read) -> dict[Path, str | None]:
    path = home / ".pi" / "agent" / "extensions" / "webtmux.js"
    content = _PI % json.dumps(str(directory / "pi.mjs"))
    return _own_file(path, content, install, read)


_FILES: Mapping[str, Callable[[Path, Path, bool, Read], dict[Path, str | None]]] = {
    "claude": _claude,
    "codex": _codex,
    "copilot": _copilot,
    "gemini": _gemini,
    "opencode": _opencode,
    "pi": _pi,
}
RUNTIMES = tuple(_FILES)
SETTINGS_FOLDERS: Mapping[str, str] = {
    "claude": ".claude",
    "codex": ".codex",
    "copilot": ".copilot",
    "gemini": ".gemini",
    "opencode": ".config/opencode",
    "pi": ".pi",
}
