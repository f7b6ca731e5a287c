"""What has to be done to a page so that it reads as wanted: the fewest edits, the safest order.

Not the requests. Blocks that read the same stay, with all that Markdown does not show of them.
Everything is inserted before anything is deleted, so no text is ever nowhere. A block that we
cannot write is never deleted nor moved: where its line is missing or elsewhere, it stays in place.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import groupby

from notes.notion.blocks import HEADINGS, Block, Kind

Key = tuple[Kind, str, bool, str, bool]
Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Insert:
    parent: str
    after: str  # a child of the parent; empty: before its first
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Update:
    before: Block
    block: Block  # of the same kind


@dataclass(frozen=True, slots=True)
class Delete:
    id: str


Edit = Insert | Update | Delete
_ORDER = (Insert, Update, Delete)


def plan(page_id: str, there: Sequence[Block], wanted: Sequence[Block]) -> list[Edit]:
    kept = {block.id for block in _all(there) if block.kind is Kind.KEPT}
    resolved = _resolved(wanted, kept)
    keys = frozenset(map(_key, _all(resolved)))
    edits = list(_edits(page_id, there, resolved, keys))
    return sorted(edits, key=lambda edit: _ORDER.index(type(edit)))


def _all(tree: Iterable[Block]) -> Iterator[Block]:
    for block in tree:
        yield block
        yield from _all(block.children)


def _key(block: Block) -> Key:
    """What a block reads like; a heading that folds is another one than a plain heading."""
    folds = block.kind in HEADINGS and bool(block.children)
    text = block.id if block.kind is Kind.KEPT else block.text
    return block.kind, text, block.checked, block.info, folds


def _resolved(wanted: Iterable[Block], kept: set[str]) -> tuple[Block, ...]:
    """A line that stands for a block which is not in this page, or a second one, is only a line."""
    found: list[Block] = []
    for block in wanted:
        if block.kind is Kind.KEPT and block.id not in kept:
            block = Block(Kind.PARAGRAPH, block.text)
        kept.discard(block.id)
        found.append(replace(block, children=_resolved(block.children, kept)))
    return tuple(found)


def _edits(
    parent: str, there: Sequence[Block], wanted: Sequence[Block], keys: frozenset[Key]
) -> Iterator[Edit]:
    pairs = _aligned(there, wanted, keys)
    partner = {new: old for old, new in pairs}
    yield from _inserts(parent, there, wanted, partner)
    for old, new in pairs:
        before, after = there[old], wanted[new]
        if _key(before) != _key(after):
            yield Update(before, after)
        yield from _edits(before.id, before.children, after.children, keys)
    for index in set(range(len(there))) - set(partner.values()):
        yield from _removed(there[index], keys)


def _inserts(
    parent: str, there: Sequence[Block], wanted: Sequence[Block], partner: dict[int, int]
) -> Iterator[Insert]:
    after = ""
    for is_new, grouped in groupby(range(len(wanted)), key=lambda index: index not in partner):
        indices = list(grouped)
        new = _writable(wanted[index] for index in indices)
        if is_new and new:
            yield Insert(parent, after, new)
        if not is_new:
            after = there[partner[indices[-1]]].id


def _writable(wanted: Iterable[Block]) -> tuple[Block, ...]:
    """Without the lines of kept blocks, which stay where they are."""
    return tuple(
        replace(block, children=_writable(block.children))
        for block in wanted
        if block.kind is not Kind.KEPT
    )


def _removed(block: Block, keys: frozenset[Key]) -> Iterator[Edit]:
    """A block around one that we keep stays too: it would take that along."""
    if block.kind is Kind.KEPT:
        return
    if any(each.kind is Kind.KEPT for each in _all(block.children)):
        yield from _edits(block.id, block.children, (), keys)
        return
    yield Delete(block.id)


# --- which block becomes which ----------------------------------------------------------------


def _aligned(there: Sequence[Block], wanted: Sequence[Block], keys: frozenset[Key]) -> list[Pair]:
    """Pairs in the order of both. What we keep comes first: everything else can be moved."""
    pairs: list[Pair] = []
    old = new = 0
    for anchor in [*_anchors(there, wanted), (len(there), len(wanted))]:
        for o, n in _within(there[old : anchor[0]], wanted[new : anchor[1]], keys):
            pairs.append((old + o, new + n))
        pairs.append(anchor)
        old, new = anchor[0] + 1, anchor[1] + 1
    return pairs[:-1]


def _anchors(there: Sequence[Block], wanted: Sequence[Block]) -> Iterator[Pair]:
    old = [index for index, block in enumerate(there) if block.kind is Kind.KEPT]
    new = [index for index, block in enumerate(wanted) if block.kind is Kind.KEPT]
    names = [there[index].id for index in old], [wanted[index].id for index in new]
    for match in SequenceMatcher(None, *names, autojunk=False).get_matching_blocks():
        yield from zip(old[match.a :][: match.size], new[match.b :][: match.size], strict=True)


def _within(
    there: Sequence[Block], wanted: Sequence[Block], keys: frozenset[Key]
) -> Iterator[Pair]:
    before, after = list(map(_key, there)), list(map(_key, wanted))
    for tag, old, old_end, new, new_end in SequenceMatcher(
        None, before, after, autojunk=False
    ).get_opcodes():
        if tag == "equal":
            yield from zip(range(old, old_end), range(new, new_end), strict=True)
        if tag == "replace":
            rows = [index for index in range(old, old_end) if before[index] not in keys]
            yield from _edited(there, wanted, rows, range(new, new_end))


def _edited(
    there: Sequence[Block], wanted: Sequence[Block], rows: Sequence[int], news: Iterable[int]
) -> Iterator[Pair]:
    """A block that is wanted nowhere takes the text of one of its kind that is new at its place."""
    left = list(rows)
    for new in news:
        for place, old in enumerate(left):
            if _takes(there[old], wanted[new]):
                yield old, new
                left = left[place + 1 :]
                break


def _takes(old: Block, new: Block) -> bool:
    if old.kind is not new.kind or old.kind in {Kind.KEPT, Kind.DIVIDER}:
        return False
    return _key(old)[-1] == _key(new)[-1]
