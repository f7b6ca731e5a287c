"""A terminal on a phone: key row, soft keyboard, touch. The size of the tmux window stays."""

import re

from playwright.sync_api import Locator, expect

from tests.flows.page_driver import MS, PageDriver
from tests.flows.touch import Touch

# Prints every byte that it gets; raw, so that ^C and ^D are plain bytes.
READER = "stty raw -echo; echo READING; exec cat -vT"


def key(phone: PageDriver, name: str) -> Locator:
    toolbar = phone.page.get_by_role("toolbar", name="Terminal keys")
    return toolbar.get_by_role("button", name=name, exact=True)


def size_of(phone: PageDriver, pane: str) -> str:
    return phone.tmux("display-message", "-p", "-t", pane, "#{window_width}x#{window_height}")


def open_reader(phone: PageDriver) -> str:
    pane = phone.session("keys", READER)
    phone.open_window(pane)
    phone.wait_for_text(pane, "READING")
    return pane


def test_the_key_row_sends_keys_that_a_soft_keyboard_lacks(phone: PageDriver) -> None:
    pane = open_reader(phone)
    for name in ("Esc", "Slash", "Tab", "Pipe", "Up", "Dash", "Control C", "Tilde", "Control D"):
        key(phone, name).tap()
    phone.wait_for_text(pane, "^[/^I|^[[A-^C~^D")


def test_ctrl_and_alt_apply_to_the_next_key_and_a_double_tap_locks_them(phone: PageDriver) -> None:
    pane = open_reader(phone)
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


def test_a_tap_opens_the_keyboard_only_in_typing_mode(phone: PageDriver) -> None:
    pane = open_reader(phone)
    field = phone.terminal(pane).locator("textarea")
    phone.terminal(pane).tap()
    expect(field).to_have_attribute("inputmode", "none")
    key(phone, "Type into the terminal").tap()
    expect(field).to_have_attribute("inputmode", "text")
    expect(field).to_be_focused()
    expect(phone.page.locator("prompt-composer")).to_be_hidden()
    phone.page.keyboard.type("hi")
    key(phone, "Ctrl").tap()
    expect(field).to_be_focused()  # the key row leaves the keyboard open
    phone.page.keyboard.type("ax")
    phone.wait_for_text(pane, "hi^Ax")
    key(phone, "Type into the terminal").tap()
    expect(field).to_have_attribute("inputmode", "none")


def test_a_held_arrow_repeats_until_released(phone: PageDriver) -> None:
    pane = open_reader(phone)
    box = key(phone, "Down").bounding_box()
    assert box is not None
    touch = Touch(phone.page)
    touch.press((box["x"] + 20, box["y"] + 20))
    phone.wait_for_text(pane, "^[[B^[[B^[[B^[[B")
    touch.lift()
    key(phone, "Slash").tap()
    phone.wait_for_text(pane, "/")
    assert re.search(r"(\^\[\[B){4,}/$", phone.text(pane).strip())


def test_opening_a_window_does_not_resize_it(phone: PageDriver) -> None:
    pane = phone.session("wide", READER, size="180x50")
    assert size_of(phone, pane) == "180x50"
    phone.open_window(pane)
    phone.wait_for_text(pane, "READING")
    phone.page.set_viewport_size({"width": 844, "height": 390})
    phone.page.set_viewport_size({"width": 390, "height": 844})
    key(phone, "Enter").tap()
    phone.wait_for_text(pane, "^M")
    assert size_of(phone, pane) == "180x50"


# In one task: a loaded machine may be too slow for two taps that count as a double tap.
DOUBLE_TAP = """([clientX, clientY]) => {
  const target = document.elementFromPoint(clientX, clientY)
  const touch = new Touch({ identifier: 1, target, clientX, clientY })
  const options = { bubbles: true, cancelable: true, composed: true, changedTouches: [touch] }
  for (let tap = 0; tap < 2; tap += 1) {
    target.dispatchEvent(new TouchEvent('touchstart', { ...options, touches: [touch] }))
    target.dispatchEvent(new TouchEvent('touchend', { ...options, touches: [] }))
  }
}"""
FONT = "(font) => document.querySelector('terminal-area').shownFontSize {} font"


def test_pinching_changes_the_font_and_not_the_window(phone: PageDriver) -> None:
    pane = phone.session("wide", "seq 1 5; exec cat", size="160x40")
    phone.open_window(pane)
    phone.wait_for_text(pane, "5")
    shown = "document.querySelector('terminal-area').shownFontSize"
    before = phone.page.evaluate(shown)
    touch = Touch(phone.page)
    touch.drag([(180, 200), (100, 200)], [(220, 200), (300, 200)])
    phone.wait_for(FONT.format(">"), before * 1.3)
    assert phone.terminal(pane).evaluate("(el) => [el.cols, el.rows]") == [160, 40]
    # One finger pans the window, which is now wider than the screen.
    moved = "(from) => document.querySelector('window-panes').scrollLeft {} from"
    position = phone.page.evaluate("document.querySelector('window-panes').scrollLeft")
    touch.drag([(100, 200), (300, 200)])
    phone.wait_for(moved.format("<"), position)
    touch.drag([(300, 200), (50, 200)])
    phone.wait_for(moved.format(">"), 100)
    # A double tap shows the full width, another one makes the text readable.
    for sign in ("<", ">"):
        phone.page.evaluate(DOUBLE_TAP, [200, 250])
        phone.wait_for(FONT.format(sign), 8)
    assert size_of(phone, pane) == "160x40"


def test_one_finger_scrolls_the_scrollback(phone: PageDriver) -> None:
    pane = phone.session("long", "seq 1 300; exec cat")
    phone.open_window(pane)
    phone.wait_for_text(pane, "300")
    Touch(phone.page).drag([(150, 140), (150, 260)])
    rows = phone.terminal(pane).locator(".xterm-rows")
    expect(rows).not_to_contain_text("300", timeout=MS)


def test_key_row_and_composer_stay_visible_above_a_soft_keyboard(phone: PageDriver) -> None:
    open_reader(phone)
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


def test_the_key_row_can_be_hidden_and_shown(phone: PageDriver) -> None:
    open_reader(phone)
    row = phone.page.locator("key-row")
    toggle = "document.dispatchEvent(new CustomEvent('action', {detail: {name: 'toggle-keys'}}))"
    phone.page.evaluate(toggle)
    expect(row).to_be_hidden()
    phone.page.reload()
    phone.page.wait_for_selector("body[data-ready]", state="attached")
    expect(row).to_be_hidden()
    phone.page.evaluate(toggle)
    expect(row).to_be_visible()
