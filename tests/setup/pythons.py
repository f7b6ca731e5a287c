"""The CPython interpreters of this machine that webtmux supports."""

import os
import re
import subprocess
import sys
import tomllib
from glob import glob
from pathlib import Path

from tests.setup.first_minute import ROOT, SYSTEM_PYTHON

_PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
OLDEST, TOO_NEW = (
    (3, int(minor)) for minor in re.findall(r"[<>]=?3\.(\d+)", _PROJECT["requires-python"])
)
# Beside PATH: where pyenv, uv and builds by hand put them.
PLACES = (
    "~/.pyenv/versions/*/bin",
    "~/.local/share/uv/python/*/bin",
    "/opt/python*/*/bin",
    "/usr/local/bin",
)
NAME = re.compile(r"python3\.\d+")
DESCRIBE = """
import os, sys
print(sys.implementation.name, *sys.version_info[:2], os.path.realpath(sys.executable), sep="|")
"""


def chosen(names: str) -> list[str]:
    """For the value of PYTHONS: the system's Python, `all`, or interpreters separated by blanks."""
    if names == "all":
        return every_python()
    return names.split() or [system_python()]


def system_python() -> str:
    """The one that comes with the system; where it is too old, the one that runs the tests."""
    return SYSTEM_PYTHON if _describe(SYSTEM_PYTHON) else sys.executable


def every_python() -> list[str]:
    """One path for each interpreter, oldest first."""
    directories = [Path(entry) for entry in os.environ.get("PATH", "").split(":") if entry]
    for place in PLACES:
        directories += map(Path, glob(os.path.expanduser(place)))
    candidates = [SYSTEM_PYTHON]
    for directory in directories:
        if directory.is_dir() and os.access(directory, os.R_OK):
            candidates += [str(path) for path in directory.iterdir() if NAME.fullmatch(path.name)]
    supported: dict[str, tuple[tuple[int, int], str]] = {}
    for candidate in candidates:
        if described := _describe(candidate):
            version, real = described
            # By its real path, because a candidate may be a script of pyenv.
            path = candidate if candidate == SYSTEM_PYTHON else real
            supported.setdefault(real, (version, path))
    return [path for _, path in sorted(supported.values())]


def _describe(python: str) -> tuple[tuple[int, int], str] | None:
    """Version and real path of a supported CPython; None for anything else."""
    try:
        done = subprocess.run(
            [python, "-I", "-c", DESCRIBE], capture_output=True, text=True, timeout=30, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    name, major, minor, real = done.stdout.strip().split("|", 3)
    version = int(major), int(minor)
    return (version, real) if name == "cpython" and OLDEST <= version < TOO_NEW else None
