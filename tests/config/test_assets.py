"""Static files past Django: found, compressed, kept for ever; what is none is Django's."""

import gzip
from pathlib import Path
from typing import Any, cast

import pytest

from config.assets import Assets


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "page").mkdir()
    for name in ("main.0123456789ab.js", "main.js"):
        (tmp_path / "page" / name).write_bytes(b"export const a = 1\n" * 50)
        packed = gzip.compress((tmp_path / "page" / name).read_bytes())
        (tmp_path / "page" / f"{name}.gz").write_bytes(packed)
    return tmp_path


async def ask(root: Path, path: str, method: str = "GET", **headers: str) -> tuple[int, Any, bytes]:
    sent: list[dict[str, Any]] = []

    async def send(event: Any) -> None:
        sent.append(event)

    async def django(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 404, "headers": []})
        await send({"type": "http.response.body", "body": b"Django's"})

    asked = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"path": path, "method": method, "headers": asked}
    assets: Any = Assets(root, cast(Any, django))
    await assets(scope, None, send)
    start, body = sent
    return start["status"], dict(start["headers"]), body["body"]


async def test_a_file_under_its_hash_is_kept_for_ever_and_compressed(root: Path) -> None:
    status, headers, body = await ask(
        root, "/static/page/main.0123456789ab.js", accept_encoding="gzip"
    )
    assert status == 200
    assert b"immutable" in headers[b"cache-control"]
    assert headers[b"content-encoding"] == b"gzip"
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert b"access-control-allow-origin" not in headers
    assert gzip.decompress(body).startswith(b"export")


async def test_a_name_without_a_hash_is_asked_for_again(root: Path) -> None:
    _, headers, body = await ask(root, "/static/page/main.js")
    assert b"immutable" not in headers[b"cache-control"]
    assert body.startswith(b"export")
    status, _, body = await ask(
        root, "/static/page/main.js", if_none_match=headers[b"etag"].decode()
    )
    assert (status, body) == (304, b"")


@pytest.mark.parametrize("path", ["/static/none.js", "/static/page/../page/main.js", "/static/"])
async def test_what_is_not_there_is_left_to_django(root: Path, path: str) -> None:
    assert (await ask(root, path))[0] == 404


async def test_only_reading_is_answered(root: Path) -> None:
    assert (await ask(root, "/static/page/main.js", "POST"))[0] == 405
    status, _, body = await ask(root, "/static/page/main.js", "HEAD")
    assert (status, body) == (200, b"")


async def test_without_a_directory_everything_is_djangos(tmp_path: Path) -> None:
    assert (await ask(tmp_path / "none", "/static/page/main.js"))[0] == 404
