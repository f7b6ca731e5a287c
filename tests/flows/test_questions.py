"""Approvals show what will run or change, on a desktop and on a phone."""

from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.agents.fakes.kinds import EDIT
from tests.agents.fakes.launch import Fake
from tests.flows.composer_driver import card
from tests.flows.conftest import LANDSCAPE, PHONE, WIDE, OpenPage
from tests.flows.page_driver import MS, PageDriver
from tests.flows.page_elements import send_to_agent, wait_for_state
from tests.terminals.served import Served

COMMAND = "docker run --rm -v /srv:/srv:ro busybox sh -c 'find /srv -name core -size +10M -delete'"


@pytest.fixture(params=["desktop", "phone"])
def driver(request: pytest.FixtureRequest) -> PageDriver:
    page_driver = request.getfixturevalue(str(request.param))
    assert isinstance(page_driver, PageDriver)
    return page_driver


def question(driver: PageDriver, fake: Fake) -> Locator:
    driver.open("#/")
    bar = card(driver, fake).locator("answer-bar")
    expect(bar.locator("button.answer")).to_have_count(3, timeout=MS)
    return bar


def assert_fits(driver: PageDriver, part: Locator) -> None:
    """Its box is inside the page; what is longer scrolls inside the box."""
    box, view = part.bounding_box(), driver.page.viewport_size
    assert box is not None
    assert view is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= view["width"]


def test_an_approval_shows_the_whole_command(driver: PageDriver) -> None:
    fake = driver.fake("codex", faults=[f"dialog:{COMMAND}"])
    bar = question(driver, fake)
    expect(bar.locator(".answer-kind")).to_have_text("Command")
    expect(bar.locator(".answer-question")).to_contain_text("Would you like to run the following")
    expect(bar.locator(".answer-subject")).to_have_text(COMMAND)
    expect(bar.locator(".answer-reason")).to_have_text("The model says: May I run this command?")
    assert_fits(driver, bar.locator(".answer-subject"))
    bar.locator("button.answer").first.click()
    expect(bar).to_have_count(0, timeout=MS)
    assert fake.answers == ["Yes, proceed (y)"]


def test_an_approval_shows_the_change_of_a_file(driver: PageDriver) -> None:
    fake = driver.fake("claude", faults=["dialog:edit src/app/db.py"])
    bar = question(driver, fake)
    expect(bar.locator(".answer-kind")).to_have_text("Edit")
    expect(bar.locator(".answer-path")).to_have_text("src/app/db.py")
    expect(bar.locator(".answer-diff .removed")).to_have_text([EDIT[0]])
    expect(bar.locator(".answer-diff .added").first).to_have_text(EDIT[1])
    assert_fits(driver, bar.locator(".answer-diff"))
    bar.locator("button.answer").nth(1).click()
    expect(bar).to_have_count(0, timeout=MS)
    assert fake.answers == ["Yes, and don't ask again for make commands"]


def test_words_are_sent_with_an_option_that_takes_them(driver: PageDriver) -> None:
    fake = driver.fake("claude", faults=["dialog:make build"])
    bar = question(driver, fake)
    field = bar.get_by_role("textbox")
    field.fill("build only the docs")
    field.press("Enter")
    expect(bar).to_have_count(0, timeout=MS)
    driver.wait_until(lambda: fake.prompts == [b"build only the docs"])
    assert fake.answers == ["No, and tell Claude what to do differently (esc)"]


def test_the_state_in_the_header_says_why(driver: PageDriver) -> None:
    fake = driver.fake("claude")
    driver.open(f"#/window/{driver.key_of(fake.pane_id)}")
    state = driver.page.locator("place-bar agent-why button")
    expect(state).to_contain_text("idle", timeout=MS)
    state.click()
    panel = driver.page.get_by_role("dialog", name=f"Why {fake.name} is idle")
    expect(panel).to_contain_text("Decided by its screen.", timeout=MS)
    expect(panel).to_contain_text("composer and no turn")
    expect(panel).to_contain_text("No hook has reported anything.")
    expect(panel).to_contain_text(f"{fake.pid}, in front of its terminal")
    assert_fits(driver, panel)


HEIGHT_HIDDEN = "(element) => element.scrollHeight - element.clientHeight"
LABELS_CUT = """(bar) => [...bar.querySelectorAll('.answer-label')].filter((label) =>
  label.scrollHeight > label.offsetHeight + 1 || label.scrollWidth > label.offsetWidth + 1
).length"""


@pytest.mark.parametrize("size", [WIDE, PHONE, LANDSCAPE], ids=["desktop", "phone", "landscape"])
def test_a_long_change_is_shown_whole_and_options_are_never_cut(
    served_page: Served, open_page: OpenPage, size: dict[str, Any]
) -> None:
    driver = open_page(served_page, **size)
    fake = driver.fake("claude", faults=["dialog:edit src/app/db.py"])
    driver.open(f"#/window/{driver.key_of(fake.pane_id)}")
    bar = driver.page.locator("question-bar")
    expect(bar.locator("button.answer")).to_have_count(3, timeout=MS)
    assert bar.evaluate(LABELS_CUT) == 0
    change = bar.locator(".answer-diff")
    bar.get_by_role("button", name="Show all").click()
    expect(bar.get_by_role("button", name="Show less")).to_be_visible()
    assert change.evaluate(HEIGHT_HIDDEN) <= 1
    for answer in bar.locator("button.answer").all():
        answer.scroll_into_view_if_needed()
        expect(answer).to_be_in_viewport(ratio=1)
    bar.get_by_role("button", name="Show less").click()
    bar.locator("button.answer").first.click()
    expect(bar).to_be_hidden(timeout=MS)
    assert fake.answers == ["Yes"]


def test_the_longest_wait_is_first_also_after_a_reload(desktop: PageDriver) -> None:
    # By name, the order would be the other way round.
    first, second = desktop.fake("claude", "z"), desktop.fake("claude", "a")
    desktop.open("#/")
    for fake in (first, second):
        wait_for_state(desktop.page, fake, "idle")
        send_to_agent(desktop, fake, "ask: make build")
        wait_for_state(desktop.page, fake, "waiting")
    lines = desktop.page.locator("rail-waiting .rail-asker > .cut")
    names = [first.name, second.name]
    for _ in range(2):
        expect(lines.filter(has_text=desktop.prefix)).to_contain_text(names, timeout=MS)
        desktop.page.reload()
