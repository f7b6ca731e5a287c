"""Files that grow, are replaced, truncated, or written faster than they are read."""

import json
import threading
import time
import tracemalloc
from pathlib import Path

import pytest

from agents.chat.journals import follower
from agents.chat.journals.follower import LONGEST_LINE, PIECE, TAIL, LineFollower, parseable
from tests.waiting import wait_until


def read_all(reader: LineFollower) -> list[bytes]:
    lines: list[bytes] = []
    while True:
        piece = reader.read()
        lines += piece.lines
        if not piece.has_more:
            return lines


def append(path: Path, text: str) -> None:
    with path.open("a") as file:
        file.write(text)


def test_only_new_and_complete_lines_are_returned(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    reader = LineFollower(path)
    assert reader.read().lines == []  # it does not exist yet
    append(path, "one\ntwo\nthr")
    assert read_all(reader) == [b"one", b"two"]
    assert read_all(reader) == []
    append(path, "ee\nfour\n")
    assert read_all(reader) == [b"three", b"four"]


def test_an_unchanged_file_is_not_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "journal.jsonl"
    append(path, "one\n")
    reader = LineFollower(path)
    assert read_all(reader) == [b"one"]
    monkeypatch.setattr(Path, "open", lambda *args, **kwargs: pytest.fail("it was opened"))
    assert reader.read().lines == []


def test_a_replaced_file_is_read_from_its_start(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    append(path, "one\ntwo\n")
    reader = LineFollower(path)
    assert read_all(reader) == [b"one", b"two"]
    path.rename(tmp_path / "old.jsonl")
    append(path, "other\nlines\nand more of them\n")
    piece = reader.read()
    assert piece.restarted
    assert piece.lines == [b"other", b"lines", b"and more of them"]


@pytest.mark.parametrize("text", ["new\n", "another first line\nand a second one\n"])
def test_a_truncated_or_rewritten_file_is_read_again(tmp_path: Path, text: str) -> None:
    path = tmp_path / "journal.jsonl"
    append(path, "one\ntwo\npartial")
    reader = LineFollower(path)
    assert read_all(reader) == [b"one", b"two"]
    path.write_text(text)  # the same inode; shorter, or longer with another content
    assert read_all(reader) == text.encode().splitlines()


def test_images_are_removed_from_lines_that_are_too_long() -> None:
    image = "iVBOR" + "A" * 5_000_000
    line = json.dumps({"text": "look at this", "data": image}).encode()
    assert json.loads(parseable(line))["text"] == "look at this"
    assert len(parseable(line)) < 100_000
    assert parseable(b'"' + b"no base64 " * 500_000 + b'"') == b""


@pytest.mark.parametrize("value", [b"[]", b"{}", b"1", b'{"k":1}'])
def test_a_line_of_very_many_values_is_left_out(value: bytes) -> None:
    """Python holds its lock while it parses a line: 140 ms for 2 MiB of empty lists."""
    few, many = (b"[" + b",".join([value] * count) + b"]" for count in (30_000, 160_000))
    assert parseable(few) == few
    assert parseable(many) == b""


def test_a_line_without_end_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follower, "LONGEST_LINE", 3 * PIECE)
    path = tmp_path / "journal.jsonl"
    path.write_bytes(b"x" * 5 * PIECE)
    reader = LineFollower(path)
    assert read_all(reader) == []
    assert reader.buffered == 0
    append(path, "still the same line\nnext\n")
    assert read_all(reader) == [b"next"]


def test_of_a_huge_journal_the_first_line_and_the_end_are_read_in_little_memory(
    tmp_path: Path,
) -> None:
    """A journal of 200 MB; of the file's bytes only the pages that are read exist."""
    path = tmp_path / "journal.jsonl"
    line = json.dumps({"type": "user", "text": "x" * 1000}).encode() + b"\n"
    with path.open("wb") as file:
        file.write(b'{"type":"session_meta"}\n')
        file.seek(200 * 1024 * 1024)
        file.write(b"\n")
        for number in range(20_000):
            file.write(b'{"number":%d}\n' % number + line)
    reader, numbers, count = LineFollower(path), list[int](), 0
    tracemalloc.start()
    first = reader.read()
    assert first.lines[0] == b'{"type":"session_meta"}'
    piece = first
    while piece.has_more:
        piece = reader.read()
        count += 1
        for each in piece.lines:
            if b'"number"' in each:
                numbers.append(json.loads(each)["number"])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert numbers == list(range(numbers[0], 20_000))
    assert count <= TAIL // PIECE + 1
    assert peak < 8 * PIECE, f"{peak} bytes"


def test_a_writer_of_5_mb_per_second_is_followed_without_loss(tmp_path: Path) -> None:
    """Written by a thread in odd pieces, so that lines are cut anywhere."""
    path = tmp_path / "journal.jsonl"
    path.touch()
    total, rate = 10 * 1024 * 1024, 5 * 1024 * 1024
    lines = [b'{"number":%d,"text":"%s"}\n' % (n, b"y" * (n % 4000)) for n in range(5000)]
    data = b"".join(lines)[:total]

    def write() -> None:
        began, written = time.monotonic(), 0
        with path.open("ab", buffering=0) as file:
            while written < len(data):
                written += file.write(data[written : written + 65_537])
                time.sleep(max(0.0, written / rate - (time.monotonic() - began)))

    thread = threading.Thread(target=write)
    reader, received, longest = LineFollower(path), list[bytes](), 0
    thread.start()

    def done() -> bool:
        nonlocal longest
        piece = reader.read()
        received.extend(piece.lines)
        longest = max(longest, sum(map(len, piece.lines)) + reader.buffered)
        return not thread.is_alive() and not piece.has_more and not piece.lines

    wait_until(done)
    thread.join()
    assert received == data.rpartition(b"\n")[0].split(b"\n")
    assert longest <= 2 * PIECE
    assert longest < LONGEST_LINE
