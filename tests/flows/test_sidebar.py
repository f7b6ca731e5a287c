"""The sidebar: projects, windows, agents and filter."""

import re

from playwright.sync_api import expect

from tests.flows.page_driver import MS, PageDriver
from tests.flows.page_elements import heading, project, row, send_to_agent, sidebar, wait_for_state


def test_the_sidebar_follows_new_renamed_and_closed_windows(desktop: PageDriver) -> None:
    desktop.session("web")
    desktop.open()
    expect(row(desktop.page, f"{desktop.prefix}-web", "web")).to_be_visible(timeout=MS)
    pane = desktop.tmux(
        "new-window", "-dP", "-F", "#{pane_id}", "-t", f"{desktop.prefix}-web:", "-n", "logs"
    )
    logs = row(desktop.page, f"{desktop.prefix}-web", "logs")
    expect(logs).to_be_visible(timeout=MS)
    desktop.tmux("rename-window", "-t", pane, "errors")
    expect(logs).to_be_hidden(timeout=MS)
    desktop.tmux("split-window", "-d", "-t", pane, "exec cat")
    cat = project(desktop.page, f"{desktop.prefix}-web").get_by_role("link", name="1 cat")
    expect(cat).to_be_visible(timeout=MS)
    desktop.tmux("kill-window", "-t", pane)
    expect(row(desktop.page, f"{desktop.prefix}-web", "errors")).to_be_hidden(timeout=MS)


def test_new_output_is_marked_until_the_window_is_viewed(desktop: PageDriver) -> None:
    current, elsewhere = desktop.session("here"), desktop.session("there")
    desktop.open(f"#/window/{desktop.window_of(current)}")
    marked = project(desktop.page, f"{desktop.prefix}-there").get_by_role("link", name="new output")
    expect(row(desktop.page, f"{desktop.prefix}-there", "there")).to_be_visible(timeout=MS)
    expect(marked).to_be_hidden()
    # tmux reports activity in whole seconds: output in the same second does not count as new.
    desktop.wait_for(
        "(id) => Date.now() / 1000 >"
        " document.querySelector('workspace-rail').store.windows.get(id).activity + 1",
        desktop.window_of(elsewhere),
    )
    desktop.type(elsewhere, "echo hello")
    expect(marked).to_be_visible(timeout=MS)
    marked.click()
    expect(heading(desktop.page)).to_contain_text("there")
    expect(marked).to_be_hidden(timeout=MS)
    row(desktop.page, f"{desktop.prefix}-here", "here").click()
    expect(heading(desktop.page)).to_contain_text(f"{desktop.prefix}-here")
    expect(row(desktop.page, f"{desktop.prefix}-there", "there")).to_be_visible()
    assert marked.count() == 0  # viewed output stays marked as seen


def test_the_filter_shows_matches_and_the_number_of_agents(desktop: PageDriver) -> None:
    desktop.session("plain")
    fakes = [desktop.fake("claude"), desktop.fake("codex")]
    desktop.open("#/")
    for fake in fakes:
        wait_for_state(desktop.page, fake, "idle")
    desktop.page.keyboard.press("/")
    box = sidebar(desktop.page).get_by_role("searchbox")
    expect(box).to_be_focused()
    desktop.page.keyboard.type(f"{desktop.prefix}- codex")
    expect(sidebar(desktop.page).get_by_text(re.compile(r"1 of \d+ agents"))).to_be_visible(
        timeout=MS
    )
    expect(row(desktop.page, f"{desktop.prefix}-plain", "plain")).to_be_hidden()
    desktop.page.keyboard.press("Enter")
    expect(heading(desktop.page)).to_contain_text(f"{desktop.prefix}-codex", timeout=MS)
    box.fill("no such window")
    sidebar(desktop.page).get_by_role("button", name="Show all").click()
    expect(row(desktop.page, f"{desktop.prefix}-plain", "plain")).to_be_visible()


def test_a_waiting_agent_is_shown_at_the_top_in_the_title_and_the_icon(desktop: PageDriver) -> None:
    desktop.session("a")
    fake = desktop.fake("claude")
    desktop.open()
    wait_for_state(desktop.page, fake, "idle")
    plain = desktop.page.locator("link[rel=icon]").get_attribute("href")
    send_to_agent(desktop, fake, "ask: may I?")
    top = sidebar(desktop.page).get_by_role("region", name="Waiting").locator("button.rail-asker")
    expect(top).to_contain_text(f"{desktop.prefix}-claude", timeout=MS)
    expect(desktop.page).to_have_title(re.compile(r"^\(1\) "))
    icon = desktop.page.locator("link[rel=icon]")
    expect(icon).to_have_attribute("href", re.compile("^data:image/png"), timeout=MS)
    top.click()
    desktop.page.get_by_role("dialog").get_by_role("link").click()
    expect(heading(desktop.page)).to_contain_text(f"{desktop.prefix}-claude")
    expect(desktop.page.locator("place-bar .chip.waiting")).to_be_visible()
    desktop.tmux("send-keys", "-t", fake.pane_id, "1")
    expect(top).to_be_hidden(timeout=MS)
    expect(icon).to_have_attribute("href", re.compile(plain or "-"), timeout=MS)


def test_a_collapsed_project_and_a_hidden_sidebar_are_remembered(desktop: PageDriver) -> None:
    desktop.session("a")
    name = f"{desktop.prefix}-a"
    desktop.open("#/")
    project(desktop.page, name).get_by_role("button", name=f"Collapse {name}").click()
    expect(row(desktop.page, name, "a")).to_be_hidden()
    desktop.page.reload()
    project(desktop.page, name).get_by_role("button", name=f"Expand {name}").click(timeout=MS)
    expect(row(desktop.page, name, "a")).to_be_visible()
    desktop.page.get_by_role("button", name="Sidebar").click()
    expect(sidebar(desktop.page)).to_be_hidden()
    desktop.page.reload()
    expect(heading(desktop.page)).to_be_visible(timeout=MS)
    expect(sidebar(desktop.page)).to_be_hidden()
    desktop.page.keyboard.press("\\")
    expect(sidebar(desktop.page)).to_be_visible()


def test_a_page_without_an_address_opens_the_last_window(desktop: PageDriver) -> None:
    pane = desktop.session("a")
    desktop.session("b")
    desktop.open(f"#/window/{desktop.key_of(pane)}")
    expect(heading(desktop.page)).to_contain_text(f"{desktop.prefix}-a", timeout=MS)
    desktop.page.goto("about:blank")
    desktop.open()
    expect(heading(desktop.page)).to_contain_text(f"{desktop.prefix}-a", timeout=MS)
    expect(desktop.page).to_have_url(re.compile(f"{desktop.key_of(pane)}$"))


def test_a_phone_has_no_sidebar_and_returns_to_the_deck(phone: PageDriver) -> None:
    pane = phone.session("a")
    phone.open()
    assert phone.page.url == f"{phone.address}/"
    expect(heading(phone.page)).to_have_text("All agents")
    expect(sidebar(phone.page)).to_be_hidden()
    phone.open(f"#/window/{phone.window_of(pane)}")
    expect(heading(phone.page)).to_contain_text(f"{phone.prefix}-a", timeout=MS)
    phone.page.get_by_role("link", name="Back to all agents").tap()
    expect(heading(phone.page)).to_have_text("All agents")
