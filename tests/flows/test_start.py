"""New sessions and windows: suggested folders, refused input, and commands that end at once."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.flows.conftest import PHONE, WIDE, OpenPage
from tests.flows.page_driver import MS, PageDriver
from tests.flows.page_elements import choose_menu_item, heading, project, toast
from tests.terminals.served import Served

LANDSCAPE: dict[str, Any] = {**PHONE, "viewport": {"width": 844, "height": 390}}
SCREENS = pytest.mark.parametrize(
    "screen", [WIDE, PHONE, LANDSCAPE], ids=["desktop", "phone", "landscape"]
)


def new_session(driver: PageDriver, name: str) -> Locator:
    driver.open("#/")
    driver.page.keyboard.press("Shift+S")
    dialog = driver.page.get_by_role("dialog", name="New session")
    dialog.get_by_label("Name").fill(f"{driver.prefix}-{name}")
    return dialog


def is_inside(driver: PageDriver, element: Locator) -> bool:
    box = element.bounding_box()
    size = driver.page.viewport_size
    assert box is not None
    assert size is not None
    return box["y"] >= 0 and box["y"] + box["height"] <= size["height"] + 1


@SCREENS
def test_a_folder_is_completed_and_a_wrong_one_is_refused_at_its_field(
    open_page: OpenPage, served_page: Served, screen: dict[str, Any]
) -> None:
    driver = open_page(served_page, **screen)
    (driver.directory / "shop" / "api").mkdir(parents=True)
    (driver.directory / ".hidden").mkdir()
    dialog = new_session(driver, "shop")
    directory = dialog.get_by_label("Directory", exact=True)
    directory.fill(f"{driver.directory}/")
    options = dialog.get_by_role("option")
    expect(options.filter(has_text="/shop/")).to_have_count(1, timeout=MS)
    expect(options.filter(has_text=".hidden")).to_have_count(0)
    directory.press("Tab")  # nothing is chosen: the focus moves on, and the list closes
    expect(options).to_have_count(0)

    directory.fill(f"{driver.directory}/sh")
    expect(options.filter(has_text="/shop/")).to_have_count(1, timeout=MS)
    while not directory.input_value().endswith("/shop/"):
        directory.press("ArrowDown")
        if "/shop/" in dialog.locator("[aria-selected=true]").inner_text():
            directory.press("Enter")
    expect(options.filter(has_text="/shop/api/")).to_have_count(1, timeout=MS)
    options.filter(has_text="/shop/api/").click()
    expect(directory).to_have_value(f"{driver.directory}/shop/api/")

    directory.fill(f"{driver.directory}/nowhere")
    dialog.get_by_label("Command").fill("exec cat")
    start = dialog.get_by_role("button", name="Start")
    start.click()
    expect(directory).to_have_attribute("aria-invalid", "true", timeout=MS)
    expect(directory).to_be_focused()
    expect(dialog.get_by_role("alert").filter(has_text="There is no directory")).to_be_visible()
    start.scroll_into_view_if_needed()
    assert is_inside(driver, start)
    sessions = driver.tmux("list-sessions", "-F", "#{session_name}").splitlines()
    assert f"{driver.prefix}-shop" not in sessions

    directory.fill(f"{driver.directory}/shop/api")
    start.click()
    expect(heading(driver.page)).to_contain_text(f"{driver.prefix}-shop", timeout=MS)
    path = driver.tmux("list-panes", "-t", f"={driver.prefix}-shop:", "-F", "#{pane_start_path}")
    assert Path(path) == driver.directory / "shop" / "api"


def test_a_used_folder_is_suggested_again(desktop: PageDriver) -> None:
    dialog = new_session(desktop, "a")
    folder = desktop.directory / "used"
    folder.mkdir()
    dialog.get_by_label("Directory", exact=True).fill(str(folder))
    dialog.get_by_role("button", name="Start").click()
    expect(heading(desktop.page)).to_contain_text(f"{desktop.prefix}-a", timeout=MS)
    choose_menu_item(desktop.page, f"{desktop.prefix}-a", "New window")
    dialog = desktop.page.get_by_role("dialog", name="New window")
    dialog.get_by_label("Directory", exact=True).focus()
    expect(dialog.get_by_role("option").filter(has_text=str(folder))).to_have_count(1, timeout=MS)


@SCREENS
def test_a_command_that_ends_at_once_shows_its_status_and_runs_again(
    open_page: OpenPage, served_page: Served, screen: dict[str, Any]
) -> None:
    driver = open_page(served_page, **screen)
    dialog = new_session(driver, "brief")
    dialog.get_by_label("Directory", exact=True).fill(str(driver.directory))
    dialog.get_by_label("Command").fill("echo run >> runs; no-such-command-here")
    dialog.get_by_role("button", name="Start").click()
    bar = driver.page.locator("ended-bar")
    expect(bar).to_contain_text("The command ended with status 127: it was not found.", timeout=MS)
    pane = driver.tmux("list-panes", "-t", f"={driver.prefix}-brief:", "-F", "#{pane_id}")
    driver.wait_for_text(pane, "no-such-command-here")
    bar.get_by_role("button", name="Run again").click()
    runs = driver.directory / "runs"
    driver.wait_until(lambda: runs.read_text() == "run\nrun\n")
    expect(bar).to_be_visible(timeout=MS)
    bar.get_by_role("button", name="Close").click()
    name = f"{driver.prefix}-brief"
    driver.wait_until(
        lambda: name not in driver.tmux("list-sessions", "-F", "#{session_name}").splitlines()
    )


def test_one_dialog_renames_window_project_and_session(desktop: PageDriver) -> None:
    pane = desktop.session("old")
    page, old, new = desktop.page, f"{desktop.prefix}-old", f"{desktop.prefix}-new"
    desktop.open_window(pane)
    page.get_by_role("button", name=f"More actions for {old} · old").click()
    page.get_by_role("menuitem", name="Rename").click()
    dialog = page.get_by_role("dialog", name="Rename")
    expect(dialog.get_by_label("Window")).to_be_focused()
    dialog.get_by_label("Window").fill("logs")
    dialog.get_by_label("Project").fill(f"{new} shop")
    dialog.get_by_label("tmux session").fill("a:b")
    dialog.get_by_role("button", name="Rename").click()
    expect(dialog.get_by_role("alert").filter(has_text="cannot contain")).to_be_visible(timeout=MS)
    dialog.get_by_label("tmux session").fill(new)
    dialog.get_by_role("button", name="Rename").click()
    expect(heading(page)).to_have_text(f"{new} · logs", timeout=MS)
    assert desktop.tmux("display-message", "-p", "-t", pane, "#S #W") == f"{new} logs"
    toast(page, f"session {old} to {new}").get_by_role("button", name="Undo").click()
    expect(heading(page)).to_have_text(f"{old} · old", timeout=MS)
    expect(project(page, old)).to_be_visible(timeout=MS)
