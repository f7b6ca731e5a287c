"""Parsing and changing tasks: a change preserves every byte that it does not concern."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from core.errors import Invalid, NotFound
from notes import task_descriptions, tasklist
from notes.tasklist import Status

DOCUMENT = """[WIP] Wire up SSE for live updates
Refactor session resolver
[BL] Waiting on auth team
[CM] Initial scaffold
"""

SAMPLES = """
  |# Plan|#12 a task|---|- - -|***|===|```|````|~~~|- ```|[WIP] doing|[NS] listed|[BL]|[CM] done  |
- bullet|* [BL] stuck|- [ ] open|- [x] ticked|  - [X] deep|- [ ] [WIP] begun|12. one|<!-- x -->|
  ```|    ~~~ text|[CM](http://a.link)|\tindented|
[WIP] [BL] both|é [x] ü""".replace("\n", "").split("|")
LINES = st.one_of(
    st.sampled_from(["", *SAMPLES]),
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n"), max_size=30),
)
ENDINGS = st.sampled_from(["\n", "\n", "\r\n", "\r"])


@st.composite
def bodies(draw: st.DrawFn) -> str:
    body = "".join(map("".join, draw(st.lists(st.tuples(LINES, ENDINGS), max_size=12))))
    return body if draw(st.booleans()) else body.rstrip("\r\n")


TEXTS = LINES.filter(str.strip)
STATUSES = st.sampled_from(list(Status))


def meanings(body: str) -> list[tuple[Status, str]]:
    return [(task.status, task.text) for task in tasklist.parse(body)]


def contents(body: str) -> "Counter[str]":
    return Counter(line.rstrip("\r") for line in body.split("\n"))


def others(body: str, index: int) -> tuple[str, str]:
    """All bytes before a task's line, and all after it and its description."""
    lines = tasklist._split(body)
    task = tasklist.parse(body)[index]
    text = ["".join(line) for line in lines]
    return "".join(text[: task.line]), "".join(text[task.end :])


# --- reading ------------------------------------------------------------------------------------


def test_the_example_of_the_document_is_parsed() -> None:
    tasks = tasklist.parse(DOCUMENT)
    assert [(task.status, task.text) for task in tasks] == [
        (Status.WIP, "Wire up SSE for live updates"),
        (Status.NS, "Refactor session resolver"),
        (Status.BL, "Waiting on auth team"),
        (Status.CM, "Initial scaffold"),
    ]
    assert tasklist.board(tasks) == {
        Status.NS: [1], Status.WIP: [0], Status.BL: [2], Status.CM: [3],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        ("[NS] listed", (Status.NS, "listed")),
        ("- bullet", (Status.NS, "bullet")),
        ("* [WIP] begun", (Status.WIP, "begun")),
        ("12) [BL] stuck", (Status.BL, "stuck")),
        ("- [ ] open", (Status.NS, "open")),
        ("- [x] ticked", (Status.CM, "ticked")),
        ("  + [X] deep  ", (Status.CM, "deep")),
        ("- [ ] [WIP] begun", (Status.WIP, "begun")),
        ("[CM](http://a.link) is a link", (Status.NS, "[CM](http://a.link) is a link")),
        ("[wip] is not ours", (Status.NS, "[wip] is not ours")),
        ("[x] has no bullet", (Status.NS, "[x] has no bullet")),
        ("#123 is an issue", (Status.NS, "#123 is an issue")),
        ("-5 degrees", (Status.NS, "-5 degrees")),
    ],
)
def test_a_line_is_a_task(line: str, meaning: tuple[Status, str]) -> None:
    assert meanings(line) == [meaning]


NO_TASKS = (
    "",
    "  ",
    "\t",
    "# Plan",
    "  ### deep",
    "#",
    "---",
    "* * *",
    "___",
    "====",
    "- ",
    "[WIP]",
)


@pytest.mark.parametrize("line", [*NO_TASKS, "- [ ]", "<!-- notion:image 1f2e -->"])
def test_a_line_is_not_a_task(line: str) -> None:
    assert meanings(f"before\n{line}\nbehind") == [(Status.NS, "before"), (Status.NS, "behind")]


def test_fenced_code_contains_no_tasks() -> None:
    body = "a\n```py\n[WIP] code\n~~~\n```\nb\n- ~~~\n  x\n  ~~~~\nc\n````\n```\nnever closed"
    assert [text for _, text in meanings(body)] == ["a", "b", "c"]


# --- changing -----------------------------------------------------------------------------------


def test_a_status_is_written_in_the_form_of_the_line() -> None:
    body = "# Plan\r\n- [ ] a\n1. b  \n[NS] c\n- [x] d"
    assert tasklist.set_status(body, 0, Status.CM) == body.replace("[ ] a", "[x] a")
    assert tasklist.set_status(body, 0, Status.WIP) == body.replace("[ ] a", "[ ] [WIP] a")
    assert tasklist.set_status(body, 1, Status.BL) == body.replace("1. b", "1. [BL] b")
    assert tasklist.set_status(body, 2, Status.NS) == body.replace("[NS] c", "c")
    assert tasklist.set_status(body, 3, Status.NS) == body.replace("[x] d", "[ ] d")


def test_a_text_that_looks_like_other_markdown_is_preserved() -> None:
    for text in ("# Plan", "---", "```", "- bullet", "[WIP] words", "- [x] words", "12. words"):
        for status in Status:
            body = tasklist.add("a\n", text, status)
            assert meanings(body) == [(Status.NS, "a"), (status, text)]
            renamed = tasklist.set_text("- [ ] a\nb", 0, text)
            assert meanings(renamed) == [(Status.NS, text), (Status.NS, "b")]


def test_a_prefix_in_the_text_is_used_without_a_status() -> None:
    assert tasklist.add("", "[BL] waiting") == "[BL] waiting"


def test_the_final_newline_is_preserved_or_stays_missing() -> None:
    assert tasklist.add("a", "b") == "a\nb"
    assert tasklist.add("a\r\n", "b") == "a\r\nb\r\n"
    assert tasklist.remove("a\nb", 1) == "a"
    assert tasklist.remove("a\nb\n", 1) == "a\n"
    assert tasklist.move("a\nb", 0, 1) == "b\na"


def test_a_task_is_never_added_inside_unclosed_code() -> None:
    assert tasklist.add("a\n```\ncode", "b") == "a\nb\n```\ncode"


@pytest.mark.parametrize("index", [-1, 2, 10**9])
def test_an_invalid_index_is_refused_with_the_valid_range(index: int) -> None:
    with pytest.raises(NotFound, match="0 to 1"):
        tasklist.set_status("a\nb", index, Status.CM)
    with pytest.raises(NotFound, match="0 to 1"):
        tasklist.set_text("a\nb", index, "c")
    with pytest.raises(NotFound, match="0 to 1"):
        tasklist.remove("a\nb", index)
    with pytest.raises(NotFound, match="0 to 1"):
        tasklist.move("a\nb", index, 0)
    with pytest.raises(NotFound, match="0 to 1"):
        tasklist.move("a\nb", 0, index)


@pytest.mark.parametrize("text", ["", "  ", "two\nlines", "two\rlines"])
def test_a_text_that_is_not_one_line_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        tasklist.add("a", text)
    with pytest.raises(Invalid):
        tasklist.set_text("a", 0, text)


# --- descriptions -------------------------------------------------------------------------------

DESCRIBED = """- [ ] fix the login
  ```
  It fails after a redirect.

    - not a task
  ```
- other
"""


def descriptions(body: str) -> list[str]:
    return [task.description for task in tasklist.parse(body)]


def test_code_indented_below_a_task_is_its_description() -> None:
    assert meanings(DESCRIBED) == [(Status.NS, "fix the login"), (Status.NS, "other")]
    assert descriptions(DESCRIBED) == ["It fails after a redirect.\n\n  - not a task", ""]


@pytest.mark.parametrize(
    "body",
    [
        "a\n```\nnot indented\n```",
        "  a\n  ```\n  not deeper\n  ```",
        "a\n  ```\n  never closed",
        "a\n  - ```\n    in a bullet\n    ```",
        "a\n# heading\n  ```\n  of the heading\n  ```",
        "a\n  plain lines are tasks",
    ],
)
def test_other_lines_are_no_description(body: str) -> None:
    assert not any(descriptions(body))


def test_a_description_is_written_below_its_task() -> None:
    body = tasklist.set_description("- [ ] a\n1. b\nc", 1, "one\r\ntwo\n\n")
    assert body == "- [ ] a\n1. b\n   ```\n   one\n   two\n   ```\nc"
    assert tasklist.set_description(body, 1, "") == "- [ ] a\n1. b\nc"
    last = tasklist.set_description("a\r\nb", 1, "x")
    assert last == "a\r\nb\r\n  ```\r\n  x\r\n  ```"
    assert tasklist.set_description(last, 1, " \n") == "a\r\nb"


def test_a_changed_description_keeps_its_fence_and_language() -> None:
    body = "- a\n\n    ~~~ python\n    x = 1\n    ~~~\nb"
    changed = tasklist.set_description(body, 0, "y = 2\n~~~~\nz")
    assert changed == "- a\n\n    ~~~~~ python\n    y = 2\n    ~~~~\n    z\n    ~~~~~\nb"
    assert descriptions(changed) == ["y = 2\n~~~~\nz", ""]


def test_a_description_moves_with_its_task_and_is_removed_with_it() -> None:
    moved = tasklist.move(DESCRIBED, 0, 1)
    assert moved == "- other\n" + DESCRIBED.replace("- other\n", "")
    assert tasklist.move(moved, 1, 0) == DESCRIBED
    assert tasklist.move(DESCRIBED, 1, 0) == moved
    assert tasklist.remove(DESCRIBED, 0) == "- other\n"
    assert tasklist.set_status(DESCRIBED, 0, Status.CM) == DESCRIBED.replace("[ ]", "[x]")


@settings(max_examples=150, deadline=None)
@given(st.lists(LINES, min_size=1, max_size=5).map("\n".join), bodies(), st.data())
def test_setting_a_description_changes_nothing_else(
    text: str, body: str, data: st.DataObject
) -> None:
    body = tasklist.add(body, "last")
    before = meanings(body)
    index = data.draw(st.integers(0, len(before) - 1))
    changed = tasklist.set_description(body, index, text)
    assert meanings(changed) == before
    expected = task_descriptions.clean(text)
    assert descriptions(changed)[index] == expected or not expected
    task = tasklist.parse(body)[index]
    assert tasklist._split(changed)[: task.line] == tasklist._split(body)[: task.line]
    assert changed.rstrip("\r\n").endswith(others(body, index)[1].rstrip("\r\n"))
    if task.end == task.line + 1:  # there was no code, not even an empty block
        removed = tasklist.set_description(changed, index, "")
        assert removed.rstrip("\r\n") == body.rstrip("\r\n")


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.lists(LINES, max_size=3).map("\n".join).map(task_descriptions.clean),
        min_size=1,
        max_size=5,
    ),
    st.data(),
)
def test_any_move_keeps_every_description_at_its_task(
    texts: list[str], data: st.DataObject
) -> None:
    body = "\n".join(f"- task {number}" for number in range(len(texts)))
    for index, text in enumerate(texts):
        body = tasklist.set_description(body, index, text)
    assert descriptions(body) == texts
    indexes = st.integers(0, len(texts) - 1)
    index, to_index = data.draw(indexes), data.draw(indexes)
    texts.insert(to_index, texts.pop(index))
    moved = tasklist.move(body, index, to_index)
    assert descriptions(moved) == texts
    assert contents(moved) == contents(body)


# --- any body, any change -----------------------------------------------------------------------


@settings(max_examples=300)
@given(bodies())
def test_splitting_and_joining_lines_preserves_the_body(body: str) -> None:
    assert "".join(content + ending for content, ending in tasklist._split(body)) == body


class Changes(RuleBasedStateMachine):
    """Compares the body with a plain list of (status, text) that gets the same changes."""

    def __init__(self) -> None:
        super().__init__()
        self.body = ""
        self.model: list[tuple[Status, str]] = []

    @rule(body=bodies())
    def write(self, body: str) -> None:
        self.body, self.model = body, meanings(body)

    @rule(text=TEXTS, status=STATUSES)
    def add(self, text: str, status: Status) -> None:
        before = self.body
        self.body = tasklist.add(before, text, status)
        self.model.append((status, text.strip()))
        assert contents(before) - contents(self.body) <= Counter({"": 1})
        head, tail = others(self.body, len(self.model) - 1)
        assert before.startswith(head.rstrip("\r\n"))
        assert before.endswith(tail)

    @rule(status=STATUSES, data=st.data())
    def set_status(self, status: Status, data: st.DataObject) -> None:
        if self.model:
            index = data.draw(st.integers(0, len(self.model) - 1))
            around = others(self.body, index)
            self.body = tasklist.set_status(self.body, index, status)
            self.model[index] = (status, self.model[index][1])
            assert others(self.body, index) == around

    @rule(text=TEXTS, data=st.data())
    def set_text(self, text: str, data: st.DataObject) -> None:
        if self.model:
            index = data.draw(st.integers(0, len(self.model) - 1))
            around = others(self.body, index)
            self.body = tasklist.set_text(self.body, index, text)
            self.model[index] = (self.model[index][0], text.strip())
            assert others(self.body, index) == around

    @rule(text=st.lists(TEXTS, max_size=3).map("\n".join), data=st.data())
    def set_description(self, text: str, data: st.DataObject) -> None:
        if self.model:
            index = data.draw(st.integers(0, len(self.model) - 1))
            around = others(self.body, index)
            self.body = tasklist.set_description(self.body, index, text)
            assert others(self.body, index)[0] == around[0]
            assert self.body.endswith(around[1])

    @rule(data=st.data())
    def remove(self, data: st.DataObject) -> None:
        if self.model:
            index = data.draw(st.integers(0, len(self.model) - 1))
            head, tail = others(self.body, index)
            self.body = tasklist.remove(self.body, index)
            del self.model[index]
            assert self.body.rstrip("\r\n") == (head + tail).rstrip("\r\n")

    @rule(data=st.data())
    def move(self, data: st.DataObject) -> None:
        if self.model:
            indexes = st.integers(0, len(self.model) - 1)
            index, to_index = data.draw(indexes), data.draw(indexes)
            before = contents(self.body)
            self.body = tasklist.move(self.body, index, to_index)
            self.model.insert(to_index, self.model.pop(index))
            assert contents(self.body) == before

    @invariant()
    def reads_as_the_model(self) -> None:
        assert meanings(self.body) == self.model

    @invariant()
    def repeating_a_change_has_no_effect(self) -> None:
        for index, (status, text) in enumerate(self.model):
            if "\r" not in text:
                once = tasklist.set_text(self.body, index, text)
                assert tasklist.set_text(once, index, text) == once
            assert meanings(tasklist.set_status(self.body, index, status)) == self.model


TestChanges = Changes.TestCase
TestChanges.settings = settings(max_examples=120, stateful_step_count=25, deadline=None)
