"""Run an attacker as another user of this machine.

Only root can start a process under another uid. Without root these tests are skipped; CI runs as
root and runs them all.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import pytest

NOBODY = 65534  # uid and gid of `nobody` and `nogroup` on Debian

needs_second_user = pytest.mark.skipif(
    os.geteuid() != 0, reason="needs root to start a process under another uid"
)


def as_nobody(arguments: Sequence[str]) -> list[str]:
    """The command line that runs `arguments` as `nobody`, without groups and capabilities."""
    return [
        "setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups",
        "--inh-caps=-all", "--bounding-set=-all", "--no-new-privs", *arguments,
    ]  # fmt: skip


def run_as_nobody(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run to the end. The working directory is / because `nobody` may not enter the checkout."""
    options = {"capture_output": True, "text": True, "timeout": 30, "cwd": "/", **options}
    return subprocess.run(as_nobody(arguments), check=False, **options)


def python_as_nobody(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python code with the system's interpreter, which every user can execute."""
    python = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else sys.executable
    return run_as_nobody(python, "-I", "-c", code, *arguments)
