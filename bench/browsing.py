"""A Chromium page on a server with a private tmux, for benchmarks."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.launch import FLAGS, browser_program
from tests.flows.conftest import WIDE
from tests.flows.page_driver import RECORD_VIOLATIONS, PageDriver
from tests.terminals.served import served_tmux


@contextmanager
def browsing() -> Iterator[PageDriver]:
    chromium = browser_program() or sys.exit("no browser: apt-get install chromium-headless-shell")
    with (
        tempfile.TemporaryDirectory(prefix="wtb") as directory,
        served_tmux() as served,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        context = browser.new_context(**WIDE)
        context.add_init_script(RECORD_VIOLATIONS)
        yield PageDriver(context.new_page(), served, Path(directory), "b")
        browser.close()
