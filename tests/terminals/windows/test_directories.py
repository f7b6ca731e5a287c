"""Directories that callers name: what is accepted, what is refused, and completion."""

import asyncio
import os
import threading
from pathlib import Path

import pytest

from core.errors import Invalid
from terminals.windows import directories
from terminals.windows.directories import complete, resolve, resolve_directory
from tests.safety.other_user import NOBODY, needs_second_user


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """With directories to choose from; it is also the home directory."""
    for name in ("projects/api", "projects/Apps", "projects/web", ".config", "ünï 日本"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "."),
        ("~", "."),
        ("~/projects", "projects"),
        ("projects", "projects"),
        ("./projects//api/", "projects/api"),
        ("projects/api/..", "projects"),
        ("ünï 日本", "ünï 日本"),
    ],
)
def test_paths_are_resolved(base: Path, text: str, expected: str) -> None:
    assert Path(resolve(text, base=str(base))) == base / expected


def test_the_home_of_a_user_is_found_and_an_unknown_user_is_refused(base: Path) -> None:
    assert resolve("~root", base=str(base)) == "/root"
    with pytest.raises(Invalid, match="there is no user 'nobody-like-this'"):
        resolve("~nobody-like-this/x", base=str(base))


def test_a_link_to_a_directory_keeps_its_own_path(base: Path) -> None:
    (base / "link").symlink_to(base / "projects" / "api")
    assert resolve("link", base=str(base)) == str(base / "link")
    assert resolve("link/..", base=str(base)) == str(base / "projects")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nowhere", "there is no directory"),
        ("dangling", "there is no directory"),
        ("file", "is a file, not a directory"),
        ("file/x", "a part of the path is a file"),
        ("loop", "cannot open the directory"),
        ("a\nb", "control characters"),
        ("a\0b", "control characters"),
        ("x" * 4000, "cannot open the directory"),
        ("x" * 5000, "at most 4096"),
        ("#(touch canary)", "there is no directory"),
        ("; touch canary", "there is no directory"),
        ("$(touch canary)", "there is no directory"),
    ],
)
def test_what_is_no_directory_is_refused_with_the_reason(
    base: Path, text: str, message: str
) -> None:
    (base / "dangling").symlink_to(base / "gone")
    (base / "loop").symlink_to(base / "loop")
    with pytest.raises(Invalid, match=message) as refused:
        resolve(text, base=str(base))
    assert refused.value.field == "cwd"
    assert not (base / "canary").exists()


@needs_second_user
def test_a_directory_without_permission_is_refused() -> None:
    """In a child process that has become another user."""
    child = os.fork()
    if child == 0:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
        try:
            resolve("/root", base="/")
        except Invalid as error:
            os._exit(0 if "no permission" in error.message else 2)
        os._exit(3)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0


@pytest.mark.parametrize(
    ("prefix", "expected"),
    [
        ("", ["projects/", "ünï 日本/"]),
        ("~", ["~/"]),
        ("~/pro", ["~/projects/"]),
        ("~/projects/a", ["~/projects/api/", "~/projects/Apps/"]),
        (".", [".config/"]),
        ("./", ["./projects/", "./ünï 日本/"]),
        ("./.c", ["./.config/"]),
        ("projects/w", ["projects/web/"]),
        ("file", []),
        ("file/", []),
        ("nowhere/", []),
        ("~nobody-like-this/", []),
        ("a\n", []),
        ("x" * 5000, []),
    ],
)
def test_completion_is_written_like_the_prefix(
    base: Path, prefix: str, expected: list[str]
) -> None:
    assert complete(prefix, base=str(base)).directories == expected


def test_completion_is_bounded(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(60):
        (base / "projects" / f"p{number:02}").mkdir()
    completed = complete("projects/p", base=str(base))
    assert (len(completed.directories), completed.truncated) == (50, True)
    monkeypatch.setattr(directories, "SCAN_LIMIT", 10)
    completed = complete("projects/p", base=str(base))
    assert len(completed.directories) <= 10
    assert completed.truncated


def test_names_that_cannot_be_typed_are_left_out(base: Path) -> None:
    for name in (b"odd\nname", b"odd\xff", b"odd\x1b[31m", b"odd name"):
        os.mkdir(os.fsencode(base) + b"/" + name)
    assert complete("odd", base=str(base)).directories == ["odd name/"]


async def test_a_file_system_that_does_not_answer_is_reported(
    base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered = threading.Event()
    monkeypatch.setattr(directories, "ANSWER_SECONDS", 0.05)
    monkeypatch.setattr(directories, "resolve", lambda text, base: answered.wait())
    try:
        with pytest.raises(Invalid, match="does not answer"):
            await resolve_directory("projects", base=str(base))
    finally:
        answered.set()
        await asyncio.sleep(0)
