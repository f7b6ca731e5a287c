"""Pages of Notion as Markdown: what the rest of the app needs of it.

client.py asks, calls.py bears with the answers; blocks, inline and payloads know the format,
edits.py finds the difference.
"""

from notes.notion.addresses import page_id
from notes.notion.calls import Limits, NotionFailed, NotionGone, NotionRefused, NotionTooLarge
from notes.notion.client import Notion, Page

__all__ = [
    "Limits",
    "Notion",
    "NotionFailed",
    "NotionGone",
    "NotionRefused",
    "NotionTooLarge",
    "Page",
    "page_id",
]
