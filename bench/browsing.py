"""A desk for measurements: one Chromium before one server with its own tmux."""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.conftest import FLAGS
from tests.flows.conftest import WIDE
from tests.flows.desk import WATCH, Desk
from tests.terminals.served import served_tmux


@contextmanager
def browsing() -> Iterator[Desk]:
    chromium = shutil.which("chromium") or sys.exit("no chromium: apt-get install chromium")
    with (
        tempfile.TemporaryDirectory(prefix="wtb") as place,
        served_tmux() as served,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        context = browser.new_context(**WIDE)
        context.add_init_script(WATCH)
        yield Desk(context.new_page(), served, Path(place), "b")
        browser.close()
