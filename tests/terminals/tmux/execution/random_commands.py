"""Random shell commands, and what subprocess says they print: an oracle for bounded execution."""

import random
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.waiting import LONGEST_SECONDS

# How each is started without the configuration files of the user.
SHELLS = {
    "bash": "bash --norc --noprofile",
    "zsh": "zsh -f",
    "fish": "fish --no-config",
    "dash": "dash",
    "sh": "sh",
    "ksh": "ksh",
}


@dataclass(frozen=True, slots=True)
class Case:
    command: str
    whole: bool = True  # compare the output; a syntax error's words differ by file name


def _words(chance: random.Random) -> str:
    alphabet = "abc äß漢 ;|&<>*?~!#%^()[]{}=+,./:-_@0123456789"
    return "".join(chance.choice(alphabet) for _ in range(chance.randrange(1, 60)))


def _quoted(chance: random.Random) -> Case:
    return Case(f"printf '%s\\n' '{_words(chance)}' \"x  y\"")


def _lines(chance: random.Random) -> Case:
    return Case(f"seq {chance.choice([1, 7, 300, 3000, 20000])}")


def _no_newline(chance: random.Random) -> Case:
    return Case(f"printf 'no newline {chance.randrange(100)}'")


def _code(chance: random.Random) -> Case:
    return Case(f"sh -c 'echo out; exit {chance.randrange(256)}'")


def _both_streams(chance: random.Random) -> Case:
    return Case("echo to stderr >&2; echo to stdout")


def _long(chance: random.Random) -> Case:
    return Case("echo " + "x" * chance.randrange(5000, 30000))


def _colour(chance: random.Random) -> Case:
    return Case(
        "printf '\\033[31mred\\033[0m\\007\\033]0;title\\007 \\033[?1049h\\033[?1049l done\\n'"
    )


def _fake_marker(chance: random.Random) -> Case:
    return Case("printf '\\033]7717;E;%s;0\\007' 0123456789ab; echo '7717;E'")


def _carriage(chance: random.Random) -> Case:
    return Case("printf 'a\\rb\\n'; printf '\\t|\\n'")


def _several_lines(chance: random.Random) -> Case:
    return Case("echo one\n\n  echo two\n# a comment\necho three")


def _status(chance: random.Random) -> Case:
    return Case(
        chance.choice(["true", "false", "sh -c 'exit 7'", "ls /does/not/exist 2>/dev/null"])
    )


def _pipe(chance: random.Random) -> Case:
    return Case("seq 50 | sort -r | head -n 3")


def _heredoc(chance: random.Random) -> Case:
    return Case(f"cat <<'EOF'\n{_words(chance)}\n  $HOME `x` \\\\\nEOF\necho after")


def _loop(chance: random.Random) -> Case:
    return Case('for i in 1 2 3; do echo "n $i"; done')


def _function(chance: random.Random) -> Case:
    return Case('f() { echo "in $1"; return 4; }; f x')


def _variable(chance: random.Random) -> Case:
    return Case(f'X=\'{chance.randrange(1000)} "q"\'; echo "$X"; echo $((6 * 7))')


EVERYWHERE: list[Callable[[random.Random], Case]] = [
    _quoted, _lines, _no_newline, _code, _both_streams, _long, _colour, _fake_marker, _carriage,
    _several_lines, _status, _pipe,
]  # fmt: skip
POSIX: list[Callable[[random.Random], Case]] = [_heredoc, _loop, _function, _variable]


def random_cases(shell: str, count: int, seed: int) -> Iterator[Case]:
    chance = random.Random(seed)
    kinds = EVERYWHERE if shell.startswith("fish") else [*EVERYWHERE, *POSIX]
    for _ in range(count):
        yield chance.choice(kinds)(chance)


def expected(shell: str, case: Case, cwd: Path) -> tuple[bytes, int]:
    """The same command in a pipe: what it wrote on both streams, and its code."""
    # fish creates directories in its HOME and prints warnings where it cannot.
    with TemporaryDirectory() as home:
        done = subprocess.run(
            [shell.split()[0], "-c", case.command],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            cwd=cwd, check=False, timeout=LONGEST_SECONDS,
            env={"PATH": "/usr/bin:/bin", "HOME": home, "LANG": "C.UTF-8"},
        )  # fmt: skip
    return done.stdout, done.returncode
