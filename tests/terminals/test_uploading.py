"""Saving and pasting uploads: private, exclusive, bounded, and never an Enter."""

import os
import stat
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from terminals import uploading
from terminals.errors import Refused
from terminals.models import Attachment
from terminals.tmux import commands
from terminals.tmux.driver import Tmux
from terminals.uploading import save, upload_file
from terminals.uploads import Upload
from tests.conftest import RunTmux
from tests.terminals.tmux.waiting import eventually

IMAGE = Upload("pixel.png", "image/png", b"\x89PNG\0")


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "here").mkdir()
    return tmp_path / "here"


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return tmp_path / "data"


def test_a_file_is_saved_for_its_owner_alone(here: Path, data_dir: Path) -> None:
    path = save(IMAGE, here=here, data_dir=data_dir)
    assert path.parent == here / ".webtmux" / "uploads"
    assert path.name.endswith("-pixel.png")
    assert path.read_bytes() == IMAGE.content
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_git_does_not_see_uploads(here: Path, data_dir: Path) -> None:
    subprocess.run(["git", "init", "-q", here], check=True)
    save(IMAGE, here=here, data_dir=data_dir)
    save(IMAGE, here=here, data_dir=data_dir)
    told = subprocess.run(
        ["git", "-C", here, "status", "--porcelain"], capture_output=True, check=True
    )
    assert told.stdout == b""


def test_two_uploads_of_one_name_are_two_files(here: Path, data_dir: Path) -> None:
    assert save(IMAGE, here=here, data_dir=data_dir) != save(IMAGE, here=here, data_dir=data_dir)


@pytest.mark.parametrize("link", [".webtmux", ".webtmux/uploads"])
def test_a_symbolic_link_is_not_followed(here: Path, data_dir: Path, link: str) -> None:
    victim = here.parent / "victim"
    victim.mkdir()
    (here / link).parent.mkdir(exist_ok=True)
    (here / link).symlink_to(victim)
    path = save(IMAGE, here=here, data_dir=data_dir)
    assert path.parent == data_dir / "uploads"
    assert list(victim.iterdir()) == []


@pytest.mark.parametrize("bad", ["gone", "a\nb", "file"])
def test_where_the_directory_cannot_be_used_ours_is(here: Path, data_dir: Path, bad: str) -> None:
    if bad == "file":
        (here / bad).touch()
    elif bad != "gone":
        (here / bad).mkdir()
    path = save(IMAGE, here=here / bad, data_dir=data_dir)
    assert path.parent == data_dir / "uploads"
    assert path.read_bytes() == IMAGE.content


def test_the_oldest_uploads_make_room_for_new_ones(
    here: Path, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def saved(name: str) -> Path:
        return save(Upload(name, "", bytes(100)), here=here, data_dir=data_dir)

    old, older, young = saved("old"), saved("older"), saved("young")
    stranger = old.parent / "keep-me"
    stranger.write_bytes(bytes(100))
    for path, age in ((stranger, 9e5), (old, 8e5), (older, 9e5)):
        _age(path, age)
    monkeypatch.setattr(uploading, "QUOTA", 350)
    new = saved("new")
    assert not older.exists()
    assert all(path.exists() for path in (old, young, new, stranger))


def _age(path: Path, seconds: float) -> None:
    then = path.stat().st_ctime - seconds
    os.utime(path, (then, then))


def test_more_than_the_quota_within_an_hour_is_refused(
    here: Path, data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploading, "QUOTA", 250)
    kept = [save(Upload("a", "", bytes(100)), here=here, data_dir=data_dir) for _ in range(2)]
    with pytest.raises(Refused, match="remove some first"):
        save(Upload("a", "", bytes(100)), here=here, data_dir=data_dir)
    assert all(path.exists() for path in kept)


TEXT = Upload("a.txt", "text/plain", b"one\ntwo\n")
IN_BRACKETS = b"\x1b[200~%b\x1b[201~"


@dataclass
class Reader:
    """A program that asks for bracketed paste after one key, and writes down what it reads."""

    tmux: Tmux
    pane: str
    log: Path

    async def ask_for_brackets(self) -> None:
        await self.tmux.type(self.pane, b"x")
        await eventually(self._ready)

    async def read(self, end: bytes) -> bytes:
        async def there() -> bool:
            return self.log.exists() and self.log.read_bytes().endswith(end)

        await eventually(there)
        return self.log.read_bytes()

    async def _ready(self) -> bool:
        return b"ready" in await self.tmux.capture(self.pane)


@pytest.fixture
def reader(tmux: Tmux, run_tmux: RunTmux, here: Path, tmp_path: Path) -> Reader:
    log = tmp_path / "read"
    command = (
        "stty raw -echo; head -c1 >/dev/null; printf '\\033[?2004hready';"
        f" exec dd bs=1 of={log} status=none"
    )
    pane = run_tmux(
        "new-window", "-dP", "-F", "#{pane_id}", "-c", str(here), "-t", "work:", command
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
    tmux: Tmux, reader: Reader, here: Path, data_dir: Path, upload: Upload, wanted: str
) -> None:
    async with tmux.tapping(reader.pane, lambda data: None):  # as if somebody watched it
        await reader.ask_for_brackets()
        path = await upload_file(tmux=tmux, pane=reader.pane, upload=upload, data_dir=data_dir)
    text = wanted.format(path=path, relative=path.relative_to(here)).encode()
    assert await reader.read(b"\x1b[201~") == IN_BRACKETS % text
    noted = await Attachment.objects.aget()
    assert (noted.name, noted.size, noted.pane) == (
        upload.name, len(upload.content), reader.pane,
    )  # fmt: skip


@pytest.mark.django_db(transaction=True)
async def test_lines_go_as_a_path_where_bracketed_paste_is_not_known(
    tmux: Tmux, reader: Reader, here: Path, data_dir: Path
) -> None:
    if await tmux_tells_the_mode(tmux, reader.pane):
        pytest.skip("this tmux tells the mode: it is always known")
    await reader.ask_for_brackets()
    path = await upload_file(tmux=tmux, pane=reader.pane, upload=TEXT, data_dir=data_dir)
    text = f"{path.relative_to(here)} ".encode()
    assert await reader.read(b"\x1b[201~") == IN_BRACKETS % text
    assert path.read_bytes() == TEXT.content


async def tmux_tells_the_mode(tmux: Tmux, pane: str) -> bool:
    """Since tmux 3.7."""
    [told] = await tmux.link.run(commands.display("#{bracket_paste_flag}", pane))
    return told != [b""]
