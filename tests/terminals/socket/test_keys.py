"""Keyboard bytes become tmux keys: by the table, and through a real tmux to the same bytes."""

import asyncio
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terminals.socket import keys
from terminals.socket.keys import Part, split
from terminals.tmux.driver import Tmux
from terminals.tmux.foreground import edits_a_line
from tests.conftest import RunTmux
from tests.waiting import eventually

TABLE = {
    "BTab": [b"\x1b[Z"],
    "Up": [b"\x1b[A", b"\x1bOA"],
    "Down": [b"\x1b[B", b"\x1bOB"],
    "Right": [b"\x1b[C", b"\x1bOC"],
    "Left": [b"\x1b[D", b"\x1bOD"],
    "Home": [b"\x1b[H", b"\x1bOH", b"\x1b[1~", b"\x1b[7~"],
    "End": [b"\x1b[F", b"\x1bOF", b"\x1b[4~", b"\x1b[8~"],
    "F1": [b"\x1bOP"], "F2": [b"\x1bOQ"], "F3": [b"\x1bOR"], "F4": [b"\x1bOS"],
    "F5": [b"\x1b[15~"], "F6": [b"\x1b[17~"], "F7": [b"\x1b[18~"], "F8": [b"\x1b[19~"],
    "F9": [b"\x1b[20~"], "F10": [b"\x1b[21~"], "F11": [b"\x1b[23~"], "F12": [b"\x1b[24~"],
    "PPage": [b"\x1b[5~"], "NPage": [b"\x1b[6~"], "IC": [b"\x1b[2~"], "DC": [b"\x1b[3~"],
    "Escape": [b"\x1b"], "BSpace": [b"\x7f"],
}  # fmt: skip
MODIFIERS = {2: "S-", 3: "M-", 4: "M-S-", 5: "C-", 6: "C-S-", 7: "C-M-", 8: "C-M-S-", 9: "M-"}
MODIFIED = [
    *(b"\x1b[1;%d" % modifier + letter for modifier in range(2, 9) for letter in keys.LETTERS),
    *(
        b"\x1b[%s;%d~" % (number, modifier)
        for modifier in range(2, 9)
        for number in keys.NUMBERS
        if number not in {b"1", b"4", b"7", b"8"}  # tmux encodes Home and End with letters
    ),
]


@pytest.mark.parametrize(
    ("sequence", "key"), [(each, key) for key, many in TABLE.items() for each in many]
)
def test_each_sequence_of_the_table_becomes_its_key(sequence: bytes, key: str) -> None:
    assert split(sequence) == [key]


@pytest.mark.parametrize(("number", "prefix"), MODIFIERS.items())
def test_modifiers_are_decoded_from_their_number(number: int, prefix: str) -> None:
    assert split(b"\x1b[1;%dA" % number) == [prefix + "Up"]
    assert split(b"\x1b[1;%dP" % number) == [prefix + "F1"]
    assert split(b"\x1b[3;%d~" % number) == [prefix + "DC"]
    assert split(b"\x1b[24;%d~" % number) == [prefix + "F12"]


@pytest.mark.parametrize(
    ("data", "parts"),
    [
        (b"", []),
        (b"ls -l\r", [b"ls -l\r"]),
        ("grüß 😀".encode(), ["grüß 😀".encode()]),
        (b"ab\x1b[A\x1b[Bcd", [b"ab", "Up", "Down", b"cd"]),
        (b"\x7f\x7fx", ["BSpace", "BSpace", b"x"]),
        (b"\x1b\x1b[A", ["Escape", "Up"]),
        (b"\x1b\x1b", ["Escape", "Escape"]),
        (b"x\x1b", [b"x", "Escape"]),
        (b"\x1bx", [b"\x1bx"]),  # Alt+x: not an Escape and an x
        (b"\x1b\r", [b"\x1b\r"]),
        (b"\x1b[I\x1b[<0;3;4M", [b"\x1b[I\x1b[<0;3;4M"]),  # focus, mouse
        (b"\x1b[97;5u", [b"\x1b[97;5u"]),
        (b"\x1b[9~\x1b[1;17A", [b"\x1b[9~\x1b[1;17A"]),
        (b"\x1b[A" * 3, ["Up"] * 3),
    ],
)
def test_keys_and_text_keep_their_order(data: bytes, parts: list[Part]) -> None:
    assert split(data) == parts


@pytest.mark.parametrize(
    ("data", "batches"),
    [
        (b"", []),
        (b"a", [b"a"]),
        (b"ab\x1b[A\x1b[Bcd\x7f", [b"ab", ("Up", "Down"), b"cd", ("BSpace",)]),
        (b"\x7f" * 130, [("BSpace",) * 64, ("BSpace",) * 64, ("BSpace",) * 2]),
    ],
)
def test_successive_keys_are_sent_in_one_command(data: bytes, batches: list[keys.Batch]) -> None:
    assert list(keys.batches(data)) == batches


def test_nothing_in_a_paste_is_a_key() -> None:
    paste = b"\x1b[200~a\x7f\x1b[Ab\x1b[201~"
    assert split(paste) == [paste]
    assert split(b"x" + paste + b"\x1b[B") == [b"x" + paste, "Down"]
    assert split(b"\x1b[200~not yet over \x1b[A") == [b"\x1b[200~not yet over \x1b[A"]
    long = b"\x1b[A" * keys.TYPED_LIMIT
    assert split(long) == [long]


@given(st.lists(st.sampled_from([b"\x1b", b"[", b"1", b";", b"5", b"A", b"~", b"\x7f", b"x"])))
def test_no_byte_is_lost_and_bytes_are_joined(pieces: list[bytes]) -> None:
    data = b"".join(pieces)
    parts = split(data)
    assert all(parts)
    for before, after in pairwise(parts):
        assert not (isinstance(before, bytes) and isinstance(after, bytes))
    rest = data
    for part in parts:
        if isinstance(part, bytes):
            assert part in rest
            rest = rest[rest.index(part) + len(part) :]


async def typed(tmux: Tmux, run_tmux: RunTmux, log: Path, data: bytes, wanted: int) -> bytes:
    """The bytes that a program in a pane reads after `data` was typed."""
    command = f"stty raw -echo; exec dd bs=1 of={log} status=none"
    pane = run_tmux("new-window", "-dP", "-F", "#{pane_id}", "-t", "work:", command)
    row = await tmux.pane(pane)
    await eventually(lambda: asyncio.to_thread(edits_a_line, row.tty))
    for part in split(data):
        if isinstance(part, bytes):
            await tmux.type(pane, part)
        else:
            await tmux.press(pane, part)

    async def all_there() -> bool:
        return log.exists() and len(log.read_bytes()) >= wanted

    await eventually(all_there)
    return log.read_bytes()


async def test_keys_with_modifiers_arrive_as_the_same_bytes(
    tmux: Tmux, run_tmux: RunTmux, tmp_path: Path
) -> None:
    data = b"|".join(MODIFIED)
    assert await typed(tmux, run_tmux, tmp_path / "keys", data, len(data)) == data


async def test_every_byte_arrives_unchanged(tmux: Tmux, run_tmux: RunTmux, tmp_path: Path) -> None:
    data = bytes(range(256)) + "grüß 😀;".encode() + b"-t #(x) \\; 'a' \"b\" \x1bx ;"
    assert await typed(tmux, run_tmux, tmp_path / "bytes", data, len(data)) == data
