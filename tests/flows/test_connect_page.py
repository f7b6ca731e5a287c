"""The page at /connect: copying snippets, and a code for the phone."""

from typing import Any

from playwright.sync_api import expect

from tests.flows.conftest import OpenPage
from tests.flows.page_driver import MS, PageDriver
from tests.flows.test_start import SCREENS
from tests.terminals.served import Served

WIDTHS = "() => document.documentElement.scrollWidth - innerWidth"
LINK = {
    "address": "https://tmux.example/login?code=AAAA",
    "minutes": 5,
    "image": "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E",
}


@SCREENS
def test_every_snippet_is_copied_by_its_button(
    open_page: OpenPage, served_page: Served, screen: dict[str, Any]
) -> None:
    driver = open_page(served_page, **screen)
    page = driver.page
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=driver.address)
    page.goto(f"{driver.address}/connect")
    for name in ("Claude Code", "Codex", "Gemini CLI", "opencode", "Copilot CLI", "pi"):
        button = page.get_by_role("button", name=f"Copy for {name}", exact=True)
        button.click()
        expect(button).to_have_text("Copied")
        text = page.evaluate("() => navigator.clipboard.readText()")
        section = page.get_by_role("region", name=name).filter(has=button)
        assert text == section.locator("code").text_content()
        assert "/mcp" in text
    assert page.evaluate(WIDTHS) <= 0


def test_a_server_on_this_machine_only_says_what_to_do(desktop: PageDriver) -> None:
    page = desktop.page
    page.goto(f"{desktop.address}/connect")
    page.get_by_role("button", name="Show a code").click()
    note = page.locator("#phone-note")
    expect(note).to_contain_text("a phone cannot reach it", timeout=MS)
    expect(note).to_contain_text("tailscale serve")
    expect(page.locator("#phone-code")).to_be_hidden()


def test_a_code_is_shown_on_click_only(desktop: PageDriver) -> None:
    page = desktop.page
    calls: list[str] = []

    def answer(route: Any) -> None:
        calls.append(route.request.method)
        route.fulfill(status=201, json=LINK)

    page.route("**/api/sign-in-links", answer)
    page.goto(f"{desktop.address}/connect")
    button = page.get_by_role("button", name="Show a code")
    expect(button).to_be_visible()
    assert calls == []
    button.click()
    expect(page.get_by_role("img", name="QR code")).to_be_visible(timeout=MS)
    expect(page.locator("#phone-note")).to_have_text(
        "Opens https://tmux.example. Works once, for 5 minutes."
    )
    assert calls == ["POST"]
