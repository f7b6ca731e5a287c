"""Reading a screen, case by case: what the corpus has no picture of."""
# ruff: noqa: RUF001 - the marks of the real programs

import time

import pytest

from agents.rules import load, runtimes
from agents.screen import bright
from agents.states import HOLD_SECONDS, Memory, Option, Reading, State, explain, read_screen

LINE = "─" * 40
COMPOSER = f"{LINE}\n❯ {{}}\n{LINE}\n  ? for shortcuts"


def read(text: str, runtime: str = "claude") -> Reading:
    return read_screen(text.split("\n"), load(runtime))


def test_nothing_is_unknown() -> None:
    assert read("") == Reading(State.UNKNOWN)
    assert read_screen([], load("codex")) == Reading(State.UNKNOWN)


def test_a_reading_names_its_rule_and_its_evidence() -> None:
    told = read("✻ Pondering… (3s · esc to interrupt)\n\n" + COMPOSER.format("next"))
    assert told.state is State.WORKING
    assert told.rule == "spinner line"
    assert told.evidence == "✻ Pondering… (3s · esc to interrupt)"
    assert told.composer == "next"


def test_a_spinner_above_something_said_is_history() -> None:
    told = read("✻ Pondering… (3s)\n\n● Done.\n\n" + COMPOSER.format(""))
    assert (told.state, told.composer) == (State.IDLE, "")


def test_dim_text_in_the_composer_is_a_suggestion_and_not_a_draft() -> None:
    dim = COMPOSER.format("\x1b[7mc\x1b[0;2mommit this\x1b[0m")
    assert read(dim).composer == ""
    assert read(COMPOSER.format("\x1b[1mcommit this\x1b[0m")).composer == "commit this"
    codex = "• Done.\n\n› \x1b[2mrun the linter\x1b[0m\n\n  ? for shortcuts"
    assert read(codex, "codex").composer == ""


def test_a_colour_whose_number_is_two_is_not_dim() -> None:
    assert bright("\x1b[38;5;2mgreen\x1b[0m \x1b[38;2;7;2;2mred\x1b[22m") == "green red"
    assert bright("\x1b[2mdim\x1b[22m bright") == "    bright"


def test_options_tell_their_keys_and_which_is_chosen() -> None:
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
    told = read(text)
    asked = "Do you want to make this edit to the configuration of the server?"
    assert told.question == asked


def test_numbers_without_a_pointer_are_no_question() -> None:
    assert read("● Plan:\n\n  1. Yes\n  2. No\n").state is State.UNKNOWN


def test_a_dialog_with_more_than_hints_below_it_is_history() -> None:
    asked = f"{LINE}\n Proceed?\n ❯ 1. Yes\n   2. No\n"
    assert read(asked + "\n Esc to cancel").state is State.WAITING
    assert read(asked + "\n".join(f" output {n}" for n in range(7))).state is State.UNKNOWN


def test_a_yes_or_no_at_the_end_is_a_question_with_two_answers() -> None:
    told = read("Overwrite it? [Y/n]: ", "generic")
    assert told.state is State.WAITING
    assert told.question == "Overwrite it?"
    assert [(option.label, option.key) for option in told.options] == [("Yes", "y"), ("No", "n")]


def test_an_old_composer_far_up_is_not_the_composer() -> None:
    text = COMPOSER.format("old") + "\n" + "\n".join(f"line {n}" for n in range(12))
    assert read(text).composer is None


@pytest.mark.parametrize("prompt", ["$ ", "u@h:~/x$ ls", "[u@h x]# ", "bash-5.2$ ", "➜  x git:(m)",
                                    "(venv) u@h:~$ ", "~/code $ "])  # fmt: skip
def test_under_a_shells_prompt_nothing_is_believed(prompt: str) -> None:
    assert read(COMPOSER.format("") + "\n\n" + prompt).state is State.UNKNOWN


def test_explaining_lists_every_rule_and_the_first_that_fits_decides() -> None:
    lines = COMPOSER.format("").split("\n")
    verdicts = explain(lines, load("claude"))
    assert len(verdicts) == len(load("claude").states)
    decided = next(verdict for verdict in verdicts if verdict.evidence is not None)
    assert decided.rule.name == read_screen(lines, load("claude")).rule


@pytest.mark.parametrize("part", [" ", "a ", "─", "│ ", "esc (", "❯ 1. ", "> ", "⠏ (", "1. ", "? "])
@pytest.mark.parametrize("runtime", [one.runtime for one in runtimes()])
def test_a_hostile_screen_of_the_largest_size_is_read_in_a_moment(part: str, runtime: str) -> None:
    lines = [(part * 1000)[:1000]] * 500
    began = time.process_time()
    read_screen(lines, load(runtime))
    assert time.process_time() - began < 0.5


# --- what is believed -------------------------------------------------------------------------

IDLE, WORKING = Reading(State.IDLE), Reading(State.WORKING)


def test_a_state_is_believed_at_its_second_look() -> None:
    memory = Memory()
    assert memory.look(IDLE, 0.0).state is State.UNKNOWN
    assert not memory.settled
    assert memory.look(IDLE, HOLD_SECONDS / 2).state is State.UNKNOWN
    assert memory.look(IDLE, HOLD_SECONDS).state is State.IDLE
    assert memory.settled


def test_one_odd_look_changes_nothing() -> None:
    memory = Memory()
    for now in (0.0, 1.0):
        memory.look(WORKING, now)
    assert memory.look(IDLE, 2.0).state is State.WORKING
    assert memory.look(WORKING, 2.1).state is State.WORKING
    assert memory.look(IDLE, 2.25).state is State.WORKING
    assert memory.look(IDLE, 2.25 + HOLD_SECONDS).state is State.IDLE


def test_two_odd_looks_that_differ_change_nothing() -> None:
    memory = Memory()
    for now in (0.0, 1.0):
        memory.look(WORKING, now)
    assert memory.look(IDLE, 2.0).state is State.WORKING
    assert memory.look(Reading(State.UNKNOWN), 3.0).state is State.WORKING
    assert memory.look(IDLE, 4.0).state is State.WORKING


def test_a_new_question_in_the_same_state_is_told_at_once() -> None:
    memory = Memory()
    for now in (0.0, 1.0):
        memory.look(Reading(State.WAITING, "one?"), now)
    assert memory.look(Reading(State.WAITING, "two?"), 1.1).question == "two?"
