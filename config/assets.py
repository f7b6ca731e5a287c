"""Static files past Django: a page is a hundred small modules, and each would change threads often.

WhiteNoise finds and describes them as it does below Django; what it does not have is Django's.
"""

import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from asgiref.typing import ASGI3Application
from whitenoise import WhiteNoise  # type: ignore[import-untyped]

from config.programs import HEADERS

PREFIX = "/static/"
HASHED = re.compile(r"\.[0-9a-f]{12}\.[^/]+$")
# What the answer may depend on, as WhiteNoise calls it.
ASKED = {
    b"accept-encoding": "HTTP_ACCEPT_ENCODING",
    b"if-none-match": "HTTP_IF_NONE_MATCH",
    b"if-modified-since": "HTTP_IF_MODIFIED_SINCE",
    b"range": "HTTP_RANGE",
}


class Assets:
    """ASGI, for paths below /static/. The files are looked up once: they change with a restart."""

    def __init__(self, root: Path, otherwise: ASGI3Application) -> None:
        self._root, self._otherwise = root, otherwise

    @cached_property
    def _files(self) -> dict[str, Any]:
        if not self._root.is_dir():
            return {}
        known: dict[str, Any] = WhiteNoise(
            None, self._root, PREFIX, immutable_file_test=HASHED.pattern, allow_all_origins=False
        ).files
        return known

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if (file := self._files.get(scope["path"])) is None:
            await self._otherwise(scope, receive, send)
            return
        asked = {
            ASKED[name]: value.decode("latin-1")
            for name, value in scope["headers"]
            if name in ASKED
        }
        response = file.get_response(scope["method"], asked)
        headers = list(_encoded([*response.headers, *HEADERS.items()]))
        await send({"type": "http.response.start", "status": response.status, "headers": headers})
        body = b""
        if response.file is not None:
            with response.file:
                body = response.file.read()
        await send({"type": "http.response.body", "body": body})


def _encoded(headers: list[tuple[str, str]]) -> Iterator[tuple[bytes, bytes]]:
    for name, value in headers:
        yield name.lower().encode("latin-1"), value.encode("latin-1")
