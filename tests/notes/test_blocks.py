"""Markdown and blocks: every text comes back, every tree comes back, whatever stands in them."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from notes.notion.blocks import DEPTH_LIMIT, Block, Kind, blocks, kept_line, markdown

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
        Kind.CODE, 'def main() -> None:\n\n    print("- no bullet")', info="python"
    )
    assert tree[10].id == IMAGE


def test_what_is_indented_is_nested() -> None:
    one = blocks(SHEET)[6]
    two, still = one.children
    assert (two.text, still.text) == ("two", "still under one")
    assert [child.kind for child in two.children] == [Kind.NUMBER, Kind.NUMBER]
    assert two.children[0].children == (Block(Kind.PARAGRAPH, "a paragraph under it"),)


def test_a_rich_sheet_comes_back_byte_for_byte() -> None:
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
def test_only_marks_and_indents_are_put_in_order(text: str, normal: str) -> None:
    assert markdown(blocks(text)) == normal


@pytest.mark.parametrize(
    "text",
    ["# a", "- a", "* a", "1. a", "> a", "---", "  - a"],
)
def test_a_paragraph_that_looks_like_something_else_has_a_backslash(text: str) -> None:
    tree = [Block(Kind.PARAGRAPH, text)]
    assert markdown(tree) == f"\\{text}"
    assert blocks(f"\\{text}") == tree


def test_a_fence_that_nothing_closes_is_text() -> None:
    assert [block.kind for block in blocks("```sh\nls")] == [Kind.PARAGRAPH, Kind.PARAGRAPH]
    tree = [Block(Kind.PARAGRAPH, text) for text in ("```sh", "ls", "```")]
    assert markdown(tree) == "\\```sh\nls\n```"
    assert blocks(markdown(tree)) == tree


def test_a_backslash_that_hides_nothing_stays() -> None:
    for text in ("\\a", "C:\\# x", "\\\\server", "\\"):
        assert markdown(blocks(text)) == text
        assert blocks(text) == [Block(Kind.PARAGRAPH, text)]


def test_indents_without_end_are_text() -> None:
    text = "\n".join("  " * depth + "a" for depth in range(3 * DEPTH_LIMIT))
    assert markdown(blocks(text)) == text


def test_a_kept_line_stays_one_line() -> None:
    line = kept_line("image", "1f2e3d4c-5b6a-7988-1f2e-3d4c5b6a7988", "a -->\n b")
    assert line == f"<!-- notion:image {IMAGE} a -> b -->"
    assert blocks(line) == [Block(Kind.KEPT, line, id=IMAGE)]


def _is_normal(text: str) -> bool:
    """Whether it has none of what is put in order."""
    return not re.search(r"^ *([*+] |\d+\. )|\[X\]|^ +- |\r", text, re.MULTILINE)


@settings(deadline=None, max_examples=200)
@given(TEXTS)
def test_any_text_comes_back(text: str) -> None:
    written = markdown(blocks(text))
    assert markdown(blocks(written)) == written
    if _is_normal(text):
        assert written == text


def _block(children: st.SearchStrategy[list[Block]]) -> st.SearchStrategy[Block]:
    nests = st.sampled_from([kind for kind in Kind if Block(kind).nests])
    parent = st.builds(Block, nests.filter(lambda kind: kind != Kind.TO_DO), WORDS,
                       children=children.map(tuple))  # fmt: skip
    to_do = st.builds(Block, st.just(Kind.TO_DO), WORDS, st.booleans(),
                      children=children.map(tuple))  # fmt: skip
    return parent | to_do


CODE = st.builds(
    Block,
    st.just(Kind.CODE),
    st.lists(LINES, max_size=4).map("\n".join),
    info=st.sampled_from(["", "python", "c++", " x"]),
)
LEAVES = CODE | st.just(Block(Kind.DIVIDER)) | _block(st.just([]))
TREES = st.recursive(st.lists(LEAVES, max_size=4), lambda inner: st.lists(_block(inner) | LEAVES,
                     max_size=3), max_leaves=12)  # fmt: skip


@settings(deadline=None, max_examples=200)
@given(TREES)
def test_any_tree_comes_back(tree: list[Block]) -> None:
    read = blocks(markdown(tree))
    assert read == ([] if tree == [Block(Kind.PARAGRAPH)] else tree)
