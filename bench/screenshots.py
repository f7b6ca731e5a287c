"""`make screenshots`: every view, light and dark, on a desk and in the hand, to docs/images."""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Browser, sync_playwright

from tests.browser.conftest import FLAGS
from tests.flows.stage import Stage, end_first_session, set_stage
from tests.flows.views import VIEWS, keys_of, look_at
from tests.terminals.served import served_tmux

IMAGES = Path(__file__).parents[1] / "docs/images"
SIZES: dict[str, dict[str, Any]] = {
    "desk": {"viewport": {"width": 1440, "height": 900}},
    "phone": {
        "viewport": {"width": 390, "height": 844},
        "device_scale_factor": 2,
        "is_mobile": True,
        "has_touch": True,
    },
}
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


@contextmanager
def code() -> Iterator[Path]:
    """A directory that looks like a person's own in the pictures. One that exists is not ours."""
    place = Path(tempfile.gettempdir()) / "code"
    place.mkdir()
    try:
        yield place
    finally:
        shutil.rmtree(place)


def take(browser: Browser, stage: Stage, folder: Path, only: set[str]) -> None:
    keys = keys_of(stage)
    for size, options in SIZES.items():
        for theme in THEMES:
            context = browser.new_context(**options, color_scheme=theme, reduced_motion="reduce")
            page = context.new_page()
            for looked in VIEWS:
                if only and looked.name not in only:
                    continue
                look_at(page, stage, looked, keys)
                path = folder / f"{looked.name}-{size}-{theme}.png"
                page.screenshot(path=path)
                print(f"{path.name}: {path.stat().st_size // 1024} KB")
            context.close()


def main(folder: Path = IMAGES, only: frozenset[str] = frozenset()) -> None:
    """Views may be named; without one, all of them."""
    folder.mkdir(parents=True, exist_ok=True)
    with code() as place, served_tmux() as served, sync_playwright() as playwright:
        stage = set_stage(served, place)
        end_first_session(served)
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=[*FLAGS, "--font-render-hinting=none"]
        )
        take(browser, stage, folder, set(only))
        browser.close()


if __name__ == "__main__":
    main(only=frozenset(sys.argv[1:]))
