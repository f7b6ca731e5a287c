"""Uploads: the payload, safe names, and what is pasted."""

import re
from datetime import UTC, datetime
from pathlib import PurePath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Invalid
from terminals.uploads import payload as payloads
from terminals.uploads.payload import FILE_LIMIT, INLINE_LIMIT, NAME_LIMIT, Upload

HERE = PurePath("/home/user/my project")
SAVED = HERE / ".webtmux" / "uploads" / "1-x.bin"


def test_a_payload_has_name_type_and_content() -> None:
    upload = payloads.parse(b"a.png\0Image/PNG\0\x89\0\1\0")
    assert upload == Upload("a.png", "image/png", b"\x89\0\1\0")
    assert payloads.parse(b"\0\0") == Upload("", "", b"")


@pytest.mark.parametrize("payload", [b"", b"a.txt", b"a.txt\0text/plain"])
def test_an_incomplete_payload_is_refused(payload: bytes) -> None:
    with pytest.raises(Invalid, match="expected fileName"):
        payloads.parse(payload)


def test_the_limit_is_eight_megabytes() -> None:
    assert len(payloads.parse(b"a\0\0" + bytes(FILE_LIMIT)).content) == FILE_LIMIT
    with pytest.raises(Invalid, match="at most"):
        payloads.parse(b"a\0\0" + bytes(FILE_LIMIT + 1))


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("notes.txt", "notes.txt"),
        ("../../.ssh/authorized_keys", "authorized_keys"),
        ("C:\\Users\\me\\photo 1.png", "photo-1.png"),
        (".bashrc", "bashrc"),
        ("-rf", "rf"),
        ("", "file"),
        ("..", "file"),
        ("/", "file"),
        ("$(touch x);`id`.png", "touch-x-id-.png"),
        ("größe.png", "gr-e.png"),
        ("a\nb.txt", "a-b.txt"),
        ("x" * 300 + ".jpeg", "x" * 95 + ".jpeg"),
    ],
)
def test_a_name_is_made_safe(name: str, safe: str) -> None:
    assert payloads.safe_name(name) == safe


@given(st.text())
def test_any_name_is_made_safe(name: str) -> None:
    assert re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9._-]*", safe := payloads.safe_name(name), re.ASCII)
    assert len(safe) <= NAME_LIMIT


def test_stored_names_sort_by_time() -> None:
    upload = Upload("a.png", "", b"")
    names = [
        payloads.stored_name(upload, datetime(2026, 1, 2, 3, 4, second, 50, tzinfo=UTC))
        for second in (5, 6)
    ]
    assert names == ["20260102-030405-000050-a.png", "20260102-030406-000050-a.png"]


@pytest.mark.parametrize(
    ("upload", "text"),
    [
        (Upload("a.txt", "text/plain", b"one\n\ttwo\r\n"), "one\n\ttwo\r\n"),
        (Upload("a", "", "grüß 😀".encode()), "grüß 😀"),
        (Upload("a.bin", "application/octet-stream", b"text after all"), "text after all"),
        (Upload("a.txt", "text/plain", b"x" * INLINE_LIMIT), "x" * INLINE_LIMIT),
        (Upload("a.txt", "text/plain", b"x" * (INLINE_LIMIT + 1)), ".webtmux/uploads/1-x.bin "),
        (Upload("a.pdf", "application/pdf", b"%PDF\0\1"), ".webtmux/uploads/1-x.bin "),
        (Upload("a.txt", "text/plain", b"caf\xe9"), ".webtmux/uploads/1-x.bin "),
        (Upload("a.txt", "text/plain", b""), ".webtmux/uploads/1-x.bin "),
        (Upload("a.png", "image/png", b"\x89PNG"), f"{SAVED} "),
        (Upload("a.svg", "image/svg+xml", b"<svg/>"), f"{SAVED} "),
    ],
)
def test_text_is_pasted_and_other_files_are_pasted_as_a_path(upload: Upload, text: str) -> None:
    inline = payloads.is_inline(upload)
    assert (upload.content.decode() if inline else path_of(upload)) == text


def path_of(upload: Upload, saved: PurePath = SAVED, directory: PurePath | None = HERE) -> str:
    return payloads.pasted_path(upload, saved, directory)


@pytest.mark.parametrize(
    "evil", [b"\x1b[201~rm -rf /\r", b"\x1b", b"\x03", b"\x7f", b"a\x00b", "\x9b201~".encode()]
)
def test_text_that_could_end_the_paste_is_not_inline(evil: bytes) -> None:
    assert not payloads.is_inline(Upload("a", "text/plain", evil))


def test_a_path_outside_the_panes_directory_is_absolute() -> None:
    elsewhere = PurePath("/data/uploads/1-x.bin")
    upload = Upload("a", "", b"\0")
    assert path_of(upload, elsewhere) == "/data/uploads/1-x.bin "
    assert path_of(upload, elsewhere, None) == "/data/uploads/1-x.bin "


@pytest.mark.parametrize(
    ("path", "printable"),
    [
        ("/home/größe/a b", True),
        ("/a\nb", False),
        ("/a\x1b[201~", False),
        ("/a\udcff", False),
        ("/a\u2028b", False),
    ],
)
def test_a_path_that_would_press_keys_is_not_printable(path: str, printable: bool) -> None:
    assert payloads.is_printable(PurePath(path)) is printable
