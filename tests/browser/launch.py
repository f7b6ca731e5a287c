"""The browser of the tests and benchmarks."""

import shutil

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def browser_program() -> str | None:
    """Chromium without its user interface: the whole one starts another process for each page,
    which takes two fifths of the processor time of a test."""
    return shutil.which("chromium-headless-shell") or shutil.which("chromium")
