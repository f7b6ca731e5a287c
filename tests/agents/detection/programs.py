"""Real processes under the names of agents, to test detection with a real /proc.

Unlike the fake agents of tests/agents/fakes, these take no prompts.
"""

import shutil
import stat
import sys
from pathlib import Path

SLEEP = "/bin/sleep"
# Shows one screen after another: each line that it reads is the path of the next. A screen is
# printed at once, so that no capture shows half of it.
SHOW = """#!/bin/sh
stty -echo
while read -r screen; do printf '\\033[2J\\033[H%s' "$(cat "$screen")"; done
"""


def sleeper(directory: Path, name: str) -> Path:
    """A program of this name that only sleeps."""
    directory.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copy(SLEEP, directory / name))


def script(directory: Path, name: str, text: str) -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / name
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def screen_program(directory: Path, name: str) -> Path:
    return script(directory, name, SHOW)


def interpreter(directory: Path, name: str) -> Path:
    """Python under the name of another interpreter."""
    directory.mkdir(parents=True, exist_ok=True)
    path = directory / name
    path.symlink_to(sys.executable)
    return path
