"""An uploaded file: its payload, a safe file name, and what is pasted. Pure.

services.py writes the file. The driver decides whether the content may be pasted into a pane
(`Tmux.is_safe_text`); if not, the path is pasted.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePath

from core.errors import Invalid

FILE_LIMIT = 8 * 1024 * 1024
INLINE_LIMIT = 256 * 1024
NAME_LIMIT = 100  # with the time in front well below the 255 bytes of a file system
SUFFIX_LIMIT = 16
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+", re.ASCII)
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|\xc2[\x80-\x9f]")  # not tab, CR, LF
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class Upload:
    name: str
    mime: str
    content: bytes


def parse(payload: bytes) -> Upload:
    parts = payload.split(b"\0", 2)
    if len(parts) != 3:
        raise Invalid("expected fileName, NUL, mimeType, NUL, contents")
    if len(parts[2]) > FILE_LIMIT:
        raise too_large(len(parts[2]))
    name, mime = (part.decode("utf-8", "replace") for part in parts[:2])
    return Upload(name, mime.strip().lower(), parts[2])


def too_large(size: int) -> Invalid:
    return Invalid(f"the file has {size} bytes: {FILE_LIMIT} at most")


def safe_name(name: str) -> str:
    """The base name with only characters that have no meaning to a shell, path or terminal."""
    base = re.split(r"[/\\]", name)[-1]
    plain = _UNSAFE.sub("-", base).strip("-._") or "file"
    stem, dot, suffix = plain.rpartition(".")
    if len(plain) <= NAME_LIMIT or not dot or len(suffix) > SUFFIX_LIMIT:
        return plain[:NAME_LIMIT]
    return f"{stem[: NAME_LIMIT - len(suffix) - 1]}.{suffix}"


def stored_name(upload: Upload, now: datetime) -> str:
    """A file name that sorts by time."""
    return f"{now:%Y%m%d-%H%M%S-%f}-{safe_name(upload.name)}"


def is_inline(upload: Upload) -> bool:
    """Whether its content is pasted instead of its path."""
    if upload.mime.startswith("image/") or not 0 < len(upload.content) <= INLINE_LIMIT:
        return False
    return _is_text(upload.content)


def pasted_path(upload: Upload, path: PurePath, directory: PurePath | None) -> str:
    """What is pasted instead of the content. `directory`: the pane's, if known."""
    return f"{path_in_pane(upload, path, directory)} "


def path_in_pane(upload: Upload, path: PurePath, directory: PurePath | None) -> PurePath:
    """Absolute for images, else relative to the pane's directory if the file is below it."""
    if upload.mime.startswith("image/") or directory is None or not path.is_relative_to(directory):
        return path
    return path.relative_to(directory)


def is_printable(path: PurePath) -> bool:
    """Whether a path can be pasted: a line break in it would act as Enter."""
    try:
        str(path).encode()
    except UnicodeEncodeError:  # file names may have bytes that are not valid text
        return False
    return _UNPRINTABLE.search(str(path)) is None


def _is_text(content: bytes) -> bool:
    if _CONTROL.search(content):
        return False
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True
