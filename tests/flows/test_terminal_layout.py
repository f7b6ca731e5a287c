"""The window as tmux lays it out: panes, borders, zoom, and windows beside each other."""

import re

from playwright.sync_api import Locator, expect

from tests.flows.desk import SECONDS, Desk
from tests.flows.terminals import (
    act,
    enter,
    focus,
    opened,
    prompted,
    same_screen,
    size_of,
    split,
    status_says,
    until,
)

MS = SECONDS * 1000


def width(desk: Desk, pane: str) -> int:
    return int(desk.tmux("display-message", "-p", "-t", pane, "#{pane_width}"))


def active(desk: Desk, pane: str) -> str:
    return desk.tmux("display-message", "-p", "-t", desk.window_of(pane), "#{pane_id}")


def two_panes(desk: Desk) -> tuple[str, str, Locator]:
    """Two panes side by side, both ready, and the border between them."""
    left = desk.session()
    right = split(desk, left)
    opened(desk, left)
    prompted(desk, right)
    border = desk.page.get_by_role("separator", name="Width of the pane on the left")
    # The page asks for its own size; what it shows is to be what tmux has.
    until(desk, lambda: size_of(desk, left) != "100x30")
    expect(border).to_have_attribute("aria-valuenow", str(width(desk, left)), timeout=MS)
    return left, right, border


def test_a_split_made_elsewhere_appears_and_takes_the_keyboard(desk: Desk) -> None:
    pane = desk.session()
    opened(desk, pane)
    enter(desk, "echo fir''st")
    desk.wait_for_text(pane, "\nfirst")
    below = split(desk, pane, "-v")
    prompted(desk, below)
    enter(desk, "echo be''low")
    desk.wait_for_text(below, "\nbelow")
    for each in (pane, below):
        same_screen(desk, each)
    desk.tmux("kill-pane", "-t", below)
    expect(desk.page.locator("tmux-adapter-web")).to_have_count(1, timeout=MS)
    enter(desk, "echo aga''in")
    desk.wait_for_text(pane, "\nagain")
    same_screen(desk, pane)


def test_a_border_is_dragged_and_tmux_moves_it(desk: Desk) -> None:
    left, right, border = two_panes(desk)
    before = width(desk, left)
    box = border.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    desk.page.mouse.move(x, y)
    desk.page.mouse.down()
    desk.page.mouse.move(x - 100, y, steps=5)
    desk.page.mouse.move(x - box["width"] * 20, y, steps=5)
    desk.page.mouse.up()
    until(desk, lambda: width(desk, left) == before - 20)
    expect(border).to_have_attribute("aria-valuenow", str(before - 20), timeout=MS)
    for pane in (left, right):
        same_screen(desk, pane)


def test_a_border_is_moved_by_keys(desk: Desk) -> None:
    left, _, border = two_panes(desk)
    before = width(desk, left)
    border.focus()
    desk.page.keyboard.press("ArrowRight")
    expect(border).to_have_attribute("aria-valuenow", str(before + 1), timeout=MS)
    desk.page.keyboard.press("Shift+ArrowLeft")
    expect(border).to_have_attribute("aria-valuenow", str(before - 4), timeout=MS)
    assert width(desk, left) == before - 4
    expect(border).to_be_focused()


def test_a_pane_is_zoomed_and_all_come_back(desk: Desk) -> None:
    left, right, border = two_panes(desk)
    enter(desk, "echo ke''pt")
    desk.wait_for_text(right, "\nkept")
    act(desk, "zoom")
    expect(desk.page.locator("tmux-adapter-web")).to_have_count(1, timeout=MS)
    expect(border).to_have_count(0)
    status_says(desk, "zoomed")
    desk.wait_for_text(right, "\nkept")
    same_screen(desk, right)
    act(desk, "zoom")
    expect(desk.page.locator("tmux-adapter-web")).to_have_count(2, timeout=MS)
    prompted(desk, left)
    same_screen(desk, right)


def test_a_click_chooses_a_pane_in_tmux_too(desk: Desk) -> None:
    left, right, _ = two_panes(desk)
    assert active(desk, left) == right
    focus(desk, left)
    until(desk, lambda: active(desk, left) == left)
    expect(desk.page.locator("terminal-pane[data-active]")).to_have_count(1)
    enter(desk, "echo le''ft")
    desk.wait_for_text(left, "\nleft")
    act(desk, "next-pane")
    until(desk, lambda: active(desk, left) == right)
    desk.wait_for("(name) => document.activeElement?.getAttribute('name') === name", right)
    enter(desk, "echo ri''ght")
    desk.wait_for_text(right, "\nright")


def test_two_windows_stand_side_by_side_and_each_has_its_own_keys(desk: Desk) -> None:
    one, other = desk.session("a"), desk.session("b")
    key = desk.key_of(other)
    opened(desk, one)
    act(desk, "grid-2")
    picker = desk.page.get_by_label("Window in place 2")
    picker.select_option(label=re.compile(f"{desk.prefix}-b").pattern + " · b")
    prompted(desk, other)
    enter(desk, "echo fir''st")
    desk.wait_for_text(one, "\nfirst")
    focus(desk, other)
    enter(desk, "echo sec''ond")
    desk.wait_for_text(other, "\nsecond")
    assert "first" not in desk.text(other)
    assert "second" not in desk.text(one)
    desk.wait_for("(key) => location.hash === `#/window/${key}`", key)
    expect(desk.page.locator(".slot")).to_have_count(2)


def test_four_windows_are_kept_over_a_reload(desk: Desk) -> None:
    panes = [desk.session(name) for name in "abcd"]
    opened(desk, panes[0])
    desk.wait_for("() => document.querySelector('terminal-area').store.facts.size >= 4")
    act(desk, "grid-4")
    expect(desk.page.locator(".slot")).to_have_count(4, timeout=MS)
    for place, name in enumerate("abcd", start=1):
        label = f"{desk.prefix}-{name} · {name}"
        desk.page.get_by_label(f"Window in place {place}").select_option(label=label)
    for pane in panes:
        prompted(desk, pane)
    desk.page.reload()
    for pane in panes:
        prompted(desk, pane)
    act(desk, "grid-1")
    expect(desk.page.locator(".slot")).to_have_count(1, timeout=MS)
