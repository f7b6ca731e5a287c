"""Sessions, windows and panes: created, renamed and closed from the page."""

from playwright.sync_api import expect

from tests.flows.page_driver import MS, PageDriver
from tests.flows.page_elements import (
    choose_menu_item,
    heading,
    open_palette,
    pane_row,
    project,
    row,
    toast,
    wait_for_state,
)


def test_a_window_is_created_renamed_with_undo_and_closed(desktop: PageDriver) -> None:
    desktop.session("web")
    page, name = desktop.page, f"{desktop.prefix}-web"
    desktop.open()
    choose_menu_item(page, name, "New window")
    dialog = page.get_by_role("dialog", name=f"New window in {name}")
    dialog.get_by_label("Name").fill("logs")
    dialog.get_by_label("Command").fill("exec cat")
    dialog.get_by_role("button", name="Open").click()
    expect(heading(page)).to_have_text(f"{name} · logs", timeout=MS)
    expect(row(page, name, "logs")).to_have_attribute("aria-current", "page", timeout=MS)

    heading(page).locator(".place-name").dblclick()
    page.get_by_role("dialog", name="Rename").get_by_label("Window").fill("errors")
    page.keyboard.press("Enter")
    expect(heading(page)).to_have_text(f"{name} · errors", timeout=MS)
    toast(page, "Renamed window logs to errors.").get_by_role("button", name="Undo").click()
    expect(heading(page)).to_have_text(f"{name} · logs", timeout=MS)

    choose_menu_item(page, "logs", "Close window")
    question = page.get_by_role("dialog", name=f"Close window {name} · logs?")
    expect(question).to_contain_text("Stops: cat.")
    question.get_by_role("button", name="Cancel").click()
    expect(row(page, name, "logs")).to_be_visible()
    choose_menu_item(page, "logs", "Close window")
    question.get_by_role("button", name="Close window").click()
    expect(row(page, name, "logs")).to_be_hidden(timeout=MS)
    expect(heading(page)).to_have_text(f"{name} · web", timeout=MS)


def test_closing_a_session_asks_and_names_its_windows_and_agents(desktop: PageDriver) -> None:
    fake = desktop.fake("claude")
    desktop.tmux("new-window", "-d", "-t", f"{fake.name}:", "-n", "logs", "exec cat")
    desktop.open()
    wait_for_state(desktop.page, fake, "idle")
    expect(row(desktop.page, fake.name, "logs")).to_be_visible(timeout=MS)
    choose_menu_item(desktop.page, fake.name, "Close session")
    question = desktop.page.get_by_role("dialog", name=f"Close session {fake.name}?")
    expect(question).to_contain_text("This closes 2 windows")
    expect(question).to_contain_text(f"Stops: {fake.name} (claude), cat.")
    question.get_by_role("button", name="Close session").click()
    expect(project(desktop.page, fake.name)).to_be_hidden(timeout=MS)
    assert fake.name not in desktop.tmux("list-sessions", "-F", "#{session_name}").splitlines()


def test_a_pane_is_split_in_the_header_and_closed_in_the_sidebar(desktop: PageDriver) -> None:
    pane = desktop.session("a")
    page = desktop.page
    desktop.open(f"#/window/{desktop.window_of(pane)}")
    page.get_by_role("button", name="Split right").click(timeout=MS)
    second = pane_row(page, f"{desktop.prefix}-a", 1)
    expect(second).to_be_visible(timeout=MS)
    expect(second).to_have_attribute("aria-current", "true")
    choose_menu_item(page, "pane 1 of a", "Split below")
    third = pane_row(page, f"{desktop.prefix}-a", 2)
    expect(third).to_be_visible(timeout=MS)
    layout = desktop.tmux("display-message", "-p", "-t", pane, "#{window_layout}")
    assert layout.count("{") == 1
    assert layout.count("[") == 1
    choose_menu_item(page, "pane 2 of a", "Close pane")
    question = page.get_by_role("dialog", name=f"Close pane 2 of {desktop.prefix}-a · a?")
    expect(question).to_contain_text(f"The other 2 panes of {desktop.prefix}-a · a will stay open.")
    question.get_by_role("button", name="Close pane").click()
    expect(third).to_be_hidden(timeout=MS)


def test_renaming_a_project_keeps_the_session_name(desktop: PageDriver) -> None:
    desktop.session("a")
    name, new = f"{desktop.prefix}-a", f"{desktop.prefix} the shop"
    desktop.open()
    choose_menu_item(desktop.page, name, "Rename")
    desktop.page.get_by_role("dialog").get_by_label("Project").fill(new)
    desktop.page.keyboard.press("Enter")
    expect(project(desktop.page, new)).to_be_visible(timeout=MS)
    assert name in desktop.tmux("list-sessions", "-F", "#{session_name}").splitlines()
    toast(desktop.page, f"to {new}.").get_by_role("button", name="Undo").click()
    expect(project(desktop.page, name)).to_be_visible(timeout=MS)


def test_a_refused_form_shows_the_error_and_keeps_the_input(desktop: PageDriver) -> None:
    desktop.session("a")
    desktop.open("#/")
    desktop.page.keyboard.press("Shift+S")
    dialog = desktop.page.get_by_role("dialog", name="New session")
    dialog.get_by_label("Name").fill(f"{desktop.prefix}-a")
    dialog.get_by_label("Directory").fill(str(desktop.directory))
    desktop.page.keyboard.press("Enter")
    expect(dialog.get_by_role("alert")).to_contain_text("use another name", timeout=MS)
    expect(dialog.get_by_label("Directory")).to_have_value(str(desktop.directory))
    dialog.get_by_label("Name").fill(f"{desktop.prefix}-b")
    desktop.page.keyboard.press("Enter")
    expect(heading(desktop.page)).to_contain_text(f"{desktop.prefix}-b", timeout=MS)
    pane = desktop.tmux("list-panes", "-t", f"{desktop.prefix}-b", "-F", "#{pane_start_path}")
    assert pane == str(desktop.directory)


def test_a_failed_action_shows_a_toast_that_can_be_dismissed(desktop: PageDriver) -> None:
    pane = desktop.session("a")
    desktop.open(f"#/window/{desktop.window_of(pane)}")
    expect(heading(desktop.page)).to_contain_text(f"{desktop.prefix}-a", timeout=MS)
    desktop.page.route("**/api/panes/**", lambda route: route.abort())
    desktop.page.get_by_role("button", name="Split below").click()
    message = toast(desktop.page, "Cannot reach the server.")
    expect(desktop.page.get_by_role("alert").filter(has=message)).to_be_visible()
    message.get_by_role("button", name="Dismiss").click()
    expect(message).to_be_hidden()


def test_windows_are_managed_by_keyboard_alone(desktop: PageDriver) -> None:
    desktop.session("a")
    desktop.session("b")
    page, name = desktop.page, f"{desktop.prefix}-b"
    focused = page.locator("a.row:focus")
    desktop.open("#/")
    expect(row(page, name, "b")).to_be_visible(timeout=MS)
    page.keyboard.press("r")
    expect(focused).to_have_count(1)
    page.keyboard.press("End")
    while name not in focused.evaluate("el => el.closest('section').ariaLabel"):
        page.keyboard.press("ArrowUp")
    expect(focused).to_contain_text("b")
    page.keyboard.press("Enter")
    expect(heading(page)).to_have_text(f"{name} · b")

    open_palette(page, "new window")  # the terminal may have the focus, which takes all other keys
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog").get_by_label("Name")).to_be_focused()
    page.keyboard.type("new")
    page.keyboard.press("Enter")
    expect(heading(page)).to_have_text(f"{name} · new", timeout=MS)
    expect(row(page, name, "new")).to_be_visible(timeout=MS)

    open_palette(page, "focus sidebar")
    page.keyboard.press("Enter")
    expect(focused).to_have_count(1)
    page.keyboard.press("End")
    # The row starts with the name; it also shows a directory, which may be called "new" too.
    while not focused.inner_text().strip().startswith("new"):
        page.keyboard.press("ArrowUp")
    page.keyboard.press("F2")
    expect(page.get_by_role("dialog").get_by_label("Window")).to_have_value("new")
    page.keyboard.type("newer")
    page.keyboard.press("Enter")
    expect(heading(page)).to_have_text(f"{name} · newer", timeout=MS)
    expect(focused).to_contain_text("newer")  # the dialog returned the focus
    page.keyboard.press("Shift+F10")
    expect(page.get_by_role("menuitem", name="Rename")).to_be_focused()
    page.keyboard.press("Escape")
    expect(focused).to_contain_text("newer")
    page.keyboard.press("Delete")
    expect(page.get_by_role("button", name="Close window")).to_be_focused()
    page.keyboard.press("Enter")
    expect(row(page, name, "newer")).to_be_hidden(timeout=MS)
