"""Fixtures of the flow tests: one server, tmux and browser per worker, and pages for both sizes.

`desktop`, `phone` and `phone_landscape` are new pages in a browser context that all tests of a
worker share, so that scripts and styles come from its cache. Storage, cookies and permissions are
cleared for every test. A test that changes the context (its clock, its scripts, its network), or
that is about the first load, has the mark `separate_context`.
"""

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.browser.launch import FLAGS, browser_program
from tests.flows.page_driver import MS, RECORD_VIOLATIONS, PageDriver
from tests.terminals.served import Served, served_tmux

WIDE: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
LANDSCAPE: dict[str, Any] = {**PHONE, "viewport": {"width": 844, "height": 390}}
# A fake microphone that beeps, and permission to use it without a prompt.
DEVICES = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
STORAGE = "local_storage,indexeddb"
_numbers = itertools.count(1)
# The default of five seconds is too short for a loaded machine.
expect.set_options(timeout=MS)

OpenPage = Callable[..., PageDriver]


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "separate_context: the pages share nothing with other tests")


@pytest.fixture(scope="session")
def served_page() -> Iterator[Served]:
    with served_tmux() as served:
        yield served


# While Playwright runs, no other event loop can run in this thread. So the scope is "package" and
# not "session", and this package has no test that is a coroutine.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with running_browser() as browser:
        yield browser


@pytest.fixture(scope="module")
def module_browser() -> Iterator[Browser]:
    """For modules of other packages: it is closed before their next module starts."""
    with running_browser() as browser:
        yield browser


@contextmanager
def running_browser() -> Iterator[Browser]:
    chromium = browser_program()
    if chromium is None:
        pytest.skip("no chromium: apt-get install chromium-headless-shell")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=[*FLAGS, *DEVICES])
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def desktop_context(browser: Browser) -> Iterator[BrowserContext]:
    with _context(browser, WIDE) as context:
        yield context


@pytest.fixture(scope="package")
def phone_context(browser: Browser) -> Iterator[BrowserContext]:
    with _context(browser, PHONE) as context:
        yield context


@pytest.fixture(scope="package")
def landscape_context(browser: Browser) -> Iterator[BrowserContext]:
    with _context(browser, LANDSCAPE) as context:
        yield context


@pytest.fixture
def drivers(tmp_path: Path) -> Iterator["Drivers"]:
    """The pages of a test. The test fails if one violated its policy or had a script error."""
    drivers = Drivers(tmp_path, f"f{next(_numbers)}")
    yield drivers
    drivers.close()


@pytest.fixture
def open_page(browser: Browser, drivers: "Drivers") -> OpenPage:
    """Opens pages, each in a new context with these options."""

    def open_page(served: Served, **options: Any) -> PageDriver:
        context = _new_context(browser, options)
        drivers.contexts.append(context)
        return drivers.add(context.new_page(), served)

    return open_page


@pytest.fixture
def desktop(request: pytest.FixtureRequest) -> PageDriver:
    return _open(request, WIDE, "desktop_context")


@pytest.fixture
def phone(request: pytest.FixtureRequest) -> PageDriver:
    return _open(request, PHONE, "phone_context")


@pytest.fixture
def phone_landscape(request: pytest.FixtureRequest) -> PageDriver:
    return _open(request, LANDSCAPE, "landscape_context")


def _open(request: pytest.FixtureRequest, options: dict[str, Any], context: str) -> PageDriver:
    served: Served = request.getfixturevalue("served_page")
    if request.node.get_closest_marker("separate_context"):
        open_page: OpenPage = request.getfixturevalue("open_page")
        return open_page(served, **options)
    drivers: Drivers = request.getfixturevalue("drivers")
    return drivers.add(_clean_page(request.getfixturevalue(context), served), served)


@dataclass
class Drivers:
    directory: Path
    prefix: str
    opened: list[PageDriver] = field(default_factory=list)
    contexts: list[BrowserContext] = field(default_factory=list)  # of this test only

    def add(self, page: Page, served: Served) -> PageDriver:
        driver = PageDriver(page, served, self.directory, self.prefix)
        page.on("pageerror", lambda error: driver.errors.append(str(error)))
        self.opened.append(driver)
        return driver

    def close(self) -> None:
        """Closes the pages and kills the sessions of the test."""
        problems = [problem for driver in self.opened for problem in _problems(driver)]
        for driver in self.opened:
            driver.page.close()
        for context in self.contexts:
            context.close()
        for driver in self.opened[:1]:
            _kill_sessions(driver)
        assert problems == []


def _problems(driver: PageDriver) -> list[str]:
    return [*driver.errors, *(driver.violations() if driver.page.url.startswith("http") else [])]


def _kill_sessions(driver: PageDriver) -> None:
    for name in driver.tmux("list-sessions", "-F", "#{session_name}").splitlines():
        if name.startswith(f"{driver.prefix}-"):
            driver.tmux("kill-session", "-t", f"={name}")


@contextmanager
def _context(browser: Browser, options: dict[str, Any]) -> Iterator[BrowserContext]:
    context = _new_context(browser, options)
    yield context
    context.close()


def _new_context(browser: Browser, options: dict[str, Any]) -> BrowserContext:
    context = browser.new_context(**options)
    context.set_default_timeout(MS)
    context.add_init_script(RECORD_VIOLATIONS)
    return context


def _clean_page(context: BrowserContext, served: Served) -> Page:
    """A new page without anything that earlier tests stored, except for cached files."""
    for page in context.pages:  # tabs that a test opened and did not close
        page.close()
    context.clear_cookies()
    context.clear_permissions()
    page = context.new_page()
    devtools = context.new_cdp_session(page)
    devtools.send(
        "Storage.clearDataForOrigin",
        {"origin": served.running.address, "storageTypes": STORAGE},
    )
    devtools.detach()
    return page
