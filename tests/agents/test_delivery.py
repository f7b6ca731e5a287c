"""The decisions of a delivery, by value: looks in, steps out. No screen, no clock."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from agents import composer, rules
from agents.delivery import Course
from agents.plans import Plan
from agents.steps import Look, Step

PROMPT = "please review the change"
PLAN = Plan(folds=r"\[Pasted text #\d+(?:\+\d+ lines)?\]")
EMPTY = Look(0, "", depth=4, width=80)
THERE = replace(EMPTY, composer=PROMPT)
WORKING = replace(EMPTY, working=True, above=f"> {PROMPT}")
ASKING = Look(0, None, waiting=True, question="Do you want to proceed?", width=80)


class Told:
    """Shows one look after the other and notes what was to be done."""

    def __init__(self, plan: Plan = PLAN, prompt: str = PROMPT) -> None:
        self.course = Course(plan, prompt)
        self.now = 1000.0

    def show(self, look: Look, *, ms: float = 40) -> Step:
        self.now += ms
        return self.course.next(replace(look, at=self.now))

    def last(self, look: Look, *, ms: float) -> list[Step]:
        """What is done while nothing changes for so long, without the looks."""
        steps = [self.show(look) for _ in range(int(ms / 40))]
        return [step for step in steps if step is not Step.LOOK]

    def pasted(self) -> "Told":
        assert self.show(EMPTY) is Step.PASTE
        return self

    def entered(self) -> "Told":
        assert self.last(THERE, ms=250)[0] is Step.ENTER
        return self


def steps(told: Told, looks: Sequence[Look]) -> list[Step]:
    return [step for look in looks if (step := told.show(look)) is not Step.LOOK]


def test_a_prompt_is_pasted_entered_and_seen_to_start_a_turn() -> None:
    told = Told()
    assert steps(told, [EMPTY, *[THERE] * 6, WORKING]) == [Step.PASTE, Step.ENTER, Step.DONE]
    assert (told.course.submitted, told.course.turn_started) == (True, True)
    assert told.course.attempts == 1


def test_enter_is_not_pressed_before_the_whole_text_is_seen() -> None:
    told = Told().pasted()
    assert told.last(EMPTY, ms=1000) == []
    assert told.last(replace(EMPTY, composer=PROMPT[:-1]), ms=500) == []
    assert told.last(THERE, ms=250) == [Step.ENTER]


def test_text_that_is_never_seen_is_never_entered_and_the_composer_is_told() -> None:
    told = Told().pasted()
    assert told.last(replace(EMPTY, composer="something else"), ms=5000)[:2] == [
        Step.WAKE,
        Step.FAILED,
    ]
    assert told.course.attempts == 0
    assert told.course.detail == "something else"


def test_a_question_on_the_screen_gets_no_key() -> None:
    told = Told()
    assert told.show(ASKING) is Step.FAILED
    assert told.course.detail == "Do you want to proceed?"


def test_a_question_that_comes_up_before_enter_is_not_answered_by_it() -> None:
    told = Told().pasted()
    assert told.show(ASKING) is Step.FAILED
    assert told.course.attempts == 0


def test_a_swallowed_enter_is_pressed_again() -> None:
    told = Told().pasted().entered()
    assert told.last(THERE, ms=600) == [Step.ENTER]
    assert told.show(WORKING) is Step.DONE
    assert told.course.attempts == 2


def test_an_enter_that_never_works_ends_in_a_failure_that_says_what_stands_there() -> None:
    told = Told().pasted().entered()
    assert told.last(THERE, ms=4000)[:4] == [Step.ENTER, Step.WAKE, Step.ENTER, Step.FAILED]
    assert told.course.detail == PROMPT
    assert not told.course.submitted


def test_an_empty_composer_must_last_before_it_is_believed() -> None:
    told = Told().pasted().entered()
    assert told.show(EMPTY) is Step.LOOK
    assert told.show(THERE) is Step.LOOK  # it was only half drawn
    assert not told.course.submitted
    told.last(EMPTY, ms=240)
    assert told.course.submitted


def test_the_prompt_in_the_conversation_is_evidence_at_once() -> None:
    told = Told().pasted().entered()
    told.show(replace(EMPTY, above=f"> {PROMPT}"))
    assert told.course.submitted
    assert not told.course.turn_started


def test_a_prompt_that_was_sent_before_is_no_evidence() -> None:
    told = Told()
    earlier = f"> {PROMPT}"
    told.show(replace(EMPTY, above=earlier))
    told.last(replace(THERE, above=earlier), ms=250)
    told.show(replace(EMPTY, above=earlier))
    assert not told.course.submitted


def test_a_frame_that_is_drawn_by_half_is_no_evidence() -> None:
    """No box is seen, but the prompt is: it may still stand in the box."""
    told = Told().pasted().entered()
    broken = Look(0, None, above=f"│ > {PROMPT}\n\n│", width=80)
    assert Step.DONE not in told.last(broken, ms=3000)
    assert not told.course.submitted


def test_a_plain_prompt_has_scrolled_by_when_more_stands_below_it() -> None:
    told = Told(Plan(scrolls=True)).pasted().entered()
    moved = Look(0, None, above=f"> {PROMPT}\nLooking at it", width=80)
    told.last(moved, ms=1200)
    assert told.course.submitted


def test_a_question_right_after_enter_shows_that_the_turn_began() -> None:
    told = Told().pasted().entered()
    above = f"> {PROMPT}\n\nDo you want to proceed?\n1. Yes"
    assert told.show(replace(ASKING, above=above)) is Step.DONE
    assert told.course.turn_started


def test_a_draft_is_cleared_first() -> None:
    told = Told()
    draft = replace(EMPTY, composer="half a thought")
    assert steps(told, [draft, draft, EMPTY]) == [Step.CLEAR, Step.PASTE]


def test_a_draft_is_refused_where_the_rules_say_so() -> None:
    told = Told(replace(PLAN, draft="refuse"))
    assert told.show(replace(EMPTY, composer="half a thought")) is Step.FAILED
    assert told.course.detail == "half a thought"


def test_a_hint_that_no_key_takes_away_counts_as_empty() -> None:
    told = Told()
    hint = replace(EMPTY, composer="Ask me anything")
    assert told.last(hint, ms=1500) == [Step.CLEAR, Step.CLEAR, Step.PASTE]
    assert told.last(THERE, ms=250) == [Step.ENTER]
    told.last(hint, ms=300)
    assert told.course.submitted


def test_a_draft_that_could_not_be_cleared_is_never_sent_along() -> None:
    told = Told()
    told.last(replace(EMPTY, composer="draft"), ms=1500)
    assert told.last(replace(EMPTY, composer=f"draft{PROMPT}"), ms=5000)[-1] is Step.FAILED
    assert told.course.attempts == 0


def test_nor_when_the_composer_shows_only_the_end_of_both() -> None:
    prompt = " ".join(f"word{number}" for number in range(400))
    told = Told(prompt=prompt)
    told.last(replace(EMPTY, composer="draft"), ms=1500)
    assert Step.ENTER not in told.last(replace(EMPTY, composer=prompt[-300:]), ms=3000)


def test_a_long_draft_at_a_plain_prompt_is_cleared_though_its_beginning_is_not_seen() -> None:
    told = Told(Plan(scrolls=True))
    assert told.last(Look(0, None, above="word " * 900), ms=1100) == [Step.WAKE, Step.CLEAR]
    assert told.show(EMPTY) is Step.PASTE


def test_where_no_composer_is_ever_seen_nothing_is_typed() -> None:
    told = Told()
    assert told.last(Look(0, None, above="a pager"), ms=2100) == [Step.WAKE, Step.FAILED]
    assert (
        told.course.error
        == "nothing was typed, because its input box is not seen: look at the terminal"
    )


@pytest.mark.parametrize("policy", ["wait", "refuse"])
def test_nothing_is_typed_into_a_running_turn(policy: str) -> None:
    told = Told(replace(PLAN, working=policy))  # type: ignore[arg-type]
    busy = replace(EMPTY, working=True)
    assert told.show(busy) is (Step.LOOK if policy == "wait" else Step.FAILED)
    if policy == "wait":
        assert told.last(busy, ms=2000) == []
        assert told.show(EMPTY) is Step.PASTE


def test_waiting_for_a_turn_has_an_end() -> None:
    told = Told(replace(PLAN, busy_ms=1000))
    assert told.last(replace(EMPTY, working=True), ms=2000)[0] is Step.FAILED


def test_a_prompt_that_an_agent_queues_does_not_claim_a_turn_of_its_own() -> None:
    told = Told(replace(PLAN, working="queue"))
    busy = replace(EMPTY, working=True)
    told.show(busy)
    assert told.last(replace(THERE, working=True), ms=250)[0] is Step.ENTER
    assert told.last(busy, ms=300)[0] is Step.DONE
    assert told.course.submitted
    assert not told.course.turn_started


def test_escape_is_pressed_only_where_the_rules_say_so() -> None:
    told = Told(replace(PLAN, escape="idle")).pasted()
    assert told.last(THERE, ms=600) == [Step.ESCAPE, Step.ENTER]


def test_escape_is_never_pressed_during_a_turn() -> None:
    told = Told(replace(PLAN, escape="idle", working="queue"))
    told.show(replace(EMPTY, working=True))
    assert told.last(replace(THERE, working=True), ms=250) == [Step.ENTER]


def test_an_escape_that_clears_the_composer_costs_only_another_paste() -> None:
    told = Told(replace(PLAN, escape="idle")).pasted()
    assert told.last(THERE, ms=250) == [Step.ESCAPE]
    assert told.last(EMPTY, ms=120) == [Step.PASTE]
    assert told.last(THERE, ms=250) == [Step.ENTER]


def test_a_line_break_that_enter_made_is_taken_back() -> None:
    told = Told().pasted().entered()
    assert told.last(replace(THERE, depth=5), ms=530) == [Step.ERASE]
    assert told.last(THERE, ms=250) == [Step.ENTER]


def test_a_long_paste_shown_as_a_label_is_entered_when_the_label_rests() -> None:
    told = Told(prompt="line\n" * 30 + "end").pasted()
    first, second = "[Pasted text #1 +20 lines]", "[Pasted text #1 +20 lines][Pasted text #2]"
    assert told.last(replace(EMPTY, composer=first), ms=120) == []
    assert told.last(replace(EMPTY, composer=second), ms=120) == []
    assert told.last(replace(EMPTY, composer=second), ms=80) == [Step.ENTER]


@pytest.mark.parametrize(
    ("shown", "fits"),
    [
        ("please review\n  the change", True),
        ("please re\nview the change", True),
        ("please review the chang", False),
        ("draft please review the change", False),
        ("review the change", False),
        ("", False),
        ("[Pasted text #1 +3\n lines]", True),
        ("draft [Pasted text #1 +3 lines]", False),
    ],
)
def test_a_prompt_stands_there_whole_or_not_at_all(shown: str, fits: bool) -> None:
    assert composer.stands(shown, PROMPT, composer.fold_pattern(PLAN.folds)) is fits


def test_of_a_long_prompt_a_composer_that_scrolls_shows_the_end() -> None:
    prompt = " ".join(f"word{number}" for number in range(400))
    assert composer.stands(prompt[-300:], prompt, None)
    assert not composer.stands(prompt[:300], prompt, None)


def test_characters_that_the_terminal_shows_differently_do_not_stop_a_delivery() -> None:
    told = Told(prompt="a family 👨‍👩‍👧 and a flag 🏴 in a sentence").pasted()
    shown = replace(EMPTY, composer="a family ?? and a flag ? in a sentence")
    assert told.last(shown, ms=5000)[:2] == [Step.WAKE, Step.ENTER]


@pytest.mark.parametrize(
    ("prompt", "why"),
    [
        ("", "needs text"),
        (" \t\n", "needs text"),
        ("end \x1b[201~ of paste", "control characters"),
        ("a\x03", "control characters"),
        ("ends in \\", "makes a line"),
    ],
)
def test_what_cannot_be_typed_is_refused_before_anything_is(prompt: str, why: str) -> None:
    assert why in replace(PLAN, not_last="\\").refusal(prompt)


def test_lines_are_refused_where_each_would_be_a_prompt() -> None:
    assert "one line" in replace(PLAN, lines=False).refusal("one\ntwo")
    assert PLAN.refusal("one\ntwo") == ""


@pytest.mark.parametrize("name", [*(rule.runtime for rule in rules.runtimes()), "generic"])
def test_every_rules_file_has_a_plan(name: str) -> None:
    plan = Plan.of(rules.load(name).delivery)
    assert plan.attempts > 0
    composer.fold_pattern(plan.folds)


def test_a_word_that_no_plan_knows_is_a_mistake_in_the_file() -> None:
    with pytest.raises(ValueError, match="does not know atempts"):
        Plan.of({"atempts": 3})
