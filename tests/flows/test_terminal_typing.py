"""A person types into a terminal of the page and reads what it prints."""

from tests.flows.desk import Desk
from tests.flows.terminals import act, enter, opened, prompted, same_screen, until

GAPS = """() => {
  window.longest = 0
  let last = performance.now()
  const tick = (now) => {
    window.longest = Math.max(window.longest, now - last)
    last = now
    window.ticks = requestAnimationFrame(tick)
  }
  requestAnimationFrame(tick)
}"""


def command_of(desk: Desk, pane: str) -> str:
    return desk.tmux("display-message", "-p", "-t", pane, "#{pane_current_command}")


def test_what_is_typed_is_seen_and_carried_out(desk: Desk) -> None:
    pane = desk.session()
    opened(desk, pane)
    enter(desk, "echo li''ve")
    desk.wait_for_text(pane, "\nlive")
    desk.page.keyboard.type("echo wrong")
    desk.page.keyboard.press("Control+u")
    desk.page.keyboard.type("cat")
    desk.page.keyboard.press("Enter")
    desk.page.keyboard.type("half")
    desk.page.keyboard.press("Backspace")
    desk.page.keyboard.press("Enter")
    desk.wait_for_text(pane, "\nhal\n")
    desk.page.keyboard.press("Control+d")
    prompted(desk, pane)
    same_screen(desk, pane)


def test_wide_and_combined_characters_stand_where_tmux_has_them(desk: Desk) -> None:
    pane = desk.session()
    opened(desk, pane)
    line = "grüße 漢字 🚀🎉 e\u0301 ─┼─ ≠ 日本語 |"
    enter(desk, f"printf '%s\\n' '{line}' done'1'")
    desk.wait_for_text(pane, f"\n{line}\ndone1")
    assert f"\n{line}\n" in desk.screen(pane)
    same_screen(desk, pane)


def test_a_long_output_ends_with_the_right_screen(desk: Desk) -> None:
    pane = desk.session()
    opened(desk, pane)
    enter(desk, "seq 1 200000; echo the e''nd")
    desk.wait_for_text(pane, "200000\nthe end", seconds=60)
    same_screen(desk, pane)


def test_control_c_stops_a_flood_and_the_page_answers_meanwhile(desk: Desk) -> None:
    pane = desk.session()
    opened(desk, pane)
    enter(desk, "yes")
    until(desk, lambda: command_of(desk, pane) == "yes")
    desk.wait_for_text(pane, "y\ny\ny\ny\n")
    desk.page.evaluate(GAPS)
    act(desk, "theme-light")  # the page does what it is asked for
    desk.wait_for("() => window.ticks > 30", seconds=30)
    assert desk.page.evaluate("window.longest") < 2000
    desk.page.keyboard.press("Control+c")
    until(desk, lambda: command_of(desk, pane) != "yes")
    enter(desk, "echo sto''pped")
    desk.wait_for_text(pane, "\nstopped")
    same_screen(desk, pane)


def test_keys_of_the_page_are_not_taken_from_a_terminal(desk: Desk) -> None:
    pane = desk.session(command="exec cat -v")
    desk.open_window(pane)
    desk.wait_for("() => document.activeElement?.localName === 'tmux-adapter-web'")
    desk.page.keyboard.type("?n/e")
    for key in ("Escape", "Control+b", "Control+f", "Alt+x", "Tab"):
        desk.page.keyboard.press(key)
    desk.page.keyboard.press("Enter")
    desk.wait_for_text(pane, "?n/e^[^B^F^[x")
    assert desk.page.evaluate("document.activeElement.localName") == "tmux-adapter-web"
