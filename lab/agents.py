"""The agents that the laboratory runs: how each is installed, configured and started.

Versions are pinned in package.json beside this file. They are installed into a directory of their
own ($WEBTMUX_LAB_DIR, else lab/.agents), each launch gets a HOME of its own, and the only address
that an agent is given is the model server's on loopback.
"""

import json
import os
import shlex
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
KEY = "sk-lab-0123456789abcdefghijklmnopqrstuvwxyz"  # made up; the model server accepts any
INSTALL_SECONDS = 900


@dataclass(frozen=True)
class Place:
    """Where one launch lives."""

    home: Path
    work: Path
    model: str  # address of the model server
    asks: str = ""  # "trust" or "hooks": what the agent is to ask at its start

    @property
    def trusted(self) -> bool:
        return self.asks != "trust"


@dataclass(frozen=True)
class Kind:
    """One agent program. `configure` writes its files into the home and returns its environment."""

    name: str
    package: str
    binary: str
    configure: Callable[[Place], dict[str, str]]
    asks: tuple[str, ...] = ()  # the dialogs that it can show at its start


def directory() -> Path:
    return Path(os.environ.get("WEBTMUX_LAB_DIR") or HERE / ".agents")


def install() -> None:
    """Bring the pinned versions into the directory; nothing happens where they are there."""
    target = directory()
    target.mkdir(parents=True, exist_ok=True)
    wanted = [HERE / "package.json", HERE / "package-lock.json"]
    stamp = target / "installed"
    content = "\n".join(path.read_text() for path in wanted)
    if stamp.exists() and stamp.read_text() == content:
        return
    for path in wanted:
        shutil.copy(path, target / path.name)
    # Not `npm ci`: it insists on opencode's packages for other systems, which a mirror may lack.
    subprocess.run(
        ["npm", "install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"],
        cwd=target,
        check=True,
        timeout=INSTALL_SECONDS,
    )
    stamp.write_text(content)


def version(kind: Kind) -> str:
    manifest = directory() / "node_modules" / kind.package / "package.json"
    return str(json.loads(manifest.read_text())["version"])


def command(kind: Kind, place: Place) -> tuple[list[str], dict[str, str]]:
    """The command line of a launch, and its whole environment."""
    for path in (place.home, place.work):
        path.mkdir(parents=True, exist_ok=True)
    real = directory() / "node_modules" / ".bin" / kind.binary
    # A launcher that stays, as several agents have one: webtmux looks at the launcher, so the
    # agent below it can be stopped without being seen to be stopped.
    binary = place.home.parent / "bin" / kind.binary
    binary.parent.mkdir(exist_ok=True)
    binary.write_text(f'#!/bin/sh\n{shlex.quote(str(real))} "$@"\ntrue\n')
    binary.chmod(0o755)
    environment = {
        "HOME": str(place.home),
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "SHELL": "/bin/bash",
        "NO_PROXY": "127.0.0.1",
        **kind.configure(place),
    }
    return [str(binary)], environment


def _write(path: Path, value: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2))


def _claude(place: Place) -> dict[str, str]:
    project = {"hasTrustDialogAccepted": place.trusted, "hasCompletedProjectOnboarding": True}
    _write(
        place.home / ".claude.json",
        {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []},
            "projects": {str(place.work): project},
        },
    )
    return {
        "ANTHROPIC_BASE_URL": place.model,
        "ANTHROPIC_API_KEY": KEY,
        "DISABLE_AUTOUPDATER": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    }


def _codex(place: Place) -> dict[str, str]:
    policy = 'approval_policy = "on-request"\nsandbox_mode = "read-only"\n'
    config = f"""\
model = "lab"
model_provider = "lab"
check_for_update_on_startup = false
{policy if place.trusted else ""}
[model_providers.lab]
name = "lab"
base_url = "{place.model}/v1"
wire_api = "responses"
env_key = "LAB_KEY"
"""
    path = place.home / ".codex" / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(config)
    if not place.trusted:
        # It asks only about a directory that is a repository.
        subprocess.run(["git", "init", "-q", str(place.work)], check=True, timeout=30)
    if place.asks == "hooks":
        stop = {"hooks": [{"type": "command", "command": "true"}]}
        _write(place.home / ".codex" / "hooks.json", {"hooks": {"Stop": [stop]}})
    return {"LAB_KEY": KEY}


def _opencode(place: Place) -> dict[str, str]:
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "lab",
        "options": {"baseURL": f"{place.model}/v1", "apiKey": KEY},
        "models": {"lab": {"name": "lab"}, "lab-small": {"name": "lab-small"}},
    }
    _write(
        place.home / ".config" / "opencode" / "opencode.json",
        {
            "provider": {"lab": provider},
            "model": "lab/lab",
            "small_model": "lab/lab-small",
            "permission": {"bash": "ask", "edit": "ask"},
            "autoupdate": False,
        },
    )
    return {"OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_AUTOUPDATE": "1"}


def _copilot(place: Place) -> dict[str, str]:
    if place.trusted:
        _write(place.home / ".copilot" / "config.json", {"trusted_folders": [str(place.work)]})
    return {
        "COPILOT_PROVIDER_BASE_URL": f"{place.model}/v1",
        "COPILOT_PROVIDER_TYPE": "openai",
        "COPILOT_PROVIDER_API_KEY": KEY,
        "COPILOT_MODEL": "lab",
        "COPILOT_OFFLINE": "true",
    }


def _gemini(place: Place) -> dict[str, str]:
    _write(
        place.home / ".gemini" / "settings.json",
        {
            "security": {
                "auth": {"selectedType": "gemini-api-key"},
                "folderTrust": {"enabled": not place.trusted},
            },
            "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
            "privacy": {"usageStatisticsEnabled": False},
            "model": {"name": "gemini-2.5-pro"},  # without one it asks a model which to take
        },
    )
    return {"GEMINI_API_KEY": KEY, "GOOGLE_GEMINI_BASE_URL": place.model}


def _pi(place: Place) -> dict[str, str]:
    models = [{"id": "lab", "name": "lab"}, {"id": "lab-small", "name": "lab-small"}]
    provider = {
        "api": "openai-completions",
        "baseUrl": f"{place.model}/v1",
        "apiKey": KEY,
        "models": models,
    }
    _write(place.home / ".pi" / "agent" / "models.json", {"providers": {"lab": provider}})
    _write(
        place.home / ".pi" / "agent" / "settings.json",
        {"defaultProvider": "lab", "defaultModel": "lab"},
    )
    return {"PI_OFFLINE": "1"}


KINDS = {
    kind.name: kind
    for kind in (
        Kind("claude", "@anthropic-ai/claude-code", "claude", _claude, ("trust",)),
        Kind("codex", "@openai/codex", "codex", _codex, ("trust", "hooks")),
        Kind("opencode", "opencode-ai", "opencode", _opencode),
        Kind("copilot", "@github/copilot", "copilot", _copilot, ("trust",)),
        Kind("gemini", "@google/gemini-cli", "gemini", _gemini, ("trust",)),
        Kind("pi", "@mariozechner/pi-coding-agent", "pi", _pi),
    )
}
