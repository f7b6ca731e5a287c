"""A real Chromium, a served webtmux, and a page of another origin with one terminal on it."""

import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.pages import Terminal, another_origin
from tests.config.servers import environment, serving

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WIDE, PHONE = {"width": 1000, "height": 700}, {"width": 390, "height": 700}


@pytest.fixture(scope="session")
def webtmux(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    env = environment(tmp_path_factory.mktemp("browsed") / "data")
    with serving(("manage.py", "serve", "--port", "0"), env) as running:
        yield running.address


@pytest.fixture(scope="session")
def other(webtmux: str) -> Iterator[str]:
    with another_origin(webtmux) as address:
        yield address


# Of the module, not the session: while playwright runs, no other event loop can.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("no chromium: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser, other: str) -> Iterator[Page]:
    """A window on the other origin that may use the clipboard; it fails on any script error."""
    context = browser.new_context(viewport={"width": WIDE["width"], "height": WIDE["height"]})
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=other)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


@pytest.fixture
def terminal(page: Page, other: str) -> Terminal:
    """The terminal, ready."""
    return opened(page, other)


def opened(page: Page, address: str) -> Terminal:
    page.goto(address)
    terminal = Terminal(page)
    terminal.wait_for("terminal-ready")
    return terminal
