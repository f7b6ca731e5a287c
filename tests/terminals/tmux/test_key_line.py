"""Splitting a line of keys and text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terminals.tmux.commands import is_key
from terminals.tmux.key_line import Part, split


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ("ls Enter", [b"ls", "Enter"]),
        ("ls -la  /tmp Enter", [b"ls -la  /tmp", "Enter"]),
        ("C-c C-d", ["C-c", "C-d"]),
        ("Escape :wq Enter", ["Escape", b":wq", "Enter"]),
        ("echo Space hi", [b"echo", "Space", b"hi"]),
        ('"echo Enter" Enter', [b"echo Enter", "Enter"]),
        ("'Enter'", [b"Enter"]),
        ('git commit -m "fix it" Enter', [b'git commit -m "fix it"', "Enter"]),
        ("it's Enter isn't", [b"it's", "Enter", b"isn't"]),
        ('say "no end Enter', [b'say "no end', "Enter"]),
        ("enter", [b"enter"]),
        ("echo; Enter", [b"echo;", "Enter"]),
        ("Straße Enter", ["Straße".encode(), "Enter"]),
        ("", []),
        ('""', []),
        ("  ", [b"  "]),
        ("two words ", [b"two words "]),
    ],
)
def test_keys_are_pressed_and_the_rest_is_typed(line: str, parts: list[Part]) -> None:
    assert split(line) == parts


@given(st.text())
def test_no_key_is_invented_and_a_line_without_keys_stays_unchanged(line: str) -> None:
    line = line.encode("utf-8", "ignore").decode()
    parts = split(line)
    assert all(is_key(part) for part in parts if isinstance(part, str))
    if len(line.split()) > 1 and not any(map(is_key, line.split())):
        assert parts == [line.encode()]
