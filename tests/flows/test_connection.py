"""No session, a closed window, a lost server or tmux: what the page shows, and how it recovers."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.config.servers import serving
from tests.flows.conftest import WIDE, OpenPage
from tests.flows.page_driver import MS, PageDriver
from tests.flows.page_elements import heading, row
from tests.terminals.served import Served, served_tmux


@pytest.fixture(scope="module")
def stoppable() -> Iterator[Served]:
    """A server and a tmux that these tests may stop."""
    with served_tmux() as served:
        yield served


def test_without_tmux_a_button_starts_a_session_and_the_page_recovers(
    open_page: OpenPage, stoppable: Served
) -> None:
    desktop = open_page(stoppable, **WIDE)
    page = desktop.page
    banner = page.locator("connection-banner").get_by_text("tmux is unavailable")
    desktop.open()
    expect(row(page, "work", "sh")).to_be_visible(timeout=MS)
    stoppable.tmux("kill-server")
    expect(banner).to_be_visible(timeout=MS)
    page.get_by_role("button", name="Start a session").click()
    dialog = page.get_by_role("dialog", name="New session")
    dialog.get_by_label("Name").fill("fresh")
    dialog.get_by_label("Command").fill("exec sh")
    dialog.get_by_role("button", name="Start").click()
    expect(heading(page)).to_contain_text("fresh ·", timeout=MS)
    expect(banner).to_be_hidden(timeout=MS)
    expect(page.get_by_role("button", name="Start a session")).to_be_hidden()

    stoppable.tmux("kill-server")
    expect(banner).to_be_visible(timeout=MS)
    stoppable.tmux("new-session", "-d", "-s", "work", "-x", "80", "-y", "24", "exec sh")
    expect(row(page, "work", "sh")).to_be_visible(timeout=MS)
    expect(banner).to_be_hidden(timeout=MS)


def test_a_lost_connection_shows_a_countdown_and_recovers(
    open_page: OpenPage, stoppable: Served
) -> None:
    desktop = open_page(stoppable, **WIDE)
    page = desktop.page
    desktop.open()
    expect(row(page, "work", "sh")).to_be_visible(timeout=MS)
    port = str(urlsplit(stoppable.running.address).port)
    stoppable.running.process.terminate()
    stoppable.running.wait()
    banner = page.get_by_text("Connection lost.")
    expect(banner).to_be_visible(timeout=MS)
    expect(page.get_by_text("Retrying in")).to_be_visible(timeout=MS)
    stoppable.tmux("new-window", "-d", "-t", "work:", "-n", "added", "exec sh")
    with serving(["manage.py", "serve", "--port", port], stoppable.env) as running:
        stoppable.running = running
        # The page may reconnect by itself at any time, so the button may be gone.
        retry = page.get_by_role("button", name="Retry now")
        retry.evaluate_all("(buttons) => buttons.forEach((button) => button.click())")
        expect(banner).to_be_hidden(timeout=MS)
        expect(row(page, "work", "added")).to_be_visible(timeout=MS)
        page.goto("about:blank")


def test_the_address_of_a_closed_window_shows_a_notice_with_links(desktop: PageDriver) -> None:
    desktop.session("a")
    closing = desktop.session("b")
    desktop.open(f"#/window/{desktop.key_of(closing)}")
    expect(heading(desktop.page)).to_contain_text(f"{desktop.prefix}-b", timeout=MS)
    desktop.tmux("kill-session", "-t", f"{desktop.prefix}-b")
    expect(
        desktop.page.get_by_role("heading", name=f"{desktop.prefix}-b · b has ended")
    ).to_be_visible(timeout=MS)
    desktop.page.get_by_role("link", name="All agents").click()
    expect(heading(desktop.page)).to_have_text("All agents")
