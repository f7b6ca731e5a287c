"""Conversion between Markdown and blocks: every text and every tree round-trips."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from notes.notion.blocks import DEPTH_LIMIT, Block, BlockKind, blocks, kept_line, markdown

IMAGE = "1f2e3d4c5b6a79881f2e3d4c5b6a7988"
SHEET = f"""# Release
[WIP] Wire up SSE for live updates
Refactor session resolver

- [ ] ask **Ann** about `--force`
- [x] done
- one
  - two
    1. three
       a paragraph under it
    2. four
  still under one
> quoted
---
```python
def main() -> None:

    print("- no bullet")
```
<!-- notion:image {IMAGE} a sunset -->
the end"""

PIECES = ["a", "b c", " ", "  ", "   ", "\\", "# ", "## ", "- ", "[ ] ", "[x] ", "[WIP] ", "1. ",
          "2. ", "> ", "---", "```", "````", "`", "*", "**", "~~", "[a](https://a.b)", "<br>",
          f"<!-- notion:image {IMAGE} -->", "\t", "\x0b", "é𝄞"]  # fmt: skip
LINES = st.lists(st.sampled_from(PIECES), max_size=5).map("".join)
TEXTS = st.lists(LINES, max_size=9).map("\n".join)
WORDS = LINES.filter(lambda line: "<!--" not in line)


def test_each_line_is_one_block_of_its_kind() -> None:
    tree = blocks(SHEET)
    assert [block.kind.value for block in tree] == [
        "heading_1", "paragraph", "paragraph", "paragraph", "to_do", "to_do", "bulleted_list_item",
        "quote", "divider", "code", "kept", "paragraph",
    ]  # fmt: skip
    assert tree[1].text == "[WIP] Wire up SSE for live updates"
    assert [block.checked for block in tree[4:6]] == [False, True]
    assert tree[9] == Block(
        BlockKind.CODE, 'def main() -> None:\n\n    print("- no bullet")', info="python"
    )
    assert tree[10].id == IMAGE


def test_indented_lines_are_nested() -> None:
    item = blocks(SHEET)[6]
    two, still = item.children
    assert (two.text, still.text) == ("two", "still under one")
    assert [child.kind for child in two.children] == [BlockKind.NUMBER, BlockKind.NUMBER]
    assert two.children[0].children == (Block(BlockKind.PARAGRAPH, "a paragraph under it"),)


def test_a_rich_sheet_round_trips_byte_for_byte() -> None:
    assert markdown(blocks(SHEET)) == SHEET


@pytest.mark.parametrize(
    ("text", "normal"),
    [
        ("a\r\nb", "a\nb"),
        ("* a\n+ b", "- a\n- b"),
        ("- [X] a", "- [x] a"),
        ("7. a\n7. b\nc\n3. d", "1. a\n2. b\nc\n1. d"),
        ("- a\n    - b\n        - c", "- a\n  - b\n    - c"),
    ],
)
def test_only_marks_and_indents_are_normalised(text: str, normal: str) -> None:
    assert markdown(blocks(text)) == normal


@pytest.mark.parametrize(
    "text",
    ["# a", "- a", "* a", "1. a", "> a", "---", "  - a"],
)
def test_a_paragraph_that_looks_like_another_block_is_escaped(text: str) -> None:
    tree = [Block(BlockKind.PARAGRAPH, text)]
    assert markdown(tree) == f"\\{text}"
    assert blocks(f"\\{text}") == tree


def test_an_unclosed_fence_is_text() -> None:
    assert [block.kind for block in blocks("```sh\nls")] == [
        BlockKind.PARAGRAPH,
        BlockKind.PARAGRAPH,
    ]
    tree = [Block(BlockKind.PARAGRAPH, text) for text in ("```sh", "ls", "```")]
    assert markdown(tree) == "\\```sh\nls\n```"
    assert blocks(markdown(tree)) == tree


def test_an_unnecessary_backslash_is_preserved() -> None:
    for text in ("\\a", "C:\\# x", "\\\\server", "\\"):
        assert markdown(blocks(text)) == text
        assert blocks(text) == [Block(BlockKind.PARAGRAPH, text)]


def test_very_deep_indents_are_text() -> None:
    text = "\n".join("  " * depth + "a" for depth in range(3 * DEPTH_LIMIT))
    assert markdown(blocks(text)) == text


def test_a_kept_line_stays_one_line() -> None:
    line = kept_line("image", "1f2e3d4c-5b6a-7988-1f2e-3d4c5b6a7988", "a -->\n b")
    assert line == f"<!-- notion:image {IMAGE} a -> b -->"
    assert blocks(line) == [Block(BlockKind.KEPT, line, id=IMAGE)]


def _is_normal(text: str) -> bool:
    """Whether a text contains nothing that is normalised."""
    return not re.search(r"^ *([*+] |\d+\. )|\[X\]|^ +- |\r", text, re.MULTILINE)


@settings(deadline=None, max_examples=200)
@given(TEXTS)
def test_any_text_round_trips(text: str) -> None:
    written = markdown(blocks(text))
    assert markdown(blocks(written)) == written
    if _is_normal(text):
        assert written == text


def _block(children: st.SearchStrategy[list[Block]]) -> st.SearchStrategy[Block]:
    nests = st.sampled_from([kind for kind in BlockKind if Block(kind).nests])
    parent = st.builds(Block, nests.filter(lambda kind: kind != BlockKind.TO_DO), WORDS,
                       children=children.map(tuple))  # fmt: skip
    to_do = st.builds(Block, st.just(BlockKind.TO_DO), WORDS, st.booleans(),
                      children=children.map(tuple))  # fmt: skip
    return parent | to_do


CODE = st.builds(
    Block,
    st.just(BlockKind.CODE),
    st.lists(LINES, max_size=4).map("\n".join),
    info=st.sampled_from(["", "python", "c++", " x"]),
)
LEAVES = CODE | st.just(Block(BlockKind.DIVIDER)) | _block(st.just([]))
TREES = st.recursive(st.lists(LEAVES, max_size=4), lambda inner: st.lists(_block(inner) | LEAVES,
                     max_size=3), max_leaves=12)  # fmt: skip


@settings(deadline=None, max_examples=200)
@given(TREES)
def test_any_tree_round_trips(tree: list[Block]) -> None:
    read = blocks(markdown(tree))
    assert read == ([] if tree == [Block(BlockKind.PARAGRAPH)] else tree)
