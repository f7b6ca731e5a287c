"""The header and the terminal keep their places while an agent works, asks and is recorded."""

from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.agents.fakes.launch import Fake
from tests.flows.conftest import PHONE, WIDE, OpenPage
from tests.flows.page_driver import LONG_TURN, MS, PageDriver
from tests.flows.page_elements import send_to_agent, wait_for_state
from tests.flows.terminal_driver import open_terminal, run_action, size_of, wait_for_toast
from tests.terminals.served import Served

LANDSCAPE = {**PHONE, "viewport": {"width": 844, "height": 390}}
SIZES: dict[str, dict[str, Any]] = {"desktop": WIDE, "phone": PHONE, "landscape": LANDSCAPE}
# The positions of all tabs and buttons of the header, except for the one that stops a recording.
BOXES = """() => Object.fromEntries([...document.querySelectorAll(
  'place-bar :is(.tabs a, .place-tool, .place-rail, .place-back, .place-more)')]
  .filter((element) => element.checkVisibility())
  .map((element) => {
    const { x, y, width, height } = element.getBoundingClientRect()
    const name = element.getAttribute('aria-label') ?? element.textContent
    return [name.replace(/ for .*/, ''), [x, y, width, height]]
  }))"""
TERMINAL_BOX = """() => {
  const { x, y, width, height } = document.querySelector('window-panes').getBoundingClientRect()
  return [x, y, width, height, document.querySelector('terminal-area').shownFontSize]
}"""


def boxes(driver: PageDriver) -> dict[str, list[float]]:
    positions: dict[str, list[float]] = driver.page.evaluate(BOXES)
    return positions


def open_agent(driver: PageDriver, fake: Fake, size: str) -> None:
    """Opens the terminal of an agent. A phone shows its text first."""
    if size == "desktop":
        driver.open_window(fake.pane_id)
        return
    driver.open(f"#/window/{driver.window_of(fake.pane_id)}")
    driver.page.get_by_role("button", name="Show the terminal").tap()
    driver.terminal(fake.pane_id)


def _shape(driver: PageDriver, size: str) -> list[float]:
    """The place and the font of the terminal. On a phone the key row hides while an agent asks,
    which leaves more room for the terminal: there only the font must stay."""
    shape: list[float] = driver.page.evaluate(TERMINAL_BOX)
    return shape if size == "desktop" else shape[-1:]


def ask(driver: PageDriver, fake: Fake) -> Locator:
    """Makes the agent ask; returns its question on the page."""
    send_to_agent(driver, fake, "ask: run the build")
    wait_for_state(driver.page, fake, "waiting")
    question = driver.page.locator("question-bar")
    expect(question).to_be_visible(timeout=MS)
    return question


@pytest.mark.parametrize("size", SIZES)
def test_tabs_and_buttons_never_move(served_page: Served, open_page: OpenPage, size: str) -> None:
    driver = open_page(served_page, **SIZES[size])
    fake = driver.fake("claude", turn=LONG_TURN)
    open_agent(driver, fake, size)
    wait_for_state(driver.page, fake, "idle")
    before = boxes(driver)
    assert {"Terminal", "Chat", "More actions"} <= set(before)
    send_to_agent(driver, fake, "work on it")
    wait_for_state(driver.page, fake, "working")
    assert boxes(driver) == before
    driver.end_turn(fake)
    wait_for_state(driver.page, fake, "idle")
    ask(driver, fake)
    assert boxes(driver) == before
    run_action(driver, "record-start")
    stop = driver.page.get_by_role("button", name="Stop recording")
    expect(stop).to_be_visible(timeout=MS)
    assert boxes(driver) == before
    driver.tmux("rename-window", "-t", fake.pane_id, "a long title " * 20)
    expect(driver.page.locator("place-bar h1")).to_contain_text("a long title a", timeout=MS)
    assert boxes(driver) == before
    expect(stop).to_be_in_viewport(ratio=1)
    if size == "desktop":
        driver.tmux("split-window", "-t", fake.pane_id, "exec sh")
        expect(driver.page.get_by_role("button", name="Zoom pane")).to_be_enabled(timeout=MS)
        assert boxes(driver) == before
    driver.page.get_by_role("link", name="Notes", exact=True).click()
    expect(driver.page.locator("notes-screen")).to_be_visible(timeout=MS)
    after = boxes(driver)
    assert after == {name: box for name, box in before.items() if name in after}


@pytest.mark.parametrize("size", SIZES)
def test_a_question_leaves_the_terminal_as_it_is(
    served_page: Served, open_page: OpenPage, size: str
) -> None:
    driver = open_page(served_page, **SIZES[size])
    fake = driver.fake("claude")
    open_agent(driver, fake, size)
    wait_for_state(driver.page, fake, "idle")
    if size == "desktop":
        driver.wait_until(lambda: size_of(driver, fake.pane_id) != "100x30")
    before, box = size_of(driver, fake.pane_id), _shape(driver, size)
    question = ask(driver, fake)
    options = question.get_by_role("button").filter(has_text="Yes")
    expect(options.first).to_be_visible()
    assert _shape(driver, size) == box
    expect(options.last).to_be_in_viewport(ratio=1)
    shown, terminal = question.bounding_box(), driver.page.locator("window-panes").bounding_box()
    assert shown is not None
    assert terminal is not None
    if size == "desktop":  # No line of the terminal is covered. A phone has no room for that.
        assert terminal["y"] + terminal["height"] <= shown["y"] + 1
    question.get_by_role("button", name="Fold the question").click()
    expect(driver.page.get_by_label("Prompt for claude")).to_be_visible()
    assert _shape(driver, size) == box
    question.get_by_role("button", name="Answer").click()
    options.first.click()
    wait_for_state(driver.page, fake, "idle")
    expect(question).to_be_hidden(timeout=MS)
    assert _shape(driver, size) == box
    assert size_of(driver, fake.pane_id) == before
    assert fake.answers == ["Yes"]


def test_a_question_does_not_cover_a_prompt_that_is_being_written(desktop: PageDriver) -> None:
    fake = desktop.fake("claude")
    desktop.open_window(fake.pane_id)
    wait_for_state(desktop.page, fake, "idle")
    field = desktop.page.get_by_label("Prompt for claude")
    field.fill("a draft")
    question = ask(desktop, fake)
    expect(question.get_by_role("button")).to_have_count(1)  # folded
    field.press_sequentially(" goes on")
    expect(field).to_have_value("a draft goes on")
    question.get_by_role("button", name="Answer").click()
    question.get_by_role("button").filter(has_text="Yes").first.click()
    expect(question).to_be_hidden(timeout=MS)
    expect(field).to_have_value("a draft goes on")


def test_a_recording_is_shown_and_stopped_in_the_header(desktop: PageDriver) -> None:
    pane = desktop.session()
    open_terminal(desktop, pane)
    run_action(desktop, "record-start")
    stop = desktop.page.get_by_role("button", name="Stop recording")
    clock = desktop.page.locator("place-bar recording-chip time")
    expect(clock).to_contain_text("0:0", timeout=MS)
    expect(clock).to_contain_text("0:02", timeout=MS)
    stop.click()
    expect(stop).to_have_count(0, timeout=MS)
    [recording] = desktop.rest("GET", "/recordings", params={"pane": pane})["items"][:1]
    assert recording["state"] != "recording"


def test_the_hint_for_a_terminal_names_the_socket(desktop: PageDriver) -> None:
    pane = desktop.session()
    open_terminal(desktop, pane)
    run_action(desktop, "open-in-tmux")
    socket = desktop.served.env["WEBTMUX_TMUX_SOCKET"]
    wait_for_toast(desktop, f"tmux -S {socket} attach -t '={desktop.prefix}-a'")
    desktop.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    desktop.page.get_by_role("button", name="Copy").click()
    copied = f"tmux -S {socket} attach -t '={desktop.prefix}-a'"
    desktop.wait_for("async (text) => (await navigator.clipboard.readText()) === text", copied)
