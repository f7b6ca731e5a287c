"""The notes screen: editing with a preview, concurrent changes, and Notion."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from tests.flows.board_driver import NO_WORKER, Board, new_board
from tests.flows.conftest import WIDE, OpenPage
from tests.flows.page_driver import HTTP, MS, PageDriver
from tests.notes.notion.fake_notion import FakeNotion, serving
from tests.terminals.served import Served, served_tmux


def open_notes(board: Board) -> Locator:
    board.driver.open(f"#/project/{board.project}/notes")
    field = board.page.get_by_label("Notes in Markdown")
    expect(field).to_be_visible(timeout=MS)
    return field


def expect_saved(board: Board, text: str = "Saved") -> None:
    expect(board.page.locator(".notes-saved")).to_contain_text(text, timeout=MS)


def test_typed_notes_are_previewed_saved_and_shown_on_another_board(
    open_page: OpenPage, served_page: Served
) -> None:
    writer, reader = (open_page(served_page, **WIDE) for _ in range(2))
    board = new_board(writer, "# Plan\n[WIP] one")
    other = Board(reader, board.project)
    other.open()
    field = open_notes(board)
    expect(field).to_have_value("# Plan\n[WIP] one")
    field.press("Control+End")
    field.press_sequentially("\n- [ ] **two** of [us](javascript:alert(1)) <b>here</b>")
    article = board.page.get_by_label("Notes preview")
    expect(article.get_by_role("heading", name="Plan")).to_be_visible()
    expect(article.locator("strong")).to_have_text("two")
    expect(article.get_by_role("link")).to_have_count(0)
    expect(article.get_by_role("listitem")).to_contain_text("<b>here</b>")
    expect_saved(board)
    other.shows(WIP=["one"], NS=["**two** of [us](javascript:alert(1)) <b>here</b>"])
    expect(board.page.locator(".notes-counts")).to_contain_text("Not started 1")


def test_a_line_added_elsewhere_is_merged_while_typing(desktop: PageDriver) -> None:
    board = new_board(desktop, "one\ntwo")
    field = open_notes(board)
    field.press("Control+End")
    field.press_sequentially(" and mine")
    board.call_mcp("add", text="theirs")
    expect(field).to_have_value("one\ntwo and mine\ntheirs", timeout=MS)
    field.press_sequentially(", still here")  # the caret has not moved
    board.holds("one\ntwo and mine, still here\ntheirs")
    expect_saved(board)


def test_conflicting_changes_of_a_line_are_offered_for_choice(
    open_page: OpenPage, served_page: Served
) -> None:
    desktop = open_page(served_page, **NO_WORKER)
    board = new_board(desktop, "one\ntwo")
    field = open_notes(board)
    desktop.page.route(
        "**/notes", lambda route: route.abort()
    )  # our change cannot be saved for now
    field.fill("one\ntwo, mine")
    expect_saved(board, "Not saved. Cannot reach the server.")
    board.call_mcp("set_text", index=1, text="two, theirs")
    clash = desktop.page.locator(".clash")
    expect(clash).to_contain_text("two, theirs", timeout=MS)
    desktop.page.unroute("**/notes")
    board.holds("one\ntwo, theirs")
    clash.get_by_role("button", name="Keep both").click()
    board.holds("one\ntwo, theirs\none\ntwo, mine")
    expect_saved(board)


def test_unsaved_notes_survive_leaving_the_page_offline(
    open_page: OpenPage, served_page: Served
) -> None:
    desktop = open_page(served_page, **NO_WORKER)
    board = new_board(desktop, "one")
    field = open_notes(board)
    desktop.page.route("**/notes", lambda route: route.abort())
    field.fill("one\ntyped offline")
    expect_saved(board, "Not saved")
    desktop.open()
    desktop.page.unroute("**/notes")
    field = open_notes(board)
    expect(field).to_have_value("one\ntyped offline", timeout=MS)
    board.holds("one\ntyped offline")
    expect_saved(board)


def test_on_a_phone_either_editor_or_preview_is_visible(phone: PageDriver) -> None:
    board = new_board(phone, "# Plan\none")
    field = open_notes(board)
    article = phone.page.get_by_label("Notes preview")
    expect(article).to_be_hidden()
    phone.page.get_by_role("button", name="Preview").tap()
    expect(article).to_be_visible()
    expect(field).to_be_hidden()
    phone.page.locator("note-source summary").tap()
    box = phone.page.locator("note-source .panel").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390


def test_notion_without_a_token_is_explained_before_anything_is_typed(
    desktop: PageDriver,
) -> None:
    board = new_board(desktop, "ours")
    open_notes(board)
    desktop.page.get_by_label("Notes source: local").click()
    panel = desktop.page.locator("note-source .panel")
    expect(panel).to_contain_text("Notion is not set up", timeout=MS)
    expect(panel).to_contain_text("WEBTMUX_NOTION_TOKEN")
    expect(panel.locator("input")).to_have_count(0)
    expect(panel.get_by_role("button")).to_have_count(0)
    reason = desktop.rest("GET", "/notion")["reason"]
    for path, body in (("notion/link", {"page": "nonsense"}), ("notion/page", {})):
        response = HTTP.post(
            f"{desktop.address}/api/projects/{board.project}/{path}", json=body
        ).json()
        assert response["error"]["message"] == reason


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
def linked(open_page: OpenPage, with_notion: Served) -> PageDriver:
    return open_page(with_notion, **WIDE)


def test_notes_linked_to_a_notion_page_are_read_only(
    linked: PageDriver, notion: FakeNotion
) -> None:
    page = notion.add_page("[WIP] theirs", title="The plan")
    board = new_board(linked, "ours")
    field = open_notes(board)
    linked.page.get_by_label("Notes source: local").click()
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


def test_a_notion_page_is_created_and_synced_and_failures_are_shown(
    linked: PageDriver, notion: FakeNotion
) -> None:
    parent = notion.add_page("", title="Everything")
    board = new_board(linked, "- [ ] one")
    field = open_notes(board)
    linked.page.get_by_label("Notes source: local").click()
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
    expect(linked.page.locator("note-source summary")).to_contain_text("Out of sync", timeout=MS)
    expect(linked.page.locator("note-source .problem").first).to_be_visible()
