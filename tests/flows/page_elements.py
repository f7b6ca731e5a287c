"""Finds the parts of the page by their roles and names."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.agents.fakes.launch import Fake
from tests.flows.page_driver import MS, PageDriver


def sidebar(page: Page) -> Locator:
    return page.get_by_role("navigation", name="Workspace")


def project(page: Page, name: str) -> Locator:
    return sidebar(page).get_by_role("region", name=name, exact=True)


def row(page: Page, session: str, window: str) -> Locator:
    """The link of a window; its accessible name starts with the name of the window."""
    return project(page, session).get_by_role("link", name=re.compile(rf"^{re.escape(window)}\b"))


def pane_row(page: Page, session: str, index: int) -> Locator:
    return project(page, session).get_by_role("link", name=re.compile(rf"^{index} "))


def heading(page: Page) -> Locator:
    return page.get_by_role("heading", level=1)


def choose_menu_item(page: Page, of: str, item: str) -> None:
    """Chooses an item in the menu of a row of the sidebar."""
    button = sidebar(page).get_by_role("button", name=f"Actions for {of}", exact=True)
    button.locator("xpath=..").hover()
    button.click()
    page.get_by_role("menuitem", name=item).click()


def toast(page: Page, text: str | re.Pattern[str]) -> Locator:
    element = page.locator(".toast").filter(has_text=text)
    expect(element).to_be_visible(timeout=MS)
    return element


def open_palette(page: Page, text: str) -> None:
    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox", name="Search actions")).to_be_focused(timeout=MS)
    page.keyboard.type(text)


def send_to_agent(driver: PageDriver, fake: Fake, prompt: str) -> None:
    """Sends a prompt to a fake agent over REST, bypassing the page."""
    driver.rest("POST", f"/panes/{fake.pane_id[1:]}/send", json={"text": prompt, "submit": True})


def wait_for_state(page: Page, fake: Fake, state: str) -> None:
    page.wait_for_function(
        "([name, state]) => document.querySelector('workspace-rail').store"
        ".agents.get(name)?.state === state",
        arg=[fake.name, state],
        timeout=MS,
    )
