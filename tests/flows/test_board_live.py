"""A board that others change too: agents over MCP, other browsers, agents that have its cards."""

import re

import pytest
from playwright.sync_api import Route, expect

from tests.flows.boards import MS, NO_WORKER, Board, drag, new_board
from tests.flows.conftest import Sit
from tests.flows.desk import Desk
from tests.flows.moves import move_at_random
from tests.terminals.served import Served

NOTES = "one\ntwo\n[WIP] three"


def test_a_change_of_an_agent_shows_at_once_with_who_did_it(desk: Desk) -> None:
    board = new_board(desk, NOTES)
    board.open()
    board.shows(NS=["one", "two"], WIP=["three"], CM=[])
    board.call_mcp("set_status", index=1, status="CM", expectedText="two")
    board.shows(NS=["one"], WIP=["three"], CM=["two"])
    expect(board.card("two")).to_have_class(re.compile("fresh"))
    expect(board.card("two").get_by_text(re.compile("^by .+"))).to_be_visible()
    expect(board.page.locator("[aria-live=polite]", has_text="moved “two” to Done")).to_have_count(
        1
    )
    expect(board.card("two").get_by_text(re.compile("^by "))).to_have_count(0, timeout=MS)
    board.call_mcp("add", text="four", status="BL")
    board.shows(NS=["one"], BL=["four"])


def test_an_edit_of_a_task_that_somebody_renamed_meanwhile_shows_both_texts(desk: Desk) -> None:
    board = new_board(desk, NOTES)
    board.open()
    board.focus("two")
    board.press("e")
    board.page.get_by_label("Text of the task").fill("two, mine")
    board.call_mcp("set_text", index=1, text="two, theirs", expectedText="two")
    expect(board.page.locator("[aria-live=polite]")).to_contain_text("two, theirs", timeout=MS)
    expect(board.page.get_by_label("Text of the task")).to_have_value("two, mine")
    board.press("Enter")
    clash = board.page.locator(".clash")
    expect(clash).to_contain_text("two, mine", timeout=MS)
    expect(clash).to_contain_text("two, theirs")
    board.holds("one\ntwo, theirs\n[WIP] three")
    clash.get_by_role("button", name="Use mine").click()
    board.holds("one\ntwo, mine\n[WIP] three")
    expect(clash).to_have_count(0)


def test_a_move_is_merged_with_what_came_in_between_and_a_lost_one_is_taken_back(
    sit: Sit, served_page: Served
) -> None:
    board = new_board(sit(served_page, **NO_WORKER), NOTES)
    board.open()
    board.shows(NS=["one", "two"])

    # The page does not hear of it before it writes: it must find out by the version.
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
    expect(board.page.get_by_text("the server cannot be reached")).to_be_visible(timeout=MS)


def test_the_board_over_all_projects_moves_cards_in_their_own_sheets(desk: Desk) -> None:
    one, two = new_board(desk, "a1\na2\n[WIP] a3", "a"), new_board(desk, "b1\n[CM] b2", "b")
    desk.open("#/board")
    desk.page.get_by_label("Filter tasks").fill(desk.prefix)
    one.shows(NS=["a1", "a2", "b1"], WIP=["a3"], CM=["b2"])
    groups = one.column("NS").locator(".group:not(.none) h3")
    expect(groups).to_have_text([one.project, two.project])
    drag(one, "a1", one.card("a3"), above=True)
    one.shows(NS=["a2", "b1"], WIP=["a1", "a3"])
    one.holds("a2\n[WIP] a1\n[WIP] a3")
    one.focus("b1")
    one.press("Alt+ArrowRight")
    two.holds("[WIP] b1\n[CM] b2")
    one.shows(NS=["a2"], WIP=["a1", "a3", "b1"])
    one.focus("b2")
    one.press("n")
    desk.page.keyboard.type("b3")
    one.press("Enter")
    two.holds("[WIP] b1\n[CM] b2\n[CM] b3")


def test_a_card_is_handed_to_an_agent_once_and_asks_whether_it_is_done(desk: Desk) -> None:
    fake = desk.fake("claude", turn=2.0)
    board = Board(desk, fake.name)
    board.write("- [ ] write the tests\nsomething else")
    board.open()
    desk.wait_for("() => document.querySelector('board-screen').store.agents.size > 0")
    board.focus("write the tests")
    board.press("h")
    dialog = desk.page.get_by_role("dialog")
    expect(dialog.get_by_role("radio").first).to_be_checked()
    expect(dialog.get_by_text(fake.name)).to_be_visible()
    prompt = dialog.get_by_label("Prompt")
    expect(prompt).to_have_value("write the tests")
    prompt.fill("write the tests, all of them")
    dialog.get_by_role("button", name="Send prompt").click()
    board.shows(NS=["something else"], WIP=["write the tests"])
    card = board.card("write the tests")
    expect(card.get_by_role("button", name=f"{fake.name} works on it")).to_be_visible(timeout=MS)
    expect(card.get_by_text("Done?")).to_be_visible(timeout=MS)
    assert fake.prompts == [b"write the tests, all of them"]
    card.get_by_role("button", name="Not yet").click()
    expect(card.get_by_text("Done?")).to_have_count(0, timeout=MS)
    desk.page.reload()
    expect(card.get_by_role("button", name=f"{fake.name} has it")).to_be_visible(timeout=MS)
    desk.type(fake.pane_id, "go on")
    expect(card.get_by_text("Done?")).to_be_visible(timeout=MS)
    card.get_by_role("button", name="Yes").click()
    board.shows(NS=["something else"], WIP=[], CM=["write the tests"])
    board.holds("- [x] write the tests\nsomething else")
    card.get_by_role("button", name=fake.name).click()
    expect(desk.page).to_have_url(re.compile("#/window/"))


def test_without_an_agent_the_card_says_how_to_get_one(desk: Desk) -> None:
    board = new_board(desk, NOTES)
    board.open()
    desk.wait_for("() => document.querySelector('board-screen').store.ready")
    desk.page.evaluate("() => document.querySelector('board-screen').store.agents.clear()")
    board.focus("one")
    board.press("h")
    dialog = desk.page.get_by_role("dialog")
    expect(dialog).to_contain_text("No agent is running")
    dialog.get_by_role("button", name="Cancel").click()
    expect(dialog).to_have_count(0)


@pytest.mark.parametrize("each", [14])
def test_two_browsers_and_an_agent_at_once_lose_no_move(
    sit: Sit, served_page: Served, each: int
) -> None:
    desks = [sit(served_page, **NO_WORKER) for _ in range(2)]
    notes = "\n".join(
        f"[{status}] task {number}" for number, status in enumerate(["NS", "WIP", "BL", "CM"] * 3)
    )
    first = new_board(desks[0], notes)
    boards = [first, Board(desks[1], first.project)]
    for board in boards:
        board.open()
    outcome = move_at_random(boards, each=each)
    assert (outcome.lost, outcome.astray) == (0, 0)
    assert outcome.told == list(outcome.versions)
    assert outcome.boards == [outcome.stored] * 2
    assert sum(map(len, outcome.stored.values())) == 12
