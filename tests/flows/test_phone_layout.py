"""A phone in portrait and landscape: bars, cards, the default view, and questions of agents."""

import re
from functools import partial
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.agents.fakes.launch import Fake
from tests.flows.composer_driver import card, composer, make_agents_ask, run_action
from tests.flows.page_driver import MS, PageDriver
from tests.flows.page_elements import toast
from tests.flows.test_notifications import RECORD
from tests.flows.touch import Touch

SIZES = {"portrait": (390, 844), "landscape": (844, 390), "small-landscape": (740, 360)}
# Controls that reach out of the screen, except in rows that scroll sideways.
CUT_OFF = """() => [...document.querySelectorAll('button, a, textarea, input, select')]
  .filter((each) => each.checkVisibility() && !each.closest('.keys, .tabs, .skip'))
  .map((each) => [each.ariaLabel || each.textContent.trim(), each.getBoundingClientRect()])
  .filter(([, box]) => box.width > 0 && (box.left < 0 || box.top < 0
    || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5))
  .map(([name]) => name)"""
WIDTH = "() => [document.documentElement.scrollWidth, innerWidth]"
# Whether a row with this text is inside the visible part of the window.
ROW_IN_VIEW = """([name, text]) => {
  const terminal = document.querySelector(`tmux-adapter-web[name='${name}']`)
  const view = terminal?.closest('window-panes')?.getBoundingClientRect()
  const rows = terminal?.text?.().split('\\n').slice(-terminal.rows) ?? []
  const row = rows.findLastIndex((each) => each.includes(text))
  if (!view || row < 0) return false
  const box = terminal.getBoundingClientRect()
  const height = box.height / terminal.rows
  const top = box.top + row * height
  return top >= view.top && top + height <= view.bottom
}"""
WORDS = "word " * 15
KEYBOARD = """(height) => {
  Object.defineProperty(visualViewport, 'height', { get: () => height, configurable: true })
  visualViewport.dispatchEvent(new Event('resize'))
}"""


@pytest.fixture(params=["phone", "phone_landscape"])
def any_phone(request: pytest.FixtureRequest) -> PageDriver:
    driver: PageDriver = request.getfixturevalue(request.param)
    return driver


def box_of(part: Locator) -> dict[str, float]:
    box: Any = part.bounding_box()
    assert box is not None
    return dict(box)


def wait_for_row(phone: PageDriver, pane: str, text: str) -> None:
    phone.wait_for(ROW_IN_VIEW, [pane, text])


def show_terminal(phone: PageDriver, fake: Fake) -> None:
    """Opens the window of an agent, and its terminal instead of the reader."""
    card(phone, fake).get_by_role("link").tap()
    reader = phone.page.locator("reader-view")
    reader.get_by_role("button", name="Terminal").tap()
    phone.wait_for_text(fake.pane_id, "(a fake)")


def send_prompts(phone: PageDriver, fake: Fake, count: int) -> None:
    """Fills the screen of an agent."""
    for number in range(1, count + 1):
        phone.type(fake.pane_id, f"prompt {number} {WORDS}")
        phone.wait_until(partial(has_prompts, fake, number))


def has_prompts(fake: Fake, count: int) -> bool:
    return len(fake.prompts) == count


# --- landscape ---


@pytest.mark.parametrize("size", SIZES)
def test_no_control_is_cut_off(phone: PageDriver, size: str) -> None:
    width, height = SIZES[size]
    phone.page.set_viewport_size({"width": width, "height": height})
    fake = phone.fake()
    pane = phone.session("shell")
    phone.open("#/")
    expect(card(phone, fake)).to_be_visible(timeout=MS)
    expect(phone.page.locator("workspace-rail")).to_be_hidden()
    wide, inner = phone.page.evaluate(WIDTH)
    assert wide <= inner
    for shown in (fake.pane_id, pane):
        phone.open(f"#/window/{phone.key_of(shown)}")
        element = "reader-view" if shown == fake.pane_id else "terminal-area"
        expect(phone.page.locator(element)).to_be_visible(timeout=MS)
        expect(composer(phone).locator("textarea")).to_be_visible(timeout=MS)
        assert phone.page.evaluate(CUT_OFF) == []
        wide, inner = phone.page.evaluate(WIDTH)
        assert wide <= inner
        assert box_of(phone.page.locator(element))["height"] >= height * 0.45
    phone.page.get_by_role("button", name="More actions for").tap()
    expect(phone.page.get_by_role("menuitem").first).to_be_visible()
    menu = box_of(phone.page.get_by_role("menu"))
    assert menu["y"] >= 0
    assert menu["y"] + menu["height"] <= height


def test_landscape_has_one_row_of_header_keys_and_composer(phone_landscape: PageDriver) -> None:
    phone = phone_landscape
    pane = phone.session("keys", "stty raw -echo; echo READING; exec cat -vT")
    phone.open_window(pane)
    phone.wait_for_text(pane, "READING")
    for part, most in (("place-bar", 48), ("key-row", 52), ("prompt-composer", 64)):
        expect(phone.page.locator(part)).to_be_visible()
        assert box_of(phone.page.locator(part))["height"] <= most, part
    toolbar = phone.page.get_by_role("toolbar", name="Terminal keys")
    assert box_of(toolbar.get_by_role("button", name="Esc", exact=True))["height"] >= 44
    for key in ("Esc", "Page down"):  # the second one is reached by scrolling
        toolbar.get_by_role("button", name=key, exact=True).tap()
    phone.wait_for_text(pane, "^[^[[6~")
    composer(phone).locator("textarea").fill("hello")
    composer(phone).get_by_role("button", name="Send").tap()
    phone.wait_for_text(pane, "hello")


@pytest.mark.parametrize("agent", [True, False], ids=["reader", "terminal"])
def test_in_landscape_a_soft_keyboard_leaves_room_for_text_and_composer(
    phone_landscape: PageDriver, agent: bool
) -> None:
    phone = phone_landscape
    pane = phone.fake().pane_id if agent else phone.session("shell")
    phone.open("#/")
    phone.open(f"#/window/{phone.key_of(pane)}")
    text = phone.page.locator("reader-view" if agent else "terminal-area")
    expect(text).to_be_visible(timeout=MS)
    phone.page.evaluate(KEYBOARD, 190)
    phone.wait_for("() => document.body.getBoundingClientRect().height === 190")
    expect(phone.page.locator("place-bar")).to_be_hidden()
    expect(phone.page.locator("key-row")).to_be_hidden()
    field = box_of(composer(phone).locator("textarea"))
    assert field["y"] + field["height"] <= 190
    assert box_of(text)["height"] >= 100
    phone.page.evaluate(KEYBOARD, 390)
    expect(phone.page.locator("place-bar")).to_be_visible()


# --- the deck ---


@pytest.mark.separate_context
def test_the_bar_of_the_deck_opens_new_search_board_and_notifications(
    any_phone: PageDriver,
) -> None:
    phone = any_phone
    phone.page.add_init_script(RECORD)
    phone.session("shell")
    phone.open("#/")
    bar = phone.page.get_by_role("navigation", name="Home")
    height = phone.page.viewport_size["height"] if phone.page.viewport_size else 0
    buttons = [bar.get_by_role("button", name=name) for name in ("New", "Search", "Notifications")]
    for control in (*buttons, bar.get_by_role("link", name="Board")):
        box = box_of(control)
        assert min(box["width"], box["height"]) >= 44
        assert height - 80 <= box["y"] <= height - 44
    bar.get_by_role("button", name="New").tap()
    phone.page.get_by_role("menuitem", name=f"New window in {phone.prefix}-shell").tap()
    dialog = phone.page.locator("dialog[open]")
    expect(dialog).to_contain_text(f"New window in {phone.prefix}-shell")
    dialog.get_by_role("button", name="Cancel").tap()
    bar.get_by_role("button", name="New").tap()
    phone.page.get_by_role("menuitem", name="New session").tap()
    expect(dialog).to_contain_text("New session")
    dialog.get_by_role("button", name="Cancel").tap()
    bar.get_by_role("button", name="Search").tap()
    expect(phone.page.get_by_role("combobox", name="Search actions")).to_be_focused(timeout=MS)
    phone.page.keyboard.press("Escape")
    bell = bar.get_by_role("button", name="Notifications")
    expect(bell).to_have_attribute("aria-pressed", "false")
    bell.tap()
    toast(phone.page, "Notifications are on")
    expect(bell).to_have_attribute("aria-pressed", "true")
    bell.tap()
    expect(bell).to_have_attribute("aria-pressed", "false")
    bar.get_by_role("link", name="Board").tap()
    expect(phone.page.locator("board-screen")).to_be_visible(timeout=MS)
    expect(bar).to_be_hidden()


def test_a_tap_anywhere_on_a_card_opens_the_window(any_phone: PageDriver) -> None:
    phone = any_phone
    asks, idle = phone.fake("claude", "asks"), phone.fake("codex", "idle")
    phone.open("#/")
    make_agents_ask(phone, asks)
    for fake, part in (
        (asks, ".answer-question"),
        (asks, ".card-details"),
        (idle, ".card-preview"),
        (idle, ".chip"),
    ):
        card(phone, fake).locator(part).scroll_into_view_if_needed()
        box = box_of(card(phone, fake).locator(part))
        # By position: a link covers the card.
        phone.page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        expect(phone.page).to_have_url(re.compile("#/window/"))
        expect(phone.page.locator("reader-view")).to_be_visible(timeout=MS)
        phone.page.get_by_role("link", name="Back to all agents").tap()
        expect(card(phone, asks)).to_be_visible()
    card(phone, asks).locator("answer-bar button").first.tap()
    expect(card(phone, asks).locator("answer-bar")).to_have_count(0, timeout=MS)
    assert asks.answers == ["Yes"]
    expect(phone.page).to_have_url(f"{phone.address}/#/")


# --- reader or terminal ---


def test_windows_with_an_agent_open_as_text_until_the_terminal_is_chosen(
    any_phone: PageDriver,
) -> None:
    phone = any_phone
    first, second = phone.fake("claude", "first"), phone.fake("codex", "second")
    shell = phone.session("shell", "echo PLAIN; exec cat")
    reader = phone.page.locator("reader-view")
    keys = {each: phone.key_of(each) for each in (first.pane_id, second.pane_id, shell)}
    phone.open("#/")
    expect(card(phone, second)).to_be_visible(timeout=MS)
    phone.open(f"#/window/{keys[first.pane_id]}")
    expect(reader).to_contain_text("claude (a fake)", timeout=MS)
    expect(phone.page.locator("key-row")).to_be_hidden()
    phone.page.get_by_role("button", name="Show the terminal").tap()
    phone.wait_for_text(first.pane_id, "claude (a fake)")
    expect(phone.page.locator("key-row")).to_be_visible()
    phone.page.reload()
    phone.wait_for_text(first.pane_id, "claude (a fake)")
    expect(reader).to_have_count(0)
    phone.page.goto(f"{phone.address}/#/window/{keys[second.pane_id]}")
    expect(reader).to_contain_text("codex (a fake)", timeout=MS)
    phone.page.goto(f"{phone.address}/#/window/{keys[shell]}")
    phone.wait_for_text(shell, "PLAIN")
    expect(reader).to_have_count(0)
    phone.page.goto(f"{phone.address}/#/window/{keys[first.pane_id]}")
    phone.wait_for_text(first.pane_id, "claude (a fake)")
    phone.page.get_by_role("button", name="Show the text").tap()
    expect(reader).to_contain_text("claude (a fake)", timeout=MS)


def test_a_wide_window_keeps_readable_letters_and_pans(any_phone: PageDriver) -> None:
    phone = any_phone
    pane = phone.session("wide", "seq 1 90; printf '%0200d' 7; exec cat", size="200x50")
    phone.open_window(pane)
    phone.wait_for_text(pane, "00007")
    size = (
        phone.terminal(pane)
        .locator(".xterm-rows")
        .evaluate("(rows) => parseFloat(getComputedStyle(rows).fontSize)")
    )
    assert size >= 12
    wait_for_row(phone, pane, "00007")  # the cursor is there, at the end of the screen
    view = phone.page.locator("window-panes")
    box = box_of(view)
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    touch = Touch(phone.page)
    for _ in range(8):
        touch.drag([(x + 150, y), (x - 150, y)])
    phone.wait_for(
        """() => {
          const view = document.querySelector('window-panes')
          const end = view.scrollLeft + view.clientWidth
          return view.scrollLeft > 300 && end >= view.scrollWidth - 12
        }"""
    )
    # After a pan to the start, new output does not move the view.
    for _ in range(4):
        touch.drag([(x, y - 60), (x, y + 60)])
    top = view.evaluate("(el) => el.scrollTop")
    phone.type(pane, "more")
    phone.wait_for_text(pane, "more")
    assert view.evaluate("(el) => el.scrollTop") == top
    shape = phone.tmux("display-message", "-p", "-t", pane, "#{window_width}x#{window_height}")
    assert shape == "200x50"


# --- questions ---


def test_a_question_scrolls_the_terminal_to_its_dialog_and_hides_the_keys(
    any_phone: PageDriver,
) -> None:
    phone = any_phone
    fake = phone.fake("claude")
    phone.open("#/")
    expect(card(phone, fake).locator(".chip.idle")).to_be_visible(timeout=MS)
    show_terminal(phone, fake)
    keys = phone.page.locator("key-row")
    expect(keys).to_be_visible()
    send_prompts(phone, fake, 4)  # the screen is longer than the phone
    phone.wait_for_text(fake.pane_id, "prompt 4")
    box = box_of(phone.page.locator("window-panes"))
    x, y = box["x"] + 100, box["y"] + box["height"] / 2
    for _ in range(5):  # to the start
        Touch(phone.page).drag([(x, y - 60), (x, y + 60)])
    phone.type(fake.pane_id, "ask: may I?")
    answers = phone.page.locator("question-bar answer-bar")
    expect(answers.get_by_role("button")).to_have_count(3, timeout=MS)
    expect(keys).to_be_hidden()
    for text in ("Do you want to proceed?", "1. Yes", "3. No"):
        wait_for_row(phone, fake.pane_id, text)
    run_action(phone, "toggle-keys")  # for a dialog that needs arrows
    expect(keys).to_be_visible()
    run_action(phone, "toggle-keys")
    expect(keys).to_be_hidden()
    run_action(phone, "toggle-keys")
    expect(keys).to_be_visible()
    answers.get_by_role("button").first.tap()
    expect(answers).to_have_count(0, timeout=MS)
    expect(keys).to_be_visible()
    assert fake.answers == ["Yes"]


def test_the_key_row_returns_when_a_question_is_answered(any_phone: PageDriver) -> None:
    phone = any_phone
    fake = phone.fake("claude")
    phone.open("#/")
    make_agents_ask(phone, fake)
    show_terminal(phone, fake)
    keys = phone.page.locator("key-row")
    wait_for_row(phone, fake.pane_id, "3. No")
    expect(keys).to_be_hidden()
    phone.tmux("send-keys", "-t", fake.pane_id, "1")  # in another terminal
    expect(keys).to_be_visible(timeout=MS)
    assert fake.answers == ["Yes"]


def test_a_question_scrolls_the_reader_to_its_end(any_phone: PageDriver) -> None:
    phone = any_phone
    fake = phone.fake("claude")
    phone.open("#/")
    expect(card(phone, fake).locator(".chip.idle")).to_be_visible(timeout=MS)
    send_prompts(phone, fake, 6)
    card(phone, fake).get_by_role("link").tap()
    article = phone.page.locator("reader-view article")
    expect(article).to_contain_text("prompt 6", timeout=MS)
    article.evaluate(
        """(element) => new Promise((resolve) => {
          element.addEventListener('scroll', resolve, { once: true })
          element.scrollTop = 0
        })"""
    )
    phone.type(fake.pane_id, "ask: may I?")
    expect(article.get_by_text("3. No")).to_be_in_viewport(timeout=MS)
