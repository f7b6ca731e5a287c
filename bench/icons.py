"""`make icons`: the PNG icons of the installed page, drawn by Chromium from icon.svg.

Run when the drawing changes; what it writes is committed.
"""

import base64
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.launch import FLAGS, browser_program

PAGE = Path(__file__).parents[1] / "frontend/static/icons"
PAPER = "#0d1415"
# Systems cut their own shape out of a maskable icon: the drawing stays within its middle.
WHOLE, MIDDLE = 1.0, 0.78
ICONS = (
    ("icon-192.png", 192, "transparent", WHOLE),
    ("icon-512.png", 512, "transparent", WHOLE),
    ("icon-maskable-512.png", 512, PAPER, MIDDLE),
    ("icon-apple-180.png", 180, PAPER, 0.9),
)


def main() -> None:
    drawing = base64.b64encode((PAGE / "icon.svg").read_bytes()).decode()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_program(), args=[*FLAGS])
        for name, size, paper, share in ICONS:
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(
                f"<body style='margin:0;display:grid;place-items:center;height:100vh;"
                f"background:{paper}'><img width={size * share} height={size * share} "
                f"src='data:image/svg+xml;base64,{drawing}'>"
            )
            page.screenshot(path=PAGE / name, omit_background=True)
            page.close()
            print(f"{name}: {(PAGE / name).stat().st_size} bytes")
        browser.close()


if __name__ == "__main__":
    main()
