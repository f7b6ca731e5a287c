"""Screens of real agents, captured with their colours, are read as what they are.

The name of a file is its label: RUNTIME/SIZE--STATE--SITUATION.txt. A `menu` is anything but a
composer that has the keyboard, `draft` a composer with text in it, `shell` one in shell mode.
"""

from pathlib import Path

import pytest

from agents.rules import State, load
from agents.states import Reading, read_screen

SCREENS = sorted((Path(__file__).parent / "screens").glob("*/*--*--*.txt"))


def label(path: Path) -> str:
    return path.stem.split("--")[1]


def read(path: Path) -> Reading:
    lines = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
    return read_screen(lines, load(path.parent.name))


def of(*labels: str) -> pytest.MarkDecorator:
    found = [path for path in SCREENS if label(path) in labels]
    assert found
    return pytest.mark.parametrize(
        "path", found, ids=[f"{path.parent.name}/{path.stem}" for path in found]
    )


def test_there_are_screens_of_every_agent_that_was_measured() -> None:
    assert {path.parent.name for path in SCREENS} >= {"claude", "codex", "copilot", "opencode"}
    assert len(SCREENS) >= 150


@of("idle", "working")
def test_the_state_is_read(path: Path) -> None:
    reading = read(path)
    assert reading.state == label(path), reading
    assert reading.composer is not None


@of("waiting")
def test_a_dialog_is_read_with_its_body_and_its_pointer(path: Path) -> None:
    reading = read(path)
    assert reading.state is State.WAITING
    assert reading.question
    assert len(reading.options) >= 2
    assert sum(option.selected for option in reading.options) == 1
    assert reading.menu
    subject = {"command": "touch marker", "write": "notes.txt"}.get(path.stem.split("--")[2], "")
    assert any(subject in line for line in reading.menu.body)


@of("menu")
def test_a_menu_is_never_taken_for_a_composer(path: Path) -> None:
    reading = read(path)
    assert reading.state in {State.WAITING, State.UNKNOWN}
    assert reading.composer is None


@of("shell")
def test_shell_mode_takes_no_prompt(path: Path) -> None:
    reading = read(path)
    assert reading.state is State.UNKNOWN
    assert reading.composer is None
    assert "shell" in reading.rule


@of("draft")
def test_a_draft_is_read(path: Path) -> None:
    assert read(path).composer
