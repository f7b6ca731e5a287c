"""POST /api/panes/{pane}/uploads on a real tmux: saved like a drop, but nothing is typed."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from django.core.asgi import get_asgi_application

from terminals.runtime import Runtime
from terminals.uploads import payload
from terminals.uploads import services as uploads
from tests.conftest import RunTmux
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)  # attachments are stored

PIXEL = b"\x89PNG\r\n\0\xff"


@pytest.fixture
async def http() -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=cast(Any, get_asgi_application()))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost/api") as client:
        yield client


@pytest.fixture
def pane_and_dir(runtime: Runtime, run_tmux: RunTmux, tmp_path: Path) -> tuple[str, Path]:
    """A pane that shows what is typed, and its directory."""
    directory = tmp_path / "pane_and_dir"
    directory.mkdir()
    pane = run_tmux(
        "new-window", "-dP", "-F", "#{pane_id}", "-t", "work:", "-c", str(directory), "cat"
    )
    query = ("display-message", "-p", "-t", pane, "#{pane_current_path}")
    # Until then the new process is in the directory of the tmux server.
    wait_until(lambda: run_tmux(*query) == str(directory))
    return pane, directory


async def upload(
    http: httpx.AsyncClient, pane: str, name: str, content: bytes, mime: str
) -> tuple[int, Any]:
    response = await http.post(
        f"/panes/{pane.removeprefix('%')}/uploads", files={"file": (name, content, mime)}
    )
    return response.status_code, response.json()


async def test_an_image_is_saved_and_returned_with_its_absolute_path(
    http: httpx.AsyncClient, pane_and_dir: tuple[str, Path], run_tmux: RunTmux
) -> None:
    pane, directory = pane_and_dir
    status, body = await upload(http, pane, "a b.png", PIXEL, "image/png")
    assert (status, body["name"], body["size"]) == (201, "a b.png", len(PIXEL))
    path = Path(body["path"])
    assert path.parent == directory / ".webtmux" / "uploads"
    assert path.name.endswith("-a-b.png")
    assert path.read_bytes() == PIXEL
    assert run_tmux("capture-pane", "-p", "-t", pane).strip() == ""


async def test_other_files_get_a_path_relative_to_the_panes_directory(
    http: httpx.AsyncClient, pane_and_dir: tuple[str, Path]
) -> None:
    pane, directory = pane_and_dir
    _, body = await upload(http, pane, "../../notes.txt", b"hello\n", "text/plain")
    assert body["path"].startswith(".webtmux/uploads/")
    assert (directory / body["path"]).read_bytes() == b"hello\n"


async def test_a_file_at_the_limit_is_saved_and_a_larger_one_is_refused(
    http: httpx.AsyncClient, pane_and_dir: tuple[str, Path]
) -> None:
    pane, directory = pane_and_dir
    status, body = await upload(http, pane, "all", b"x" * payload.FILE_LIMIT, "a/b")
    assert (status, body["size"]) == (201, payload.FILE_LIMIT)
    kept = sorted((directory / ".webtmux" / "uploads").iterdir())
    status, body = await upload(http, pane, "more", b"x" * (payload.FILE_LIMIT + 1), "a/b")
    assert status == 422
    assert body["error"]["message"] == "the file has 8388609 bytes: 8388608 at most"
    assert sorted((directory / ".webtmux" / "uploads").iterdir()) == kept


async def test_a_file_that_cannot_be_saved_is_refused_with_the_reason(
    http: httpx.AsyncClient, pane_and_dir: tuple[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "QUOTA", 3)
    status, body = await upload(http, pane_and_dir[0], "a", b"four", "a/b")
    assert (status, body["error"]["code"]) == (403, "refused")
    assert "remove some first" in body["error"]["message"]

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(uploads, "save", full)
    status, body = await upload(http, pane_and_dir[0], "a", b"x", "a/b")
    assert status == 403
    assert body["error"]["message"] == "the file cannot be saved: No space left on device"


@pytest.mark.parametrize(("pane", "status"), [("%999", 404), ("unknown", 422)])
async def test_an_upload_to_an_unknown_pane_is_refused(
    http: httpx.AsyncClient, pane_and_dir: tuple[str, Path], pane: str, status: int
) -> None:
    assert (await upload(http, pane, "a", b"x", "a/b"))[0] == status


async def test_the_error_of_a_request_without_a_file_names_the_field(
    http: httpx.AsyncClient, pane_and_dir: tuple[str, Path]
) -> None:
    response = await http.post(f"/panes/{pane_and_dir[0][1:]}/uploads")
    assert response.status_code == 422
    assert "file" in response.json()["error"]["message"]
