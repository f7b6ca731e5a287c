"""Bracketed paste read from output: never on where tmux does not agree."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terminals.tmux.driver import Tmux
from terminals.tmux.paste_mode import PasteMode
from tests.waiting import eventually

ON, OFF = b"\x1b[?2004h", b"\x1b[?2004l"


def mode_after(*parts: bytes) -> bool | None:
    mode = PasteMode()
    for part in parts:
        mode.feed(part)
    return mode.on


def test_the_mode_is_unknown_without_output() -> None:
    assert mode_after() is None
    assert mode_after(b"plain \x1b[31mred\x1b[0m \x1b[?25h") is None


def test_the_last_mode_switch_counts() -> None:
    assert mode_after(ON) is True
    assert mode_after(ON, b"$ ls", OFF) is False
    assert mode_after(OFF + ON) is True
    assert mode_after(b"\x1b[?1;2004;25h") is True


def test_a_gap_makes_the_mode_unknown() -> None:
    mode = PasteMode()
    mode.feed(ON)
    mode.forget()
    assert mode.on is None


# What a program could print to make us and tmux disagree. tmux decides below.
TRICKS = [
    OFF,
    b"\x1b[?02004l",
    b"\x1b[?2\x000\x0004l",
    b"\x1b[?20\x7f04l",
    b"\x1b[?20\r\n04l",
    b"\x1b[?1;2004;25l",
    b"\x1b\x1b[?2004l",
    b"\x1b]0;title\x1b[?2004l",
    b"\x1bPq\x1b\\\x1b[?2004l",
    b"\xe2\x1b[?2004l",
    b"\x1bc",
    b"\x1b[?" + b"\0" * 300 + b"2004l",
    b"\x1b[?" + b"0;" * 10 + b"2004l",
    b"\x1b[31\x18\x1b[?2004l",
    # These leave it on, or switch it on only for one of the two.
    b"\x1b[?2004\x18l",
    b"\x1b[2004l",
    b"\x1b[?12004l",
    b"\x1bPtmux;\x1b\x1b[?2004l\x1b\\",
    b"\x1b]0;\x1b[?2004h\x07",
    OFF + b"\x1bPtmux;\x1b[?2004h",
    OFF + b"\x1bPtmux;\x1b\x1b[?2004h\x1b\\",
    OFF + b"\x1bP\x1b[?2004h\x1b\\",
    OFF + b"\x1b_\x1b[?2004h\x1b\\",
    OFF + b"\x1bk\x1b[?2004h\x1b\\",
    OFF + b"\x1b^\x1b[?2004h\x1b\\",
    OFF + b"\xe2\x82\x1b[?2004h",
    OFF + b"\x1b[?2004:1h",
    OFF + b"\x1b[?2004$h",
    OFF + b"\x1b[>2004h",
    OFF + b"\x1b[?" + b"1;" * 40 + b"2004h",
    OFF + b"\x1b[?" + b"0" * 80 + b"2004h",
    OFF + b"\x1b#8\x1b[?2004h\x1b[!p",
]


@pytest.mark.parametrize("trick", TRICKS)
@pytest.mark.parametrize("torn", [False, True])
async def test_the_mode_is_on_only_if_tmux_agrees(
    tmux: Tmux, tmp_path: Path, trick: bytes, torn: bool
) -> None:
    """The truth is what `paste-buffer -p` does: with brackets or without."""
    data = ON + trick + b"\x1b\\\x18"
    (tmp_path / "printed").write_bytes(data)
    script = "stty raw -echo; cat printed; echo settled; head -c1 >got; exec sleep 100"
    session = await tmux.new_session("judge", command=script, cwd=str(tmp_path))

    async def settled() -> bool:
        return b"settled" in await tmux.capture(session.pane_id)

    async def read() -> bytes:
        return (tmp_path / "got").read_bytes()

    await eventually(settled)
    await tmux.paste(session.pane_id, "z", submit=True)
    bracketed = await eventually(read) == b"\x1b"
    pieces = [data[index : index + 1] for index in range(len(data))] if torn else [data]
    believed = mode_after(*pieces)
    assert bracketed or believed is not True
    if trick == OFF:
        assert (believed, bracketed) == (False, False)


@given(st.lists(st.sampled_from([ON, OFF, b"x", b"\x1b", b"[", b"?2004", b"h", b"l", b"\0"])))
def test_the_position_of_cuts_in_output_does_not_matter(parts: list[bytes]) -> None:
    data = b"".join(parts)
    assert mode_after(data) == mode_after(*(data[index : index + 1] for index in range(len(data))))
