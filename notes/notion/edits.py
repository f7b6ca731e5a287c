"""Plans the edits that turn a page into the wanted blocks: the fewest edits, in the safest order.

Pure. Blocks with the same text stay, with everything that Markdown does not show. All inserts come
before all deletes, so that every text exists at any time. A block that we cannot write (`KEPT`) is
never deleted or moved: where its line is missing or elsewhere, it stays in place.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import groupby

from notes.notion.blocks import HEADINGS, Block, BlockKind

Key = tuple[BlockKind, str, bool, str, bool]
Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class InsertBlocks:
    parent: str
    after: str  # a child of the parent; empty: before its first child
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class UpdateBlock:
    before: Block
    block: Block  # of the same kind


@dataclass(frozen=True, slots=True)
class DeleteBlock:
    id: str


Edit = InsertBlocks | UpdateBlock | DeleteBlock
_ORDER = (InsertBlocks, UpdateBlock, DeleteBlock)


def plan(page_id: str, existing: Sequence[Block], wanted: Sequence[Block]) -> list[Edit]:
    kept = {block.id for block in _all(existing) if block.kind is BlockKind.KEPT}
    resolved = _resolved(wanted, kept)
    keys = frozenset(map(_key, _all(resolved)))
    edits = list(_edits(page_id, existing, resolved, keys))
    return sorted(edits, key=lambda edit: _ORDER.index(type(edit)))


def _all(tree: Iterable[Block]) -> Iterator[Block]:
    for block in tree:
        yield block
        yield from _all(block.children)


def _key(block: Block) -> Key:
    """The visible content of a block. A toggle heading differs from a plain heading."""
    is_toggle = block.kind in HEADINGS and bool(block.children)
    text = block.id if block.kind is BlockKind.KEPT else block.text
    return block.kind, text, block.checked, block.info, is_toggle


def _resolved(wanted: Iterable[Block], kept: set[str]) -> tuple[Block, ...]:
    """Makes plain text of lines for kept blocks that are not in this page, or occur twice."""
    resolved: list[Block] = []
    for block in wanted:
        if block.kind is BlockKind.KEPT and block.id not in kept:
            block = Block(BlockKind.PARAGRAPH, block.text)
        kept.discard(block.id)
        resolved.append(replace(block, children=_resolved(block.children, kept)))
    return tuple(resolved)


def _edits(
    parent: str, existing: Sequence[Block], wanted: Sequence[Block], keys: frozenset[Key]
) -> Iterator[Edit]:
    pairs = _aligned(existing, wanted, keys)
    partner = {new: old for old, new in pairs}
    yield from _inserts(parent, existing, wanted, partner)
    for old, new in pairs:
        before, after = existing[old], wanted[new]
        if _key(before) != _key(after):
            yield UpdateBlock(before, after)
        yield from _edits(before.id, before.children, after.children, keys)
    for index in set(range(len(existing))) - set(partner.values()):
        yield from _removed(existing[index], keys)


def _inserts(
    parent: str, existing: Sequence[Block], wanted: Sequence[Block], partner: dict[int, int]
) -> Iterator[InsertBlocks]:
    after = ""
    for is_new, grouped in groupby(range(len(wanted)), key=lambda index: index not in partner):
        indices = list(grouped)
        new = _writable(wanted[index] for index in indices)
        if is_new and new:
            yield InsertBlocks(parent, after, new)
        if not is_new:
            after = existing[partner[indices[-1]]].id


def _writable(wanted: Iterable[Block]) -> tuple[Block, ...]:
    """The blocks without the lines of kept blocks, which stay where they are."""
    return tuple(
        replace(block, children=_writable(block.children))
        for block in wanted
        if block.kind is not BlockKind.KEPT
    )


def _removed(block: Block, keys: frozenset[Key]) -> Iterator[Edit]:
    """Deletes a block, unless it contains a kept block, which would be deleted with it."""
    if block.kind is BlockKind.KEPT:
        return
    if any(inner.kind is BlockKind.KEPT for inner in _all(block.children)):
        yield from _edits(block.id, block.children, (), keys)
        return
    yield DeleteBlock(block.id)


# --- which block becomes which ------------------------------------------------------------------


def _aligned(
    existing: Sequence[Block], wanted: Sequence[Block], keys: frozenset[Key]
) -> list[Pair]:
    """Pairs of existing and wanted blocks, in order. Kept blocks are paired first, because all
    others can be moved."""
    pairs: list[Pair] = []
    old = new = 0
    for anchor in [*_anchors(existing, wanted), (len(existing), len(wanted))]:
        for o, n in _within(existing[old : anchor[0]], wanted[new : anchor[1]], keys):
            pairs.append((old + o, new + n))
        pairs.append(anchor)
        old, new = anchor[0] + 1, anchor[1] + 1
    return pairs[:-1]


def _anchors(existing: Sequence[Block], wanted: Sequence[Block]) -> Iterator[Pair]:
    old = [index for index, block in enumerate(existing) if block.kind is BlockKind.KEPT]
    new = [index for index, block in enumerate(wanted) if block.kind is BlockKind.KEPT]
    names = [existing[index].id for index in old], [wanted[index].id for index in new]
    for match in SequenceMatcher(None, *names, autojunk=False).get_matching_blocks():
        yield from zip(old[match.a :][: match.size], new[match.b :][: match.size], strict=True)


def _within(
    existing: Sequence[Block], wanted: Sequence[Block], keys: frozenset[Key]
) -> Iterator[Pair]:
    before, after = list(map(_key, existing)), list(map(_key, wanted))
    for tag, old, old_end, new, new_end in SequenceMatcher(
        None, before, after, autojunk=False
    ).get_opcodes():
        if tag == "equal":
            yield from zip(range(old, old_end), range(new, new_end), strict=True)
        if tag == "replace":
            rows = [index for index in range(old, old_end) if before[index] not in keys]
            yield from _rewritten(existing, wanted, rows, range(new, new_end))


def _rewritten(
    existing: Sequence[Block], wanted: Sequence[Block], rows: Sequence[int], news: Iterable[int]
) -> Iterator[Pair]:
    """An existing block that is wanted nowhere is rewritten to a new block of the same kind."""
    left = list(rows)
    for new in news:
        for position, old in enumerate(left):
            if _can_become(existing[old], wanted[new]):
                yield old, new
                left = left[position + 1 :]
                break


def _can_become(old: Block, new: Block) -> bool:
    if old.kind is not new.kind or old.kind in {BlockKind.KEPT, BlockKind.DIVIDER}:
        return False
    return _key(old)[-1] == _key(new)[-1]
