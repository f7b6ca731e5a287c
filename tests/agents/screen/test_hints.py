"""Placeholders of real agents, and typed text that reads like one."""

from pathlib import Path

import pytest

from agents.runtimes.loader import load
from agents.screen import layout

SCREENS = Path(__file__).resolve().parent.parent / "screens"


def start_of(runtime: str) -> list[str]:
    return (SCREENS / runtime / "120x40--idle--start.txt").read_text().split("\n")


@pytest.mark.parametrize(
    ("runtime", "text", "colour"),
    [
        ("gemini", "Type your message or @path/to/file", "38;5;248"),
        ("opencode", 'Ask anything… "Fix a TODO in the codebase"', "38;5;8"),
    ],
)
def test_a_placeholder_has_a_colour_of_its_own(runtime: str, text: str, colour: str) -> None:
    screen = layout.parse(start_of(runtime), load(runtime))
    assert screen.composer is not None
    assert (screen.composer.text, screen.composer.hint) == ("", text)
    assert layout.hint_style(screen) == colour

    typed = [line.replace(f"\x1b[{colour}m{text[:4]}", f"\x1b[97m{text[:4]}") for line in
             start_of(runtime)]  # fmt: skip  # one expression
    typed = [line.replace(f"\x1b[{colour}m\x1b[48;5;240m {text[:4]}", f"\x1b[97m {text[:4]}")
             for line in typed]  # fmt: skip  # as above
    screen = layout.parse(typed, load(runtime))
    assert layout.hint_style(screen) == "97"


def test_a_dim_placeholder_is_no_hint() -> None:
    """Dim text is never typed text, so what reads like a placeholder then was typed."""
    rows = start_of("codex")
    screen = layout.parse(rows, load("codex"))
    assert screen.composer is not None
    assert (screen.composer.text, screen.composer.hint) == ("", "")
    screen = layout.parse([row.replace("\x1b[2m", "") for row in rows], load("codex"))
    assert screen.composer is not None
    assert screen.composer.hint.startswith("Ask Codex to do anything")
    assert layout.hint_style(screen) == ""
