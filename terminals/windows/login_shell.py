"""How a command is run through the user's login shell. Pure.

A login shell reads ~/.profile, ~/.zprofile and the like. Many tools (nvm, pyenv) put their lines
into ~/.bashrc or ~/.zshrc, which only interactive shells read, so those shells are interactive too.
"""

from collections.abc import Sequence
from pathlib import PurePath

# By the name of the shell. `-i` is left out where it adds nothing.
FLAGS = {
    "bash": ("-l", "-i"),
    "zsh": ("-l", "-i"),
    "fish": ("-l", "-i"),
    "ksh": ("-l", "-i"),
    "mksh": ("-l", "-i"),
    "sh": ("-l",),
    "dash": ("-l",),
    "ash": ("-l",),
}
OTHERWISE = "/bin/sh"  # for shells that take no `-l` with `-c`, such as tcsh and nu


def run_line(shell: str, command: str) -> list[str]:
    """The argument list that runs a command line, in the language of that shell."""
    program, flags = _program(shell)
    return [program, *flags, "-c", command]


def run_argv(shell: str, argv: Sequence[str]) -> list[str]:
    """The argument list that replaces the shell with a program. No argument is parsed again."""
    program, flags = _program(shell)
    script = "exec $argv" if _name(program) == "fish" else 'exec "$@"'
    # The first argument after the script is $0, except in fish.
    zero = [] if _name(program) == "fish" else [_name(program)]
    return [program, *flags, "-c", script, *zero, *argv]


def _program(shell: str) -> tuple[str, tuple[str, ...]]:
    program = shell if _name(shell) in FLAGS else OTHERWISE
    return program, FLAGS[_name(program)]


def _name(shell: str) -> str:
    return PurePath(shell).name
