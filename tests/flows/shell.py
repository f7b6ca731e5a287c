"""The parts of the shell as a person finds them: by their roles and names."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.agents.fakes.launch import Fake
from tests.flows.desk import Desk

MS = 20_000.0  # CI is slow


def rail(page: Page) -> Locator:
    return page.get_by_role("navigation", name="Workspace")


def project(page: Page, name: str) -> Locator:
    return rail(page).get_by_role("region", name=name, exact=True)


def row(page: Page, session: str, window: str) -> Locator:
    """The link of a window; its name begins with the window's."""
    return project(page, session).get_by_role("link", name=re.compile(rf"^{re.escape(window)}\b"))


def pane_row(page: Page, session: str, index: int) -> Locator:
    return project(page, session).get_by_role("link", name=re.compile(rf"^{index} "))


def head(page: Page) -> Locator:
    return page.get_by_role("heading", level=1)


def choose(page: Page, of: str, item: str) -> None:
    """From the menu of a row of the rail."""
    button = rail(page).get_by_role("button", name=f"Actions for {of}", exact=True)
    button.locator("xpath=..").hover()
    button.click()
    page.get_by_role("menuitem", name=item).click()


def toast(page: Page, text: str | re.Pattern[str]) -> Locator:
    found = page.locator(".toast").filter(has_text=text)
    expect(found).to_be_visible(timeout=MS)
    return found


def palette(page: Page, text: str) -> None:
    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox", name="Search actions")).to_be_focused(timeout=MS)
    page.keyboard.type(text)


def say(desk: Desk, fake: Fake, prompt: str) -> None:
    """To a fake agent, past the page, once it has its composer."""
    desk.rest("POST", f"/panes/{fake.pane_id[1:]}/send", json={"text": prompt, "submit": True})


def wait_for_state(page: Page, fake: Fake, state: str) -> None:
    page.wait_for_function(
        "([name, state]) => document.querySelector('workspace-rail').store"
        ".agents.get(name)?.state === state",
        arg=[fake.name, state],
        timeout=MS,
    )
