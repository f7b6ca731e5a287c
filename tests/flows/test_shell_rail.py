"""The rail: what it shows, and when."""

import re

from playwright.sync_api import expect

from tests.flows.desk import Desk
from tests.flows.shell import MS, head, project, rail, row, say, wait_for_state


def test_windows_come_go_and_change_their_names_in_the_rail_by_themselves(desk: Desk) -> None:
    desk.session("web")
    desk.open()
    expect(row(desk.page, f"{desk.prefix}-web", "web")).to_be_visible(timeout=MS)
    made = desk.tmux(
        "new-window", "-dP", "-F", "#{pane_id}", "-t", f"{desk.prefix}-web:", "-n", "logs"
    )
    logs = row(desk.page, f"{desk.prefix}-web", "logs")
    expect(logs).to_be_visible(timeout=MS)
    desk.tmux("rename-window", "-t", made, "errors")
    expect(logs).to_be_hidden(timeout=MS)
    desk.tmux("split-window", "-d", "-t", made, "exec cat")
    cat = project(desk.page, f"{desk.prefix}-web").get_by_role("link", name="1 cat")
    expect(cat).to_be_visible(timeout=MS)
    desk.tmux("kill-window", "-t", made)
    expect(row(desk.page, f"{desk.prefix}-web", "errors")).to_be_hidden(timeout=MS)


def test_what_a_window_printed_unseen_is_marked_until_it_is_looked_at(desk: Desk) -> None:
    here, there = desk.session("here"), desk.session("there")
    desk.open(f"#/window/{desk.window_of(here)}")
    marked = project(desk.page, f"{desk.prefix}-there").get_by_role("link", name="new output")
    expect(row(desk.page, f"{desk.prefix}-there", "there")).to_be_visible(timeout=MS)
    expect(marked).to_be_hidden()
    # tmux counts seconds: what is printed in the second of the first look is not later than it.
    desk.wait_for("since => Date.now() > since + 1500", desk.page.evaluate("Date.now()"))
    desk.type(there, "echo hello")
    expect(marked).to_be_visible(timeout=MS)
    marked.click()
    expect(head(desk.page)).to_contain_text("there")
    expect(marked).to_be_hidden(timeout=MS)
    row(desk.page, f"{desk.prefix}-here", "here").click()
    expect(head(desk.page)).to_contain_text(f"{desk.prefix}-here")
    expect(row(desk.page, f"{desk.prefix}-there", "there")).to_be_visible()
    assert marked.count() == 0  # what was seen stays seen


def test_a_filter_leaves_what_fits_and_says_how_many_agents_of_all(desk: Desk) -> None:
    desk.session("plain")
    fakes = [desk.fake("claude"), desk.fake("codex")]
    desk.open("#/")
    for fake in fakes:
        wait_for_state(desk.page, fake, "idle")
    desk.page.keyboard.press("/")
    box = rail(desk.page).get_by_role("searchbox")
    expect(box).to_be_focused()
    desk.page.keyboard.type(f"{desk.prefix}- codex")
    expect(rail(desk.page).get_by_text(re.compile(r"1 of \d+ agents"))).to_be_visible(timeout=MS)
    expect(row(desk.page, f"{desk.prefix}-plain", "plain")).to_be_hidden()
    desk.page.keyboard.press("Enter")
    expect(head(desk.page)).to_contain_text(f"{desk.prefix}-codex", timeout=MS)
    box.fill("nobody has this")
    rail(desk.page).get_by_role("button", name="Show all").click()
    expect(row(desk.page, f"{desk.prefix}-plain", "plain")).to_be_visible()


def test_an_agent_that_waits_rises_to_the_top_and_into_title_and_icon(desk: Desk) -> None:
    desk.session("a")
    fake = desk.fake("claude")
    desk.open()
    wait_for_state(desk.page, fake, "idle")
    plain = desk.page.locator("link[rel=icon]").get_attribute("href")
    say(desk, fake, "ask: may I?")
    top = rail(desk.page).get_by_role("region", name="Waiting").get_by_role("link")
    expect(top).to_contain_text(f"{desk.prefix}-claude", timeout=MS)
    assert desk.page.title().startswith("(1) ")
    icon = desk.page.locator("link[rel=icon]")
    expect(icon).to_have_attribute("href", re.compile("^data:image/png"), timeout=MS)
    top.click()
    expect(head(desk.page)).to_contain_text(f"{desk.prefix}-claude")
    expect(desk.page.locator("place-bar .chip.waiting")).to_be_visible()
    desk.tmux("send-keys", "-t", fake.pane_id, "1")
    expect(top).to_be_hidden(timeout=MS)
    expect(icon).to_have_attribute("href", re.compile(plain or "-"), timeout=MS)


def test_a_folded_project_and_a_hidden_rail_stay_so(desk: Desk) -> None:
    desk.session("a")
    name = f"{desk.prefix}-a"
    desk.open("#/")
    project(desk.page, name).get_by_role("button", name=f"Fold {name}").click()
    expect(row(desk.page, name, "a")).to_be_hidden()
    desk.page.reload()
    project(desk.page, name).get_by_role("button", name=f"Unfold {name}").click(timeout=MS)
    expect(row(desk.page, name, "a")).to_be_visible()
    desk.page.get_by_role("button", name="Workspace rail").click()
    expect(rail(desk.page)).to_be_hidden()
    desk.page.reload()
    expect(head(desk.page)).to_be_visible(timeout=MS)
    expect(rail(desk.page)).to_be_hidden()
    desk.page.keyboard.press("\\")
    expect(rail(desk.page)).to_be_visible()


def test_a_page_without_an_address_begins_where_the_person_was(desk: Desk) -> None:
    pane = desk.session("a")
    desk.session("b")
    desk.open(f"#/window/{desk.key_of(pane)}")
    expect(head(desk.page)).to_contain_text(f"{desk.prefix}-a", timeout=MS)
    desk.page.goto("about:blank")
    desk.open()
    expect(head(desk.page)).to_contain_text(f"{desk.prefix}-a", timeout=MS)
    assert desk.page.url.endswith(desk.key_of(pane))


def test_a_phone_has_no_rail_and_goes_back_to_the_deck(phone: Desk) -> None:
    pane = phone.session("a")
    phone.open()
    assert phone.page.url == f"{phone.address}/"
    expect(head(phone.page)).to_have_text("All agents")
    expect(rail(phone.page)).to_be_hidden()
    phone.open(f"#/window/{phone.window_of(pane)}")
    expect(head(phone.page)).to_contain_text(f"{phone.prefix}-a", timeout=MS)
    phone.page.get_by_role("link", name="Back to all agents").tap()
    expect(head(phone.page)).to_have_text("All agents")
