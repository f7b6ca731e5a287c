"""The chat of a window with a long past: pages, search, moments, the summary."""

import pytest
from playwright.sync_api import expect

from tests.flows.chats import BEGIN, is_at_end, row, rows, scroll, turns, write
from tests.flows.desk import Desk

SOON = 30_000
# Scrolls up, and says where a row stands before a page could come in above it.
SCROLL_UP = """async (list) => {
  const drawn = new Promise((done) => list.addEventListener('moved', done, { once: true }))
  list.scrollTop = 1200
  await drawn
  const top = list.getBoundingClientRect().top
  const rows = [...list.querySelectorAll('.chat-row')]
  const row = rows.find((one) => one.getBoundingClientRect().top > top)
  return [row.dataset.ts, row.getBoundingClientRect().top, list.items.length]
}"""
STANDS = """([ts, top]) => {
  const row = document.querySelector(`.chat-row[data-ts='${ts}']`)
  return row && Math.abs(row.getBoundingClientRect().top - top) < 2
}"""


@pytest.fixture
def long(desk: Desk) -> str:
    """The key of a window with 400 turns, and the page at its chat."""
    key = desk.key_of(desk.session())
    write(desk, key, turns(400))
    desk.open(f"#/window/{key}/chat")
    expect(row(desk, "echo 399").first).to_be_visible(timeout=SOON)
    return key


@pytest.mark.usefixtures("long")
def test_older_messages_come_in_above_without_moving_what_is_read(desk: Desk) -> None:
    assert is_at_end(desk)
    scroll(desk, -200)
    expect(desk.page.locator(".chat-newest")).to_be_visible()
    ts, top, count = desk.page.locator("virtual-list").evaluate(SCROLL_UP)
    desk.wait_for("(count) => document.querySelector('virtual-list').items.length > count", count)
    desk.wait_for(STANDS, [ts, top])
    assert rows(desk).count() < 60  # only what is near the view is in the page


@pytest.mark.usefixtures("long")
def test_what_is_found_is_marked_and_leads_to_its_place(desk: Desk) -> None:
    field = desk.page.get_by_label("Search in what was said here")
    field.fill('"echo 7"')
    hits = desk.page.locator(".hit")
    expect(hits).to_have_count(2, timeout=SOON)
    expect(hits.first.locator("mark").first).to_have_text("echo 7")
    field.press("ArrowDown")
    desk.page.keyboard.press("ArrowDown")
    desk.page.keyboard.press("Enter")
    found = desk.page.locator(".chat-row.found")
    expect(found).to_be_in_viewport(timeout=SOON)
    expect(found).to_contain_text("echo 7")
    expect(found.locator("mark").first).to_have_text("echo 7")
    scroll(desk, 4000)  # on from there, towards now
    expect(row(desk, "answer 30 line 0")).to_be_attached(timeout=SOON)
    desk.page.keyboard.press("Escape")
    expect(hits).to_have_count(0)
    expect(desk.page.locator("mark")).to_have_count(0)


@pytest.mark.usefixtures("long")
def test_a_search_that_finds_nothing_says_what_can_be_asked(desk: Desk) -> None:
    field = desk.page.get_by_label("Search in what was said here")
    found = desk.page.get_by_role("region", name="What was found")
    field.fill("zebra")
    expect(found).to_contain_text("Nothing was found", timeout=SOON)
    field.fill("!!")
    expect(found).to_contain_text("what is looked for?", timeout=SOON)
    field.fill("answer")
    expect(found).to_contain_text("40 or more found", timeout=SOON)
    found.get_by_role("button", name="More").click()
    expect(found).to_contain_text("80 or more found", timeout=SOON)


def test_home_leads_to_the_beginning_and_end_back(desk: Desk, long: str) -> None:
    feed = desk.page.get_by_role("region", name="Conversation")
    feed.focus()
    desk.page.keyboard.press("Home")
    expect(row(desk, "answer 1 line 0")).to_be_in_viewport(timeout=SOON)
    expect(desk.page.get_by_text("The beginning of what was recorded here")).to_be_visible()
    feed.focus()
    desk.page.keyboard.press("End")
    expect(row(desk, "answer 399 line 0")).to_be_in_viewport(timeout=SOON)
    assert is_at_end(desk)


def test_a_link_to_a_moment_opens_there(desk: Desk, long: str) -> None:
    desk.open(f"#/window/{long}/chat/{BEGIN + 200 * 60_000}")
    expect(row(desk, "answer 200 line 0")).to_be_in_viewport(timeout=SOON)
    expect(desk.page.locator(".chat-row.found")).to_contain_text("echo 200")


@pytest.mark.usefixtures("long")
def test_the_summary_says_who_made_it_and_stays_folded(desk: Desk) -> None:
    summary = desk.page.locator(".chat-summary")
    expect(summary).to_contain_text("by webtmux itself", timeout=SOON)
    expect(summary.get_by_role("listitem").first).to_contain_text("echo 399")
    summary.get_by_role("button", name="Refresh").click()
    expect(summary).to_contain_text("Made just now")
    summary.locator("summary").click()
    expect(summary.get_by_role("listitem").first).to_be_hidden()
    desk.page.reload()
    expect(summary).to_contain_text("by webtmux itself", timeout=SOON)
    expect(summary.get_by_role("listitem").first).to_be_hidden()


def test_a_phone_shows_the_chat_without_scrolling_sideways(phone: Desk) -> None:
    key = phone.key_of(phone.session())
    table = "\n".join("│ " + " │ ".join(f"column {n}" for n in range(20)) + " │" for _ in range(3))
    write(phone, key, [*turns(20), (9_000_000, "user", "x" * 200), (9_000_900, "assistant", table)])
    phone.open(f"#/window/{key}/chat")
    expect(row(phone, "column 3")).to_be_visible(timeout=SOON)
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= 390
    wide = "(list) => list.scrollWidth <= list.clientWidth"
    assert phone.page.locator("virtual-list").evaluate(wide)
    for name in ("Conversation", "Everything", "Copy all"):
        box = phone.page.get_by_role("button", name=name).bounding_box()
        assert box is not None
        assert box["height"] >= 44
    copying = row(phone, "column 3").get_by_role("button", name="Copy").bounding_box()
    assert copying is not None
    assert min(copying["height"], copying["width"]) >= 44
    phone.page.get_by_label("Search in what was said here").fill("echo 3")
    phone.page.locator(".hit").last.tap()
    expect(phone.page.locator(".chat-row.found")).to_be_in_viewport(timeout=SOON)
