"""Navigation on a phone: the deck, a window, the reader, and back."""

from playwright.sync_api import expect

from tests.flows.page_driver import MS, PageDriver

OPEN_READER = "document.dispatchEvent(new CustomEvent('action', {detail: {name: 'reader'}}))"
# Returns when the page has handled the event.
SCROLL_TO_START = """(element) => new Promise((resolve) => {
  element.addEventListener('scroll', resolve, { once: true })
  element.scrollTop = 0
})"""
LONG = "The quick brown fox jumps over the lazy dog " * 6


def test_a_tap_on_the_deck_opens_a_window_and_back_returns(phone: PageDriver) -> None:
    fake = phone.fake()
    phone.open()
    deck = phone.page.locator("agent-deck")
    expect(deck).to_be_visible()
    expect(phone.page.locator("workspace-rail")).to_be_hidden()
    card = deck.locator("a, button").filter(has_text=fake.name).first
    card.tap(timeout=MS)
    reader = phone.page.locator("reader-view")
    expect(reader).to_contain_text("claude (a fake)", timeout=MS)
    expect(phone.page.locator("prompt-composer")).to_be_visible()
    expect(deck).to_be_hidden()
    phone.page.get_by_role("link", name="Back to all agents").tap()
    expect(deck).to_be_visible()
    expect(reader).to_have_count(0)


def test_the_reader_wraps_long_lines_and_keeps_table_columns(phone: PageDriver) -> None:
    pane = phone.session("read", "exec cat", size="100x30")
    phone.type(pane, LONG)
    phone.type(pane, "NAME       STATE      AGE")
    phone.open_window(pane)
    phone.page.evaluate(OPEN_READER)
    article = phone.page.locator("reader-view article")
    line = article.locator("p").filter(has_text=LONG.strip()).first
    expect(line).to_be_visible(timeout=MS)
    assert article.evaluate("(el) => el.scrollWidth <= el.clientWidth")
    height = line.evaluate("(el) => el.getBoundingClientRect().height")
    assert height > 60  # 264 characters at the width of a phone
    expect(article.locator("pre").first).to_contain_text("NAME       STATE      AGE")
    phone.page.get_by_role("button", name="Larger text").tap()
    phone.wait_for(
        "(px) => document.querySelector('reader-view p').getBoundingClientRect().height > px",
        height,
    )
    phone.page.get_by_role("button", name="Terminal", exact=True).tap()
    expect(phone.terminal(pane)).to_be_visible()


def test_the_reader_follows_at_the_end_and_counts_new_lines_further_up(phone: PageDriver) -> None:
    pane = phone.session("follow", "seq 1 200; exec cat")
    phone.open_window(pane)
    phone.page.evaluate(OPEN_READER)
    article = phone.page.locator("reader-view article")
    expect(article).to_contain_text("200", timeout=MS)
    phone.type(pane, "first line")
    expect(article.get_by_text("first line").last).to_be_in_viewport(timeout=MS)
    article.evaluate(SCROLL_TO_START)
    phone.type(pane, "second line")
    fresh = phone.page.locator("reader-view .fresh")
    expect(fresh).to_contain_text("new line", timeout=MS)
    expect(article).not_to_contain_text("second line")
    fresh.tap()
    expect(article.get_by_text("second line").last).to_be_in_viewport()
    expect(fresh).to_be_hidden()
