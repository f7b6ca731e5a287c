"""A board by mouse, touch and keyboard."""

from playwright.sync_api import expect

from tests.flows.board_driver import Board, center, drag, drag_by_touch, new_board
from tests.flows.page_driver import MS, PageDriver

NOTES = "# Plan\n[WIP] one\n- two\n- [ ] three\n[BL] four"


def test_a_card_is_dragged_with_the_mouse_between_and_within_columns(desktop: PageDriver) -> None:
    board = new_board(desktop, NOTES)
    board.open()
    board.shows(NS=["two", "three"], WIP=["one"], BL=["four"], CM=[])
    drag(board, "two", board.column("CM").locator(".tasks"))
    board.shows(NS=["three"], WIP=["one"], BL=["four"], CM=["two"])
    board.holds("# Plan\n[WIP] one\n- [CM] two\n- [ ] three\n[BL] four")
    drag(board, "three", board.card("one"), above=True)
    board.shows(NS=[], WIP=["three", "one"])
    drag(board, "one", board.card("three"), above=True)
    board.shows(NS=[], WIP=["one", "three"], BL=["four"], CM=["two"])
    board.holds("# Plan\n[WIP] one\n- [ ] [WIP] three\n- [CM] two\n[BL] four")
    expect(board.column("WIP").locator(".count")).to_have_text("2")


def test_a_card_is_dragged_by_touch(phone: PageDriver) -> None:
    board = new_board(phone, NOTES)
    board.open()
    board.shows(NS=["two", "three"], WIP=["one"])
    drag_by_touch(board, "two", board.card("one"))
    expect(board.column("WIP").locator(".task")).to_have_count(2, timeout=MS)
    board.shows(NS=["three"], BL=["four"], CM=[])
    board.stores(("WIP", "two"))


def test_the_whole_board_works_by_keyboard(desktop: PageDriver) -> None:
    board = new_board(desktop, NOTES)
    board.open()
    board.shows(NS=["two", "three"], WIP=["one"], BL=["four"], CM=[])
    board.focus("two")
    board.press("ArrowDown")
    expect(board.card("three")).to_be_focused()
    board.press("Alt+ArrowUp")
    board.shows(NS=["three", "two"])
    expect(board.card("three")).to_be_focused()
    board.press("Alt+ArrowRight")
    board.shows(NS=["two"], WIP=["three", "one"])
    expect(board.card("three")).to_be_focused()
    board.press("ArrowRight", "Alt+ArrowRight")
    board.shows(WIP=["three", "one"], BL=[], CM=["four"])
    board.press("ArrowLeft", "e")
    board.page.keyboard.type("third")
    board.press("Enter")
    board.shows(WIP=["third", "one"])
    expect(board.card("third")).to_be_focused()
    board.press("n")
    board.page.keyboard.type("five")
    board.press("Enter", "Escape")
    board.shows(NS=["two"], WIP=["third", "one", "five"], BL=[], CM=["four"])
    board.stores(("WIP", "third"), ("CM", "four"), ("WIP", "five"))


def test_cards_are_added_to_any_column_and_edited_in_place(desktop: PageDriver) -> None:
    board = new_board(desktop)
    board.open()
    board.shows(NS=[], WIP=[], BL=[], CM=[])
    board.page.get_by_role("button", name="New task in Blocked").click()
    for text in ("first", "second\nline"):
        board.page.get_by_label("New task", exact=True).fill(text)
        board.page.get_by_role("button", name="Add", exact=True).click()
    board.shows(NS=[], BL=["first", "second line"])
    board.page.get_by_role("button", name="Close").click()
    board.focus("first")
    board.press("e")
    field = board.page.get_by_label("Task text")
    expect(field).to_have_value("first")
    field.fill("given up")
    board.press("Escape")
    board.press("e")
    field.fill("changed")
    board.page.locator(".board-filter").focus()
    board.shows(BL=["changed", "second line"])
    board.holds("[BL] changed\n[BL] second line")


def test_undo_restores_a_deleted_card_exactly(desktop: PageDriver) -> None:
    board = new_board(desktop, NOTES)
    board.open()
    board.focus("two")
    board.press("d")
    board.shows(NS=["three"])
    expect(board.card("three")).to_be_focused()
    board.holds(NOTES.replace("- two\n", ""))
    board.page.get_by_role("button", name="Undo").click(timeout=MS)
    board.shows(NS=["two", "three"], WIP=["one"])
    board.holds(NOTES)


def test_the_filter_matches_every_word_and_shows_the_count(desktop: PageDriver) -> None:
    board = new_board(desktop, "fix login\nfix logout\n[WIP] write docs\n[CM] Fix the LOGIN page")
    board.open()
    board.page.get_by_label("Filter tasks").fill("login fix")
    board.shows(NS=["fix login"], WIP=[], CM=["Fix the LOGIN page"])
    expect(board.column("NS").locator(".count")).to_have_text("1/2")
    expect(board.page.get_by_text("2 found")).to_be_visible()
    drag(board, "fix login", board.column("WIP").locator(".tasks"))
    board.page.get_by_label("Filter tasks").fill("")
    board.shows(NS=["fix logout"], WIP=["write docs", "fix login"], CM=["Fix the LOGIN page"])


def test_the_menu_moves_a_card_without_dragging(phone: PageDriver) -> None:
    board = new_board(phone, NOTES)
    board.open()
    more = board.card("two").get_by_role("button", name="Actions for two")
    box = more.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 44
    more.tap()
    board.page.get_by_role("menuitem", name="Move to Done").tap()
    board.shows(NS=["three"], CM=["two"])


def test_on_a_phone_columns_are_stacked_and_nothing_overflows(phone: PageDriver) -> None:
    board = new_board(phone, f"{NOTES}\n{'long' * 60}")
    board.open()
    tops = [center(board.column(status)) for status in ("NS", "WIP", "BL", "CM")]
    assert [x for x, _ in tops] == [tops[0][0]] * 4
    assert sorted(y for _, y in tops) == [y for _, y in tops]
    fits = "() => document.querySelector('#views').scrollWidth <= innerWidth"
    assert board.page.evaluate(fits)


def test_a_window_has_its_own_board(desktop: PageDriver) -> None:
    pane = desktop.session()
    board = Board(desktop, window=desktop.key_of(pane))
    board.write("[WIP] of the window")
    board.open()
    board.shows(WIP=["of the window"])
    board.focus("of the window")
    board.press("Alt+ArrowRight")
    board.holds("[BL] of the window")
