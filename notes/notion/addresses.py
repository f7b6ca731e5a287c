"""The id of a Notion page in what people copy: an address, or the id itself.

Not whether there is such a page: notion.py asks.
"""

import re
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

from terminals.errors import Invalid

_HOSTS = re.compile(r"(?:.+\.)?notion\.(?:so|site|com)")
_ID = re.compile(r"[0-9a-f]{32}$")
_BARE = re.compile(r"[0-9a-f]{8}(-?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}", re.I)


def page_id(text: str) -> str:
    """With dashes, as Notion itself tells it."""
    text = text.strip()
    found = text if _BARE.fullmatch(text) else _id_of_url(text)
    if found is None:
        raise Invalid(
            "no page of Notion: give its address (https://www.notion.so/…) or its id, 32 digits and"
            " letters a-f, with or without dashes"
        )
    return str(UUID(found))


def _id_of_url(text: str) -> str | None:
    try:
        parts = urlsplit(text if "://" in text else f"https://{text}")
        known = _HOSTS.fullmatch(parts.hostname or "")
    except ValueError:  # brackets that are no address
        return None
    if known is None:
        return None
    beside = parse_qs(parts.query).get("p", [""])[0]  # a page shown beside another
    return _id_at_end(beside) or _id_at_end(parts.path.rstrip("/").rpartition("/")[2])


def _id_at_end(text: str) -> str | None:
    found = _ID.search(text.lower().replace("-", ""))
    return found[0] if found else None
