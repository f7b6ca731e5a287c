"""Reading single screens: cases that are not in the corpus."""
# ruff: noqa: RUF001 - the characters of the real programs

import time

import pytest

from agents.runtimes.loader import AgentState, load, runtimes
from agents.screen.layout import bright, parse
from agents.screen.menus import Option
from agents.screen.states import (
    CONFIRM_SECONDS,
    HOLD_SECONDS,
    Reading,
    StateTracker,
    explain,
    read_screen,
)

LINE = "─" * 40
COMPOSER = f"{LINE}\n❯ {{}}\n{LINE}\n  ? for shortcuts"


def read(text: str, runtime: str = "claude") -> Reading:
    return read_screen(text.split("\n"), load(runtime))


def test_an_empty_screen_is_unknown() -> None:
    assert read("") == Reading(AgentState.UNKNOWN)
    assert read_screen([], load("codex")) == Reading(AgentState.UNKNOWN)


def test_a_reading_names_its_rule_and_evidence() -> None:
    reading = read("✻ Pondering… (3s · esc to interrupt)\n\n" + COMPOSER.format("next"))
    assert reading.state is AgentState.WORKING
    assert reading.rule == "spinner line"
    assert reading.evidence == "✻ Pondering… (3s · esc to interrupt)"
    assert reading.composer == "next"


def test_a_spinner_above_the_conversation_is_history() -> None:
    reading = read("✻ Pondering… (3s)\n\n● Done.\n\n" + COMPOSER.format(""))
    assert (reading.state, reading.composer) == (AgentState.IDLE, "")


def test_dim_text_in_the_composer_is_not_a_draft() -> None:
    dim = COMPOSER.format("\x1b[7mc\x1b[0;2mommit this\x1b[0m")
    assert read(dim).composer == ""
    assert read(COMPOSER.format("\x1b[1mcommit this\x1b[0m")).composer == "commit this"
    codex = "• Done.\n\n› \x1b[2mrun the linter\x1b[0m\n\n  ? for shortcuts"
    assert read(codex, "codex").composer == ""


def test_a_colour_with_number_two_is_not_dim() -> None:
    assert bright("\x1b[38;5;2mgreen\x1b[0m \x1b[38;2;7;2;2mred\x1b[22m") == "green red"
    assert bright("\x1b[2mdim\x1b[22m bright") == "    bright"


def test_options_have_keys_and_one_is_selected() -> None:
    text = " Run this command?\n  → Run (once) (y) (enter)\n    Skip (esc or n)"
    assert read(text, "cursor").options == (
        Option(1, "Run (once)", "y", selected=True),
        Option(2, "Skip", "n"),
    )
    text = f"{LINE}\n Proceed?\n   1. Yes\n ❯ 2. No (esc)"
    assert read(text).options == (Option(1, "Yes", "1"), Option(2, "No", "2", selected=True))


def test_a_wrapped_question_is_joined() -> None:
    text = (
        "─" * 40 + "\n Do you want to make this edit to the\n configuration of the server?\n"
        " ❯ 1. Yes\n   2. No"
    )
    reading = read(text)
    assert reading.question == "Do you want to make this edit to the configuration of the server?"


def test_numbered_lines_without_a_pointer_are_not_a_question() -> None:
    assert read("● DeliverySettings:\n\n  1. Yes\n  2. No\n").state is AgentState.UNKNOWN


def test_a_dialog_with_more_than_hints_below_it_is_history() -> None:
    dialog = f"{LINE}\n Proceed?\n ❯ 1. Yes\n   2. No\n"
    assert read(dialog + "\n Esc to cancel").state is AgentState.WAITING
    assert read(dialog + "\n".join(f" output {n}" for n in range(7))).state is AgentState.UNKNOWN


def test_yes_or_no_on_the_last_line_is_a_question_with_two_options() -> None:
    reading = read("Overwrite it? [Y/n]: ", "generic")
    assert reading.state is AgentState.WAITING
    assert reading.question == "Overwrite it?"
    assert [(option.label, option.key) for option in reading.options] == [("Yes", "y"), ("No", "n")]


def test_a_composer_that_scrolled_up_is_ignored() -> None:
    text = COMPOSER.format("old") + "\n" + "\n".join(f"line {n}" for n in range(12))
    assert read(text).composer is None


@pytest.mark.parametrize(
    "prompt",
    ["$ ", "u@h:~/x$ ls", "[u@h x]# ", "bash-5.2$ ", "➜  x git:(m)", "(venv) u@h:~$ ", "~/code $ "],
)
def test_a_shell_prompt_on_the_last_line_makes_the_state_unknown(prompt: str) -> None:
    assert read(COMPOSER.format("") + "\n\n" + prompt).state is AgentState.UNKNOWN


def test_explain_lists_every_rule_and_the_first_match_decides() -> None:
    lines = COMPOSER.format("").split("\n")
    reading, results = explain(parse(lines, load("claude")))
    assert len(results) == len(load("claude").states)
    deciding = next(result for result in results if result.evidence is not None)
    assert deciding.rule.name == reading.rule
    assert reading == read_screen(lines, load("claude"))


@pytest.mark.parametrize("part", [" ", "a ", "─", "│ ", "esc (", "❯ 1. ", "> ", "⠏ (", "1. ", "? "])
@pytest.mark.parametrize("runtime", [rules.runtime for rules in runtimes()])
def test_a_hostile_screen_of_the_largest_size_is_read_quickly(part: str, runtime: str) -> None:
    lines = [(part * 1000)[:1000]] * 500
    began = time.process_time()
    read_screen(lines, load(runtime))
    assert time.process_time() - began < 0.5


# --- the tracker -------------------------------------------------------------------------

IDLE, WORKING = Reading(AgentState.IDLE), Reading(AgentState.WORKING)


def test_a_state_is_believed_at_its_second_capture() -> None:
    tracker = StateTracker()
    assert tracker.update(IDLE, 0.0).state is AgentState.UNKNOWN
    assert not tracker.settled
    assert tracker.update(IDLE, CONFIRM_SECONDS / 2).state is AgentState.UNKNOWN
    assert tracker.update(IDLE, CONFIRM_SECONDS).state is AgentState.IDLE
    assert tracker.settled


def test_a_screen_that_changes_between_captures_is_believed_later() -> None:
    tracker = StateTracker()
    painting = [Reading(AgentState.WAITING, rule=f"rule {number}") for number in range(4)]
    assert tracker.update(painting[0], 0.0).state is AgentState.UNKNOWN
    assert tracker.update(painting[1], CONFIRM_SECONDS).state is AgentState.UNKNOWN
    assert tracker.update(painting[2], HOLD_SECONDS * 0.9).state is AgentState.UNKNOWN
    assert tracker.update(painting[3], HOLD_SECONDS).state is AgentState.WAITING


def test_a_single_different_capture_changes_nothing() -> None:
    tracker = StateTracker()
    for now in (0.0, 1.0):
        tracker.update(WORKING, now)
    assert tracker.update(IDLE, 2.0).state is AgentState.WORKING
    assert tracker.update(WORKING, 2.1).state is AgentState.WORKING
    assert tracker.update(IDLE, 2.25).state is AgentState.WORKING
    assert tracker.update(IDLE, 2.25 + HOLD_SECONDS).state is AgentState.IDLE


def test_two_captures_with_different_states_change_nothing() -> None:
    tracker = StateTracker()
    for now in (0.0, 1.0):
        tracker.update(WORKING, now)
    assert tracker.update(IDLE, 2.0).state is AgentState.WORKING
    assert tracker.update(Reading(AgentState.UNKNOWN), 3.0).state is AgentState.WORKING
    assert tracker.update(IDLE, 4.0).state is AgentState.WORKING


def test_a_new_question_in_the_same_state_is_reported_at_once() -> None:
    tracker = StateTracker()
    for now in (0.0, 1.0):
        tracker.update(Reading(AgentState.WAITING, "one?"), now)
    assert tracker.update(Reading(AgentState.WAITING, "two?"), 1.1).question == "two?"
