"""Typing into a terminal of the page, and reading its output."""

from tests.flows.page_driver import PageDriver
from tests.flows.terminal_driver import (
    expect_same_screen,
    open_terminal,
    run_action,
    type_line,
    wait_for_prompt,
)

# Measures the longest pause between two frames.
MEASURE_FRAMES = """() => {
  cancelAnimationFrame(window.ticks)
  window.longest = 0
  window.frameCount = 0
  let last = performance.now()
  const tick = (now) => {
    window.longest = Math.max(window.longest, now - last)
    window.frameCount += 1
    last = now
    window.ticks = requestAnimationFrame(tick)
  }
  window.ticks = requestAnimationFrame(tick)
}"""


def longest_frame(desktop: PageDriver) -> float:
    desktop.page.evaluate(MEASURE_FRAMES)
    desktop.wait_for("() => window.frameCount > 30")
    milliseconds: float = desktop.page.evaluate("window.longest")
    return milliseconds


def command_of(desktop: PageDriver, pane: str) -> str:
    return desktop.tmux("display-message", "-p", "-t", pane, "#{pane_current_command}")


def test_typed_commands_are_shown_and_run(desktop: PageDriver) -> None:
    pane = desktop.session()
    open_terminal(desktop, pane)
    type_line(desktop, "echo li''ve")
    desktop.wait_for_text(pane, "\nlive")
    desktop.page.keyboard.type("echo wrong")
    desktop.page.keyboard.press("Control+u")
    desktop.page.keyboard.type("cat")
    desktop.page.keyboard.press("Enter")
    desktop.page.keyboard.type("half")
    desktop.page.keyboard.press("Backspace")
    desktop.page.keyboard.press("Enter")
    desktop.wait_for_text(pane, "\nhal\n")
    desktop.page.keyboard.press("Control+d")
    wait_for_prompt(desktop, pane)
    expect_same_screen(desktop, pane)


def test_wide_and_combining_characters_are_placed_as_in_tmux(desktop: PageDriver) -> None:
    pane = desktop.session()
    open_terminal(desktop, pane)
    line = "grüße 漢字 🚀🎉 e\u0301 ─┼─ ≠ 日本語 |"
    type_line(desktop, f"printf '%s\\n' '{line}' done'1'")
    desktop.wait_for_text(pane, f"\n{line}\ndone1")
    assert f"\n{line}\n" in desktop.screen(pane)
    expect_same_screen(desktop, pane)


def test_long_output_ends_with_the_right_screen(desktop: PageDriver) -> None:
    pane = desktop.session()
    open_terminal(desktop, pane)
    type_line(desktop, "seq 1 200000; echo the e''nd")
    desktop.wait_for_text(pane, "200000\nthe end", seconds=60)
    expect_same_screen(desktop, pane)


def test_ctrl_c_stops_a_flood_while_the_page_stays_responsive(desktop: PageDriver) -> None:
    pane = desktop.session()
    open_terminal(desktop, pane)
    # Compared with the page at rest, so that the test does not depend on the load of the machine.
    at_rest = longest_frame(desktop)
    type_line(desktop, "yes")
    desktop.wait_until(lambda: command_of(desktop, pane) == "yes")
    desktop.wait_for_text(pane, "y\ny\ny\ny\n")
    run_action(desktop, "theme-light")  # the page stays responsive
    assert longest_frame(desktop) < max(2000, 10 * at_rest)
    desktop.page.keyboard.press("Control+c")
    desktop.wait_until(lambda: command_of(desktop, pane) != "yes")
    type_line(desktop, "echo sto''pped")
    desktop.wait_for_text(pane, "\nstopped")
    expect_same_screen(desktop, pane)


def test_shortcuts_are_not_taken_from_a_terminal(desktop: PageDriver) -> None:
    pane = desktop.session(command="exec cat -v")
    desktop.open_window(pane)
    desktop.wait_for("() => document.activeElement?.localName === 'tmux-adapter-web'")
    desktop.page.keyboard.type("?n/e")
    for key in ("Escape", "Control+b", "Control+f", "Alt+x", "Tab"):
        desktop.page.keyboard.press(key)
    desktop.page.keyboard.press("Enter")
    desktop.wait_for_text(pane, "?n/e^[^B^F^[x")
    assert desktop.page.evaluate("document.activeElement.localName") == "tmux-adapter-web"
