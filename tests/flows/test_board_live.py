"""Boards that change elsewhere: over MCP, in another browser, and by agents with a card."""

import re

import pytest
from playwright.sync_api import Route, expect

from tests.flows.board_driver import NO_WORKER, Board, drag, new_board
from tests.flows.concurrent_moves import move_at_random
from tests.flows.conftest import OpenPage
from tests.flows.page_driver import LONG_TURN, MS, PageDriver
from tests.terminals.served import Served

NOTES = "one\ntwo\n[WIP] three"


@pytest.mark.separate_context
def test_a_change_over_mcp_appears_with_its_author(desktop: PageDriver) -> None:
    board = new_board(desktop, NOTES)
    board.page.clock.install()
    board.open()
    board.shows(NS=["one", "two"], WIP=["three"], CM=[])
    board.call_mcp("set_status", index=1, status="CM", expectedText="two")
    board.shows(NS=["one"], WIP=["three"], CM=["two"])
    expect(board.card("two")).to_have_class(re.compile("fresh"))
    expect(board.card("two").get_by_text(re.compile("^by .+"))).to_be_visible()
    expect(board.page.locator("[aria-live=polite]", has_text="moved “two” to Done")).to_have_count(
        1
    )
    board.page.clock.fast_forward(5_000)  # the mark is shown for five seconds
    expect(board.card("two").get_by_text(re.compile("^by "))).to_have_count(0, timeout=MS)
    board.call_mcp("add", text="four", status="BL")
    board.shows(NS=["one"], BL=["four"])


def test_editing_a_task_that_changed_elsewhere_shows_both_texts(desktop: PageDriver) -> None:
    board = new_board(desktop, NOTES)
    board.open()
    board.focus("two")
    board.press("e")
    board.page.get_by_label("Task text").fill("two, mine")
    board.call_mcp("set_text", index=1, text="two, theirs", expectedText="two")
    expect(board.page.locator("[aria-live=polite]")).to_contain_text("two, theirs", timeout=MS)
    expect(board.page.get_by_label("Task text")).to_have_value("two, mine")
    board.press("Enter")
    clash = board.page.locator(".clash")
    expect(clash).to_contain_text("two, mine", timeout=MS)
    expect(clash).to_contain_text("two, theirs")
    board.holds("one\ntwo, theirs\n[WIP] three")
    clash.get_by_role("button", name="Use mine").click()
    board.holds("one\ntwo, mine\n[WIP] three")
    expect(clash).to_have_count(0)


def test_a_move_is_merged_with_other_changes_and_a_failed_one_is_undone(
    open_page: OpenPage, served_page: Served
) -> None:
    board = new_board(open_page(served_page, **NO_WORKER), NOTES)
    board.open()
    board.shows(NS=["one", "two"])

    # The page learns of this change only by the version conflict of its own write.
    def interfere(route: Route) -> None:
        board.call_mcp("add", text="four")
        route.continue_()

    board.page.route("**/tasks", interfere, times=1)
    board.focus("two")
    board.press("Alt+ArrowRight")
    board.shows(NS=["one", "four"], WIP=["three", "two"])
    board.holds("one\n[WIP] three\n[WIP] two\nfour")
    board.page.route("**/tasks", lambda route: route.abort())
    board.focus("one")
    board.press("Alt+ArrowRight")
    board.shows(NS=["one", "four"], WIP=["three", "two"])
    expect(board.page.get_by_text("Cannot reach the server.")).to_be_visible(timeout=MS)


def test_the_board_of_all_projects_moves_cards_in_their_own_sheets(desktop: PageDriver) -> None:
    first, second = (
        new_board(desktop, "a1\na2\n[WIP] a3", "a"),
        new_board(desktop, "b1\n[CM] b2", "b"),
    )
    desktop.open("#/board")
    desktop.page.get_by_label("Filter tasks").fill(desktop.prefix)
    first.shows(NS=["a1", "a2", "b1"], WIP=["a3"], CM=["b2"])
    groups = first.column("NS").locator(".group:not(.none) h3")
    expect(groups).to_have_text([first.project, second.project])
    drag(first, "a1", first.card("a3"), above=True)
    first.shows(NS=["a2", "b1"], WIP=["a1", "a3"])
    first.holds("a2\n[WIP] a1\n[WIP] a3")
    first.focus("b1")
    first.press("Alt+ArrowRight")
    second.holds("[WIP] b1\n[CM] b2")
    first.shows(NS=["a2"], WIP=["a1", "a3", "b1"])
    first.focus("b2")
    first.press("n")
    desktop.page.keyboard.type("b3")
    first.press("Enter")
    second.holds("[WIP] b1\n[CM] b2\n[CM] b3")


def test_a_card_is_handed_off_once_and_asks_whether_it_is_done(desktop: PageDriver) -> None:
    fake = desktop.fake("claude", turn=LONG_TURN)
    board = Board(desktop, fake.name)
    board.write("- [ ] write the tests\nsomething else")
    board.open()
    desktop.wait_for(
        "(name) => document.querySelector('board-screen').store.agents.has(name)", fake.name
    )
    board.focus("write the tests")
    board.press("h")
    dialog = desktop.page.get_by_role("dialog")
    expect(dialog.get_by_role("radio").first).to_be_checked()
    expect(dialog.get_by_text(fake.name)).to_be_visible()
    prompt = dialog.get_by_label("Prompt")
    expect(prompt).to_have_value("write the tests")
    prompt.fill("write the tests, all of them")
    dialog.get_by_role("button", name="Send prompt").click()
    board.shows(NS=["something else"], WIP=["write the tests"])
    card = board.card("write the tests")
    expect(
        card.get_by_role("button", name=f"{fake.name} · {fake.runtime} is working on it")
    ).to_be_visible(timeout=MS)
    desktop.end_turn(fake)
    expect(card.get_by_text("Done?")).to_be_visible(timeout=MS)
    assert fake.prompts == [b"write the tests, all of them"]
    card.get_by_role("button", name="Not yet").click()
    expect(card.get_by_text("Done?")).to_have_count(0, timeout=MS)
    desktop.page.reload()
    expect(
        card.get_by_role("button", name=f"{fake.name} · {fake.runtime} is assigned")
    ).to_be_visible(timeout=MS)
    desktop.type(fake.pane_id, "go on")
    expect(card.get_by_role("button", name="is working on it")).to_be_visible(timeout=MS)
    desktop.end_turn(fake)
    expect(card.get_by_text("Done?")).to_be_visible(timeout=MS)
    card.get_by_role("button", name="Yes").click()
    board.shows(NS=["something else"], WIP=[], CM=["write the tests"])
    board.holds("- [x] write the tests\nsomething else")
    card.get_by_role("button", name=fake.name).click()
    expect(desktop.page).to_have_url(re.compile("#/window/"))


def test_handoff_without_agents_explains_how_to_start_one(desktop: PageDriver) -> None:
    board = new_board(desktop, NOTES)
    board.open()
    desktop.wait_for("() => document.querySelector('board-screen').store.ready")
    desktop.page.evaluate("() => document.querySelector('board-screen').store.agents.clear()")
    board.focus("one")
    board.press("h")
    dialog = desktop.page.get_by_role("dialog")
    expect(dialog).to_contain_text("No agent is running")
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)


@pytest.mark.parametrize("each", [14])
def test_concurrent_moves_by_two_browsers_and_an_mcp_client_are_not_lost(
    open_page: OpenPage, served_page: Served, each: int
) -> None:
    drivers = [open_page(served_page, **NO_WORKER) for _ in range(2)]
    notes = "\n".join(
        f"[{status}] task {number}" for number, status in enumerate(["NS", "WIP", "BL", "CM"] * 3)
    )
    first = new_board(drivers[0], notes)
    boards = [first, Board(drivers[1], first.project)]
    for board in boards:
        board.open()
    outcome = move_at_random(boards, each=each)
    assert (outcome.lost, outcome.misdirected) == (0, 0)
    assert outcome.confirmed == list(outcome.versions)
    assert outcome.boards == [outcome.stored] * 2
    assert sum(map(len, outcome.stored.values())) == 12
