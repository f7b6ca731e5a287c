"""Fixtures: a real Chromium, a webtmux server, and a page of another origin with a terminal."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from tests.browser.embedding_page import Terminal, another_origin
from tests.browser.launch import FLAGS, browser_program
from tests.config.servers import environment, prepare, serving
from tests.waiting import LONGEST_MS

WIDE, PHONE = {"width": 1000, "height": 700}, {"width": 390, "height": 700}


@pytest.fixture(scope="session")
def webtmux(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    env = environment(tmp_path_factory.mktemp("browsed") / "data")
    prepare(env)
    with serving(("manage.py", "serve", "--port", "0"), env) as running:
        yield running.address


@pytest.fixture(scope="session")
def other(webtmux: str) -> Iterator[str]:
    with another_origin(webtmux) as address:
        yield address


# While Playwright runs, no other event loop can run in this thread. So the scope is "package" and
# not "session", and this package has no test that is a coroutine.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    chromium = browser_program()
    if chromium is None:
        pytest.skip("no chromium: apt-get install chromium-headless-shell")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def context(browser: Browser, other: str) -> Iterator[BrowserContext]:
    """A context with clipboard access on the other origin. The pages store nothing in it."""
    context = browser.new_context(viewport={"width": WIDE["width"], "height": WIDE["height"]})
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=other)
    context.set_default_timeout(LONGEST_MS)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A new page; the test fails on a script error."""
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    page.close()
    assert errors == []


@pytest.fixture
def terminal(page: Page, other: str) -> Terminal:
    """The terminal, once it is ready."""
    return open_terminal(page, other)


def open_terminal(page: Page, address: str) -> Terminal:
    page.goto(address)
    terminal = Terminal(page)
    terminal.wait_for("terminal-ready")
    return terminal
