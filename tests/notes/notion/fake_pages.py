"""The pages of the fake Notion server: trees of blocks, with the rules and errors of the real API.

The HTTP server is in fake_notion.py. Ids, times and objects have Notion's format.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

Object = dict[str, Any]

NO_CHILDREN = {"code", "divider", "image", "bookmark", "equation"}
NESTING = 2
LANGUAGES = {"plain text", "python", "shell", "c++", "json"}


class Refusal(Exception):
    """A response with a status other than 200."""

    def __init__(self, status: int, code: str, message: str = "", after: str = "") -> None:
        super().__init__(message)
        self.status, self.code, self.message, self.after = status, code, message, after


@dataclass
class Node:
    """A block or a page."""

    kind: str
    body: Object
    id: str = field(default_factory=lambda: str(uuid4()))
    parent: "Node | None" = None
    children: list["Node"] = field(default_factory=list)
    in_trash: bool = False
    edited: datetime = datetime(2026, 1, 1, tzinfo=UTC)

    @property
    def root(self) -> "Node":
        return self if self.parent is None or self.kind == "child_page" else self.parent.root

    def is_gone(self) -> bool:
        return self.in_trash or (self.parent is not None and self.parent.is_gone())


def text(content: str, **marks: Any) -> Object:
    """A text object as Notion returns it."""
    link = marks.pop("link", None)
    plain = dict.fromkeys(("bold", "italic", "strikethrough", "underline", "code"), False)
    return {
        "type": "text",
        "text": {"content": content, "link": {"url": link} if link else None},
        "annotations": {**plain, "color": "default", **marks},
        "plain_text": content,
        "href": link,
    }


class Pages:
    def __init__(self) -> None:
        self.nodes: dict[str, Node] = {}
        self.clock = datetime(2026, 1, 1, tzinfo=UTC)

    # --- for tests ------------------------------------------------------------------------------

    def add(self, title: str, blocks: Iterable[Object], parent: Node | None = None) -> Node:
        page = self._keep(Node("child_page", {"title": title}, parent=parent))
        if parent is not None:
            parent.children.append(page)
        page.children = [self._planted(block, page) for block in blocks]
        self.touch(page)
        return page

    def touch(self, node: Node) -> None:
        self.clock += timedelta(minutes=1)  # Notion rounds times down to the minute
        node.root.edited = node.edited = self.clock

    def _planted(self, block: Object, parent: Node) -> Node:
        """Adds a block without checks, also of kinds that cannot be written over the API."""
        body = dict(block[block["type"]])
        children = body.pop("children", [])
        node = self._keep(Node(block["type"], _returned(body), parent=parent))
        node.children = [self._planted(child, node) for child in children]
        return node

    # --- the API --------------------------------------------------------------------------------

    def page(self, page_id: str) -> Object:
        return page_object(self._find(page_id, kinds={"child_page"}))

    def create(self, body: Object) -> Object:
        parent = self._find(body["parent"]["page_id"], kinds={"child_page"})
        self._alive(parent)
        title = _returned(body["properties"]["title"])["title"]
        page = self.add("".join(part["plain_text"] for part in title), (), parent)
        self._append(page, body.get("children", []), len(page.children))
        return page_object(page)

    def children(self, block_id: str, size: int, cursor: str) -> Object:
        if not 1 <= size <= 100:
            raise Refusal(400, "validation_error", "page_size should be ≤ 100")
        existing = [node for node in self._find(block_id).children if not node.in_trash]
        start = int(UUID(cursor)) if cursor else 0
        more = start + size < len(existing)
        return {
            "object": "list",
            "results": [block_object(node) for node in existing[start : start + size]],
            "has_more": more,
            "next_cursor": str(UUID(int=start + size)) if more else None,
        }

    def append(self, block_id: str, body: Object) -> Object:
        parent = self._find(block_id)
        self._alive(parent)
        if "after" in body:
            raise Refusal(400, "validation_error", "body.after should be not present")
        added = self._append(parent, body["children"], self._place(parent, body.get("position")))
        self.touch(parent)
        return {"object": "list", "results": [block_object(node) for node in added]}

    def update(self, block_id: str, body: Object) -> Object:
        node = self._find(block_id)
        if "in_trash" in body:
            node.in_trash = body["in_trash"]
        self._alive(node)
        if node.kind in body:
            _check_body(node.kind, body[node.kind])
            node.body |= _returned(body[node.kind])
        elif "in_trash" not in body:
            raise Refusal(400, "validation_error", f"body.{node.kind} should be defined")
        self.touch(node)
        return block_object(node)

    def delete(self, block_id: str) -> Object:
        node = self._find(block_id)
        self._alive(node)
        node.in_trash = True
        self.touch(node)
        return block_object(node)

    # --- rules ----------------------------------------------------------------------------------

    def _keep(self, node: Node) -> Node:
        self.nodes[node.id] = node
        return node

    def _find(self, node_id: str, kinds: Sequence[str] | set[str] = ()) -> Node:
        try:
            node = self.nodes.get(str(UUID(node_id)))
        except ValueError:
            raise Refusal(400, "validation_error", "path failed validation") from None
        if node is None or (kinds and node.kind not in kinds):
            raise Refusal(404, "object_not_found", f"Could not find object with ID: {node_id}.")
        return node

    def _alive(self, node: Node) -> None:
        if node.is_gone():
            raise Refusal(400, "validation_error", "Can't edit block that is archived.")

    def _place(self, parent: Node, position: Object | None) -> int:
        kind = (position or {"type": "end"})["type"]
        if kind != "after_block":
            return 0 if kind == "start" else len(parent.children)
        wanted = str(UUID((position or {})["after_block"]["id"]))
        ids = [node.id for node in parent.children]
        if wanted not in ids:
            raise Refusal(400, "validation_error", "after_block is not a child of the parent")
        return ids.index(wanted) + 1

    def _append(self, parent: Node, children: Sequence[Object], index: int) -> list[Node]:
        _check_children(parent.kind, parent.body, children, NESTING)
        if sum(map(_size, children)) > 1000:
            raise Refusal(400, "validation_error", "over 1000 blocks")
        added = [self._planted(child, parent) for child in children]
        parent.children[index:index] = added
        return added


def _size(block: Object) -> int:
    return 1 + sum(map(_size, block[block["type"]].get("children", ())))


def _check_children(kind: str, body: Object, children: Sequence[Object], levels: int) -> None:
    if len(children) > 100:
        raise Refusal(400, "validation_error", "body.children.length should be ≤ 100")
    heading = kind.startswith("heading") and not body.get("is_toggleable")
    if children and (levels < 0 or kind in NO_CHILDREN or heading):
        raise Refusal(400, "validation_error", f"{kind}.children should be not present")
    for child in children:
        inner = child[child["type"]]
        _check_body(child["type"], inner)
        _check_children(child["type"], inner, inner.get("children", ()), levels - 1)


def _check_body(kind: str, body: Object) -> None:
    texts = [*body.get("rich_text", ()), *body.get("caption", ())]
    if len(texts) > 100:
        raise Refusal(400, "validation_error", "rich_text.length should be ≤ 100")
    if any(len(part["text"]["content"].encode("utf-16-le")) > 4000 for part in texts):
        raise Refusal(400, "validation_error", "text.content.length should be ≤ 2000")
    if kind == "code" and body.get("language", "plain text") not in LANGUAGES:
        raise Refusal(400, "validation_error", "code.language should be one of the known")


def _returned(body: Object) -> Object:
    """A written body in the form in which it is read: every text with all its marks."""
    return {
        name: _texts(value) if isinstance(value, list) else value for name, value in body.items()
    }


def _texts(written: Sequence[Object]) -> list[Object]:
    return [_text(part) if "text" in part else part for part in written]


def _text(written: Object) -> Object:
    link = (written["text"].get("link") or {}).get("url")
    return text(written["text"]["content"], link=link, **written.get("annotations", {}))


def block_object(node: Node) -> Object:
    alive = any(not child.in_trash for child in node.children)
    return {
        "object": "block",
        "id": node.id,
        "type": node.kind,
        "has_children": alive,
        "in_trash": node.in_trash,
        "last_edited_time": _time(node.edited),
        node.kind: node.body,
    }


def page_object(page: Node) -> Object:
    title = {"id": "title", "type": "title", "title": [text(page.body["title"])]}
    return {
        "object": "page",
        "id": page.id,
        "url": f"https://www.notion.so/{page.id.replace('-', '')}",
        "in_trash": page.is_gone(),
        "last_edited_time": _time(page.edited),
        "properties": {"title": title},
    }


def _time(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M}:00.000Z"
