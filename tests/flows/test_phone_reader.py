"""The phone's ways through the page: the deck, a window, the reader, and back."""

from playwright.sync_api import expect

from tests.flows.desk import SECONDS, Desk

BOUND = 2 * SECONDS * 1000
OPEN_READER = "document.dispatchEvent(new CustomEvent('action', {detail: {name: 'reader'}}))"
LONG = "The quick brown fox jumps over the lazy dog " * 6


def test_the_deck_comes_first_a_tap_opens_a_window_and_back_returns(phone: Desk) -> None:
    fake = phone.fake()
    phone.open()
    deck = phone.page.locator("agent-deck")
    expect(deck).to_be_visible()
    expect(phone.page.locator("workspace-rail")).to_be_hidden()
    card = deck.locator("a, button").filter(has_text=fake.name).first
    card.tap(timeout=BOUND)
    expect(phone.terminal(fake.pane_id)).to_be_visible()
    expect(phone.page.locator("key-row")).to_be_visible()
    expect(deck).to_be_hidden()
    phone.page.get_by_role("link", name="Back to all agents").tap()
    expect(deck).to_be_visible()
    expect(phone.page.locator("key-row")).to_be_hidden()


def test_the_reader_wraps_a_long_line_and_keeps_the_columns_of_a_table(phone: Desk) -> None:
    pane = phone.session("read", "exec cat", size="100x30")
    phone.type(pane, LONG)
    phone.type(pane, "NAME       STATE      AGE")
    phone.open_window(pane)
    phone.page.evaluate(OPEN_READER)
    article = phone.page.locator("reader-view article")
    line = article.locator("p").filter(has_text=LONG.strip()).first
    expect(line).to_be_visible(timeout=BOUND)
    assert article.evaluate("(el) => el.scrollWidth <= el.clientWidth")
    height = line.evaluate("(el) => el.getBoundingClientRect().height")
    assert height > 60  # 264 characters at the width of a phone
    expect(article.locator("pre").first).to_contain_text("NAME       STATE      AGE")
    phone.page.get_by_role("button", name="Larger text").tap()
    phone.wait_for(
        "(px) => document.querySelector('reader-view p').getBoundingClientRect().height > px",
        height,
    )
    phone.page.get_by_role("button", name="Terminal").tap()
    expect(phone.terminal(pane)).to_be_visible()


def test_the_reader_follows_at_the_end_and_counts_further_up(phone: Desk) -> None:
    pane = phone.session("follow", "seq 1 200; exec cat")
    phone.open_window(pane)
    phone.page.evaluate(OPEN_READER)
    article = phone.page.locator("reader-view article")
    expect(article).to_contain_text("200", timeout=BOUND)
    phone.type(pane, "first news")
    expect(article.get_by_text("first news").last).to_be_in_viewport(timeout=BOUND)
    article.evaluate("(el) => { el.scrollTop = 0 }")
    phone.type(pane, "second news")
    fresh = phone.page.locator("reader-view .fresh")
    expect(fresh).to_contain_text("new line", timeout=BOUND)
    expect(article).not_to_contain_text("second news")
    fresh.tap()
    expect(article.get_by_text("second news").last).to_be_in_viewport()
    expect(fresh).to_be_hidden()
