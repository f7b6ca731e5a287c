"""Terminals after a lost connection, a closed pane, and a hidden page."""

import re

from playwright.sync_api import expect

from tests.flows.page_driver import MS, PageDriver
from tests.flows.relay import relayed
from tests.flows.terminal_driver import (
    RECORD_TOASTS,
    expect_same_screen,
    open_terminal,
    run_action,
    split_pane,
    type_line,
    wait_for_prompt,
    wait_for_toast,
)

STATUS = "(status) => document.querySelector('terminal-area').store.status === status"

# Types four keys in one task and returns the number of toasts. Each attempt to reconnect, and so
# each change of the status, allows another toast; on a slow machine one may occur between two keys.
TYPE_AT_ONCE = """(name) => {
  const terminal = document.querySelector(`tmux-adapter-web[name='${name}']`)
  document.querySelector('terminal-area').services.socket.dispatchEvent(new CustomEvent('status'))
  window.toasts = []
  for (const key of 'lost') {
    const detail = { name, data: new TextEncoder().encode(key) }
    const options = { bubbles: true, composed: true, detail }
    terminal.dispatchEvent(new CustomEvent('terminal-input', options))
  }
  return window.toasts.length
}"""


def test_the_screen_is_exact_after_a_reconnect(desktop: PageDriver) -> None:
    pane = desktop.session()
    with relayed(desktop.address) as relay:
        desktop.sign_in(relay.address)
        desktop.page.goto(f"{relay.address}/#/window/{desktop.window_of(pane)}")
        wait_for_prompt(desktop, pane)
        desktop.page.evaluate(RECORD_TOASTS)
        type_line(desktop, "echo be''fore")
        desktop.wait_for_text(pane, "\nbefore")
        relay.cut()
        desktop.wait_for(STATUS, "lost")
        desktop.page.keyboard.type("lost")
        wait_for_toast(desktop, "Keystrokes are not sent")
        assert desktop.page.evaluate(TYPE_AT_ONCE, pane) == 1
        desktop.type(pane, "clear; seq 1 500; echo off''line")
        desktop.wait_until(lambda: "\noffline" in desktop.screen(pane))
        relay.restore()
        desktop.wait_for_text(pane, "500\noffline")
        expect_same_screen(desktop, pane, lines=500)
        assert "lost" not in desktop.screen(pane)
        type_line(desktop, "echo af''ter")
        desktop.wait_for_text(pane, "\nafter")
        expect_same_screen(desktop, pane)
        desktop.page.goto("about:blank")


def test_a_closed_pane_and_window_leave_the_page_usable(desktop: PageDriver) -> None:
    pane = desktop.session()
    other = split_pane(desktop, pane)
    open_terminal(desktop, pane)
    wait_for_prompt(desktop, other)
    type_line(desktop, "exit")
    expect(desktop.page.locator("tmux-adapter-web")).to_have_count(1, timeout=MS)
    type_line(desktop, "echo st''ill")
    desktop.wait_for_text(pane, "\nstill")
    type_line(desktop, "exit")
    ended = desktop.page.locator("stage-notice").get_by_role("heading")
    expect(ended).to_have_text(re.compile("has ended|Window not found"), timeout=MS)
    desktop.page.locator("stage-notice").get_by_role("link", name="All agents").click()
    expect(ended).to_be_hidden()
    desktop.wait_for("() => document.body.dataset.view === 'home'")


def test_a_hidden_terminal_is_restored_exactly(desktop: PageDriver) -> None:
    pane = desktop.session()
    open_terminal(desktop, pane)
    type_line(desktop, "echo be''fore")
    desktop.wait_for_text(pane, "\nbefore")
    run_action(desktop, "home")
    expect(desktop.page.locator("tmux-adapter-web")).to_have_count(0, timeout=MS)
    desktop.type(pane, "seq 1 100; echo off''line")
    desktop.wait_until(lambda: "\noffline" in desktop.screen(pane))
    desktop.page.go_back()
    desktop.wait_for_text(pane, "100\noffline")
    expect_same_screen(desktop, pane, lines=100)
    type_line(desktop, "echo af''ter")
    desktop.wait_for_text(pane, "\nafter")
