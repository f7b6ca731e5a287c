"""Blocks ⇄ the objects of Notion's API, with the limits of one request.

Not the requests: notion.py. What we cannot write is read as a kept block, which names it.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import quote

from notes.notion.blocks import HEADINGS, Block, Kind, blocks, kept_line
from notes.notion.inline import inline, spans
from notes.notion.languages import PLAIN, language, shown
from notes.notion.marks import Mark, Span
from terminals.errors import Invalid

Payload = dict[str, Any]  # as the API has it: JSON, typed no further than here

TEXT_LIMIT = 2000  # UTF-16 units in one text object
TEXTS_LIMIT = 100  # text objects in one block
CHILDREN_LIMIT = 100  # in one list of children
NESTING_LIMIT = 2  # levels of children below the blocks of one request
ELEMENTS_LIMIT = 1000  # blocks in one request, nested ones too
BYTES_LIMIT = 450_000  # of one request; Notion takes 500 kB
BLOCKS_LIMIT = 5000  # of one page; ours, so that reading it ends
EXCERPT = 60  # characters of a kept block that its line shows
WRITABLE = frozenset(kind.value for kind in Kind if kind is not Kind.KEPT)

# --- reading ----------------------------------------------------------------------------------


def is_read_through(found: Mapping[str, Any]) -> bool:
    """Whether its children are lines of ours too; those of a kept block stay inside of it."""
    return bool(found.get("has_children")) and found["type"] in WRITABLE


def tree(found: Iterable[Payload]) -> list[Block]:
    """Of blocks that hold what is below them as `children`."""
    return [block(each, tree(each.get("children", ()))) for each in found]


def block(found: Mapping[str, Any], children: Iterable[Block] = ()) -> Block:
    kind, block_id = found["type"], found["id"]
    body = found.get(kind) or {}
    if kind not in WRITABLE:
        line = kept_line(kind, block_id, _words(body)[:EXCERPT])
        return Block(Kind.KEPT, line, id=block_id.replace("-", ""))
    if kind == Kind.CODE:
        return Block(Kind.CODE, _plain(body["rich_text"]), info=_info(body), id=block_id)
    text = inline(map(_span, body.get("rich_text", ())))
    checked = bool(body.get("checked"))
    return Block(Kind(kind), text, checked, id=block_id, children=tuple(children))


def _span(found: Mapping[str, Any]) -> Span:
    marked = found.get("annotations") or {}
    marks = Mark.BOLD * bool(marked.get("bold")) | Mark.ITALIC * bool(marked.get("italic"))
    marks |= Mark.STRUCK * bool(marked.get("strikethrough"))
    link = _absolute(found.get("href") or "")
    return Span(found.get("plain_text", ""), Mark(marks), bool(marked.get("code")), link)


def _absolute(href: str) -> str:
    """Notion tells its own pages by a path; brackets would end a link in Markdown."""
    url = f"https://www.notion.so{href}" if href.startswith("/") else href
    return quote(url, safe="!#$%&'*+,/:;=?@[]~-._")


def _plain(texts: Iterable[Mapping[str, Any]]) -> str:
    return "".join(text.get("plain_text", "") for text in texts)


def _words(body: Mapping[str, Any]) -> str:
    """What tells a kept block from others: its text, caption, title or address."""
    for name in ("rich_text", "caption"):
        if body.get(name):
            return _plain(body[name])
    return str(body.get("title") or body.get("expression") or body.get("url") or "")


def _info(body: Mapping[str, Any]) -> str:
    """The caption holds what was typed after the fence, where Notion knows it by another name."""
    typed, name = _plain(body.get("caption", ())), str(body.get("language", PLAIN))
    if typed and language(typed) == name and "`" not in typed and "\n" not in typed:
        return typed
    return shown(name)


# --- writing ----------------------------------------------------------------------------------


def checked(text: str) -> list[Block]:
    """The blocks of a text, if Notion can hold them: it is refused before anything is done."""
    wanted = blocks(text)
    if sum(map(size, wanted)) > BLOCKS_LIMIT:
        raise Invalid(f"the text has over {BLOCKS_LIMIT} lines: split it, or keep it local")
    _check(wanted)
    return wanted


def _check(wanted: Iterable[Block]) -> None:
    for each in wanted:
        try:
            _weight(payload(each))
        except UnicodeEncodeError:
            raise Invalid("the text holds half of a character: type it anew") from None
        _check(each.children)


def payload(wanted: Block) -> Payload:
    """Without its children."""
    return {"object": "block", "type": wanted.kind.value, wanted.kind.value: content(wanted)}


def content(wanted: Block) -> Payload:
    if wanted.kind is Kind.DIVIDER:
        return {}
    if wanted.kind is Kind.CODE:
        return _code(wanted)
    body: Payload = {"rich_text": rich_text(spans(wanted.text))}
    if wanted.kind is Kind.TO_DO:
        body["checked"] = wanted.checked
    if wanted.kind in HEADINGS and wanted.children:
        body["is_toggleable"] = True  # only such a heading has children
    return body


def changes(before: Block, wanted: Block) -> Payload:
    """What makes one block of the other; a caption that is none of ours stays."""
    body = content(wanted)
    if wanted.kind is Kind.CODE and before.info == wanted.info:
        return {"rich_text": body["rich_text"]}
    if wanted.kind is Kind.CODE:
        body.setdefault("caption", [])
    return body


def nested(wanted: Block) -> Payload:
    made = payload(wanted)
    if wanted.children:
        made[wanted.kind.value]["children"] = [nested(child) for child in wanted.children]
    return made


def fits(wanted: Block, levels: int = NESTING_LIMIT) -> bool:
    """Whether it can be sent with its children; otherwise they follow in requests of their own."""
    if len(wanted.children) > CHILDREN_LIMIT or (wanted.children and levels == 0):
        return False
    if levels == NESTING_LIMIT and size(wanted) > ELEMENTS_LIMIT:
        return False
    return all(fits(child, levels - 1) for child in wanted.children)


def batches(wanted: Iterable[Block]) -> Iterator[list[tuple[Block, Payload]]]:
    """What goes into one request each; the children of a block that does not fit are missing."""
    batch, elements, weight = list[tuple[Block, Payload]](), 0, 0
    for each in wanted:
        made = nested(each) if fits(each) else payload(each)
        more, heavier = (size(each) if fits(each) else 1), _weight(made)
        full = len(batch) == CHILDREN_LIMIT or elements + more > ELEMENTS_LIMIT
        if batch and (full or weight + heavier > BYTES_LIMIT):
            yield batch
            batch, elements, weight = [], 0, 0
        batch.append((each, made))
        elements, weight = elements + more, weight + heavier
    if batch:
        yield batch


def size(wanted: Block) -> int:
    return 1 + sum(map(size, wanted.children))


def rich_text(parts: Iterable[Span]) -> list[Payload]:
    made = [_text(part, piece) for part in parts for piece in _pieces(part.text)]
    if len(made) > TEXTS_LIMIT:
        raise Invalid(
            "a line or a code block is too long for Notion, or changes between bold, links and the"
            f" like more than {TEXTS_LIMIT} times: split it into several"
        )
    return made


def _pieces(text: str) -> Iterator[str]:
    step = TEXT_LIMIT if max(text, default="") <= "\uffff" else TEXT_LIMIT // 2
    return (text[at : at + step] for at in range(0, len(text), step))


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
    if wanted.info != shown(body["language"]):
        body["caption"] = rich_text([Span(wanted.info)])
    return body


def _weight(made: Payload) -> int:
    return len(json.dumps(made, ensure_ascii=False).encode())
