"""Recorded conversations read as they were held: whole turns, and nothing of one in another."""

import pytest

from agents.transcript import Message, Shot, Submitted, messages
from tests.agents.conversations import Conversation, conversations

RECORDED = conversations()
EXACT = 0.98


def test_nearly_every_recorded_conversation_is_read_exactly() -> None:
    assert len(RECORDED) >= 40
    wrong = [one.name for one in RECORDED if one.read() != one.said]
    assert len(wrong) <= (1 - EXACT) * len(RECORDED), wrong


@pytest.mark.parametrize("one", RECORDED, ids=lambda one: one.name)
def test_no_turn_bleeds_into_another(one: Conversation) -> None:
    """A line that only one turn has is found in no other turn's reply."""
    turns, read = _turns(one.said), _turns(one.read())
    assert [prompt for prompt, _ in read] == [prompt for prompt, _ in turns]
    for number, (_, reply) in enumerate(read):
        for other, (_, lines) in enumerate(turns):
            if other != number:
                assert not (set(lines) - set(turns[number][1])) & set(reply)


def _turns(said: list[tuple[str, str]]) -> list[tuple[str, list[str]]]:
    turns: list[tuple[str, list[str]]] = [("", [])]
    for role, text in said:
        if role == "user":
            turns.append((text, []))
        else:
            turns[-1][1].extend(line for line in text.split("\n") if line.strip())
    return turns


# --- two failures that others are known for ---------------------------------------------------


def shot(ts: int, text: str, top: int | None = None) -> Shot:
    return Shot(ts, tuple(text.split("\n")), columns=80, top=top)


def told(*items: Submitted | Shot) -> list[tuple[str, str]]:
    return [(message.role, message.text) for message in messages(items)]


def test_two_turns_that_are_printed_quickly_are_not_merged() -> None:
    assert told(
        shot(1, "$"),
        Submitted(2, "date"),
        Submitted(3, "pwd"),
        shot(4, "$ date\nMonday\n$ pwd\n/tmp\n$"),
    ) == [("user", "date"), ("assistant", "Monday"), ("user", "pwd"), ("assistant", "/tmp")]


def test_a_reply_that_repeats_an_earlier_line_is_not_swallowed() -> None:
    once = "$ echo ok\nok\n$"
    assert (
        told(
            shot(1, "$", top=0),
            Submitted(2, "echo ok"),
            shot(3, once, top=0),
            Submitted(4, "echo ok"),
            shot(5, once, top=2),  # scrolled: the picture is the same
            Submitted(6, "echo ok"),
            shot(7, "$ echo ok\nok\n$ echo ok\nok\n$", top=2),
        )
        == [("user", "echo ok"), ("assistant", "ok")] * 3
    )


# --- smaller rules ----------------------------------------------------------------------------


def test_the_echo_is_removed_and_only_the_echo() -> None:
    assert told(shot(1, "$"), Submitted(2, "a"), shot(3, "$ a\nbanana\na\n$")) == [
        ("user", "a"),
        ("assistant", "banana\na"),
    ]


def test_what_a_program_prints_as_it_goes_is_one_message() -> None:
    assert told(
        shot(1, "$"),
        Submitted(2, "make"),
        shot(3, "$ make\nstep 1", top=0),
        shot(4, "$ make\nstep 1\nstep 2", top=0),
        shot(5, "step 2\nstep 3\n$", top=2),
    ) == [("user", "make"), ("assistant", "step 1\nstep 2\nstep 3")]


def test_a_cleared_screen_begins_anew_and_loses_nothing() -> None:
    assert told(
        shot(1, "$ ls\na b\n$"), Submitted(2, "clear"), shot(3, "$"), Submitted(4, "pwd"),
        shot(5, "$ pwd\n/\n$"),
    )[-2:] == [("user", "pwd"), ("assistant", "/")]  # fmt: skip


def test_a_full_screen_program_is_its_last_screen() -> None:
    screens = [Shot(ts, (f"frame {ts}", "body"), columns=80, full=True) for ts in (3, 4, 5)]
    assert told(shot(1, "$"), Submitted(2, "top"), *screens)[-1] == (
        "assistant",
        "frame 5\nbody",
    )


def test_an_assistants_message_is_never_later_than_the_next_prompt() -> None:
    found = messages(
        [shot(1, "$"), Submitted(2, "a"), Submitted(5, "b"), shot(9, "$ a\nx\n$ b\ny\n$")]
    )
    assert found == [
        Message("user", "a", 2), Message("assistant", "x", 4), Message("user", "b", 5),
        Message("assistant", "y", 9),
    ]  # fmt: skip
