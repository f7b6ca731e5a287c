"""The screen and scrollback after a join equal the pane cell by cell, with all attributes.

`make soak-joins` does it 500 times.
"""

import random

import pytest
from playwright.sync_api import expect

from tests.flows.joins import TERMINAL, Totals, join_everywhere, joined_pane
from tests.flows.page_driver import MS, PageDriver
from tests.flows.recorded_output import agent_redraws, agent_screens, styled_noise
from tests.flows.terminal_driver import expect_same_screen, open_terminal, run_action

OUTPUTS = {
    "an agent that prints": agent_screens("claude", "80x24"),
    "an agent with backgrounds": agent_screens("opencode", "80x24"),
    "an agent that redraws": agent_redraws("codex", "80x24"),
    "all attributes": styled_noise(3, 20_000),
}
JOINS = 5


@pytest.mark.parametrize("output", OUTPUTS)
def test_a_join_at_any_moment_shows_the_cells_of_the_pane(desktop: PageDriver, output: str) -> None:
    totals = Totals()
    desktop.open()
    desktop.page.evaluate(TERMINAL)
    with joined_pane(desktop, "cells", lines=300) as pane:
        join_everywhere(pane, OUTPUTS[output], JOINS, random.Random(5), totals)
    assert totals.joins == JOINS
    assert (totals.screen.examples, totals.history.examples, totals.cursors) == ([], [], 0)


def test_colours_survive_a_view_switch_and_a_reload(desktop: PageDriver) -> None:
    pane = desktop.session()
    open_terminal(desktop, pane)
    recorded = desktop.directory / "recorded"
    recorded.write_bytes(agent_screens("opencode", "80x24").replace(b"\r\n", b"\n"))
    desktop.type(pane, f"cat {recorded}; printf '\\033[0m\\nthe e''nd\\n'")
    desktop.wait_for_text(pane, "\nthe end")
    run_action(desktop, "home")
    expect(desktop.page.locator("tmux-adapter-web")).to_have_count(0, timeout=MS)
    desktop.page.go_back()
    desktop.wait_for_text(pane, "\nthe end")
    expect_same_screen(desktop, pane, lines=500)
    desktop.page.reload()
    desktop.wait_for_text(pane, "\nthe end")
    expect_same_screen(desktop, pane, lines=500)
