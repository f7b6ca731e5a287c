"""Saving and pasting uploads: private files, a quota, and never an Enter."""

import os
import stat
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.errors import Refused
from terminals.models import Attachment
from terminals.tmux import commands
from terminals.tmux.driver import Tmux
from terminals.uploads import services as uploads
from terminals.uploads.payload import Upload
from terminals.uploads.services import save, upload_file
from tests.conftest import RunTmux
from tests.waiting import eventually

IMAGE = Upload("pixel.png", "image/png", b"\x89PNG\0")


@pytest.fixture
def work_dir(tmp_path: Path) -> Path:
    (tmp_path / "work_dir").mkdir()
    return tmp_path / "work_dir"


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return tmp_path / "data"


def test_a_saved_file_is_private(work_dir: Path, data_dir: Path) -> None:
    path = save(IMAGE, directory=work_dir, data_dir=data_dir)
    assert path.parent == work_dir / ".webtmux" / "uploads"
    assert path.name.endswith("-pixel.png")
    assert path.read_bytes() == IMAGE.content
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_git_ignores_uploads(work_dir: Path, data_dir: Path) -> None:
    subprocess.run(["git", "init", "-q", work_dir], check=True)
    save(IMAGE, directory=work_dir, data_dir=data_dir)
    save(IMAGE, directory=work_dir, data_dir=data_dir)
    status = subprocess.run(
        ["git", "-C", work_dir, "status", "--porcelain"], capture_output=True, check=True
    )
    assert status.stdout == b""


def test_two_uploads_with_the_same_name_are_two_files(work_dir: Path, data_dir: Path) -> None:
    assert save(IMAGE, directory=work_dir, data_dir=data_dir) != save(
        IMAGE, directory=work_dir, data_dir=data_dir
    )


@pytest.mark.parametrize("link", [".webtmux", ".webtmux/uploads"])
def test_a_symbolic_link_is_not_followed(work_dir: Path, data_dir: Path, link: str) -> None:
    victim = work_dir.parent / "victim"
    victim.mkdir()
    (work_dir / link).parent.mkdir(exist_ok=True)
    (work_dir / link).symlink_to(victim)
    path = save(IMAGE, directory=work_dir, data_dir=data_dir)
    assert path.parent == data_dir / "uploads"
    assert list(victim.iterdir()) == []


@pytest.mark.parametrize("bad", ["gone", "a\nb", "file"])
def test_an_unusable_directory_falls_back_to_the_data_directory(
    work_dir: Path, data_dir: Path, bad: str
) -> None:
    if bad == "file":
        (work_dir / bad).touch()
    elif bad != "gone":
        (work_dir / bad).mkdir()
    path = save(IMAGE, directory=work_dir / bad, data_dir=data_dir)
    assert path.parent == data_dir / "uploads"
    assert path.read_bytes() == IMAGE.content


def test_the_oldest_uploads_are_removed_for_new_ones(
    work_dir: Path, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def saved(name: str) -> Path:
        return save(Upload(name, "", bytes(100)), directory=work_dir, data_dir=data_dir)

    old, older, young = saved("old"), saved("older"), saved("young")
    foreign = old.parent / "keep-me"
    foreign.write_bytes(bytes(100))
    for path, age in ((foreign, 9e5), (old, 8e5), (older, 9e5)):
        _age(path, age)
    monkeypatch.setattr(uploads, "QUOTA", 350)
    new = saved("new")
    assert not older.exists()
    assert all(path.exists() for path in (old, young, new, foreign))


def _age(path: Path, seconds: float) -> None:
    then = path.stat().st_ctime - seconds
    os.utime(path, (then, then))


def test_more_than_the_quota_within_an_hour_is_refused(
    work_dir: Path, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "QUOTA", 250)
    kept = [
        save(Upload("a", "", bytes(100)), directory=work_dir, data_dir=data_dir) for _ in range(2)
    ]
    with pytest.raises(Refused, match="remove some first"):
        save(Upload("a", "", bytes(100)), directory=work_dir, data_dir=data_dir)
    assert all(path.exists() for path in kept)


TEXT = Upload("a.txt", "text/plain", b"one\ntwo\n")
IN_BRACKETS = b"\x1b[200~%b\x1b[201~"


@dataclass
class Reader:
    """A program that enables bracketed paste after one key, and logs what it reads."""

    tmux: Tmux
    pane: str
    log: Path

    async def enable_bracketed_paste(self) -> None:
        await self.tmux.type(self.pane, b"x")
        await eventually(self._ready)

    async def read(self, end: bytes) -> bytes:
        def is_read() -> bool:
            return self.log.exists() and self.log.read_bytes().endswith(end)

        await eventually(is_read)
        return self.log.read_bytes()

    async def _ready(self) -> bool:
        return b"ready" in await self.tmux.capture(self.pane)


@pytest.fixture
def reader(tmux: Tmux, run_tmux: RunTmux, work_dir: Path, tmp_path: Path) -> Reader:
    log = tmp_path / "read"
    command = (
        "stty raw -echo; head -c1 >/dev/null; printf '\\033[?2004hready';"
        f" exec dd bs=1 of={log} status=none"
    )
    pane = run_tmux(
        "new-window", "-dP", "-F", "#{pane_id}", "-c", str(work_dir), "-t", "work:", command
    )
    return Reader(tmux, pane, log)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("upload", "wanted"),
    [
        (TEXT, "one\ntwo\n"),
        (IMAGE, "{path} "),
        (Upload("a.pdf", "application/pdf", b"\0"), "{relative} "),
    ],
)
async def test_a_paste_is_bracketed_and_ends_without_enter(
    tmux: Tmux, reader: Reader, work_dir: Path, data_dir: Path, upload: Upload, wanted: str
) -> None:
    async with tmux.tapping(reader.pane, lambda data: None):  # as if it had a viewer
        await reader.enable_bracketed_paste()
        path = await upload_file(tmux=tmux, pane=reader.pane, upload=upload, data_dir=data_dir)
    text = wanted.format(path=path, relative=path.relative_to(work_dir)).encode()
    assert await reader.read(b"\x1b[201~") == IN_BRACKETS % text
    attachment = await Attachment.objects.aget()
    assert (attachment.name, attachment.size, attachment.pane) == (
        upload.name, len(upload.content), reader.pane,
    )  # fmt: skip


@pytest.mark.django_db(transaction=True)
async def test_text_with_lines_is_pasted_as_a_path_without_known_bracketed_paste(
    tmux: Tmux, reader: Reader, work_dir: Path, data_dir: Path
) -> None:
    if await tmux_reports_the_mode(tmux, reader.pane):
        pytest.skip("this tmux reports the mode: it is always known")
    await reader.enable_bracketed_paste()
    path = await upload_file(tmux=tmux, pane=reader.pane, upload=TEXT, data_dir=data_dir)
    text = f"{path.relative_to(work_dir)} ".encode()
    assert await reader.read(b"\x1b[201~") == IN_BRACKETS % text
    assert path.read_bytes() == TEXT.content


async def tmux_reports_the_mode(tmux: Tmux, pane: str) -> bool:
    """Since tmux 3.7."""
    [lines] = await tmux.monitor.run(commands.display("#{bracket_paste_flag}", pane))
    return lines != [b""]
