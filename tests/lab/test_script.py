"""The command language of the model server."""

import pytest

from lab.script import Call, Say, Sleep, Think, actions, has_steps, strip_notes


def run(command: str) -> Call:
    return Call("run", values={"command": command})


def test_a_prompt_without_steps_is_answered_with_ok() -> None:
    assert actions("What is 1 + 2?", 0) == [Say("OK.")]


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("SAY hello there", [Say("hello there")]),
        ("THINK hard ;; SAY done", [Think("hard"), Say("done")]),
        ("SLEEP 0.5 ;; SAY done", [Sleep(0.5), Say("done")]),
        ("SLEEP 100000", [Sleep(120.0)]),
        ("RUN touch a", [run("touch a")]),
        ("WRITE /tmp/a b c", [Call("write", values={"path": "/tmp/a", "content": "b c"})]),
        ('TOOL Ask {"n": 1}', [Call("tool", "Ask", {"n": 1})]),
        ("RUN a ++ RUN b", [run("a"), run("b")]),
    ],
)
def test_steps_become_actions(prompt: str, expected: list[object]) -> None:
    assert actions(prompt, 0) == expected


def test_a_tool_call_ends_a_reply_and_later_steps_follow_its_result() -> None:
    prompt = "SAY first ;; RUN a ;; SLEEP 0.1 ;; RUN b ;; SAY last"
    assert actions(prompt, 0) == [Say("first"), run("a")]
    assert actions(prompt, 1) == [Sleep(0.1), run("b")]
    assert actions(prompt, 2) == [Say("last")]
    assert actions("RUN a ;; RUN b", 2) == [Say("OK.")]


def test_two_calls_of_one_reply_count_as_one_step() -> None:
    assert actions("RUN a ++ RUN b ;; SAY both", 2) == [Say("both")]


def test_steps_may_follow_other_text() -> None:
    assert actions("some context\nRUN touch a", 0) == [run("touch a")]
    assert not has_steps("please RUN this")


def test_notes_that_agents_add_are_removed() -> None:
    text = "<current_datetime>now</current_datetime>\n\nSAY hi\n\n<reminder a='b'>x</reminder>"
    assert strip_notes(text) == "SAY hi"
