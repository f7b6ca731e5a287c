"""How long results are truncated, and the line that says how to continue."""

import pytest

from mcp_gateway import budgets


def test_the_end_of_a_text_is_kept_and_marked() -> None:
    assert budgets.keep_end("abc", 3, "how") == ("abc", False)
    assert budgets.keep_end("abcd\n", 3, "how") == (
        "cd\n(cut: the last 3 of 5 characters; how)",
        True,
    )


def test_whole_lines_are_kept_and_at_least_one() -> None:
    assert budgets.keep_lines(["abc", "d", "e"], 6) == ["abc", "d"]
    assert budgets.keep_lines(["abcdef", "d"], 3) == ["abcdef"]
    assert budgets.keep_lines([], 3) == []


@pytest.mark.parametrize("count", [0, 1, budgets.ROWS, budgets.ROWS + 7])
def test_a_truncated_list_says_how_to_see_the_rest(count: int) -> None:
    text = budgets.table([f"row {n}" for n in range(count)], empty="None.", hint="narrow it")
    lines = text.split("\n")
    if count == 0:
        assert text == "None."
    elif count <= budgets.ROWS:
        assert len(lines) == count
    else:
        assert lines[-1] == "(cut: 7 more; narrow it)"
        assert len(lines) == budgets.ROWS + 1
