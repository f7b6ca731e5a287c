import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.witnesses.hooks import jsonc
from core.errors import Invalid

COMMENTED = """\
{
    // my settings
    "model": "opus", /* the "best" */
    "hooks": {
        "Stop": [
            {"hooks": [{"type": "command", "command": "say done"}]}, // mine
        ],
    },
}
"""

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=15,
)


def is_ours(item: Any) -> bool:
    return bool(item == {"ours": True})


def test_comments_and_trailing_commas_are_accepted() -> None:
    parsed = jsonc.parse(COMMENTED).plain()
    assert parsed["model"] == "opus"
    assert parsed["hooks"]["Stop"][0]["hooks"][0]["command"] == "say done"


def test_an_item_is_added_after_the_others_and_everything_else_stays() -> None:
    edited = jsonc.append_item(COMMENTED, ("hooks", "Stop"), {"ours": True})
    parsed = jsonc.parse(edited).plain()
    assert parsed["hooks"]["Stop"][1] == {"ours": True}
    assert edited.replace(',\n            {"ours": true}', "") == COMMENTED
    assert jsonc.remove_items(edited, "hooks", is_ours) == COMMENTED


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "{}\n",
        '{"a": 1}',
        '{\r\n\t"a": 1\r\n}\r\n',
        '{"hooks": {"Start": [1]}}',
        '{"hooks": {"Stop": [1,2]}, "b": []}',
        '\ufeff{ "a" : [ ] }',
        '{"hooks":{"Stop":[{"ours":false}],"Start":[]},"z":{}}  // end',
        '{"url": "http://x/*y*/"}',
    ],
)
def test_what_was_added_can_be_removed_again(text: str) -> None:
    edited = text
    for event in ("Start", "Stop"):
        edited = jsonc.append_item(edited, ("hooks", event), {"ours": True})
    hooks = jsonc.parse(edited).plain()["hooks"]
    assert all({"ours": True} in hooks[event] for event in ("Start", "Stop"))
    assert {k: v for k, v in jsonc.parse(edited).plain().items() if k != "hooks"} == {
        k: v for k, v in jsonc.parse(text).plain().items() if k != "hooks"
    }
    removed = jsonc.parse(jsonc.remove_items(edited, "hooks", is_ours)).plain()
    assert {"ours": True} not in [
        item for items in removed.get("hooks", {}).values() for item in items
    ]
    assert {k: v for k, v in removed.items() if k != "hooks"} == {
        k: v for k, v in jsonc.parse(text).plain().items() if k != "hooks"
    }


@given(value=st.dictionaries(st.text(), values, max_size=4), indent=st.sampled_from([None, 1, 4]))
def test_the_parser_agrees_with_json(value: dict[str, Any], indent: int | None) -> None:
    assert jsonc.parse(json.dumps(value, indent=indent)).plain() == value


@pytest.mark.parametrize(
    "text", ["", "{", '{"a" 1}', '{"a": }', "[1", '{"a": 1} x', "{a: 1}", '{"a": "\n"}', "[" * 5000]
)
def test_invalid_text_is_refused_with_its_line(text: str) -> None:
    with pytest.raises(Invalid, match="line 1"):
        jsonc.parse(text)


def test_a_list_where_an_object_is_expected_is_refused() -> None:
    for text in ("[]", '{"hooks": []}', '{"hooks": {"Stop": {}}}'):
        with pytest.raises(Invalid):
            jsonc.append_item(text, ("hooks", "Stop"), 1)
