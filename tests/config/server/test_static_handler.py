"""Static files without Django: compressed and cached forever. Other paths are left to Django."""

import gzip
from pathlib import Path
from typing import Any, cast

import pytest

from config.server.static_handler import Assets


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("page/main.0123456789ab.js", "page/main.js", "build/main-B1aCk_-9.js"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"export const a = 1\n" * 50)
        packed = gzip.compress((tmp_path / name).read_bytes())
        (tmp_path / f"{name}.gz").write_bytes(packed)
    return tmp_path


async def ask(root: Path, path: str, method: str = "GET", **headers: str) -> tuple[int, Any, bytes]:
    sent: list[dict[str, Any]] = []

    async def send(event: Any) -> None:
        sent.append(event)

    async def django(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 404, "headers": []})
        await send({"type": "http.response.body", "body": b"Django's"})

    request = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"path": path, "method": method, "headers": request}
    assets: Any = Assets(root, cast(Any, django))
    await assets(scope, None, send)
    start, body = sent
    return start["status"], dict(start["headers"]), body["body"]


@pytest.mark.parametrize("name", ["page/main.0123456789ab.js", "build/main-B1aCk_-9.js"])
async def test_a_file_with_a_hash_is_cached_forever_and_compressed(root: Path, name: str) -> None:
    status, headers, body = await ask(root, f"/static/{name}", accept_encoding="gzip")
    assert status == 200
    assert b"immutable" in headers[b"cache-control"]
    assert headers[b"content-encoding"] == b"gzip"
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert b"access-control-allow-origin" not in headers
    assert gzip.decompress(body).startswith(b"export")


async def test_a_file_without_a_hash_is_revalidated(root: Path) -> None:
    _, headers, body = await ask(root, "/static/page/main.js")
    assert b"immutable" not in headers[b"cache-control"]
    assert body.startswith(b"export")
    status, _, body = await ask(
        root, "/static/page/main.js", if_none_match=headers[b"etag"].decode()
    )
    assert (status, body) == (304, b"")


@pytest.mark.parametrize("path", ["/static/none.js", "/static/page/../page/main.js", "/static/"])
async def test_missing_files_are_left_to_django(root: Path, path: str) -> None:
    assert (await ask(root, path))[0] == 404


async def test_only_get_and_head_are_answered(root: Path) -> None:
    assert (await ask(root, "/static/page/main.js", "POST"))[0] == 405
    status, _, body = await ask(root, "/static/page/main.js", "HEAD")
    assert (status, body) == (200, b"")


async def test_without_a_directory_all_requests_go_to_django(tmp_path: Path) -> None:
    assert (await ask(tmp_path / "none", "/static/page/main.js"))[0] == 404
