"""The settings: applied at once, and remembered by the browser."""

from typing import Any

from playwright.sync_api import expect

from tests.flows.conftest import OpenPage
from tests.flows.page_driver import MS, PageDriver
from tests.flows.test_start import SCREENS
from tests.terminals.served import Served

COLOUR = "() => getComputedStyle(document.querySelector('terminal-area')).backgroundColor"
FONT = "el => el.getAttribute('font-size')"


@SCREENS
def test_settings_apply_at_once_and_survive_a_reload(
    open_page: OpenPage, served_page: Served, screen: dict[str, Any]
) -> None:
    driver = open_page(served_page, **screen)
    pane = driver.session("a", size="40x10")
    page = driver.page
    driver.open("#/")
    page.get_by_role("link", name="Settings", exact=True).last.click()
    page.get_by_role("radio", name="Dark").check()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.get_by_label("Colours").select_option("Dracula")
    page.get_by_role("button", name="Larger font").click()
    page.get_by_role("radio", name="Never this page").check()
    driver.open(f"#/window/{driver.window_of(pane)}")
    page.reload()
    terminal = driver.terminal(pane)
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.evaluate(COLOUR) == "rgb(40, 42, 54)"
    assert terminal.get_attribute("theme-background") == "#282a36"
    assert float(terminal.evaluate(FONT)) >= 13
    page.goto(f"{driver.address}/#/settings")
    expect(page.get_by_label("Colours")).to_have_value("dracula", timeout=MS)
    expect(page.get_by_text("14 px")).to_be_visible()
    expect(page.get_by_role("radio", name="Never this page")).to_be_checked()
    page.get_by_role("radio", name="Same as the system").check()
    expect(page.locator("html")).not_to_have_attribute("data-theme", "dark")


def test_a_window_keeps_its_size_until_the_policy_allows_a_change(desktop: PageDriver) -> None:
    pane = desktop.session("a", size="50x12")
    page = desktop.page
    desktop.open("#/settings")
    page.get_by_role("radio", name="Only when I choose").check()
    page.goto(f"{desktop.address}/#/window/{desktop.window_of(pane)}")
    desktop.terminal(pane)
    size = ("display-message", "-p", "-t", pane, "#{window_width}x#{window_height}")
    desktop.type(pane, "echo sh''own")
    desktop.wait_for_text(pane, "shown")
    assert desktop.tmux(*size) == "50x12"
    page.get_by_role("button", name="Fit to this screen").click()
    desktop.wait_until(lambda: desktop.tmux(*size) != "50x12")


def test_notifications_are_turned_on_tested_and_turned_off(desktop: PageDriver) -> None:
    page = desktop.page
    page.context.grant_permissions(["notifications"], origin=desktop.address)
    page.add_init_script(
        "window.shown = []; const Real = Notification;"
        "window.Notification = class { static permission = 'granted';"
        " static requestPermission = async () => 'granted';"
        " constructor(title, { body }) { shown.push(`${title}: ${body}`) } }"
    )
    desktop.open("#/")
    page.keyboard.press(",")
    expect(page.get_by_text("Off in this browser.")).to_be_visible(timeout=MS)
    page.get_by_role("button", name="Turn on").click()
    page.get_by_role("button", name="Send a test").click()
    desktop.wait_for("() => shown.includes('webtmux: Notifications work.')")
    page.get_by_role("button", name="Turn off").click()
    expect(page.get_by_role("button", name="Turn on")).to_be_visible()
