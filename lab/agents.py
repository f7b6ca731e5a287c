"""The agents that the laboratory runs: how each is installed, configured and started.

Versions are pinned in package.json next to this file. They are installed into $WEBTMUX_LAB_DIR, or
lab/.agents. Each launch gets its own HOME, and no address except the model server's on loopback.
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
class Launch:
    """The directories and settings of one launch."""

    home: Path
    work: Path
    model: str  # address of the model server
    dialog: str = ""  # "trust" or "hooks": the dialog to show at the start

    @property
    def trusted(self) -> bool:
        return self.dialog != "trust"


@dataclass(frozen=True)
class AgentProgram:
    """An agent program. `configure` writes its files into the home and returns its environment."""

    name: str
    package: str
    binary: str
    configure: Callable[[Launch], dict[str, str]]
    dialogs: tuple[str, ...] = ()  # the dialogs that it can show at the start


def directory() -> Path:
    return Path(os.environ.get("WEBTMUX_LAB_DIR") or HERE / ".agents")


def install() -> None:
    """Installs the pinned versions into the directory, unless they are there."""
    target = directory()
    target.mkdir(parents=True, exist_ok=True)
    manifests = [HERE / "package.json", HERE / "package-lock.json"]
    stamp = target / "installed"
    content = "\n".join(path.read_text() for path in manifests)
    if stamp.exists() and stamp.read_text() == content:
        return
    for path in manifests:
        shutil.copy(path, target / path.name)
    # Not `npm ci`: it insists on opencode's packages for other systems, which a mirror may lack.
    subprocess.run(
        ["npm", "install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"],
        cwd=target,
        check=True,
        timeout=INSTALL_SECONDS,
    )
    stamp.write_text(content)


def version(kind: AgentProgram) -> str:
    manifest = directory() / "node_modules" / kind.package / "package.json"
    return str(json.loads(manifest.read_text())["version"])


def command(kind: AgentProgram, launch: Launch) -> tuple[list[str], dict[str, str]]:
    """The command line of a launch, and its complete environment."""
    for path in (launch.home, launch.work):
        path.mkdir(parents=True, exist_ok=True)
    real = directory() / "node_modules" / ".bin" / kind.binary
    # Like several agents, this has a launcher that keeps running. webtmux watches the launcher, so
    # the agent below it can be stopped unnoticed.
    binary = launch.home.parent / "bin" / kind.binary
    binary.parent.mkdir(exist_ok=True)
    binary.write_text(f'#!/bin/sh\n{shlex.quote(str(real))} "$@"\ntrue\n')
    binary.chmod(0o755)
    environment = {
        "HOME": str(launch.home),
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "SHELL": "/bin/bash",
        "NO_PROXY": "127.0.0.1",
        **kind.configure(launch),
    }
    return [str(binary)], environment


def _write(path: Path, value: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2))


def _claude(launch: Launch) -> dict[str, str]:
    project = {"hasTrustDialogAccepted": launch.trusted, "hasCompletedProjectOnboarding": True}
    _write(
        launch.home / ".claude.json",
        {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []},
            "projects": {str(launch.work): project},
        },
    )
    return {
        "ANTHROPIC_BASE_URL": launch.model,
        "ANTHROPIC_API_KEY": KEY,
        "DISABLE_AUTOUPDATER": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    }


def _codex(launch: Launch) -> dict[str, str]:
    policy = 'approval_policy = "on-request"\nsandbox_mode = "read-only"\n'
    config = f"""\
model = "lab"
model_provider = "lab"
check_for_update_on_startup = false
{policy if launch.trusted else ""}
[model_providers.lab]
name = "lab"
base_url = "{launch.model}/v1"
wire_api = "responses"
env_key = "LAB_KEY"
"""
    path = launch.home / ".codex" / "config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(config)
    if not launch.trusted:
        # It asks only about directories that are repositories.
        subprocess.run(["git", "init", "-q", str(launch.work)], check=True, timeout=30)
    if launch.dialog == "hooks":
        stop = {"hooks": [{"type": "command", "command": "true"}]}
        _write(launch.home / ".codex" / "hooks.json", {"hooks": {"Stop": [stop]}})
    return {"LAB_KEY": KEY}


def _opencode(launch: Launch) -> dict[str, str]:
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "lab",
        "options": {"baseURL": f"{launch.model}/v1", "apiKey": KEY},
        "models": {"lab": {"name": "lab"}, "lab-small": {"name": "lab-small"}},
    }
    _write(
        launch.home / ".config" / "opencode" / "opencode.json",
        {
            "provider": {"lab": provider},
            "model": "lab/lab",
            "small_model": "lab/lab-small",
            "permission": {"bash": "ask", "edit": "ask"},
            "autoupdate": False,
        },
    )
    return {"OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_AUTOUPDATE": "1"}


def _copilot(launch: Launch) -> dict[str, str]:
    if launch.trusted:
        _write(launch.home / ".copilot" / "config.json", {"trusted_folders": [str(launch.work)]})
    return {
        "COPILOT_PROVIDER_BASE_URL": f"{launch.model}/v1",
        "COPILOT_PROVIDER_TYPE": "openai",
        "COPILOT_PROVIDER_API_KEY": KEY,
        "COPILOT_MODEL": "lab",
        "COPILOT_OFFLINE": "true",
    }


def _gemini(launch: Launch) -> dict[str, str]:
    _write(
        launch.home / ".gemini" / "settings.json",
        {
            "security": {
                "auth": {"selectedType": "gemini-api-key"},
                "folderTrust": {"enabled": not launch.trusted},
            },
            "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
            "privacy": {"usageStatisticsEnabled": False},
            "model": {"name": "gemini-2.5-pro"},  # without it, it asks a model which one to use
        },
    )
    return {"GEMINI_API_KEY": KEY, "GOOGLE_GEMINI_BASE_URL": launch.model}


def _pi(launch: Launch) -> dict[str, str]:
    models = [{"id": "lab", "name": "lab"}, {"id": "lab-small", "name": "lab-small"}]
    provider = {
        "api": "openai-completions",
        "baseUrl": f"{launch.model}/v1",
        "apiKey": KEY,
        "models": models,
    }
    _write(launch.home / ".pi" / "agent" / "models.json", {"providers": {"lab": provider}})
    _write(
        launch.home / ".pi" / "agent" / "settings.json",
        {"defaultProvider": "lab", "defaultModel": "lab"},
    )
    return {"PI_OFFLINE": "1"}


KINDS = {
    kind.name: kind
    for kind in (
        AgentProgram("claude", "@anthropic-ai/claude-code", "claude", _claude, ("trust",)),
        AgentProgram("codex", "@openai/codex", "codex", _codex, ("trust", "hooks")),
        AgentProgram("opencode", "opencode-ai", "opencode", _opencode),
        AgentProgram("copilot", "@github/copilot", "copilot", _copilot, ("trust",)),
        AgentProgram("gemini", "@google/gemini-cli", "gemini", _gemini, ("trust",)),
        AgentProgram("pi", "@mariozechner/pi-coding-agent", "pi", _pi),
    )
}
