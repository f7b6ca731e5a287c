"""Converts blocks to the objects of Notion's API and back, within the limits of one request.

Pure. client.py sends the requests. A kind of block that we cannot write is read as a kept block,
whose line names it.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import quote

from core.errors import Invalid
from notes.notion.blocks import HEADINGS, Block, BlockKind, blocks, kept_line
from notes.notion.inline import Mark, Span, inline, spans

Payload = dict[str, Any]  # JSON of Notion's API, which publishes no types for Python

TEXT_LIMIT = 2000  # UTF-16 units in one text object
TEXTS_LIMIT = 100  # text objects in one block
CHILDREN_LIMIT = 100  # in one list of children
NESTING_LIMIT = 2  # levels of children below the blocks of one request
ELEMENTS_LIMIT = 1000  # blocks in one request, nested ones too
BYTES_LIMIT = 450_000  # in one request; Notion accepts 500 kB
BLOCKS_LIMIT = 5000  # in one page; our own limit, so that reading ends
EXCERPT_LENGTH = 60  # characters of a kept block that are shown in its line
WRITABLE = frozenset(kind.value for kind in BlockKind if kind is not BlockKind.KEPT)

# The languages that Notion accepts for code: it refuses a block with any other name.
PLAIN = "plain text"
_NAMES = """
abap abc agda arduino assembly bash basic bnf c c# c++ clojure coffeescript coq css dart dhall diff
docker ebnf elixir elm erlang f# flow fortran gherkin glsl go graphql groovy haskell hcl html idris
java javascript json julia kotlin latex less lisp livescript lua makefile markdown markup matlab
mermaid nix objective-c ocaml pascal perl php powershell prolog protobuf purescript python r racket
reason ruby rust sass scala scheme scss shell smalltalk solidity sql swift toml typescript vb.net
verilog vhdl webassembly xml yaml
"""
LANGUAGES = frozenset(_NAMES.split())
# Common other names for them.
ALIASES = {
    "py": "python", "js": "javascript", "ts": "typescript", "sh": "shell", "zsh": "shell",
    "console": "shell", "yml": "yaml", "md": "markdown", "rb": "ruby", "rs": "rust",
    "cpp": "c++", "cs": "c#", "dockerfile": "docker", "make": "makefile", "tex": "latex",
}  # fmt: skip  # a table


# --- reading ------------------------------------------------------------------------------------


def has_readable_children(payload: Payload) -> bool:
    """Whether its children become lines. Those of a kept block stay hidden in it."""
    return bool(payload.get("has_children")) and payload["type"] in WRITABLE


def tree(payloads: Iterable[Payload]) -> list[Block]:
    """Converts blocks whose `children` have been filled in."""
    return [block(payload, tree(payload.get("children", ()))) for payload in payloads]


def block(payload: Payload, children: Iterable[Block] = ()) -> Block:
    kind, block_id = payload["type"], payload["id"]
    body = payload.get(kind) or {}
    if kind not in WRITABLE:
        line = kept_line(kind, block_id, _words(body)[:EXCERPT_LENGTH])
        return Block(BlockKind.KEPT, line, id=block_id.replace("-", ""))
    if kind == BlockKind.CODE:
        return Block(BlockKind.CODE, _plain(body["rich_text"]), info=_info(body), id=block_id)
    text = inline(map(_span, body.get("rich_text", ())))
    checked = bool(body.get("checked"))
    return Block(BlockKind(kind), text, checked, id=block_id, children=tuple(children))


def _span(payload: Payload) -> Span:
    marked = payload.get("annotations") or {}
    marks = Mark.BOLD * bool(marked.get("bold")) | Mark.ITALIC * bool(marked.get("italic"))
    marks |= Mark.STRUCK * bool(marked.get("strikethrough"))
    link = _absolute(payload.get("href") or "")
    return Span(payload.get("plain_text", ""), Mark(marks), bool(marked.get("code")), link)


def _absolute(href: str) -> str:
    """Notion returns a path for its own pages. Brackets would end a link in Markdown."""
    url = f"https://www.notion.so{href}" if href.startswith("/") else href
    return quote(url, safe="!#$%&'*+,/:;=?@[]~-._")


def _plain(texts: Iterable[Payload]) -> str:
    return "".join(text.get("plain_text", "") for text in texts)


def _words(body: Payload) -> str:
    """What distinguishes a kept block from others: its text, caption, title or address."""
    for name in ("rich_text", "caption"):
        if body.get(name):
            return _plain(body[name])
    return str(body.get("title") or body.get("expression") or body.get("url") or "")


def _info(body: Payload) -> str:
    """The caption holds the name typed after the fence, where Notion uses another name for it."""
    typed, name = _plain(body.get("caption", ())), str(body.get("language", PLAIN))
    if typed and language(typed) == name and "`" not in typed and "\n" not in typed:
        return typed
    return _fence_info(name)


# --- writing ------------------------------------------------------------------------------------


def checked_blocks(text: str) -> list[Block]:
    """The blocks of a text. Refuses what Notion cannot hold, before anything is sent."""
    wanted = blocks(text)
    if sum(map(size, wanted)) > BLOCKS_LIMIT:
        raise Invalid(f"the text has over {BLOCKS_LIMIT} lines: split it, or keep it local")
    _check(wanted)
    return wanted


def _check(wanted: Iterable[Block]) -> None:
    for block_ in wanted:
        try:
            _weight(payload(block_))
        except UnicodeEncodeError:
            raise Invalid("the text is not valid Unicode: type it again") from None
        _check(block_.children)


def payload(wanted: Block) -> Payload:
    """The object of one block, without its children."""
    return {"object": "block", "type": wanted.kind.value, wanted.kind.value: content(wanted)}


def content(wanted: Block) -> Payload:
    if wanted.kind is BlockKind.DIVIDER:
        return {}
    if wanted.kind is BlockKind.CODE:
        return _code(wanted)
    body: Payload = {"rich_text": rich_text(spans(wanted.text))}
    if wanted.kind is BlockKind.TO_DO:
        body["checked"] = wanted.checked
    if wanted.kind in HEADINGS and wanted.children:
        body["is_toggleable"] = True  # only a toggle heading can have children
    return body


def changes(before: Block, wanted: Block) -> Payload:
    """The fields that turn `before` into `wanted`. A caption that is not ours stays."""
    body = content(wanted)
    if wanted.kind is BlockKind.CODE and before.info == wanted.info:
        return {"rich_text": body["rich_text"]}
    if wanted.kind is BlockKind.CODE:
        body.setdefault("caption", [])
    return body


def nested(wanted: Block) -> Payload:
    """The object of one block with its children."""
    parent = payload(wanted)
    if wanted.children:
        parent[wanted.kind.value]["children"] = [nested(child) for child in wanted.children]
    return parent


def fits(wanted: Block, levels: int = NESTING_LIMIT) -> bool:
    """Whether a block can be sent with its children; otherwise they follow in separate requests."""
    if len(wanted.children) > CHILDREN_LIMIT or (wanted.children and levels == 0):
        return False
    if levels == NESTING_LIMIT and size(wanted) > ELEMENTS_LIMIT:
        return False
    return all(fits(child, levels - 1) for child in wanted.children)


def batches(wanted: Iterable[Block]) -> Iterator[list[tuple[Block, Payload]]]:
    """Splits blocks into requests. The children of a block that does not fit are left out."""
    batch, elements, weight = list[tuple[Block, Payload]](), 0, 0
    for block_ in wanted:
        fitting = fits(block_)
        added = nested(block_) if fitting else payload(block_)
        added_elements, added_weight = (size(block_) if fitting else 1), _weight(added)
        full = len(batch) == CHILDREN_LIMIT or elements + added_elements > ELEMENTS_LIMIT
        if batch and (full or weight + added_weight > BYTES_LIMIT):
            yield batch
            batch, elements, weight = [], 0, 0
        batch.append((block_, added))
        elements, weight = elements + added_elements, weight + added_weight
    if batch:
        yield batch


def size(wanted: Block) -> int:
    return 1 + sum(map(size, wanted.children))


def rich_text(parts: Iterable[Span]) -> list[Payload]:
    texts = [_text(part, piece) for part in parts for piece in _pieces(part.text)]
    if len(texts) > TEXTS_LIMIT:
        raise Invalid(
            "a line or a code block is too long for Notion, or changes its formatting more than"
            f" {TEXTS_LIMIT} times: split it into several"
        )
    return texts


def _pieces(text: str) -> Iterator[str]:
    # Characters beyond U+FFFF take two UTF-16 units.
    step = TEXT_LIMIT if max(text, default="") <= "\uffff" else TEXT_LIMIT // 2
    return (text[start : start + step] for start in range(0, len(text), step))


def _text(part: Span, piece: str) -> Payload:
    text: Payload = {"content": piece}
    if part.link:
        text["link"] = {"url": part.link}
    marks = {
        "bold": bool(part.marks & Mark.BOLD),
        "italic": bool(part.marks & Mark.ITALIC),
        "strikethrough": bool(part.marks & Mark.STRUCK),
        "code": part.code,
    }
    return {"type": "text", "text": text, "annotations": marks}


def _code(wanted: Block) -> Payload:
    body: Payload = {"rich_text": rich_text([Span(wanted.text)] if wanted.text else [])}
    body["language"] = language(wanted.info)
    if wanted.info != _fence_info(body["language"]):
        body["caption"] = rich_text([Span(wanted.info)])
    return body


def _weight(payload_: Payload) -> int:
    return len(json.dumps(payload_, ensure_ascii=False).encode())


def language(info: str) -> str:
    """Notion's name for the language that is named after a fence."""
    name = info.strip().lower()
    name = ALIASES.get(name, name)
    return name if name in LANGUAGES else PLAIN


def _fence_info(name: str) -> str:
    """What is written after the fence for a language of Notion."""
    return "" if name == PLAIN else name
