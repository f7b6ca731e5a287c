"""Splitting a pane from the page: the new pane has the focus and gets every key."""

from playwright.sync_api import expect

from tests.flows.page_driver import MS, PageDriver
from tests.flows.terminal_driver import open_terminal, wait_for_prompt

ROUNDS = 20


def panes_of(driver: PageDriver, pane: str) -> list[str]:
    return driver.tmux("list-panes", "-t", pane, "-F", "#{pane_id}").splitlines()


def split_and_type(driver: PageDriver, pane: str, button: str, line: str) -> str:
    """Splits with a button of the header and types at once; returns the new pane."""
    before = panes_of(driver, pane)
    driver.page.get_by_role("button", name=button, exact=True).click()
    driver.page.keyboard.type(line)
    driver.page.keyboard.press("Enter")
    driver.wait_until(lambda: len(panes_of(driver, pane)) == len(before) + 1)
    [new] = set(panes_of(driver, pane)) - set(before)
    return new


def test_keys_typed_right_after_a_split_reach_the_new_pane(desktop: PageDriver) -> None:
    desktop.tmux("set-option", "-g", "default-command", "PS1='$ ' exec sh")
    pane = desktop.session()
    open_terminal(desktop, pane)
    for number in range(ROUNDS):
        button = "Split right" if number % 2 else "Split below"
        new = split_and_type(desktop, pane, button, f"echo he''llo {number} there")
        desktop.wait_for_text(new, f"\nhello {number} there")
        desktop.wait_for("(name) => document.activeElement?.getAttribute('name') === name", new)
        assert "hello" not in desktop.screen(pane)
        desktop.tmux("kill-pane", "-t", new)
        expect(desktop.page.locator("tmux-adapter-web")).to_have_count(1, timeout=MS)
        wait_for_prompt(desktop, pane)
