"""Nothing there, something gone, something away: what the page says, and how it returns."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.config.servers import serving
from tests.flows.conftest import WIDE, Sit
from tests.flows.desk import Desk
from tests.flows.shell import MS, head, row
from tests.terminals.served import Served, served_tmux


@pytest.fixture(scope="module")
def own() -> Iterator[Served]:
    """A server and a tmux that these flows may end."""
    with served_tmux() as served:
        yield served


def test_without_tmux_one_button_starts_a_session_and_a_dead_tmux_returns_by_itself(
    sit: Sit, own: Served
) -> None:
    desk = sit(own, **WIDE)
    page = desk.page
    banner = page.locator("connection-banner").get_by_text("tmux is away")
    desk.open()
    expect(row(page, "work", "sh")).to_be_visible(timeout=MS)
    own.tmux("kill-server")
    expect(banner).to_be_visible(timeout=MS)
    page.get_by_role("button", name="Start a session").click()
    dialog = page.get_by_role("dialog", name="New session")
    dialog.get_by_label("Name").fill("fresh")
    dialog.get_by_label("Command").fill("exec sh")
    dialog.get_by_role("button", name="Start").click()
    expect(head(page)).to_contain_text("fresh ·", timeout=MS)
    expect(banner).to_be_hidden(timeout=MS)
    expect(page.get_by_role("button", name="Start a session")).to_be_hidden()

    own.tmux("kill-server")
    expect(banner).to_be_visible(timeout=MS)
    own.tmux("new-session", "-d", "-s", "work", "-x", "80", "-y", "24", "exec sh")
    expect(row(page, "work", "sh")).to_be_visible(timeout=MS)
    expect(banner).to_be_hidden(timeout=MS)


def test_a_lost_connection_is_told_with_the_time_to_the_next_try_and_heals(
    sit: Sit, own: Served
) -> None:
    desk = sit(own, **WIDE)
    page = desk.page
    desk.open()
    expect(row(page, "work", "sh")).to_be_visible(timeout=MS)
    port = str(urlsplit(own.running.address).port)
    own.running.process.terminate()
    own.running.wait()
    banner = page.get_by_text("The connection is lost.")
    expect(banner).to_be_visible(timeout=MS)
    expect(page.get_by_text("Next try in")).to_be_visible(timeout=MS)
    own.tmux("new-window", "-d", "-t", "work:", "-n", "meanwhile", "exec sh")
    with serving(["manage.py", "serve", "--port", port], own.env) as running:
        own.running = running
        now = page.get_by_role("button", name="Try now")
        if now.is_visible():
            now.click(force=True)
        expect(banner).to_be_hidden(timeout=MS)
        expect(row(page, "work", "meanwhile")).to_be_visible(timeout=MS)
        page.goto("about:blank")


def test_an_address_of_a_window_that_is_gone_says_so_and_shows_the_way_back(desk: Desk) -> None:
    desk.session("a")
    ending = desk.session("b")
    desk.open(f"#/window/{desk.key_of(ending)}")
    expect(head(desk.page)).to_contain_text(f"{desk.prefix}-b", timeout=MS)
    desk.tmux("kill-session", "-t", f"{desk.prefix}-b")
    expect(desk.page.get_by_role("heading", name="“b” has ended")).to_be_visible(timeout=MS)
    desk.page.get_by_role("link", name="All agents").click()
    expect(head(desk.page)).to_have_text("All agents")
