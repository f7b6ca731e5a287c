"""POST /api/panes/{pane}/uploads on a real tmux: kept as a drop is, and nothing typed."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from django.core.asgi import get_asgi_application

from terminals import uploading, uploads
from terminals.runtime import Runtime
from tests.conftest import RunTmux

pytestmark = pytest.mark.django_db(transaction=True)  # what was attached is noted

PIXEL = b"\x89PNG\r\n\0\xff"


@pytest.fixture
async def http() -> AsyncIterator[httpx.AsyncClient]:
    door = httpx.ASGITransport(app=cast(Any, get_asgi_application()))
    async with httpx.AsyncClient(transport=door, base_url="http://localhost/api") as client:
        yield client


@pytest.fixture
def here(runtime: Runtime, run_tmux: RunTmux, tmp_path: Path) -> tuple[str, Path]:
    """A pane that shows what is typed, and its directory."""
    place = tmp_path / "here"
    place.mkdir()
    arguments = ("new-window", "-dP", "-F", "#{pane_id}", "-t", "work:", "-c", str(place), "cat")
    return run_tmux(*arguments), place


async def upload(
    http: httpx.AsyncClient, pane: str, name: str, content: bytes, mime: str
) -> tuple[int, Any]:
    answer = await http.post(
        f"/panes/{pane.removeprefix('%')}/uploads", files={"file": (name, content, mime)}
    )
    return answer.status_code, answer.json()


async def test_a_picture_is_kept_and_told_by_its_whole_path(
    http: httpx.AsyncClient, here: tuple[str, Path], run_tmux: RunTmux
) -> None:
    pane, place = here
    status, told = await upload(http, pane, "a b.png", PIXEL, "image/png")
    assert (status, told["name"], told["size"]) == (201, "a b.png", len(PIXEL))
    path = Path(told["path"])
    assert path.parent == place / ".webtmux" / "uploads"
    assert path.name.endswith("-a-b.png")
    assert path.read_bytes() == PIXEL
    assert run_tmux("capture-pane", "-p", "-t", pane).strip() == ""


async def test_other_files_are_told_from_the_directory_of_the_pane(
    http: httpx.AsyncClient, here: tuple[str, Path]
) -> None:
    pane, place = here
    _, told = await upload(http, pane, "../../notes.txt", b"hello\n", "text/plain")
    assert told["path"].startswith(".webtmux/uploads/")
    assert (place / told["path"]).read_bytes() == b"hello\n"


async def test_a_file_at_the_limit_is_kept_and_a_larger_one_is_not(
    http: httpx.AsyncClient, here: tuple[str, Path]
) -> None:
    pane, place = here
    status, told = await upload(http, pane, "all", b"x" * uploads.FILE_LIMIT, "a/b")
    assert (status, told["size"]) == (201, uploads.FILE_LIMIT)
    kept = sorted((place / ".webtmux" / "uploads").iterdir())
    status, told = await upload(http, pane, "more", b"x" * (uploads.FILE_LIMIT + 1), "a/b")
    assert status == 422
    assert told["error"]["message"] == "the file has 8388609 bytes: 8388608 at most"
    assert sorted((place / ".webtmux" / "uploads").iterdir()) == kept


async def test_what_cannot_be_kept_is_refused_in_words(
    http: httpx.AsyncClient, here: tuple[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploading, "QUOTA", 3)
    status, told = await upload(http, here[0], "a", b"four", "a/b")
    assert (status, told["error"]["code"]) == (403, "refused")
    assert "remove some first" in told["error"]["message"]

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(uploading, "save", full)
    status, told = await upload(http, here[0], "a", b"x", "a/b")
    assert status == 403
    assert told["error"]["message"] == "the file cannot be saved: No space left on device"


@pytest.mark.parametrize(("pane", "status"), [("%999", 404), ("nobody", 422)])
async def test_a_pane_that_is_not_there_gets_no_file(
    http: httpx.AsyncClient, here: tuple[str, Path], pane: str, status: int
) -> None:
    assert (await upload(http, pane, "a", b"x", "a/b"))[0] == status


async def test_a_request_without_a_file_is_told_what_is_missing(
    http: httpx.AsyncClient, here: tuple[str, Path]
) -> None:
    answer = await http.post(f"/panes/{here[0][1:]}/uploads")
    assert answer.status_code == 422
    assert "file" in answer.json()["error"]["message"]
