"""The card of a task, columns as drop targets, and the board of a window."""

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.flows.board_driver import Board, center, new_board
from tests.flows.conftest import PHONE, WIDE, OpenPage
from tests.flows.page_driver import LONG_TURN, MS, PageDriver
from tests.flows.touch import Touch
from tests.terminals.served import Served

NOTES = "# Plan\n[WIP] one\n- two\n- [ ] three\n[BL] four"
LANDSCAPE = {**PHONE, "viewport": {"width": 844, "height": 390}}
SIZES = pytest.mark.parametrize(
    "options", [WIDE, PHONE, LANDSCAPE], ids=["desktop", "phone", "landscape"]
)


def dialog_of(board: Board) -> Locator:
    return board.page.locator("dialog.card-sheet[open]")


def drag_to(board: Board, text: str, x: float, y: float) -> None:
    """Drags a card with the mouse to a point."""
    mouse = board.page.mouse
    start = center(board.card(text))
    mouse.move(*start)
    mouse.down()
    mouse.move(start[0] + 8, start[1] + 8, steps=3)
    expect(board.page.locator(".task-place")).to_have_count(1, timeout=MS)
    mouse.move(x, y, steps=12)
    mouse.move(x, y - 2, steps=3)
    mouse.up()


def touch_to(board: Board, text: str, target: Locator) -> None:
    """Drags a card with one finger. Stacked columns change their heights during the drag, so
    the finger follows the target as a person does."""
    touch = Touch(board.page)
    board.card(text).scroll_into_view_if_needed()
    start = center(board.card(text))
    touch.press(start)
    expect(board.page.locator(".sortable-chosen")).to_have_count(1, timeout=MS)
    for _ in range(4):
        end = center(target)
        touch.move(start, end)
        start = end
    touch.lift()


# --- drops --------------------------------------------------------------------------------------


def test_a_whole_column_takes_a_card_from_the_mouse(desktop: PageDriver) -> None:
    board = new_board(desktop, NOTES)
    board.open()
    board.shows(NS=["two", "three"], WIP=["one"], BL=["four"], CM=[])

    def bottom(status: str) -> tuple[float, float]:
        box = board.column(status).bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] - 6

    drag_to(board, "two", *bottom("CM"))  # an empty column, far below its list
    board.shows(NS=["three"], CM=["two"])
    drag_to(board, "three", *bottom("WIP"))  # below the last card
    board.shows(NS=[], WIP=["one", "three"])
    drag_to(board, "four", *center(board.column("WIP").locator("header")))  # onto the title
    board.shows(BL=[], WIP=["four", "one", "three"])
    expect(board.page.locator(".column.drop")).to_have_count(0)
    expect(dialog_of(board)).to_have_count(0)
    board.stores(("CM", "two"), ("WIP", "three"), ("WIP", "four"))


@pytest.mark.parametrize("options", [PHONE, LANDSCAPE], ids=["phone", "landscape"])
def test_a_whole_column_takes_a_card_by_touch(
    open_page: OpenPage, served_page: Served, options: dict[str, object]
) -> None:
    board = new_board(open_page(served_page, **options), "[WIP] one\ntwo")
    board.open()
    board.shows(NS=["two"], WIP=["one"], BL=[])
    touch_to(board, "two", board.column("BL").locator("header"))
    board.shows(NS=[], BL=["two"], WIP=["one"])
    board.stores(("BL", "two"))
    touch_to(board, "two", board.column("CM").locator(".groups"))
    board.shows(CM=["two"], BL=[])


# --- cards --------------------------------------------------------------------------------------


@SIZES
def test_a_card_opens_with_its_text_description_links_and_history(
    open_page: OpenPage, served_page: Served, options: dict[str, object]
) -> None:
    board = new_board(open_page(served_page, **options), "- two https://example.com/a\nthree")
    board.open()
    card = board.card("two")
    if "has_touch" in options:
        card.tap()
    else:
        card.click()
    dialog = dialog_of(board)
    expect(dialog.get_by_label("Task", exact=True)).to_have_value("two https://example.com/a")
    link = dialog.get_by_role("link", name="https://example.com/a")
    expect(link).to_have_attribute("rel", "noopener noreferrer")
    expect(dialog.locator(".card-history li")).to_contain_text(["added it"])
    dialog.get_by_label("Description").fill("Why:\n\n- not a task\n```\ncode\n```")
    dialog.get_by_label("Task", exact=True).fill("two, renamed")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog).to_have_count(0)
    board.holds(
        "- two, renamed\n  ````\n  Why:\n\n  - not a task\n  ```\n  code\n  ```\n  ````\nthree"
    )
    board.shows(NS=["two, renamed", "three"])
    board.focus("two, renamed")
    board.press("Enter")
    expect(dialog.get_by_label("Description")).to_have_value(re.compile("^Why:\n\n- not a task"))
    history = dialog.locator(".card-history li")
    expect(history.first).to_contain_text("You (browser) added a description", timeout=MS)
    expect(history.nth(1)).to_contain_text("renamed it from “two https://example.com/a”")
    expect(history.last).to_contain_text("REST added it")
    box = dialog.bounding_box()
    view = board.page.viewport_size
    assert box is not None
    assert view is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= view["width"]
    assert box["y"] >= 0
    assert box["y"] + box["height"] <= view["height"] + 1
    expect(dialog.get_by_role("button", name="Save")).to_be_in_viewport()
    board.press("Escape")
    expect(dialog).to_have_count(0)
    expect(board.card("two, renamed")).to_be_focused()


def test_unsaved_text_of_a_card_is_not_discarded_by_one_escape(desktop: PageDriver) -> None:
    board = new_board(desktop, NOTES)
    board.open()
    board.focus("two")
    board.press("Enter")
    dialog = dialog_of(board)
    dialog.get_by_label("Description").fill("typed")
    board.press("Escape")
    expect(dialog.get_by_role("alert")).to_contain_text("Not saved yet")
    dialog.get_by_role("button", name="Discard").click()
    expect(dialog).to_have_count(0)
    expect(board.card("two")).to_be_focused()
    board.holds(NOTES)


def test_a_card_shows_changes_of_others_and_moves_with_its_description(
    desktop: PageDriver,
) -> None:
    board = new_board(desktop, "a\n  ```\n  details\n  ```\nb")
    board.open()
    board.card("a").click()
    dialog = dialog_of(board)
    expect(dialog.get_by_label("Description")).to_have_value("details")
    board.call_mcp("set_text", index=0, text="renamed")
    expect(dialog.get_by_label("Task", exact=True)).to_have_value("renamed", timeout=MS)
    expect(dialog.locator(".card-history li").first).to_contain_text("MCP client renamed it")
    dialog.get_by_label("Column").select_option("In progress")
    board.shows(NS=["b"], WIP=["renamed"])
    dialog.get_by_label("Description").fill("details, mine")
    board.call_mcp("set_description", index=0, text="details, theirs")
    expect(dialog.locator(".card-history li").first).to_contain_text("changed the description")
    expect(dialog.get_by_label("Description")).to_have_value("details, mine")
    dialog.get_by_role("button", name="Save").click()
    clash = board.page.locator(".clash")
    expect(clash).to_contain_text("details, theirs", timeout=MS)
    clash.get_by_role("button", name="Use mine").click()
    board.holds("[WIP] renamed\n  ```\n  details, mine\n  ```\nb")
    board.focus("renamed")
    board.press("Alt+ArrowLeft")
    board.shows(NS=["renamed", "b"])
    board.press("Alt+ArrowDown")
    board.holds("b\nrenamed\n  ```\n  details, mine\n  ```")


def test_a_card_shows_its_agent_and_the_receipt_of_the_handoff(desktop: PageDriver) -> None:
    fake = desktop.fake("claude", turn=LONG_TURN)
    board = Board(desktop, fake.name)
    board.write("write the tests")
    board.open()
    desktop.wait_for(
        "(name) => document.querySelector('board-screen').store.agents.has(name)", fake.name
    )
    board.card("write the tests").click()
    dialog_of(board).get_by_role("button", name="Hand off to agent").click()
    desktop.page.locator("dialog.handoff[open]").get_by_role("button", name="Send prompt").click()
    board.shows(WIP=["write the tests"])
    board.card("write the tests").locator(".task-text").click()
    agent = dialog_of(board).locator(".card-agent")
    expect(agent).to_contain_text(f"{fake.name} · {fake.runtime} is working on it", timeout=MS)
    expect(agent).to_contain_text("Submitted, turn started")
    expect(dialog_of(board).locator(".card-history li").first).to_contain_text(
        f"You (browser) handed it to {fake.name}"
    )
    agent.get_by_role("button", name="Open terminal").click()
    expect(desktop.page).to_have_url(re.compile("#/window/[^/]+$"))
    desktop.end_turn(fake)


# --- the board of a window ----------------------------------------------------------------------


@SIZES
def test_the_board_of_a_window_shows_its_project_and_can_be_filtered(
    open_page: OpenPage, served_page: Served, options: dict[str, object]
) -> None:
    driver = open_page(served_page, **options)
    pane = driver.session()
    project = Board(driver, f"{driver.prefix}-a")
    project.write("of the project\n[WIP] both")
    own = Board(driver, window=driver.key_of(pane))
    own.write("of the window")
    own.open()
    own.shows(NS=["of the project", "of the window"], WIP=["both"])
    expect(own.column("NS").locator("h3")).to_have_text(["This window"])
    chips = own.page.get_by_role("group", name="Tasks of")
    expect(chips.get_by_role("button", name="Project")).to_have_attribute("aria-pressed", "true")
    chips.get_by_role("button", name="This window").click()
    own.shows(NS=["of the window"], WIP=[])
    own.page.get_by_role("button", name="New task in Blocked").click()
    own.page.get_by_label("New task", exact=True).fill("new here")
    own.page.get_by_role("button", name="Add", exact=True).click()
    own.holds("of the window\n[BL] new here")
    chips.get_by_role("button", name="Project").click()
    own.shows(NS=["of the project", "of the window"], WIP=["both"], BL=["new here"])
    project.holds("of the project\n[WIP] both")
