"""Extracts the id of a Notion page from what users paste: an address, or the id itself.

Pure. Whether the page exists is checked by client.py.
"""

import re
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

from core.errors import Invalid

_HOSTS = re.compile(r"(?:.+\.)?notion\.(?:so|site|com)")
_ID = re.compile(r"[0-9a-f]{32}$")
_BARE = re.compile(r"[0-9a-f]{8}(-?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}", re.I)


def page_id(text: str) -> str:
    """The id with dashes, in the form that Notion returns."""
    text = text.strip()
    identifier = text if _BARE.fullmatch(text) else _id_of_url(text)
    if identifier is None:
        raise Invalid(
            "not a Notion page: pass its address (https://www.notion.so/…) or its id, 32 digits and"
            " letters a-f, with or without dashes"
        )
    return str(UUID(identifier))


def _id_of_url(text: str) -> str | None:
    try:
        parts = urlsplit(text if "://" in text else f"https://{text}")
        known = _HOSTS.fullmatch(parts.hostname or "")
    except ValueError:  # brackets that are not an IPv6 address
        return None
    if known is None:
        return None
    side_peek = parse_qs(parts.query).get("p", [""])[0]  # a page opened next to another
    return _id_at_end(side_peek) or _id_at_end(parts.path.rstrip("/").rpartition("/")[2])


def _id_at_end(text: str) -> str | None:
    match = _ID.search(text.lower().replace("-", ""))
    return match[0] if match else None
