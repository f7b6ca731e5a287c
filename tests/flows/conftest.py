"""A server and its tmux for all flows of a process, and a desk for each: wide, or a phone."""

import itertools
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, sync_playwright

from tests.browser.conftest import FLAGS
from tests.flows.desk import WATCH, Desk
from tests.terminals.served import Served, served_tmux

WIDE: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
# A microphone that beeps, and nobody to ask whether it may be used.
DEVICES = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
_numbers = itertools.count(1)

Sit = Callable[..., Desk]


@pytest.fixture(scope="session")
def served_page() -> Iterator[Served]:
    with served_tmux() as served:
        yield served


# Of the module, not the session: while playwright runs, no other event loop can.
@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    chromium = shutil.which("chromium")
    if chromium is None:
        pytest.skip("no chromium: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=[*FLAGS, *DEVICES])
        yield browser
        browser.close()


@pytest.fixture
def sit(browser: Browser, tmp_path: Path) -> Iterator[Sit]:
    """Makes desks; each fails its flow if the page broke its policy or a script failed."""
    with _desks(browser, tmp_path) as made:
        yield made


@pytest.fixture
def desk(sit: Sit, served_page: Served) -> Desk:
    return sit(served_page, **WIDE)


@pytest.fixture
def phone(sit: Sit, served_page: Served) -> Desk:
    return sit(served_page, **PHONE)


@contextmanager
def _desks(browser: Browser, directory: Path) -> Iterator[Sit]:
    made: list[tuple[Desk, BrowserContext]] = []

    def sit(served: Served, **options: Any) -> Desk:
        context = browser.new_context(**options)
        context.add_init_script(WATCH)
        prefix = made[0][0].prefix if made else f"f{next(_numbers)}"
        desk = Desk(context.new_page(), served, directory, prefix)
        desk.page.on("pageerror", lambda error: desk.errors.append(str(error)))
        made.append((desk, context))
        return desk

    yield sit
    problems = [problem for desk, _ in made for problem in _problems(desk)]
    for _, context in made:
        context.close()
    for desk, _ in made[:1]:
        _end_sessions(desk)
    assert problems == []


def _problems(desk: Desk) -> list[str]:
    return [*desk.errors, *(desk.violations() if desk.page.url.startswith("http") else [])]


def _end_sessions(desk: Desk) -> None:
    for name in desk.tmux("list-sessions", "-F", "#{session_name}").splitlines():
        if name.startswith(f"{desk.prefix}-"):
            desk.tmux("kill-session", "-t", f"={name}")
