"""Recorded conversations are reconstructed: complete turns, without lines of other turns."""

import pytest

from agents.chat.transcript import Message, ScreenRecord, Submitted, to_messages
from tests.agents.chat.conversations import Conversation, conversations

RECORDED = conversations()
EXACT = 0.98


def test_nearly_every_recorded_conversation_is_reconstructed_exactly() -> None:
    assert len(RECORDED) >= 40
    wrong = [talk.name for talk in RECORDED if talk.read() != talk.expected]
    assert len(wrong) <= (1 - EXACT) * len(RECORDED), wrong


@pytest.mark.parametrize("conversation", RECORDED, ids=lambda conversation: conversation.name)
def test_no_line_appears_in_the_wrong_turn(conversation: Conversation) -> None:
    """A line of only one turn does not appear in the reply of another."""
    turns, read = _turns(conversation.expected), _turns(conversation.read())
    assert [prompt for prompt, _ in read] == [prompt for prompt, _ in turns]
    for number, (_, reply) in enumerate(read):
        for other, (_, lines) in enumerate(turns):
            if other != number:
                assert not (set(lines) - set(turns[number][1])) & set(reply)


def _turns(expected: list[tuple[str, str]]) -> list[tuple[str, list[str]]]:
    turns: list[tuple[str, list[str]]] = [("", [])]
    for role, text in expected:
        if role == "user":
            turns.append((text, []))
        else:
            turns[-1][1].extend(line for line in text.split("\n") if line.strip())
    return turns


# --- two common failures of such reconstructions ------------------------------------------------


def capture(ts: int, text: str, top: int | None = None) -> ScreenRecord:
    return ScreenRecord(ts, tuple(text.split("\n")), columns=80, top=top)


def messages(*items: Submitted | ScreenRecord) -> list[tuple[str, str]]:
    return [(message.role, message.text) for message in to_messages(items)]


def test_two_quick_turns_are_not_merged() -> None:
    assert messages(
        capture(1, "$"),
        Submitted(2, "date"),
        Submitted(3, "pwd"),
        capture(4, "$ date\nMonday\n$ pwd\n/tmp\n$"),
    ) == [("user", "date"), ("assistant", "Monday"), ("user", "pwd"), ("assistant", "/tmp")]


def test_a_reply_that_repeats_an_earlier_line_is_kept() -> None:
    once = "$ echo ok\nok\n$"
    assert (
        messages(
            capture(1, "$", top=0),
            Submitted(2, "echo ok"),
            capture(3, once, top=0),
            Submitted(4, "echo ok"),
            capture(5, once, top=2),  # scrolled: the capture is the same
            Submitted(6, "echo ok"),
            capture(7, "$ echo ok\nok\n$ echo ok\nok\n$", top=2),
        )
        == [("user", "echo ok"), ("assistant", "ok")] * 3
    )


# --- smaller rules ------------------------------------------------------------------------------


def test_the_echo_is_removed_and_only_the_echo() -> None:
    assert messages(capture(1, "$"), Submitted(2, "a"), capture(3, "$ a\nbanana\na\n$")) == [
        ("user", "a"),
        ("assistant", "banana\na"),
    ]


def test_gradual_output_is_one_message() -> None:
    assert messages(
        capture(1, "$"),
        Submitted(2, "make"),
        capture(3, "$ make\nstep 1", top=0),
        capture(4, "$ make\nstep 1\nstep 2", top=0),
        capture(5, "step 2\nstep 3\n$", top=2),
    ) == [("user", "make"), ("assistant", "step 1\nstep 2\nstep 3")]


def test_nothing_is_lost_when_the_screen_is_cleared() -> None:
    assert messages(
        capture(1, "$ ls\na b\n$"), Submitted(2, "clear"), capture(3, "$"), Submitted(4, "pwd"),
        capture(5, "$ pwd\n/\n$"),
    )[-2:] == [("user", "pwd"), ("assistant", "/")]  # fmt: skip


def test_a_full_screen_program_is_shown_by_its_last_screen() -> None:
    screens = [ScreenRecord(ts, (f"frame {ts}", "body"), columns=80, full=True) for ts in (3, 4, 5)]
    assert messages(capture(1, "$"), Submitted(2, "top"), *screens)[-1] == (
        "assistant",
        "frame 5\nbody",
    )


def test_a_reply_is_never_later_than_the_next_prompt() -> None:
    result = to_messages(
        [capture(1, "$"), Submitted(2, "a"), Submitted(5, "b"), capture(9, "$ a\nx\n$ b\ny\n$")]
    )
    assert result == [
        Message("user", "a", 2), Message("assistant", "x", 4), Message("user", "b", 5),
        Message("assistant", "y", 9),
    ]  # fmt: skip
