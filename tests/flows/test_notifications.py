"""Browser notifications: only if turned on, once, and not for a visible window."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.flows.page_driver import LONG_TURN, MS, PageDriver
from tests.flows.page_elements import heading, open_palette, send_to_agent, toast, wait_for_state

# Headless Chromium shows no notifications: the calls of the page are recorded instead.
RECORD = """
  window.notifications = []
  window.Notification = class {
    static permission = 'granted'
    static requestPermission = async () => 'granted'
    constructor(title, options) {
      window.notifications.push(Object.assign(this, options, { title }))
    }
    close() {}
  }
"""


def notifications(page: Page) -> list[str]:
    titles: list[str] = page.evaluate("notifications.map(({ title }) => title)")
    return titles


def turn_on(desktop: PageDriver) -> None:
    open_palette(desktop.page, "turn on notifications")
    desktop.page.keyboard.press("Enter")
    toast(desktop.page, "Notifications are on")


def wait_for_notification(page: Page, title: str) -> Any:
    return page.wait_for_function(
        "title => notifications.some((each) => each.title === title)", arg=title, timeout=MS
    )


def test_waiting_agents_cause_notifications_only_if_turned_on(desktop: PageDriver) -> None:
    desktop.page.add_init_script(RECORD)
    pane = desktop.session("a")
    fake = desktop.fake("claude")
    desktop.open(f"#/window/{desktop.window_of(pane)}")
    wait_for_state(desktop.page, fake, "idle")
    send_to_agent(desktop, fake, "ask: too early?")
    wait_for_state(desktop.page, fake, "waiting")
    desktop.tmux("send-keys", "-t", fake.pane_id, "1")
    wait_for_state(desktop.page, fake, "idle")
    assert notifications(desktop.page) == []

    turn_on(desktop)
    send_to_agent(desktop, fake, "ask: may I?")
    wait_for_notification(desktop.page, f"{fake.name} · {fake.runtime} is waiting for an answer")
    desktop.page.evaluate("notifications[0].onclick()")
    expect(heading(desktop.page)).to_contain_text(fake.name, timeout=MS)


def test_a_visible_window_causes_no_notification(desktop: PageDriver) -> None:
    desktop.page.add_init_script(RECORD)
    visible, other = desktop.fake("claude"), desktop.fake("codex", turn=LONG_TURN)
    desktop.open(f"#/window/{visible.window_id}")
    for fake in (visible, other):
        wait_for_state(desktop.page, fake, "idle")
    turn_on(desktop)
    send_to_agent(desktop, visible, "ask: may I?")
    wait_for_state(desktop.page, visible, "waiting")
    send_to_agent(desktop, other, "work")
    wait_for_state(desktop.page, other, "working")
    desktop.end_turn(other)
    wait_for_notification(desktop.page, f"{other.name} · {other.runtime} finished")
    assert notifications(desktop.page) == [f"{other.name} · {other.runtime} finished"]


@pytest.mark.separate_context
def test_two_pages_show_one_notification_per_event(desktop: PageDriver) -> None:
    desktop.page.context.add_init_script(RECORD)
    fake, last = desktop.fake("claude"), desktop.fake("codex")
    desktop.open("#/")
    second = desktop.page.context.new_page()
    second.goto(f"{desktop.address}/#/")
    for page in (desktop.page, second):
        wait_for_state(page, fake, "idle")
        wait_for_state(page, last, "idle")
    turn_on(desktop)
    for each in (fake, last):
        send_to_agent(desktop, each, "ask: may I?")
        for page in (desktop.page, second):
            wait_for_state(page, each, "waiting")
    desktop.wait_until(lambda: len(notifications(desktop.page)) + len(notifications(second)) >= 2)
    # Locks are granted in order: after this one, all pending notifications have been shown.
    for page in (desktop.page, second):
        page.evaluate("navigator.locks.request('webtmux:test', () => {})")
    both = sorted([*notifications(desktop.page), *notifications(second)])
    assert both == sorted(
        f"{each.name} · {each.runtime} is waiting for an answer" for each in (fake, last)
    )
