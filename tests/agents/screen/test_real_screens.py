"""Screens of real agents, captured with their colours by `python -m lab screens`.

The name of a file is its label: RUNTIME/SIZE--STATE--SITUATION.txt. `menu` is anything except a
composer that has the keyboard, `draft` a composer with text, `shell` a composer in shell mode.
"""

from pathlib import Path

import pytest

from agents.runtimes.loader import AgentState, load
from agents.screen.states import Reading, read_screen

SCREENS = sorted((Path(__file__).parents[1] / "screens").glob("*/*--*--*.txt"))


def label(path: Path) -> str:
    return path.stem.split("--")[1]


def read(path: Path) -> Reading:
    lines = path.read_text(encoding="utf-8").rstrip("\n").split("\n")
    return read_screen(lines, load(path.parent.name))


def of(*labels: str) -> pytest.MarkDecorator:
    paths = [path for path in SCREENS if label(path) in labels]
    assert paths
    return pytest.mark.parametrize(
        "path", paths, ids=[f"{path.parent.name}/{path.stem}" for path in paths]
    )


def test_every_measured_agent_has_screens() -> None:
    assert {path.parent.name for path in SCREENS} >= {"claude", "codex", "copilot", "opencode"}
    assert len(SCREENS) >= 150


@of("idle", "working")
def test_the_state_is_recognised(path: Path) -> None:
    reading = read(path)
    assert reading.state == label(path), reading
    assert reading.composer is not None


@of("waiting")
def test_a_dialog_is_read_with_its_body_and_pointer(path: Path) -> None:
    reading = read(path)
    assert reading.state is AgentState.WAITING
    assert reading.question
    assert len(reading.options) >= 2
    assert sum(option.selected for option in reading.options) == 1
    assert reading.menu
    subject = {"command": "touch marker", "write": "notes.txt"}.get(path.stem.split("--")[2], "")
    assert any(subject in line for line in reading.menu.body)


@of("menu")
def test_a_menu_is_never_mistaken_for_a_composer(path: Path) -> None:
    reading = read(path)
    assert reading.state in {AgentState.WAITING, AgentState.UNKNOWN}
    assert reading.composer is None


@of("shell")
def test_a_composer_in_shell_mode_accepts_no_prompt(path: Path) -> None:
    reading = read(path)
    assert reading.state is AgentState.UNKNOWN
    assert reading.composer is None
    assert "shell" in reading.rule


@of("draft")
def test_a_draft_is_read(path: Path) -> None:
    assert read(path).composer
