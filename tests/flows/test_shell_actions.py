"""Sessions, windows and panes: made, renamed and ended from the page."""

from playwright.sync_api import expect

from tests.flows.desk import Desk
from tests.flows.shell import (
    MS,
    choose,
    head,
    palette,
    pane_row,
    project,
    row,
    toast,
    wait_for_state,
)


def test_a_window_is_made_renamed_back_again_and_ended(desk: Desk) -> None:
    desk.session("web")
    page, name = desk.page, f"{desk.prefix}-web"
    desk.open()
    choose(page, name, "New window")
    dialog = page.get_by_role("dialog", name=f"New window in {name}")
    dialog.get_by_label("Name").fill("logs")
    dialog.get_by_label("Command").fill("exec cat")
    dialog.get_by_role("button", name="Open").click()
    expect(head(page)).to_have_text(f"{name} · logs", timeout=MS)
    expect(row(page, name, "logs")).to_have_attribute("aria-current", "page", timeout=MS)

    head(page).locator(".place-name").dblclick()
    page.get_by_role("dialog", name="Rename the window").get_by_label("Name").fill("errors")
    page.keyboard.press("Enter")
    expect(head(page)).to_have_text(f"{name} · errors", timeout=MS)
    toast(page, "logs is now errors").get_by_role("button", name="Undo").click()
    expect(head(page)).to_have_text(f"{name} · logs", timeout=MS)

    choose(page, "logs", "End the window")
    question = page.get_by_role("dialog", name="End the window logs?")
    expect(question).to_contain_text("Stops: cat.")
    question.get_by_role("button", name="Cancel").click()
    expect(row(page, name, "logs")).to_be_visible()
    choose(page, "logs", "End the window")
    question.get_by_role("button", name="End window").click()
    expect(row(page, name, "logs")).to_be_hidden(timeout=MS)
    expect(head(page)).to_have_text(f"{name} · web", timeout=MS)


def test_the_question_before_a_session_ends_names_its_windows_and_agents(desk: Desk) -> None:
    fake = desk.fake("claude")
    desk.tmux("new-window", "-d", "-t", f"{fake.name}:", "-n", "logs", "exec cat")
    desk.open()
    wait_for_state(desk.page, fake, "idle")
    expect(row(desk.page, fake.name, "logs")).to_be_visible(timeout=MS)
    choose(desk.page, fake.name, "End the session")
    question = desk.page.get_by_role("dialog", name=f"End the session {fake.name}?")
    expect(question).to_contain_text("2 windows will end")
    expect(question).to_contain_text(f"Stops: {fake.name} (claude), cat.")
    question.get_by_role("button", name="End session").click()
    expect(project(desk.page, fake.name)).to_be_hidden(timeout=MS)
    assert fake.name not in desk.tmux("list-sessions", "-F", "#{session_name}").splitlines()


def test_a_pane_is_split_off_from_the_head_and_ended_from_the_rail(desk: Desk) -> None:
    pane = desk.session("a")
    page = desk.page
    desk.open(f"#/window/{desk.window_of(pane)}")
    page.get_by_role("button", name="Split: a pane to the right").click(timeout=MS)
    second = pane_row(page, f"{desk.prefix}-a", 1)
    expect(second).to_be_visible(timeout=MS)
    expect(second).to_have_attribute("aria-current", "true")
    choose(page, "pane 1 of a", "Split below")
    third = pane_row(page, f"{desk.prefix}-a", 2)
    expect(third).to_be_visible(timeout=MS)
    layout = desk.tmux("display-message", "-p", "-t", pane, "#{window_layout}")
    assert layout.count("{") == 1
    assert layout.count("[") == 1
    choose(page, "pane 2 of a", "End the pane")
    question = page.get_by_role("dialog", name="End pane 2 of a?")
    expect(question).to_contain_text("The other 2 panes of a will stay.")
    question.get_by_role("button", name="End pane").click()
    expect(third).to_be_hidden(timeout=MS)


def test_a_project_takes_another_name_and_its_session_keeps_its_own(desk: Desk) -> None:
    desk.session("a")
    name, new = f"{desk.prefix}-a", f"{desk.prefix} the shop"
    desk.open()
    choose(desk.page, name, "Rename the project")
    desk.page.get_by_role("dialog").get_by_label("Name").fill(new)
    desk.page.keyboard.press("Enter")
    expect(project(desk.page, new)).to_be_visible(timeout=MS)
    assert name in desk.tmux("list-sessions", "-F", "#{session_name}").splitlines()
    toast(desk.page, f"is now {new}").get_by_role("button", name="Undo").click()
    expect(project(desk.page, name)).to_be_visible(timeout=MS)


def test_what_is_refused_is_told_where_it_was_typed_and_can_be_mended(desk: Desk) -> None:
    desk.session("a")
    desk.open("#/")
    desk.page.keyboard.press("Shift+S")
    dialog = desk.page.get_by_role("dialog", name="New session")
    dialog.get_by_label("Name").fill(f"{desk.prefix}-a")
    dialog.get_by_label("Directory").fill(str(desk.directory))
    desk.page.keyboard.press("Enter")
    expect(dialog.get_by_role("alert")).to_contain_text("use another name", timeout=MS)
    expect(dialog.get_by_label("Directory")).to_have_value(str(desk.directory))
    dialog.get_by_label("Name").fill(f"{desk.prefix}-b")
    desk.page.keyboard.press("Enter")
    expect(head(desk.page)).to_contain_text(f"{desk.prefix}-b", timeout=MS)
    pane = desk.tmux("list-panes", "-t", f"{desk.prefix}-b", "-F", "#{pane_start_path}")
    assert pane == str(desk.directory)


def test_what_fails_later_is_told_by_a_message_that_stays_while_it_is_read(desk: Desk) -> None:
    pane = desk.session("a")
    desk.open(f"#/window/{desk.window_of(pane)}")
    expect(head(desk.page)).to_contain_text(f"{desk.prefix}-a", timeout=MS)
    desk.page.route("**/api/panes/**", lambda route: route.abort())
    desk.page.get_by_role("button", name="Split: a pane below").click()
    told = toast(desk.page, "the server cannot be reached")
    expect(desk.page.get_by_role("alert").filter(has=told)).to_be_visible()
    told.get_by_role("button", name="Dismiss").click()
    expect(told).to_be_hidden()


def test_by_keyboard_alone_from_the_rail_to_a_new_window_with_a_new_name(desk: Desk) -> None:
    desk.session("a")
    desk.session("b")
    page, name = desk.page, f"{desk.prefix}-b"
    focused = page.locator("a.row:focus")
    desk.open("#/")
    expect(row(page, name, "b")).to_be_visible(timeout=MS)
    page.keyboard.press("r")
    expect(focused).to_have_count(1)
    page.keyboard.press("End")
    while name not in focused.evaluate("el => el.closest('section').ariaLabel"):
        page.keyboard.press("ArrowUp")
    expect(focused).to_contain_text("b")
    page.keyboard.press("Enter")
    expect(head(page)).to_have_text(f"{name} · b")

    palette(page, "new window")  # the terminal may have the focus now, and every other key
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").get_by_label("Name")).to_be_focused()
    page.keyboard.type("new")
    page.keyboard.press("Enter")
    expect(head(page)).to_have_text(f"{name} · new", timeout=MS)
    expect(row(page, name, "new")).to_be_visible(timeout=MS)

    palette(page, "go to the rail")
    page.keyboard.press("Enter")
    expect(focused).to_have_count(1)
    page.keyboard.press("End")
    # By how the row begins: it also shows a directory, which may be called "new" too.
    while not focused.inner_text().strip().startswith("new"):
        page.keyboard.press("ArrowUp")
    page.keyboard.press("F2")
    expect(page.get_by_role("dialog").get_by_label("Name")).to_have_value("new")
    page.keyboard.type("newer")
    page.keyboard.press("Enter")
    expect(head(page)).to_have_text(f"{name} · newer", timeout=MS)
    expect(focused).to_contain_text("newer")  # the dialog gave the focus back
    page.keyboard.press("Shift+F10")
    expect(page.get_by_role("menuitem", name="Rename")).to_be_focused()
    page.keyboard.press("Escape")
    expect(focused).to_contain_text("newer")
    page.keyboard.press("Delete")
    expect(page.get_by_role("button", name="End window")).to_be_focused()
    page.keyboard.press("Enter")
    expect(row(page, name, "newer")).to_be_hidden(timeout=MS)
