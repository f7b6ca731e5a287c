"""The decisions of a delivery: observations in, steps out. No screen and no clock is involved."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from agents.delivery import composer
from agents.delivery.settings import CheckedPrompt, DeliverySettings
from agents.delivery.state_machine import DeliveryStep, Observation, PromptDelivery
from agents.runtimes import loader

PROMPT = "please review the change"
SETTINGS = DeliverySettings(folds=r"\[Pasted text #\d+(?:\+\d+ lines)?\]")
EMPTY = Observation(0, "", depth=4, width=80)
THERE = replace(EMPTY, composer=PROMPT)
WORKING = replace(EMPTY, working=True, above=f"> {PROMPT}")
ASKING = Observation(0, None, waiting=True, question="Do you want to proceed?", width=80)


class Probe:
    """Feeds observations to a delivery, 40 ms apart."""

    def __init__(self, settings: DeliverySettings = SETTINGS, prompt: str = PROMPT) -> None:
        self.delivery = PromptDelivery(settings, CheckedPrompt(prompt))
        self.now = 1000.0

    def show(self, observation: Observation, *, ms: float = 40) -> DeliveryStep:
        self.now += ms
        return self.delivery.next(replace(observation, timestamp=self.now))

    def last(self, observation: Observation, *, ms: float) -> list[DeliveryStep]:
        """The steps while nothing changes for this long, without the waits."""
        steps = [self.show(observation) for _ in range(int(ms / 40))]
        return [step for step in steps if step is not DeliveryStep.WAIT]

    def pasted(self) -> "Probe":
        assert self.show(EMPTY) is DeliveryStep.PASTE
        return self

    def entered(self) -> "Probe":
        assert self.last(THERE, ms=250)[0] is DeliveryStep.ENTER
        return self


def steps(probe: Probe, observations: Sequence[Observation]) -> list[DeliveryStep]:
    every = [probe.show(observation) for observation in observations]
    return [step for step in every if step is not DeliveryStep.WAIT]


def test_prompt_is_pasted_entered_and_starts_a_turn() -> None:
    probe = Probe()
    assert steps(probe, [EMPTY, *[THERE] * 6, WORKING]) == [
        DeliveryStep.PASTE,
        DeliveryStep.ENTER,
        DeliveryStep.DONE,
    ]
    assert (probe.delivery.submitted, probe.delivery.turn_started) == (True, True)
    assert probe.delivery.attempts == 1


def test_enter_waits_until_the_whole_text_is_visible() -> None:
    probe = Probe().pasted()
    assert probe.last(EMPTY, ms=1000) == []
    assert probe.last(replace(EMPTY, composer=PROMPT[:-1]), ms=500) == []
    assert probe.last(THERE, ms=250) == [DeliveryStep.ENTER]


def test_text_that_never_appears_is_not_entered_and_the_error_quotes_the_composer() -> None:
    probe = Probe().pasted()
    assert probe.last(replace(EMPTY, composer="something else"), ms=1000)[0] is DeliveryStep.FAILED
    assert probe.delivery.attempts == 0
    assert probe.delivery.detail == "something else"


def test_an_open_question_receives_no_key() -> None:
    probe = Probe()
    assert probe.show(ASKING) is DeliveryStep.FAILED
    assert probe.delivery.detail == "Do you want to proceed?"


def test_enter_does_not_answer_a_question_that_appears_before_it() -> None:
    probe = Probe().pasted()
    assert probe.show(ASKING) is DeliveryStep.FAILED
    assert probe.delivery.attempts == 0


def test_a_lost_enter_is_pressed_again() -> None:
    probe = Probe().pasted().entered()
    assert probe.last(THERE, ms=600) == [DeliveryStep.ENTER]
    assert probe.show(WORKING) is DeliveryStep.DONE
    assert probe.delivery.attempts == 2


def test_an_agent_that_reads_enter_late_has_time_to_paint_before_the_next_one() -> None:
    probe = Probe().pasted().entered()
    assert probe.last(replace(THERE, unread=True), ms=1000) == []
    assert probe.last(THERE, ms=440) == []
    assert probe.last(THERE, ms=160) == [DeliveryStep.ENTER]


def test_enter_that_never_works_fails_and_quotes_the_composer() -> None:
    probe = Probe().pasted().entered()
    assert probe.last(THERE, ms=4000)[:4] == [
        DeliveryStep.ENTER,
        DeliveryStep.WAKE,
        DeliveryStep.ENTER,
        DeliveryStep.FAILED,
    ]
    assert probe.delivery.detail == PROMPT
    assert not probe.delivery.submitted


def test_an_empty_composer_counts_only_after_it_lasted() -> None:
    probe = Probe().pasted().entered()
    assert probe.show(EMPTY) is DeliveryStep.WAIT
    assert probe.show(THERE) is DeliveryStep.WAIT  # the screen was only half drawn
    assert not probe.delivery.submitted
    probe.last(EMPTY, ms=240)
    assert probe.delivery.submitted


def test_the_prompt_in_the_conversation_is_immediate_evidence() -> None:
    probe = Probe().pasted().entered()
    probe.show(replace(EMPTY, above=f"> {PROMPT}"))
    assert probe.delivery.submitted
    assert not probe.delivery.turn_started


def test_an_earlier_copy_of_the_prompt_is_no_evidence() -> None:
    probe = Probe()
    earlier = f"> {PROMPT}"
    probe.show(replace(EMPTY, above=earlier))
    probe.last(replace(THERE, above=earlier), ms=250)
    probe.show(replace(EMPTY, above=earlier))
    assert not probe.delivery.submitted


def test_a_half_drawn_frame_is_no_evidence() -> None:
    """No box is recognised, but the prompt is visible: it may still be in the box."""
    probe = Probe().pasted().entered()
    broken = Observation(0, None, above=f"│ > {PROMPT}\n\n│", width=80)
    assert DeliveryStep.DONE not in probe.last(broken, ms=3000)
    assert not probe.delivery.submitted


def test_a_plain_prompt_is_submitted_when_text_appears_below_it() -> None:
    probe = Probe(DeliverySettings(scrolls=True)).pasted().entered()
    moved = Observation(0, None, above=f"> {PROMPT}\nLooking at it", width=80)
    probe.last(moved, ms=1200)
    assert probe.delivery.submitted


def test_a_question_right_after_enter_shows_that_the_turn_started() -> None:
    probe = Probe().pasted().entered()
    above = f"> {PROMPT}\n\nDo you want to proceed?\n1. Yes"
    assert probe.show(replace(ASKING, above=above)) is DeliveryStep.DONE
    assert probe.delivery.turn_started


def test_a_draft_is_cleared_first() -> None:
    probe = Probe()
    draft = replace(EMPTY, composer="half a thought")
    assert steps(probe, [draft, draft, EMPTY]) == [DeliveryStep.CLEAR, DeliveryStep.PASTE]


def test_a_draft_is_refused_if_the_rules_say_so() -> None:
    probe = Probe(replace(SETTINGS, draft="refuse"))
    assert probe.show(replace(EMPTY, composer="half a thought")) is DeliveryStep.FAILED
    assert probe.delivery.detail == "half a thought"


def test_a_hint_that_no_key_removes_counts_as_empty() -> None:
    probe = Probe()
    hint = replace(EMPTY, composer="Ask me anything")
    assert probe.last(hint, ms=1500) == [DeliveryStep.CLEAR, DeliveryStep.CLEAR, DeliveryStep.PASTE]
    assert probe.last(THERE, ms=250) == [DeliveryStep.ENTER]
    probe.last(hint, ms=300)
    assert probe.delivery.submitted


def test_a_draft_that_could_not_be_cleared_is_never_sent() -> None:
    probe = Probe()
    probe.last(replace(EMPTY, composer="draft"), ms=1500)
    assert probe.last(replace(EMPTY, composer=f"draft{PROMPT}"), ms=5000)[-1] is DeliveryStep.FAILED
    assert probe.delivery.attempts == 0


def test_a_draft_that_scrolled_out_of_the_composer_is_never_sent() -> None:
    prompt = " ".join(f"word{number}" for number in range(400))
    probe = Probe(prompt=prompt)
    probe.last(replace(EMPTY, composer="draft"), ms=1500)
    assert DeliveryStep.ENTER not in probe.last(replace(EMPTY, composer=prompt[-300:]), ms=3000)


def test_a_long_draft_at_a_plain_prompt_is_cleared_although_its_beginning_is_hidden() -> None:
    probe = Probe(DeliverySettings(scrolls=True))
    steps = probe.last(Observation(0, None, above="word " * 900), ms=560)
    assert steps[-1] is DeliveryStep.CLEAR
    assert probe.show(EMPTY) is DeliveryStep.PASTE


def test_nothing_is_typed_without_a_visible_composer() -> None:
    probe = Probe()
    assert probe.last(Observation(0, None, above="a pager"), ms=960) == [
        DeliveryStep.WAKE,
        DeliveryStep.FAILED,
    ]
    assert (
        probe.delivery.error
        == "nothing was typed, because the input box is not visible: check the terminal"
    )


@pytest.mark.parametrize("policy", ["wait", "refuse"])
def test_nothing_is_typed_into_a_running_turn(policy: str) -> None:
    probe = Probe(replace(SETTINGS, working=policy))  # type: ignore[arg-type]  # a literal from parametrize
    busy = replace(EMPTY, working=True)
    assert probe.show(busy) is (DeliveryStep.WAIT if policy == "wait" else DeliveryStep.FAILED)
    if policy == "wait":
        assert probe.last(busy, ms=2000) == []
        assert probe.show(EMPTY) is DeliveryStep.PASTE


def test_waiting_for_a_turn_has_a_limit() -> None:
    probe = Probe(replace(SETTINGS, busy_ms=1000))
    assert probe.last(replace(EMPTY, working=True), ms=2000)[0] is DeliveryStep.FAILED


def test_a_queued_prompt_does_not_report_a_started_turn() -> None:
    probe = Probe(replace(SETTINGS, working="queue"))
    busy = replace(EMPTY, working=True)
    probe.show(busy)
    assert probe.last(replace(THERE, working=True), ms=250)[0] is DeliveryStep.ENTER
    assert probe.last(busy, ms=300)[0] is DeliveryStep.DONE
    assert probe.delivery.submitted
    assert not probe.delivery.turn_started


def test_escape_is_pressed_only_if_the_rules_say_so() -> None:
    probe = Probe(replace(SETTINGS, escape="idle")).pasted()
    assert probe.last(THERE, ms=600) == [DeliveryStep.ESCAPE, DeliveryStep.ENTER]


def test_escape_is_never_pressed_during_a_turn() -> None:
    probe = Probe(replace(SETTINGS, escape="idle", working="queue"))
    probe.show(replace(EMPTY, working=True))
    assert probe.last(replace(THERE, working=True), ms=250) == [DeliveryStep.ENTER]


def test_text_is_pasted_again_if_escape_clears_the_composer() -> None:
    probe = Probe(replace(SETTINGS, escape="idle")).pasted()
    assert probe.last(THERE, ms=250) == [DeliveryStep.ESCAPE]
    assert probe.last(EMPTY, ms=120) == [DeliveryStep.PASTE]
    assert probe.last(THERE, ms=250) == [DeliveryStep.ENTER]


def test_a_line_break_made_by_enter_is_erased() -> None:
    probe = Probe().pasted().entered()
    assert probe.last(replace(THERE, depth=5), ms=530) == [DeliveryStep.ERASE]
    assert probe.last(THERE, ms=250) == [DeliveryStep.ENTER]


def test_a_folded_paste_is_entered_when_its_label_stops_changing() -> None:
    probe = Probe(prompt="line\n" * 30 + "end").pasted()
    first, second = "[Pasted text #1 +20 lines]", "[Pasted text #1 +20 lines][Pasted text #2]"
    assert probe.last(replace(EMPTY, composer=first), ms=120) == []
    assert probe.last(replace(EMPTY, composer=second), ms=120) == []
    assert probe.last(replace(EMPTY, composer=second), ms=80) == [DeliveryStep.ENTER]


@pytest.mark.parametrize(
    ("shown", "is_whole"),
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
def test_the_composer_must_show_the_whole_prompt(shown: str, is_whole: bool) -> None:
    assert composer.holds(shown, PROMPT, composer.fold_pattern(SETTINGS.folds)) is is_whole


def test_a_scrolled_composer_shows_the_end_of_a_long_prompt() -> None:
    prompt = " ".join(f"word{number}" for number in range(400))
    assert composer.holds(prompt[-300:], prompt, None)
    assert not composer.holds(prompt[:300], prompt, None)


def test_characters_that_the_terminal_replaces_do_not_stop_a_delivery() -> None:
    probe = Probe(prompt="a family 👨‍👩‍👧 and a flag 🏴 in a sentence").pasted()
    shown = replace(EMPTY, composer="a family ?? and a flag ? in a sentence")
    assert probe.last(shown, ms=1000)[0] is DeliveryStep.ENTER


@pytest.mark.parametrize(
    ("prompt", "reason"),
    [
        ("", "needs text"),
        (" \t\n", "needs text"),
        ("end \x1b[201~ of paste", "control characters"),
        ("a\x03", "control characters"),
    ],
)
def test_text_that_cannot_be_typed_is_refused(prompt: str, reason: str) -> None:
    assert reason in SETTINGS.refusal(prompt)


@pytest.mark.parametrize(
    ("prompt", "typed"),
    [
        ("ends in \\", "ends in \\ "),
        ("look at @file", "look at @file "),
        ("@file is read", "@file is read"),
        ("/help", "/help "),
        ("/help me", "/help me"),
        ("a blank ", "a blank "),
    ],
)
def test_a_blank_keeps_enter_from_completing_the_last_word(prompt: str, typed: str) -> None:
    assert replace(SETTINGS, not_last="\\", completes="@/").check(prompt) == typed


# --- commands ---------------------------------------------------------------------------------

COMMANDS = replace(SETTINGS, suggests=r"/(\S+)", completes="@/", unknown="Unknown command: {word}")


def command(prompt: str) -> Probe:
    return Probe(COMMANDS, COMMANDS.check(prompt))


def suggesting(prompt: str, suggestion: str) -> Observation:
    """Some agents hide their cursor while they suggest commands: then no composer is known."""
    return replace(EMPTY, composer=None, typed=prompt, suggestion=suggestion, blocked="a list")


def test_a_command_is_entered_only_if_it_is_the_first_suggestion() -> None:
    probe = command("/model").pasted()
    assert probe.last(replace(EMPTY, composer="/model"), ms=400) == []
    assert probe.last(suggesting("/model", "model"), ms=250) == [DeliveryStep.ENTER]


@pytest.mark.parametrize("suggestion", ["model", ""])
def test_enter_never_chooses_a_suggestion_for_another_command(suggestion: str) -> None:
    probe = command("/mod").pasted()
    shown = suggesting("/mod", suggestion) if suggestion else replace(EMPTY, composer="/mod")
    assert probe.last(shown, ms=800) == [DeliveryStep.DISCARD]
    assert probe.show(EMPTY) is DeliveryStep.FAILED
    assert "no such command" in probe.delivery.error
    assert probe.delivery.attempts == 0


@pytest.mark.parametrize("left", ["", "/nosuch thing"])
def test_a_command_that_the_agent_rejects_is_not_sent(left: str) -> None:
    """Some leave it on the composer, some do not."""
    probe = command("/nosuch thing").pasted()
    assert probe.last(replace(EMPTY, composer="/nosuch thing"), ms=250)[0] is DeliveryStep.ENTER
    rejected = replace(EMPTY, composer=left, above="hello\n Unknown command: /nosuch\n\n")
    steps = probe.last(rejected, ms=240)
    assert (steps[0] if left else steps[-1]) is (
        DeliveryStep.DISCARD if left else DeliveryStep.FAILED
    )
    assert probe.show(replace(rejected, composer="")) is DeliveryStep.FAILED
    assert not probe.delivery.submitted
    assert "no such command" in probe.delivery.error


# --- the cursor -------------------------------------------------------------------------------

HIDDEN = replace(EMPTY, composer=None, hidden=True, blocked="the cursor is not in its composer")


def test_a_busy_agent_may_hide_its_cursor_for_a_while() -> None:
    probe = Probe()
    assert probe.last(HIDDEN, ms=1500) == []
    assert probe.show(EMPTY) is DeliveryStep.PASTE
    assert probe.last(replace(HIDDEN, typed=PROMPT), ms=1900) in ([], [DeliveryStep.WAKE])
    assert DeliveryStep.ENTER in probe.last(replace(HIDDEN, typed=PROMPT), ms=400)


def test_a_prompt_that_left_a_composer_without_cursor_is_submitted() -> None:
    """opencode hides its cursor for seconds while it draws its first conversation."""
    probe = Probe().pasted().entered()
    assert probe.last(replace(HIDDEN, typed=PROMPT), ms=400) == []
    assert probe.last(replace(HIDDEN, typed=""), ms=480)[0] is DeliveryStep.DONE
    assert probe.delivery.submitted


def test_no_enter_where_the_cursor_is_elsewhere() -> None:
    probe = Probe().pasted()
    elsewhere = replace(HIDDEN, hidden=False, typed=PROMPT)
    assert DeliveryStep.ENTER not in probe.last(elsewhere, ms=5000)


def test_a_composer_that_vanishes_after_a_long_wait_is_waited_for() -> None:
    probe = Probe()
    assert probe.last(replace(EMPTY, working=True), ms=5000) == []
    assert probe.last(replace(HIDDEN, hidden=False), ms=400) == []
    assert probe.show(EMPTY) is DeliveryStep.PASTE


# --- placeholders -----------------------------------------------------------------------------

HINTED = replace(EMPTY, hint=("Ask anything… say hello", "grey"))


def test_a_prompt_like_a_placeholder_is_told_apart_by_its_colour() -> None:
    probe = Probe(prompt="Ask anything… say hello")
    assert probe.show(HINTED) is DeliveryStep.PASTE
    assert probe.last(HINTED, ms=1000) == []
    typed = replace(HINTED, hint=("Ask anything… say hello", "white"))
    assert probe.last(typed, ms=250) == [DeliveryStep.ENTER]
    assert probe.last(typed, ms=200) == []  # still on the composer
    assert probe.show(replace(HINTED, working=True)) is DeliveryStep.DONE


def test_a_prompt_that_begins_like_a_placeholder_is_text() -> None:
    probe = Probe(prompt="Ask anything and more")
    assert probe.show(HINTED) is DeliveryStep.PASTE
    typed = replace(HINTED, hint=("Ask anything and more", "grey"))
    assert probe.last(typed, ms=250) == [DeliveryStep.ENTER]


def test_line_breaks_are_refused_if_each_line_would_be_a_prompt() -> None:
    assert "one line" in replace(SETTINGS, lines=False).refusal("one\ntwo")
    assert SETTINGS.refusal("one\ntwo") == ""


@pytest.mark.parametrize("name", [*(rule.runtime for rule in loader.runtimes()), "generic"])
def test_every_rules_file_has_valid_delivery_settings(name: str) -> None:
    settings = loader.load(name).delivery
    assert settings.attempts > 0
    composer.fold_pattern(settings.folds)


def test_an_unknown_delivery_setting_is_an_error() -> None:
    with pytest.raises(ValueError, match="unknown keys: atempts"):
        DeliverySettings.of({"atempts": 3})
