"""The decisions of an answer: observations in, keys out. No screen and no clock is involved."""

import re
from dataclasses import replace

import pytest

from agents.delivery import answer_keys
from agents.delivery.answer_keys import AnswerStep, DialogAnswer, DialogObservation
from agents.runtimes.loader import Choose, MenuRule
from agents.screen.menus import Menu, Option

RULE = MenuRule("\u276f", True, re.compile(r"\?$"), None, None, choose=Choose.DIGIT)
POINT = replace(RULE, choose=Choose.POINT)
MOVES = replace(RULE, choose=Choose.DIGIT_POINTS)
INLINE = replace(POINT, numbered=False, steps=("Right", "Left"))
LABELS = ("Yes", "Yes, always", "No")


def dialog(selected: int = 1, command: str = "touch a", question: str = "Proceed?") -> Menu:
    options = tuple(
        Option(number, label, str(number), number == selected)
        for number, label in enumerate(LABELS, 1)
    )
    title = ("Bash command", f"  {command}", question)
    return Menu(question, options, 3, 5, (*title, *LABELS, "Esc to cancel"), title)


def plain(question: str = "Continue?") -> Menu:
    return Menu(question, (Option(1, "Yes", "y"), Option(2, "No", "n")), 0, 0, (question,), ())


class Probe:
    """Feeds observations to an answer, 40 ms apart, and collects the keys that it presses."""

    def __init__(self, rule: MenuRule, number: int, before: Menu | None = None) -> None:
        self.before = before or dialog()
        self.bottom = "Continue? [y/N]" if answer_keys.is_plain(self.before) else "Esc to cancel"
        option = self.before.options[number - 1]
        self.answer = DialogAnswer(rule, self.before, option, self.bottom)
        self.now, self.keys, self.last = 1000.0, list[str](), AnswerStep.WAIT

    def show(self, menu: Menu | None, *, ms: float = 200, **more: object) -> "Probe":
        """The same screen for this long; ends early if the answer does."""
        observation = DialogObservation(0, menu, waiting=menu is not None, bottom=self.bottom)
        for _ in range(max(1, int(ms / 40))):
            self.now += 40
            self.last = self.answer.next(replace(observation, timestamp=self.now, **more))  # type: ignore[arg-type]  # fields by name
            if self.last is AnswerStep.PRESS:
                self.keys.append(self.answer.key)
            if self.last in {AnswerStep.DONE, AnswerStep.STOP}:
                break
        return self


def test_a_digit_answers_with_one_key() -> None:
    probe = Probe(RULE, 3).show(dialog()).show(None)
    assert (probe.keys, probe.last) == (["3"], AnswerStep.DONE)


def test_a_digit_without_effect_is_never_followed_by_another_key() -> None:
    probe = Probe(RULE, 1).show(dialog()).show(dialog(), ms=60_000)
    assert (probe.keys, probe.last) == (["1"], AnswerStep.STOP)
    assert probe.answer.error == answer_keys.UNCONFIRMED
    assert probe.answer.may_be_answered


def test_a_dialog_that_closes_after_a_stall_counts_as_answered() -> None:
    probe = Probe(RULE, 1).show(dialog()).show(dialog(), ms=2500, unread=True).show(None)
    assert (probe.keys, probe.last) == (["1"], AnswerStep.DONE)


def test_a_dialog_about_another_command_shows_that_the_first_was_answered() -> None:
    probe = Probe(RULE, 1).show(dialog()).show(dialog(command="touch b"))
    assert (probe.keys, probe.last) == (["1"], AnswerStep.DONE)


def test_an_identical_dialog_after_a_gap_shows_that_the_first_was_answered() -> None:
    probe = Probe(RULE, 1).show(dialog()).show(None, ms=120)
    assert (probe.keys, probe.last) == (["1"], AnswerStep.DONE)


def test_an_identical_dialog_without_a_gap_is_unconfirmed_and_receives_no_key() -> None:
    probe = Probe(RULE, 1).show(dialog()).show(None, ms=40).show(dialog(), ms=60_000)
    assert (probe.keys, probe.last) == (["1"], AnswerStep.STOP)


def test_a_half_painted_dialog_does_not_count_as_closed() -> None:
    probe = Probe(RULE, 1).show(dialog())
    for _ in range(10):
        probe.show(None, ms=40).show(dialog(), ms=40)
    assert (probe.keys, probe.last) == (["1"], AnswerStep.WAIT)


def test_a_dialog_that_wraps_differently_is_the_same_dialog() -> None:
    narrow = replace(dialog(), title=("Bash", "command", "  touch", "a", "Proceed?"))
    probe = Probe(RULE, 1).show(dialog()).show(narrow, ms=60_000)
    assert (probe.keys, probe.last) == (["1"], AnswerStep.STOP)


def test_an_agent_that_still_waits_is_not_done() -> None:
    probe = Probe(RULE, 1).show(dialog()).show(None, waiting=True, ms=60_000)
    assert probe.last is AnswerStep.STOP


@pytest.mark.parametrize("changed", [None, dialog(command="rm -rf /"), dialog(selected=2)])
def test_a_changing_dialog_receives_no_key(changed: Menu | None) -> None:
    probe = Probe(RULE, 1)
    for _ in range(40):
        probe.show(dialog(), ms=40)
        if probe.last is AnswerStep.STOP:
            break
        probe.show(changed, ms=40)
    probe.show(changed, ms=5000)
    assert (probe.keys, probe.last) == ([], AnswerStep.STOP)
    assert probe.answer.error == answer_keys.CHANGED


def test_unread_keys_delay_the_first_key() -> None:
    probe = Probe(RULE, 1).show(dialog(), unread=True, ms=5000)
    assert (probe.keys, probe.last) == ([], AnswerStep.STOP)
    assert probe.answer.error == answer_keys.UNREAD
    assert Probe(RULE, 1).show(dialog(), unread=True, ms=1000).show(dialog()).keys == ["1"]


# --- the pointer ---


def test_the_pointer_moves_one_verified_step_at_a_time() -> None:
    probe = Probe(POINT, 3).show(dialog(1)).show(dialog(2)).show(dialog(3)).show(None)
    assert (probe.keys, probe.last) == (["Down", "Down", "Enter"], AnswerStep.DONE)


def test_the_pointer_moves_back() -> None:
    probe = Probe(POINT, 1, dialog(3)).show(dialog(3)).show(dialog(2)).show(dialog(1)).show(None)
    assert (probe.keys, probe.last) == (["Up", "Up", "Enter"], AnswerStep.DONE)


def test_inline_options_are_reached_with_their_own_keys() -> None:
    first, second = (replace(dialog(index), last=3) for index in (1, 2))
    probe = Probe(INLINE, 2, first).show(first).show(second).show(None)
    assert (probe.keys, probe.last) == (["Right", "Enter"], AnswerStep.DONE)


def test_options_below_each_other_are_reached_with_down_also_where_others_are_inline() -> None:
    probe = Probe(INLINE, 2).show(dialog(1)).show(dialog(2)).show(None)
    assert (probe.keys, probe.last) == (["Down", "Enter"], AnswerStep.DONE)


def test_the_selected_option_needs_one_enter() -> None:
    probe = Probe(POINT, 1).show(dialog(1), ms=4000)
    assert probe.keys == ["Enter"]


def test_enter_is_not_pressed_if_the_pointer_does_not_move() -> None:
    probe = Probe(POINT, 2).show(dialog(1), ms=60_000)
    assert (probe.keys, probe.last, probe.answer.error) == (
        ["Down"],
        AnswerStep.STOP,
        answer_keys.STUCK,
    )
    assert not probe.answer.may_be_answered


def test_enter_is_not_pressed_if_the_pointer_jumps_elsewhere() -> None:
    probe = Probe(POINT, 2).show(dialog(1)).show(dialog(3))
    assert (probe.keys, probe.last) == (["Down"], AnswerStep.STOP)


def test_enter_is_not_pressed_if_the_dialog_changes_under_the_pointer() -> None:
    probe = Probe(POINT, 2).show(dialog(1)).show(dialog(2, "rm -rf /"), ms=60_000)
    assert (probe.keys, probe.last, probe.answer.error) == (
        ["Down"],
        AnswerStep.STOP,
        answer_keys.CHANGED,
    )


def test_enter_is_not_pressed_if_the_pointer_was_observed_only_once() -> None:
    probe = Probe(POINT, 2).show(dialog(1))
    for _ in range(20):
        probe.show(dialog(2), ms=40).show(dialog(1), ms=40)
    assert probe.keys == ["Down"]


def test_options_without_a_visible_pointer_are_refused() -> None:
    probe = Probe(INLINE, 1, dialog(0)).show(dialog(0))
    assert (probe.keys, probe.last, probe.answer.error) == (
        [],
        AnswerStep.STOP,
        answer_keys.NO_POINTER,
    )


def test_an_enter_after_the_pointer_is_pressed_once() -> None:
    probe = Probe(POINT, 2).show(dialog(1)).show(dialog(2), ms=60_000)
    assert (probe.keys, probe.last) == (["Down", "Enter"], AnswerStep.STOP)


# --- a digit that may only move the pointer ---


def test_enter_follows_a_digit_that_visibly_moved_the_pointer() -> None:
    probe = Probe(MOVES, 2).show(dialog(1)).show(dialog(2), printed=80).show(None, printed=160)
    assert (probe.keys, probe.last) == (["2", "Enter"], AnswerStep.DONE)


def test_enter_is_not_pressed_if_nothing_was_painted_since_the_digit() -> None:
    probe = Probe(MOVES, 2).show(dialog(1)).show(dialog(2), ms=60_000)
    assert (probe.keys, probe.last) == (["2"], AnswerStep.STOP)


def test_enter_is_not_pressed_if_the_digit_moved_the_pointer_of_another_dialog() -> None:
    probe = Probe(MOVES, 2).show(dialog(1)).show(dialog(2, "rm -rf /"), printed=80)
    assert (probe.keys, probe.last) == (["2"], AnswerStep.DONE)  # the first one was answered


def test_a_tenth_option_is_not_typed_as_two_digits() -> None:
    many = tuple(Option(n, f"option {n}", str(n), n == 1) for n in range(1, 12))
    menu = replace(dialog(), options=many)
    probe = Probe(RULE, 10, menu).show(menu)
    assert probe.keys == ["Down"]


def test_a_key_from_the_rules_replaces_the_digit() -> None:
    rule = replace(RULE, keys=((re.compile("^No"), "Escape"),))
    probe = Probe(rule, 3).show(dialog()).show(None)
    assert (probe.keys, probe.last) == (["Escape"], AnswerStep.DONE)


# --- plain questions ---


def test_a_letter_is_entered_when_it_is_visible_behind_the_question() -> None:
    probe = Probe(RULE, 1, plain()).show(plain())
    probe.show(None, bottom="Continue? [y/N] y").show(None, bottom="> ")
    assert (probe.keys, probe.last) == (["y", "Enter"], AnswerStep.DONE)


def test_a_letter_that_is_not_echoed_is_not_entered() -> None:
    probe = Probe(RULE, 1, plain()).show(plain(), ms=60_000)
    assert (probe.keys, probe.last) == (["y"], AnswerStep.STOP)


def test_a_letter_that_answers_at_once_needs_no_enter() -> None:
    probe = Probe(RULE, 2, plain()).show(plain()).show(None, bottom="> ")
    assert (probe.keys, probe.last) == (["n"], AnswerStep.DONE)


def test_a_no_among_the_options_of_the_model_is_not_the_refusal_of_the_agent() -> None:
    rule = replace(RULE, keys=((re.compile("^No"), "Escape"),))
    form = [replace(dialog(index), options=_without_keys(dialog(index))) for index in (2, 3)]
    probe = Probe(rule, 3, form[0]).show(form[0]).show(form[1]).show(None)
    assert (probe.keys, probe.last) == (["Down", "Enter"], AnswerStep.DONE)


def _without_keys(menu: Menu) -> tuple[Option, ...]:
    return tuple(replace(option, key="") for option in menu.options)
