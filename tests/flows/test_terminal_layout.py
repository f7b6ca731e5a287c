"""The layout of tmux on the page: panes, borders, zoom, and windows side by side."""

import re

from playwright.sync_api import Locator, expect

from tests.flows.page_driver import MS, PageDriver
from tests.flows.terminal_driver import (
    expect_same_screen,
    expect_status,
    focus_pane,
    open_terminal,
    run_action,
    size_of,
    split_pane,
    type_line,
    wait_for_prompt,
)


def width(desktop: PageDriver, pane: str) -> int:
    return int(desktop.tmux("display-message", "-p", "-t", pane, "#{pane_width}"))


def active(desktop: PageDriver, pane: str) -> str:
    return desktop.tmux("display-message", "-p", "-t", desktop.window_of(pane), "#{pane_id}")


def two_panes(desktop: PageDriver) -> tuple[str, str, Locator]:
    """Opens two panes side by side; returns them and the border between them."""
    left = desktop.session()
    right = split_pane(desktop, left)
    open_terminal(desktop, left)
    wait_for_prompt(desktop, right)
    border = desktop.page.get_by_role("separator", name="Width of the pane on the left")
    # The page requests its own size; wait until it shows the size of tmux.
    desktop.wait_until(lambda: size_of(desktop, left) != "100x30")
    desktop.wait_until(lambda: border.get_attribute("aria-valuenow") == str(width(desktop, left)))
    return left, right, border


def test_a_split_made_in_tmux_appears_and_gets_the_focus(desktop: PageDriver) -> None:
    pane = desktop.session()
    open_terminal(desktop, pane)
    type_line(desktop, "echo fir''st")
    desktop.wait_for_text(pane, "\nfirst")
    below = split_pane(desktop, pane, "-v")
    wait_for_prompt(desktop, below)
    type_line(desktop, "echo be''low")
    desktop.wait_for_text(below, "\nbelow")
    for each in (pane, below):
        expect_same_screen(desktop, each)
    desktop.tmux("kill-pane", "-t", below)
    expect(desktop.page.locator("tmux-adapter-web")).to_have_count(1, timeout=MS)
    type_line(desktop, "echo aga''in")
    desktop.wait_for_text(pane, "\nagain")
    expect_same_screen(desktop, pane)


def test_dragging_a_border_resizes_the_panes_in_tmux(desktop: PageDriver) -> None:
    left, right, border = two_panes(desktop)
    before = width(desktop, left)
    box = border.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    desktop.page.mouse.move(x, y)
    desktop.page.mouse.down()
    desktop.page.mouse.move(x - 100, y, steps=5)
    desktop.page.mouse.move(x - box["width"] * 20, y, steps=5)
    desktop.page.mouse.up()
    desktop.wait_until(lambda: width(desktop, left) == before - 20)
    expect(border).to_have_attribute("aria-valuenow", str(before - 20), timeout=MS)
    for pane in (left, right):
        expect_same_screen(desktop, pane)


def test_a_border_moves_by_keys(desktop: PageDriver) -> None:
    left, _, border = two_panes(desktop)
    before = width(desktop, left)
    border.focus()
    desktop.page.keyboard.press("ArrowRight")
    expect(border).to_have_attribute("aria-valuenow", str(before + 1), timeout=MS)
    desktop.page.keyboard.press("Shift+ArrowLeft")
    expect(border).to_have_attribute("aria-valuenow", str(before - 4), timeout=MS)
    assert width(desktop, left) == before - 4
    expect(border).to_be_focused()


def test_a_pane_is_zoomed_and_unzoomed(desktop: PageDriver) -> None:
    left, right, border = two_panes(desktop)
    type_line(desktop, "echo ke''pt")
    desktop.wait_for_text(right, "\nkept")
    run_action(desktop, "zoom")
    expect(desktop.page.locator("tmux-adapter-web")).to_have_count(1, timeout=MS)
    expect(border).to_have_count(0)
    expect_status(desktop, "zoomed")
    desktop.wait_for_text(right, "\nkept")
    expect_same_screen(desktop, right)
    run_action(desktop, "zoom")
    expect(desktop.page.locator("tmux-adapter-web")).to_have_count(2, timeout=MS)
    wait_for_prompt(desktop, left)
    expect_same_screen(desktop, right)


def test_a_click_selects_the_pane_in_tmux(desktop: PageDriver) -> None:
    left, right, _ = two_panes(desktop)
    assert active(desktop, left) == right
    focus_pane(desktop, left)
    desktop.wait_until(lambda: active(desktop, left) == left)
    expect(desktop.page.locator("terminal-pane[data-active]")).to_have_count(1)
    type_line(desktop, "echo le''ft")
    desktop.wait_for_text(left, "\nleft")
    run_action(desktop, "next-pane")
    desktop.wait_until(lambda: active(desktop, left) == right)
    desktop.wait_for("(name) => document.activeElement?.getAttribute('name') === name", right)
    type_line(desktop, "echo ri''ght")
    desktop.wait_for_text(right, "\nright")


def test_two_windows_are_shown_side_by_side_with_separate_input(desktop: PageDriver) -> None:
    first, second = desktop.session("a"), desktop.session("b")
    key = desktop.key_of(second)
    open_terminal(desktop, first)
    run_action(desktop, "grid-2")
    picker = desktop.page.get_by_label("Window in slot 2")
    picker.select_option(label=re.compile(f"{desktop.prefix}-b").pattern + " · b")
    wait_for_prompt(desktop, second)
    type_line(desktop, "echo fir''st")
    desktop.wait_for_text(first, "\nfirst")
    focus_pane(desktop, second)
    type_line(desktop, "echo sec''ond")
    desktop.wait_for_text(second, "\nsecond")
    assert "first" not in desktop.text(second)
    assert "second" not in desktop.text(first)
    desktop.wait_for("(key) => location.hash === `#/window/${key}`", key)
    expect(desktop.page.locator(".slot")).to_have_count(2)


def test_four_windows_are_restored_after_a_reload(desktop: PageDriver) -> None:
    panes = [desktop.session(name) for name in "abcd"]
    open_terminal(desktop, panes[0])
    desktop.wait_for("() => document.querySelector('terminal-area').store.savedWindows.size >= 4")
    run_action(desktop, "grid-4")
    expect(desktop.page.locator(".slot")).to_have_count(4, timeout=MS)
    for slot, name in enumerate("abcd", start=1):
        label = f"{desktop.prefix}-{name} · {name}"
        desktop.page.get_by_label(f"Window in slot {slot}").select_option(label=label)
    for pane in panes:
        wait_for_prompt(desktop, pane)
    desktop.page.reload()
    for pane in panes:
        wait_for_prompt(desktop, pane)
    run_action(desktop, "grid-1")
    expect(desktop.page.locator(".slot")).to_have_count(1, timeout=MS)
