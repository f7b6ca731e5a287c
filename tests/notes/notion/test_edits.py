"""The plan of a write: carried out in memory it gives the wanted text and loses nothing."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from hypothesis import example, given, settings
from hypothesis import strategies as st

from notes.notion.blocks import Block, BlockKind, blocks, markdown
from notes.notion.edits import DeleteBlock, Edit, InsertBlocks, UpdateBlock, plan

KEPT = [f"<!-- notion:image {number:032x} -->" for number in range(3)]
LINES = st.sampled_from(["a", "b", "c", "", "- a", "- b", "  - c", "    d", "# a", "  # b", "---",
                         "- [ ] a", "- [x] a", "1. a", "> a"])  # fmt: skip
TEXTS = st.lists(LINES, max_size=12).map("\n".join)


def placed(tree: Sequence[Block], ids: "count[int]") -> tuple[Block, ...]:
    """The blocks with ids, as in Notion."""
    return tuple(
        replace(block, id=block.id or f"id{next(ids)}", children=placed(block.children, ids))
        for block in tree
    )


def applied(tree: Sequence[Block], edit: Edit, parent: str, ids: "count[int]") -> tuple[Block, ...]:
    result: list[Block] = []
    if isinstance(edit, InsertBlocks) and edit.parent == parent and not edit.after:
        result += placed(edit.blocks, ids)
    for block in tree:
        if edit == DeleteBlock(block.id):
            continue
        if isinstance(edit, UpdateBlock) and edit.before.id == block.id:
            block = replace(edit.block, id=block.id, children=block.children)
        result.append(replace(block, children=applied(block.children, edit, block.id, ids)))
        if isinstance(edit, InsertBlocks) and edit.parent == parent and edit.after == block.id:
            result += placed(edit.blocks, ids)
    return tuple(result)


def written(old: str, new: str) -> tuple[str, list[Edit]]:
    ids = count()
    tree = placed(blocks(old), ids)
    edits = plan("page", tree, blocks(new))
    for edit in edits:
        tree = applied(tree, edit, "page", ids)
    return markdown(tree), edits


@settings(deadline=None, max_examples=200)
@given(TEXTS, TEXTS)
def test_a_page_has_the_wanted_text_after_its_edits(old: str, new: str) -> None:
    assert written(old, new)[0] == markdown(blocks(new))


@settings(deadline=None, max_examples=200)
@given(TEXTS)
def test_a_page_with_the_wanted_text_gets_no_edits(text: str) -> None:
    assert written(text, text)[1] == []


@settings(deadline=None, max_examples=150)
@given(st.lists(LINES | st.sampled_from(KEPT), max_size=12), st.lists(LINES, max_size=12))
def test_no_plan_deletes_blocks_that_cannot_be_written(old: list[str], new: list[str]) -> None:
    kept = list(dict.fromkeys(line for line in old if line in KEPT))
    lines = [line for line in old if line not in KEPT]
    text = "\n".join([*lines, *(f"- x\n  {line}" for line in kept)])
    result = written(text, "\n".join(new))[0].split("\n")
    assert [line for line in map(str.strip, result) if line in KEPT] == kept


@settings(deadline=None, max_examples=150)
@given(TEXTS, TEXTS)
@example("a\n# k\n# l\nb", "c\n# k\n# l\na")  # a moves over blocks that stay
def test_wanted_text_exists_after_every_edit(old: str, new: str) -> None:
    """After any edit, every old line that is still wanted exists."""
    ids = count()
    tree = placed(blocks(old), ids)
    texts = _texts(tree) & _texts(blocks(new))
    for edit in plan("page", tree, blocks(new)):
        tree = applied(tree, edit, "page", ids)
        assert texts <= _texts(tree)


def _texts(tree: Sequence[Block]) -> set[tuple[BlockKind, str]]:
    texts = {(block.kind, block.text) for block in tree}
    return texts.union(*(_texts(block.children) for block in tree))


def test_inserts_come_first_and_deletes_last() -> None:
    kinds = [type(edit) for edit in written("a\nb\n- c", "# x\na, edited\n> y")[1]]
    assert kinds == sorted(kinds, key=[InsertBlocks, UpdateBlock, DeleteBlock].index)
    assert set(kinds) == {InsertBlocks, UpdateBlock, DeleteBlock}
