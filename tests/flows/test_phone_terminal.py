"""A window in the hand: the key row, the soft keyboard, fingers. tmux's size is never touched."""

import re

from playwright.sync_api import Locator, expect

from tests.flows.desk import SECONDS, Desk
from tests.flows.fingers import Hand

BOUND = 2 * SECONDS * 1000
# Shows every byte that it gets; raw, so that ^C and ^D are bytes like others.
READER = "stty raw -echo; echo READING; exec cat -vT"


def key(phone: Desk, name: str) -> Locator:
    toolbar = phone.page.get_by_role("toolbar", name="Keys of the terminal")
    return toolbar.get_by_role("button", name=name, exact=True)


def size_of(phone: Desk, pane: str) -> str:
    return phone.tmux("display-message", "-p", "-t", pane, "#{window_width}x#{window_height}")


def reading(phone: Desk) -> str:
    pane = phone.session("keys", READER)
    phone.open_window(pane)
    phone.wait_for_text(pane, "READING")
    return pane


def test_keys_that_a_soft_keyboard_lacks_reach_the_program(phone: Desk) -> None:
    pane = reading(phone)
    for name in ("Esc", "Slash", "Tab", "Pipe", "Up", "Dash", "Control C", "Tilde", "Control D"):
        key(phone, name).tap()
    phone.wait_for_text(pane, "^[/^I|^[[A-^C~^D")


def test_ctrl_and_alt_hold_for_the_next_key_and_two_taps_lock_them(phone: Desk) -> None:
    pane = reading(phone)
    key(phone, "Ctrl").tap()
    expect(key(phone, "Ctrl")).to_have_attribute("data-state", "next")
    key(phone, "Right").tap()
    expect(key(phone, "Ctrl")).to_have_attribute("data-state", "")
    key(phone, "Alt").tap()
    key(phone, "Slash").tap()
    phone.wait_for_text(pane, "^[[1;5C^[/")
    key(phone, "Ctrl").evaluate("(key) => { key.click(); key.click() }")
    expect(key(phone, "Ctrl")).to_have_attribute("data-state", "locked")
    key(phone, "Left").tap()
    key(phone, "Left").tap()
    phone.wait_for_text(pane, "^[[1;5D^[[1;5D")
    key(phone, "Ctrl").tap()
    expect(key(phone, "Ctrl")).to_have_attribute("aria-pressed", "false")


def test_a_tap_opens_no_keyboard_until_it_is_asked_for(phone: Desk) -> None:
    pane = reading(phone)
    field = phone.terminal(pane).locator("textarea")
    phone.terminal(pane).tap()
    expect(field).to_have_attribute("inputmode", "none")
    key(phone, "Type into the terminal").tap()
    expect(field).to_have_attribute("inputmode", "text")
    expect(field).to_be_focused()
    expect(phone.page.locator("prompt-composer")).to_be_hidden()
    phone.page.keyboard.type("hi")
    key(phone, "Ctrl").tap()
    expect(field).to_be_focused()  # a key of the row leaves the keyboard open
    phone.page.keyboard.type("ax")
    phone.wait_for_text(pane, "hi^Ax")
    key(phone, "Type into the terminal").tap()
    expect(field).to_have_attribute("inputmode", "none")


def test_a_held_arrow_repeats_until_the_finger_leaves(phone: Desk) -> None:
    pane = reading(phone)
    box = key(phone, "Down").bounding_box()
    assert box is not None
    hand = Hand(phone.page)
    hand.press((box["x"] + 20, box["y"] + 20))
    phone.wait_for_text(pane, "^[[B^[[B^[[B^[[B")
    hand.lift()
    key(phone, "Slash").tap()
    phone.wait_for_text(pane, "/")
    assert re.search(r"(\^\[\[B){4,}/$", phone.text(pane).strip())


def test_a_visit_leaves_the_size_of_the_window_alone(phone: Desk) -> None:
    pane = phone.session("wide", READER, size="180x50")
    assert size_of(phone, pane) == "180x50"
    phone.open_window(pane)
    phone.wait_for_text(pane, "READING")
    phone.page.set_viewport_size({"width": 844, "height": 390})
    phone.page.set_viewport_size({"width": 390, "height": 844})
    key(phone, "Enter").tap()
    phone.wait_for_text(pane, "^M")
    assert size_of(phone, pane) == "180x50"


FONT = "(font) => document.querySelector('terminal-area').shownFontSize {} font"


def test_two_fingers_change_the_letters_and_not_the_window(phone: Desk) -> None:
    pane = phone.session("wide", "seq 1 5; exec cat", size="160x40")
    phone.open_window(pane)
    phone.wait_for_text(pane, "5")
    shown = "document.querySelector('terminal-area').shownFontSize"
    before = phone.page.evaluate(shown)
    hand = Hand(phone.page)
    hand.drag([(180, 200), (100, 200)], [(220, 200), (300, 200)])
    phone.wait_for(FONT.format(">"), before * 1.3)
    assert phone.terminal(pane).evaluate("(el) => [el.cols, el.rows]") == [160, 40]
    # One finger moves what is now wider than the screen.
    moved = "(from) => document.querySelector('window-panes').scrollLeft {} from"
    place = phone.page.evaluate("document.querySelector('window-panes').scrollLeft")
    hand.drag([(100, 200), (300, 200)])
    phone.wait_for(moved.format("<"), place)
    hand.drag([(300, 200), (50, 200)])
    phone.wait_for(moved.format(">"), 100)
    # Two taps show the whole width, two more can be read.
    for sign in ("<", ">"):
        for _ in range(2):
            phone.page.touchscreen.tap(200, 250)
        phone.wait_for(FONT.format(sign), 8)
    assert size_of(phone, pane) == "160x40"


def test_the_history_is_scrolled_by_one_finger(phone: Desk) -> None:
    pane = phone.session("long", "seq 1 300; exec cat")
    phone.open_window(pane)
    phone.wait_for_text(pane, "300")
    Hand(phone.page).drag([(150, 140), (150, 260)])
    rows = phone.terminal(pane).locator(".xterm-rows")
    expect(rows).not_to_contain_text("300", timeout=BOUND)


def test_above_a_soft_keyboard_the_keys_and_the_composer_stay_in_sight(phone: Desk) -> None:
    reading(phone)
    phone.page.evaluate(
        """() => {
          Object.defineProperty(visualViewport, 'height', { get: () => 480, configurable: true })
          visualViewport.dispatchEvent(new Event('resize'))
        }"""
    )
    phone.wait_for("() => document.body.getBoundingClientRect().height === 480")
    for part in ("key-row", "prompt-composer", "terminal-area"):
        box = phone.page.locator(part).bounding_box()
        assert box is not None
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= 480


def test_the_key_row_goes_away_and_comes_back(phone: Desk) -> None:
    reading(phone)
    row = phone.page.locator("key-row")
    toggle = "document.dispatchEvent(new CustomEvent('action', {detail: {name: 'toggle-keys'}}))"
    phone.page.evaluate(toggle)
    expect(row).to_be_hidden()
    phone.page.reload()
    phone.page.wait_for_selector("body[data-ready]", state="attached")
    expect(row).to_be_hidden()
    phone.page.evaluate(toggle)
    expect(row).to_be_visible()
