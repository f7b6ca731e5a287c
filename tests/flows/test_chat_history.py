"""The chat of a window with a long history: pages, search, links, summary."""

import pytest
from playwright.sync_api import expect

from tests.flows.chat_driver import START, row, rows, scroll, turns, wait_for_end, write_records
from tests.flows.page_driver import MS, PageDriver

# Scrolls up and returns the position of a row, before an older page can be loaded above it.
SCROLL_UP = """async (list) => {
  const moved = new Promise((resolve) => list.addEventListener('moved', resolve, { once: true }))
  list.scrollTop = 1200
  await moved
  const top = list.getBoundingClientRect().top
  const rows = [...list.querySelectorAll('.chat-row')]
  const row = rows.find((each) => each.getBoundingClientRect().top > top)
  return [row.dataset.ts, row.getBoundingClientRect().top, list.items.length]
}"""
IS_AT = """([ts, top]) => {
  const row = document.querySelector(`.chat-row[data-ts='${ts}']`)
  return row && Math.abs(row.getBoundingClientRect().top - top) < 2
}"""


@pytest.fixture
def long_chat(desktop: PageDriver) -> str:
    """The key of a window with 400 turns, whose chat is open."""
    key = desktop.key_of(desktop.session())
    write_records(desktop, key, turns(400))
    desktop.open(f"#/window/{key}/chat")
    expect(row(desktop, "echo 399").first).to_be_visible(timeout=MS)
    return key


@pytest.mark.usefixtures("long_chat")
def test_loading_older_messages_does_not_move_the_visible_ones(desktop: PageDriver) -> None:
    wait_for_end(desktop)
    scroll(desktop, -200)
    expect(desktop.page.locator(".chat-newest")).to_be_visible()
    ts, top, count = desktop.page.locator("virtual-list").evaluate(SCROLL_UP)
    desktop.wait_for(
        "(count) => document.querySelector('virtual-list').items.length > count", count
    )
    desktop.wait_for(IS_AT, [ts, top])
    assert rows(desktop).count() < 60  # only rows near the visible part are rendered


@pytest.mark.usefixtures("long_chat")
def test_search_results_are_highlighted_and_lead_to_the_message(desktop: PageDriver) -> None:
    field = desktop.page.get_by_label("Search chat")
    field.fill('"echo 7"')
    hits = desktop.page.locator(".hit")
    expect(hits).to_have_count(2, timeout=MS)
    expect(hits.first.locator("mark").first).to_have_text("echo 7")
    field.press("ArrowDown")
    desktop.page.keyboard.press("ArrowDown")
    desktop.page.keyboard.press("Enter")
    match = desktop.page.locator(".chat-row.highlighted")
    expect(match).to_be_in_viewport(timeout=MS)
    expect(match).to_contain_text("echo 7")
    expect(hits.last).to_have_attribute("aria-current", "true")
    expect(match.locator("mark").first).to_have_text("echo 7")

    def scrolled_to_newer_messages() -> bool:
        """Newer pages are loaded while scrolling, so one large step may end at the loaded part."""
        scroll(desktop, 400)
        return row(desktop, "answer 30 line 0").count() > 0

    desktop.wait_until(scrolled_to_newer_messages)
    desktop.page.keyboard.press("Escape")
    expect(hits).to_have_count(0)
    expect(desktop.page.locator("mark")).to_have_count(0)


@pytest.mark.usefixtures("long_chat")
def test_an_empty_search_result_explains_the_syntax(desktop: PageDriver) -> None:
    field = desktop.page.get_by_label("Search chat")
    results = desktop.page.get_by_role("region", name="Search results")
    field.fill("zebra")
    expect(results).to_contain_text("No results", timeout=MS)
    field.fill("!!")
    expect(results).to_contain_text("enter a search term", timeout=MS)
    field.fill("answer")
    expect(results).to_contain_text("40+ results", timeout=MS)
    results.get_by_role("button", name="More").click()
    expect(results).to_contain_text("80+ results", timeout=MS)


def test_home_and_end_scroll_to_the_start_and_end(desktop: PageDriver, long_chat: str) -> None:
    feed = desktop.page.get_by_role("region", name="Conversation")
    feed.focus()
    desktop.page.keyboard.press("Home")
    expect(row(desktop, "answer 1 line 0")).to_be_in_viewport(timeout=MS)
    expect(desktop.page.get_by_text("Start of the recorded chat")).to_be_visible()
    feed.focus()
    desktop.page.keyboard.press("End")
    expect(row(desktop, "answer 399 line 0")).to_be_in_viewport(timeout=MS)
    wait_for_end(desktop)


def test_a_link_to_a_timestamp_opens_at_its_message(desktop: PageDriver, long_chat: str) -> None:
    desktop.open(f"#/window/{long_chat}/chat/{START + 200 * 60_000}")
    expect(row(desktop, "answer 200 line 0")).to_be_in_viewport(timeout=MS)
    expect(desktop.page.locator(".chat-row.highlighted")).to_contain_text("echo 200")


@pytest.mark.usefixtures("long_chat")
def test_the_summary_is_closed_first_names_its_author_and_stays_open(desktop: PageDriver) -> None:
    summary = desktop.page.locator(".chat-summary")
    expect(summary).to_contain_text("no language model", timeout=MS)
    expect(summary.get_by_role("listitem").first).to_be_hidden()
    summary.locator("summary").click()
    expect(summary.get_by_role("listitem").first).to_contain_text("echo 399")
    summary.get_by_role("button", name="Refresh").click()
    expect(summary).to_contain_text("Updated just now")
    desktop.page.reload()
    expect(summary).to_contain_text("no language model", timeout=MS)
    expect(summary.get_by_role("listitem").first).to_be_visible()


def test_the_chat_fits_the_width_of_a_phone(phone: PageDriver) -> None:
    key = phone.key_of(phone.session())
    table = "\n".join("│ " + " │ ".join(f"column {n}" for n in range(20)) + " │" for _ in range(3))
    write_records(
        phone, key, [*turns(20), (9_000_000, "user", "x" * 200), (9_000_900, "assistant", table)]
    )
    phone.open(f"#/window/{key}/chat")
    expect(row(phone, "column 3")).to_be_visible(timeout=MS)
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= 390
    fits = "(list) => list.scrollWidth <= list.clientWidth"
    assert phone.page.locator("virtual-list").evaluate(fits)
    for name in ("Conversation", "Everything", "Copy all"):
        box = phone.page.get_by_role("button", name=name).bounding_box()
        assert box is not None
        assert box["height"] >= 44
    copy = row(phone, "column 3").get_by_role("button", name="Copy").bounding_box()
    assert copy is not None
    assert min(copy["height"], copy["width"]) >= 44
    phone.page.get_by_label("Search chat").fill("echo 3")
    phone.page.locator(".hit").last.tap()
    expect(phone.page.locator(".chat-row.highlighted")).to_be_in_viewport(timeout=MS)
