"""The control-mode parser, on a stream recorded from tmux 3.3a."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from terminals.tmux import control
from terminals.tmux.control import ControlParser, Event, Notice, Output, Reply, unescape
from terminals.tmux.rows import BEGIN, END

STREAM = (Path(__file__).parents[2] / "golden" / "control.stream").read_bytes()
MUTATIONS = 100_000


def parse(*pieces: bytes) -> list[Event]:
    parser = ControlParser()
    return [event for piece in pieces for event in parser.feed(piece)]


WHOLE = parse(STREAM)


def test_a_recorded_stream_is_parsed_completely() -> None:
    replies = [event for event in WHOLE if isinstance(event, Reply)]
    assert [reply.ours for reply in replies] == [False] + [True] * (len(replies) - 1)
    assert [reply.lines for reply in replies if not reply.ok] == [
        [b"parse error: unknown command: nonsense"],
        [b"can't find session: other"],
    ]
    assert Notice("window-renamed", b"@0 a %output b") in WHOLE
    assert WHOLE[-1] == Notice("exit", b"")
    printed = b"".join(event.data for event in WHOLE if isinstance(event, Output))
    assert "\x1b[31mred\x1b[0m back\\slash héllo 🙂\r\n".encode() in printed


def test_text_that_looks_like_the_end_of_a_reply_does_not_end_it() -> None:
    [captured] = [
        event for event in WHOLE if isinstance(event, Reply) and b"%end 1 2 1" in event.lines
    ]
    assert b"%begin 1 2 1" in captured.lines
    assert captured.lines[0].startswith(b"bash-5.2# printf")


def test_the_size_of_the_reads_does_not_matter() -> None:
    for size in range(1, len(STREAM)):
        assert (
            parse(*(STREAM[index : index + size] for index in range(0, len(STREAM), size))) == WHOLE
        )


def test_the_position_of_a_cut_does_not_matter() -> None:
    for index in range(len(STREAM)):
        assert parse(STREAM[:index], STREAM[index:]) == WHOLE


@pytest.mark.filterwarnings("ignore:invalid .*escape sequence")
def test_mutated_streams_raise_nothing() -> None:
    chance = random.Random(1)
    for _ in range(MUTATIONS):
        index = chance.randrange(len(STREAM))
        piece = bytearray(STREAM[index : index + chance.randrange(1, 400)])
        for _ in range(chance.randrange(1, 8)):
            where = chance.randrange(len(piece))
            noise = chance.choice(
                [b"\n", b"%", b"\\", b"%end ", b"%begin 1 2 1\n", b"\\777", b"\0"]
            )
            piece[where : where + chance.randrange(3)] = chance.choice(
                [noise, bytes([chance.randrange(256)]), b""]
            )
            piece = piece or bytearray(b"\n")
        ControlParser().feed(bytes(piece))


@given(st.binary(max_size=300))
def test_escaped_output_is_decoded_exactly(data: bytes) -> None:
    escaped = b"".join(
        b"\\%03o" % byte if byte < 0x20 or byte == 0x5C else bytes([byte]) for byte in data
    )
    assert unescape(escaped) == data


def test_the_fallback_decoder_agrees(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control, "_escape_decode", None)
    assert unescape(b"a\\033[1m\\134 h\xc3\xa9") == b"a\x1b[1m\\ h\xc3\xa9"


def test_a_framed_reply_ends_only_after_its_frame() -> None:
    """The line inside has the reply's own numbers: a program can guess them."""
    parser = ControlParser()
    body = [f"{BEGIN}%1\ta".encode(), b"%end 1 2 1", b"%exit", f"b{END}".encode()]
    lines = [b"%begin 1 2 1", *body, b"%end 1 2 1", b""]
    assert parser.feed(b"\n".join(lines)) == [Reply(True, True, body)]
