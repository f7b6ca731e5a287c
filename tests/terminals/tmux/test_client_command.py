"""The command with which a shell reaches the tmux that this server uses."""

import os
from pathlib import Path

import pytest

from terminals.tmux.sockets import client_command

OWN = Path(f"/tmp/tmux-{os.getuid()}")


@pytest.mark.parametrize(
    ("path", "command"),
    [
        (OWN.resolve() / "default", "tmux"),
        (OWN.resolve() / "work", "tmux -L work"),
        (OWN.resolve() / "my work", "tmux -L 'my work'"),
        (Path("/run/user/1000/s"), "tmux -S /run/user/1000/s"),
        (Path("/home/a b/s"), "tmux -S '/home/a b/s'"),
    ],
)
def test_a_shell_is_told_the_socket(path: Path, command: str) -> None:
    assert client_command(path) == command
