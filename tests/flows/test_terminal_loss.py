"""What a terminal says and does when something is lost: the network, the pane, the window."""

import re

from playwright.sync_api import expect

from tests.flows.desk import SECONDS, Desk
from tests.flows.relay import relayed
from tests.flows.terminals import (
    KEEP_TOASTS,
    act,
    enter,
    opened,
    prompted,
    same_screen,
    split,
    toasts,
    until,
    wait_for_toast,
)

MS = SECONDS * 1000
STATUS = "(status) => document.querySelector('terminal-area').store.status === status"


def test_after_a_loss_of_the_network_the_screen_is_exact_again(desk: Desk) -> None:
    pane = desk.session()
    with relayed(desk.address) as relay:
        desk.sign_in(relay.address)
        desk.page.goto(f"{relay.address}/#/window/{desk.window_of(pane)}")
        prompted(desk, pane)
        desk.page.evaluate(KEEP_TOASTS)
        enter(desk, "echo be''fore")
        desk.wait_for_text(pane, "\nbefore")
        relay.cut()
        desk.wait_for(STATUS, "lost")
        desk.page.keyboard.type("lost")
        wait_for_toast(desk, "what you type is not sent")
        assert len(toasts(desk)) == 1
        desk.type(pane, "clear; seq 1 500; echo mean''while")
        until(desk, lambda: "\nmeanwhile" in desk.screen(pane))
        relay.mend()
        desk.wait_for_text(pane, "500\nmeanwhile")
        same_screen(desk, pane)
        assert "lost" not in desk.screen(pane)
        enter(desk, "echo af''ter")
        desk.wait_for_text(pane, "\nafter")
        same_screen(desk, pane)
        desk.page.goto("about:blank")


def test_a_pane_and_a_window_that_end_leave_the_page_in_order(desk: Desk) -> None:
    pane = desk.session()
    other = split(desk, pane)
    opened(desk, pane)
    prompted(desk, other)
    enter(desk, "exit")
    expect(desk.page.locator("tmux-adapter-web")).to_have_count(1, timeout=MS)
    enter(desk, "echo st''ill")
    desk.wait_for_text(pane, "\nstill")
    enter(desk, "exit")
    ended = desk.page.get_by_role("heading", name=re.compile("has ended|is not there"))
    expect(ended).to_be_visible(timeout=MS)
    desk.page.locator("stage-notice").get_by_role("link", name="All agents").click()
    expect(ended).to_be_hidden()
    assert desk.page.evaluate("document.body.dataset.view") == "home"


def test_a_terminal_that_was_not_looked_at_comes_back_exactly(desk: Desk) -> None:
    pane = desk.session()
    opened(desk, pane)
    enter(desk, "echo be''fore")
    desk.wait_for_text(pane, "\nbefore")
    act(desk, "home")
    expect(desk.page.locator("tmux-adapter-web")).to_have_count(0, timeout=MS)
    desk.type(pane, "seq 1 100; echo mean''while")
    until(desk, lambda: "\nmeanwhile" in desk.screen(pane))
    desk.page.go_back()
    desk.wait_for_text(pane, "100\nmeanwhile")
    same_screen(desk, pane)
    enter(desk, "echo af''ter")
    desk.wait_for_text(pane, "\nafter")
