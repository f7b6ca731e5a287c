"""`make screenshots`: every view, light and dark, desktop and phone, to screenshots/.

The pictures of the README are taken with real agents: lab/pictures.py.
"""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, sync_playwright

from tests.browser.launch import FLAGS, browser_program
from tests.flows.sample_workspace import (
    SampleWorkspace,
    create_sample_workspace,
    kill_default_session,
)
from tests.flows.views import VIEWS, open_view, window_keys
from tests.terminals.served import served_tmux

IMAGES = Path(__file__).parents[1] / "screenshots"  # not in git
SIZES: dict[str, dict[str, Any]] = {
    "desk": {"viewport": {"width": 1440, "height": 900}},
    "phone": {
        "viewport": {"width": 390, "height": 844},
        "device_scale_factor": 2,
        "is_mobile": True,
        "has_touch": True,
    },
    "landscape": {
        "viewport": {"width": 844, "height": 390},
        "device_scale_factor": 2,
        "is_mobile": True,
        "has_touch": True,
    },
}
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@contextmanager
def code() -> Iterator[Path]:
    """A directory with a realistic name for the screenshots. Never touches an existing one."""
    directory = Path(tempfile.gettempdir()) / "code"
    directory.mkdir()
    try:
        yield directory
    finally:
        shutil.rmtree(directory)


def take(browser: Browser, workspace: SampleWorkspace, folder: Path, only: set[str]) -> None:
    keys = window_keys(workspace)
    for size, options in SIZES.items():
        for theme in THEMES:
            context = browser.new_context(**options, color_scheme=theme, reduced_motion="reduce")
            page = context.new_page()
            for view in VIEWS:
                if only and view.name not in only:
                    continue
                open_view(page, workspace, view, keys)
                path = folder / f"{view.name}-{size}-{theme}.png"
                page.screenshot(path=path)
                print(f"{path.name}: {path.stat().st_size // 1024} KB")
            context.close()


def main(folder: Path = IMAGES, only: frozenset[str] = frozenset()) -> None:
    """Take the views named on the command line, or all."""
    folder.mkdir(parents=True, exist_ok=True)
    with code() as directory, served_tmux() as served, sync_playwright() as playwright:
        workspace = create_sample_workspace(served, directory)
        kill_default_session(served)
        browser = playwright.chromium.launch(
            executable_path=browser_program(), args=[*FLAGS, "--font-render-hinting=none"]
        )
        take(browser, workspace, folder, set(only))
        browser.close()


if __name__ == "__main__":
    main(only=frozenset(sys.argv[1:]))
