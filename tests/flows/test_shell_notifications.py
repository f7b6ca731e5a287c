"""Notifications of the browser: asked for, once, and not for what is being looked at."""

from typing import Any

from playwright.sync_api import Page, expect

from tests.flows.desk import Desk
from tests.flows.shell import MS, head, palette, say, toast, wait_for_state
from tests.flows.terminals import until

# Headless Chromium shows none: the page's own calls are kept instead.
RECORD = """
  window.told = []
  window.Notification = class {
    static permission = 'granted'
    static requestPermission = async () => 'granted'
    constructor(title, options) { window.told.push(Object.assign(this, options, { title })) }
    close() {}
  }
"""


def told(page: Page) -> list[str]:
    titles: list[str] = page.evaluate("told.map(({ title }) => title)")
    return titles


def switch_on(desk: Desk) -> None:
    palette(desk.page, "notify me when")
    desk.page.keyboard.press("Enter")
    toast(desk.page, "You are told when")


def wait_for_told(page: Page, title: str) -> Any:
    return page.wait_for_function(
        "title => told.some((one) => one.title === title)", arg=title, timeout=MS
    )


def test_one_is_told_when_an_agent_waits_or_finishes_but_not_unasked(desk: Desk) -> None:
    desk.page.add_init_script(RECORD)
    pane = desk.session("a")
    fake = desk.fake("claude")
    desk.open(f"#/window/{desk.window_of(pane)}")
    wait_for_state(desk.page, fake, "idle")
    say(desk, fake, "ask: unasked?")
    wait_for_state(desk.page, fake, "waiting")
    desk.tmux("send-keys", "-t", fake.pane_id, "1")
    wait_for_state(desk.page, fake, "idle")
    assert told(desk.page) == []

    switch_on(desk)
    say(desk, fake, "ask: may I?")
    wait_for_told(desk.page, f"{fake.name} waits for an answer")
    desk.page.evaluate("told[0].onclick()")
    expect(head(desk.page)).to_contain_text(fake.name, timeout=MS)


def test_what_is_being_looked_at_is_not_told(desk: Desk) -> None:
    desk.page.add_init_script(RECORD)
    seen, other = desk.fake("claude"), desk.fake("codex", turn=4.0)
    desk.open(f"#/window/{seen.window_id}")
    for fake in (seen, other):
        wait_for_state(desk.page, fake, "idle")
    switch_on(desk)
    say(desk, seen, "ask: may I?")
    wait_for_state(desk.page, seen, "waiting")
    say(desk, other, "work")
    wait_for_told(desk.page, f"{other.name} has finished")
    assert told(desk.page) == [f"{other.name} has finished"]


def test_two_pages_tell_one_event_once(desk: Desk) -> None:
    desk.page.context.add_init_script(RECORD)
    fake, last = desk.fake("claude"), desk.fake("codex")
    desk.open("#/")
    second = desk.page.context.new_page()
    second.goto(f"{desk.address}/#/")
    for page in (desk.page, second):
        wait_for_state(page, fake, "idle")
        wait_for_state(page, last, "idle")
    switch_on(desk)
    for one in (fake, last):
        say(desk, one, "ask: may I?")
        for page in (desk.page, second):
            wait_for_state(page, one, "waiting")
    until(desk, lambda: len(told(desk.page)) + len(told(second)) >= 2)
    # Locks are given in the order in which a page asks for them: what it had to tell is told.
    for page in (desk.page, second):
        page.evaluate("navigator.locks.request('webtmux:asked', () => {})")
    both = sorted([*told(desk.page), *told(second)])
    assert both == sorted(f"{one.name} waits for an answer" for one in (fake, last))
