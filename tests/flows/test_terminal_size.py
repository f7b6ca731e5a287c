"""The size of a window: set by an attached terminal, else by the page; never by a phone."""

import re

from tests.flows.page_driver import PageDriver
from tests.flows.terminal_driver import (
    attached_terminal,
    expect_same_screen,
    expect_status,
    open_terminal,
    run_action,
    size_of,
    wait_for_toast,
)

FONT = "() => document.querySelector('terminal-area').shownFontSize"


def font(desktop: PageDriver) -> float:
    size: float = desktop.page.evaluate(FONT)
    return size


def shown_size(desktop: PageDriver) -> str:
    """The size in the status line, as 80x24."""
    text = desktop.page.locator(".terminal-status").inner_text()
    size = re.search(r"(\d+)\N{MULTIPLICATION SIGN}(\d+)", text)
    return f"{size[1]}x{size[2]}" if size else ""


def test_an_unattached_window_gets_the_size_of_the_page(desktop: PageDriver) -> None:
    pane = desktop.session()
    open_terminal(desktop, pane)
    desktop.wait_until(lambda: size_of(desktop, pane) != "100x30")
    desktop.wait_until(lambda: shown_size(desktop) == size_of(desktop, pane))
    columns, rows = map(int, size_of(desktop, pane).split("x"))
    assert columns > 120
    assert rows > 40
    assert font(desktop) == 13
    desktop.page.set_viewport_size({"width": 1000, "height": 600})
    desktop.wait_until(lambda: int(size_of(desktop, pane).split("x")[0]) < columns)
    expect_same_screen(desktop, pane)


def test_an_attached_terminal_keeps_its_size_and_the_font_shrinks(desktop: PageDriver) -> None:
    pane = desktop.session()
    with attached_terminal(desktop, pane, columns=220, rows=71):
        desktop.wait_until(lambda: size_of(desktop, pane) == "220x70")
        open_terminal(desktop, pane)
        expect_status(desktop, "220x70")
        desktop.wait_for("() => document.querySelector('terminal-area').shownFontSize < 13")
        sheet, container = (
            desktop.page.locator(each).bounding_box() for each in (".sheet", "window-panes")
        )
        assert sheet is not None
        assert container is not None
        assert sheet["width"] <= container["width"]
        assert sheet["height"] <= container["height"]
        run_action(desktop, "fit")
        wait_for_toast(desktop, "sets its size")
        assert size_of(desktop, pane) == "220x70"
        expect_same_screen(desktop, pane)
    desktop.wait_until(lambda: size_of(desktop, pane) != "220x70")
    desktop.wait_for("() => document.querySelector('terminal-area').shownFontSize === 13")


def test_a_phone_resizes_a_window_only_on_request(phone: PageDriver) -> None:
    pane = phone.session(size="120x40")
    open_terminal(phone, pane)
    expect_status(phone, "120x40")
    phone.page.set_viewport_size({"width": 380, "height": 600})
    phone.wait_for("() => document.querySelector('window-panes').clientWidth <= 380")
    assert size_of(phone, pane) == "120x40"
    run_action(phone, "fit")
    phone.wait_until(lambda: size_of(phone, pane) != "120x40")
    assert int(size_of(phone, pane).split("x")[0]) < 80
    expect_same_screen(phone, pane)


def test_font_size_and_theme_are_remembered(desktop: PageDriver) -> None:
    pane = desktop.session()
    open_terminal(desktop, pane)
    desktop.wait_until(lambda: size_of(desktop, pane) != "100x30")
    before = int(size_of(desktop, pane).split("x")[0])
    for _ in range(3):
        run_action(desktop, "font-bigger")
    desktop.wait_until(lambda: int(size_of(desktop, pane).split("x")[0]) < before)
    run_action(desktop, "theme-dark")
    background = "() => document.querySelector('tmux-adapter-web').getAttribute('theme-background')"
    desktop.wait_for(f"() => ({background})() === '#0b1112'")
    run_action(desktop, "theme-light")
    desktop.wait_for(f"() => ({background})() === '#ffffff'")
    desktop.page.reload()
    desktop.wait_for("() => document.querySelector('terminal-area').shownFontSize === 16")
    desktop.wait_for(
        f"() => document.querySelector('tmux-adapter-web') && ({background})() === '#ffffff'"
    )
    run_action(desktop, "font-reset")
    desktop.wait_for("() => document.querySelector('terminal-area').shownFontSize === 13")
