"""The decisions of an answer, by value: glances in, keys out. No screen, no clock."""

import re
from dataclasses import replace

import pytest

from agents import choices
from agents.choices import Choice, Do, Glance
from agents.menus import Menu, Option
from agents.rules import Choose, MenuRule

RULE = MenuRule("\u276f", True, re.compile(r"\?$"), None, None, choose=Choose.DIGIT)
POINT = replace(RULE, choose=Choose.POINT)
MOVES = replace(RULE, choose=Choose.DIGIT_POINTS)
INLINE = replace(POINT, numbered=False, steps=("Right", "Left"))
LABELS = ("Yes", "Yes, always", "No")


def dialog(at: int = 1, command: str = "touch a", question: str = "Proceed?") -> Menu:
    options = tuple(
        Option(number, label, str(number), number == at) for number, label in enumerate(LABELS, 1)
    )
    title = ("Bash command", f"  {command}", question)
    return Menu(question, options, 3, 5, (*title, *LABELS, "Esc to cancel"), title)


def plain(question: str = "Continue?") -> Menu:
    return Menu(question, (Option(1, "Yes", "y"), Option(2, "No", "n")), 0, 0, (question,), ())


class Told:
    """Shows one look after the other and notes the keys that were to be pressed."""

    def __init__(self, rule: MenuRule, number: int, before: Menu | None = None) -> None:
        self.before = before or dialog()
        self.bottom = "Continue? [y/N]" if choices.is_plain(self.before) else "Esc to cancel"
        option = self.before.options[number - 1]
        self.choice = Choice(rule, self.before, option, self.bottom)
        self.now, self.keys, self.last = 1000.0, list[str](), Do.LOOK

    def show(self, menu: Menu | None, *, ms: float = 200, **more: object) -> "Told":
        """The same picture for so long; stops where the choice does."""
        glance = Glance(0, menu, waiting=menu is not None, bottom=self.bottom)
        for _ in range(max(1, int(ms / 40))):
            self.now += 40
            self.last = self.choice.next(replace(glance, at=self.now, **more))  # type: ignore[arg-type]
            if self.last is Do.PRESS:
                self.keys.append(self.choice.key)
            if self.last in {Do.DONE, Do.STOP}:
                break
        return self


def test_a_digit_answers_with_one_key() -> None:
    told = Told(RULE, 3).show(dialog()).show(None)
    assert (told.keys, told.last) == (["3"], Do.DONE)


def test_a_digit_that_changes_nothing_is_never_followed_by_another_key() -> None:
    told = Told(RULE, 1).show(dialog()).show(dialog(), ms=60_000)
    assert (told.keys, told.last) == (["1"], Do.STOP)
    assert told.choice.error == choices.UNCONFIRMED
    assert told.choice.may_be_answered


def test_a_dialog_that_closes_after_a_stall_was_answered() -> None:
    told = Told(RULE, 1).show(dialog()).show(dialog(), ms=2500, unread=True).show(None)
    assert (told.keys, told.last) == (["1"], Do.DONE)


def test_the_next_dialog_about_another_command_shows_that_the_first_was_answered() -> None:
    told = Told(RULE, 1).show(dialog()).show(dialog(command="touch b"))
    assert (told.keys, told.last) == (["1"], Do.DONE)


def test_an_identical_dialog_after_a_gap_shows_that_the_first_was_answered() -> None:
    told = Told(RULE, 1).show(dialog()).show(None, ms=120)
    assert (told.keys, told.last) == (["1"], Do.DONE)


def test_an_identical_dialog_without_a_gap_is_not_confirmed_and_gets_no_key() -> None:
    told = Told(RULE, 1).show(dialog()).show(None, ms=40).show(dialog(), ms=60_000)
    assert (told.keys, told.last) == (["1"], Do.STOP)


def test_a_half_painted_dialog_is_not_taken_for_a_closed_one() -> None:
    told = Told(RULE, 1).show(dialog())
    for _ in range(10):
        told.show(None, ms=40).show(dialog(), ms=40)
    assert (told.keys, told.last) == (["1"], Do.LOOK)


def test_a_body_that_was_wrapped_anew_is_the_same_dialog() -> None:
    narrow = replace(dialog(), title=("Bash", "command", "  touch", "a", "Proceed?"))
    told = Told(RULE, 1).show(dialog()).show(narrow, ms=60_000)
    assert (told.keys, told.last) == (["1"], Do.STOP)


def test_an_agent_that_still_waits_without_a_readable_dialog_is_not_done() -> None:
    told = Told(RULE, 1).show(dialog()).show(None, waiting=True, ms=60_000)
    assert told.last is Do.STOP


@pytest.mark.parametrize("changed", [None, dialog(command="rm -rf /"), dialog(at=2)])
def test_a_dialog_that_does_not_stand_still_gets_no_key(changed: Menu | None) -> None:
    told = Told(RULE, 1)
    for _ in range(40):
        told.show(dialog(), ms=40)
        if told.last is Do.STOP:
            break
        told.show(changed, ms=40)
    told.show(changed, ms=5000)
    assert (told.keys, told.last) == ([], Do.STOP)
    assert told.choice.error == choices.CHANGED


def test_keys_that_the_agent_has_not_read_hold_the_first_key_back() -> None:
    told = Told(RULE, 1).show(dialog(), unread=True, ms=5000)
    assert (told.keys, told.last) == ([], Do.STOP)
    assert told.choice.error == choices.UNREAD
    assert Told(RULE, 1).show(dialog(), unread=True, ms=1000).show(dialog()).keys == ["1"]


# --- the pointer ---


def test_the_pointer_moves_one_verified_step_at_a_time() -> None:
    told = Told(POINT, 3).show(dialog(1)).show(dialog(2)).show(dialog(3)).show(None)
    assert (told.keys, told.last) == (["Down", "Down", "Enter"], Do.DONE)


def test_the_pointer_moves_back() -> None:
    told = Told(POINT, 1, dialog(3)).show(dialog(3)).show(dialog(2)).show(dialog(1)).show(None)
    assert (told.keys, told.last) == (["Up", "Up", "Enter"], Do.DONE)


def test_inline_options_are_reached_by_their_own_keys() -> None:
    told = Told(INLINE, 2).show(dialog(1)).show(dialog(2)).show(None)
    assert (told.keys, told.last) == (["Right", "Enter"], Do.DONE)


def test_the_option_under_the_pointer_takes_one_enter() -> None:
    told = Told(POINT, 1).show(dialog(1), ms=4000)
    assert told.keys == ["Enter"]


def test_a_pointer_that_does_not_move_gets_no_enter() -> None:
    told = Told(POINT, 2).show(dialog(1), ms=60_000)
    assert (told.keys, told.last, told.choice.error) == (["Down"], Do.STOP, choices.STUCK)
    assert not told.choice.may_be_answered


def test_a_pointer_that_jumps_elsewhere_gets_no_enter() -> None:
    told = Told(POINT, 2).show(dialog(1)).show(dialog(3))
    assert (told.keys, told.last) == (["Down"], Do.STOP)


def test_a_dialog_that_changes_under_the_pointer_gets_no_enter() -> None:
    told = Told(POINT, 2).show(dialog(1)).show(dialog(2, "rm -rf /"), ms=60_000)
    assert (told.keys, told.last, told.choice.error) == (["Down"], Do.STOP, choices.CHANGED)


def test_a_pointer_that_was_seen_once_only_gets_no_enter() -> None:
    told = Told(POINT, 2).show(dialog(1))
    for _ in range(20):
        told.show(dialog(2), ms=40).show(dialog(1), ms=40)
    assert told.keys == ["Down"]


def test_options_without_a_visible_pointer_are_refused() -> None:
    told = Told(INLINE, 1, dialog(0)).show(dialog(0))
    assert (told.keys, told.last, told.choice.error) == ([], Do.STOP, choices.UNSEEN)


def test_an_enter_after_the_pointer_is_pressed_once() -> None:
    told = Told(POINT, 2).show(dialog(1)).show(dialog(2), ms=60_000)
    assert (told.keys, told.last) == (["Down", "Enter"], Do.STOP)


# --- a digit that may only move the pointer ---


def test_enter_follows_a_digit_that_was_seen_to_move_the_pointer() -> None:
    told = Told(MOVES, 2).show(dialog(1)).show(dialog(2), printed=80).show(None, printed=160)
    assert (told.keys, told.last) == (["2", "Enter"], Do.DONE)


def test_no_enter_where_nothing_was_painted_since_the_digit() -> None:
    told = Told(MOVES, 2).show(dialog(1)).show(dialog(2), ms=60_000)
    assert (told.keys, told.last) == (["2"], Do.STOP)


def test_no_enter_where_the_digit_moved_the_pointer_of_another_dialog() -> None:
    told = Told(MOVES, 2).show(dialog(1)).show(dialog(2, "rm -rf /"), printed=80)
    assert (told.keys, told.last) == (["2"], Do.DONE)  # the first one was answered


def test_a_tenth_option_is_not_typed_as_two_digits() -> None:
    many = tuple(Option(n, f"option {n}", str(n), n == 1) for n in range(1, 12))
    menu = replace(dialog(), options=many)
    told = Told(RULE, 10, menu).show(menu)
    assert told.keys == ["Down"]


def test_a_key_of_the_rules_is_pressed_in_place_of_the_digit() -> None:
    rule = replace(RULE, keys=((re.compile("^No"), "Escape"),))
    told = Told(rule, 3).show(dialog()).show(None)
    assert (told.keys, told.last) == (["Escape"], Do.DONE)


# --- plain questions ---


def test_a_letter_is_entered_when_it_is_seen_behind_the_question() -> None:
    told = Told(RULE, 1, plain()).show(plain())
    told.show(None, bottom="Continue? [y/N] y").show(None, bottom="> ")
    assert (told.keys, told.last) == (["y", "Enter"], Do.DONE)


def test_a_letter_that_is_not_echoed_gets_no_enter() -> None:
    told = Told(RULE, 1, plain()).show(plain(), ms=60_000)
    assert (told.keys, told.last) == (["y"], Do.STOP)


def test_a_letter_that_answers_at_once_gets_no_enter() -> None:
    told = Told(RULE, 2, plain()).show(plain()).show(None, bottom="> ")
    assert (told.keys, told.last) == (["n"], Do.DONE)
