"""Notion pages as Markdown: what the rest of the app uses.

sync.py links sheets with pages and moves text between them. client.py reads and writes pages,
calls.py sends the requests; blocks.py, inline.py and payloads.py convert between Markdown and
Notion's format, edits.py computes the difference.
"""

from notes.notion.addresses import page_id
from notes.notion.calls import (
    NotionFailed,
    NotionGone,
    NotionRefused,
    NotionTooLarge,
    RequestLimits,
)
from notes.notion.client import Notion, NotionPage

__all__ = [
    "Notion",
    "NotionFailed",
    "NotionGone",
    "NotionPage",
    "NotionRefused",
    "NotionTooLarge",
    "RequestLimits",
    "page_id",
]
