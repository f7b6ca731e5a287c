"""Notes as they are typed: beside their rendering, on the board, with others, and from Notion."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from tests.flows.boards import MS, NO_WORKER, Board, new_board
from tests.flows.conftest import WIDE, Sit
from tests.flows.desk import Desk
from tests.notes.fake_notion import FakeNotion, serving
from tests.terminals.served import Served, served_tmux


def open_notes(board: Board) -> Locator:
    board.desk.open(f"#/project/{board.project}/notes")
    field = board.page.get_by_label("Notes in Markdown")
    expect(field).to_be_visible(timeout=MS)
    return field


def saved(board: Board, words: str = "Saved") -> None:
    expect(board.page.locator(".notes-saved")).to_contain_text(words, timeout=MS)


def test_what_is_typed_is_rendered_saved_and_on_the_board_of_another(
    sit: Sit, served_page: Served
) -> None:
    writer, reader = (sit(served_page, **WIDE) for _ in range(2))
    board = new_board(writer, "# Plan\n[WIP] one")
    other = Board(reader, board.project)
    other.open()
    field = open_notes(board)
    expect(field).to_have_value("# Plan\n[WIP] one")
    field.press("Control+End")
    field.press_sequentially("\n- [ ] **two** of [us](javascript:alert(1)) <b>here</b>")
    article = board.page.get_by_label("Notes as they read")
    expect(article.get_by_role("heading", name="Plan")).to_be_visible()
    expect(article.locator("strong")).to_have_text("two")
    expect(article.get_by_role("link")).to_have_count(0)
    expect(article.get_by_role("listitem")).to_contain_text("<b>here</b>")
    saved(board)
    other.shows(WIP=["one"], NS=["**two** of [us](javascript:alert(1)) <b>here</b>"])
    expect(board.page.locator(".notes-counts")).to_contain_text("Not started 1")


def test_a_line_of_somebody_else_is_merged_while_one_types(desk: Desk) -> None:
    board = new_board(desk, "one\ntwo")
    field = open_notes(board)
    field.press("Control+End")
    field.press_sequentially(" and mine")
    board.call_mcp("add", text="theirs")
    expect(field).to_have_value("one\ntwo and mine\ntheirs", timeout=MS)
    field.press_sequentially(", still here")  # the caret is where it was
    board.holds("one\ntwo and mine, still here\ntheirs")
    saved(board)


def test_the_same_line_changed_by_two_is_shown_to_choose(sit: Sit, served_page: Served) -> None:
    desk = sit(served_page, **NO_WORKER)
    board = new_board(desk, "one\ntwo")
    field = open_notes(board)
    desk.page.route("**/notes", lambda route: route.abort())  # ours cannot be saved for a while
    field.fill("one\ntwo, mine")
    saved(board, "Not saved: the server cannot be reached")
    board.call_mcp("set_text", index=1, text="two, theirs")
    clash = desk.page.locator(".clash")
    expect(clash).to_contain_text("two, theirs", timeout=MS)
    desk.page.unroute("**/notes")
    board.holds("one\ntwo, theirs")
    clash.get_by_role("button", name="Keep both").click()
    board.holds("one\ntwo, theirs\none\ntwo, mine")
    saved(board)


def test_nothing_is_lost_by_leaving_while_the_server_is_away(sit: Sit, served_page: Served) -> None:
    desk = sit(served_page, **NO_WORKER)
    board = new_board(desk, "one")
    field = open_notes(board)
    desk.page.route("**/notes", lambda route: route.abort())
    field.fill("one\ntyped in vain?")
    saved(board, "Not saved")
    desk.open()
    desk.page.unroute("**/notes")
    field = open_notes(board)
    expect(field).to_have_value("one\ntyped in vain?", timeout=MS)
    board.holds("one\ntyped in vain?")
    saved(board)


def test_on_a_phone_one_side_is_seen_at_a_time(phone: Desk) -> None:
    board = new_board(phone, "# Plan\none")
    field = open_notes(board)
    article = phone.page.get_by_label("Notes as they read")
    expect(article).to_be_hidden()
    phone.page.get_by_role("button", name="Read").tap()
    expect(article).to_be_visible()
    expect(field).to_be_hidden()
    phone.page.locator("note-source summary").tap()
    box = phone.page.locator("note-source .panel").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390


# --- Notion -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def notion() -> Iterator[FakeNotion]:
    with serving() as notion:
        yield notion


@pytest.fixture(scope="module")
def with_notion(notion: FakeNotion) -> Iterator[Served]:
    with served_tmux(WEBTMUX_NOTION_URL=notion.url, WEBTMUX_NOTION_TOKEN=notion.token) as served:
        yield served


@pytest.fixture
def linked(sit: Sit, with_notion: Served) -> Desk:
    return sit(with_notion, **WIDE)


def test_a_page_is_linked_and_switched_to_and_the_notes_are_read_only_then(
    linked: Desk, notion: FakeNotion
) -> None:
    page = notion.add_page("[WIP] theirs", title="The plan")
    board = new_board(linked, "ours")
    field = open_notes(board)
    linked.page.get_by_label("Source of the notes: local").click()
    linked.page.get_by_label("Link a page").fill("nonsense")
    linked.page.get_by_role("button", name="Link", exact=True).click()
    expect(linked.page.locator("note-source [role=alert]")).to_be_visible(timeout=MS)
    linked.page.get_by_label("Link a page").fill(page)
    linked.page.get_by_role("button", name="Link", exact=True).click()
    expect(linked.page.locator("note-source")).to_contain_text("The plan", timeout=MS)
    expect(field).to_be_editable()
    linked.page.get_by_role("button", name="Switch to Notion").click()
    expect(field).to_have_value("[WIP] theirs\nours", timeout=MS)
    expect(field).not_to_be_editable()
    expect(linked.page.get_by_text("come from Notion and are read-only")).to_be_visible()
    links = linked.page.get_by_role("link", name="Open in Notion")
    expect(links.first).to_have_attribute("rel", "noopener noreferrer")
    board.open()
    board.shows(WIP=["theirs"], NS=["ours"])
    board.focus("ours")
    board.press("Alt+ArrowRight", "d", "e")
    board.shows(WIP=["theirs"], NS=["ours"])
    expect(linked.page.get_by_text("From Notion")).to_be_visible()
    open_notes(board)
    linked.page.get_by_role("button", name="Switch to local").first.click()
    expect(field).to_be_editable(timeout=MS)
    field.fill("ours again")
    board.holds("ours again")


def test_a_page_is_created_synced_and_a_failure_of_notion_is_said(
    linked: Desk, notion: FakeNotion
) -> None:
    parent = notion.add_page("", title="Everything")
    board = new_board(linked, "- [ ] one")
    field = open_notes(board)
    linked.page.get_by_label("Source of the notes: local").click()
    linked.page.get_by_label("Create a page").fill(parent)
    linked.page.get_by_role("button", name="Create", exact=True).click()
    expect(linked.page.locator("note-source")).to_contain_text(board.project, timeout=MS)
    linked.page.get_by_role("button", name="Switch to Notion").click()
    expect(field).not_to_be_editable(timeout=MS)
    made = board.read()["notionPageId"]
    notion.forget(notion.ids(made)[0])
    notion.node(made).children.clear()
    linked.page.get_by_role("button", name="Sync now").click()
    expect(field).to_have_value("", timeout=MS)
    notion.trash(made)
    linked.page.get_by_role("button", name="Sync now").click()
    expect(linked.page.locator("note-source summary")).to_contain_text("not in step", timeout=MS)
    expect(linked.page.locator("note-source .problem").first).to_be_visible()
