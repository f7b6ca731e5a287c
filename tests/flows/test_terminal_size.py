"""Who decides how large a window is: a person's own terminal, then the page; a phone never."""

from tests.flows.desk import Desk
from tests.flows.terminals import (
    act,
    attached,
    opened,
    same_screen,
    size_of,
    status_says,
    until,
    wait_for_toast,
)

FONT = "() => document.querySelector('terminal-area').shownFontSize"


def font(desk: Desk) -> float:
    size: float = desk.page.evaluate(FONT)
    return size


def test_a_window_that_nobody_else_sees_gets_the_size_of_the_page(desk: Desk) -> None:
    pane = desk.session()
    opened(desk, pane)
    until(desk, lambda: size_of(desk, pane) != "100x30")
    columns, rows = map(int, size_of(desk, pane).split("x"))
    assert columns > 120
    assert rows > 40
    assert font(desk) == 13
    status_says(desk, f"{columns}x{rows}")
    desk.page.set_viewport_size({"width": 1000, "height": 600})
    until(desk, lambda: int(size_of(desk, pane).split("x")[0]) < columns)
    same_screen(desk, pane)


def test_a_persons_terminal_keeps_its_size_and_the_letters_shrink(desk: Desk) -> None:
    pane = desk.session()
    with attached(desk, pane, columns=220, rows=71):
        until(desk, lambda: size_of(desk, pane) == "220x70")
        opened(desk, pane)
        status_says(desk, "220x70")
        desk.wait_for("() => document.querySelector('terminal-area').shownFontSize < 13")
        sheet, place = (
            desk.page.locator(each).bounding_box() for each in (".sheet", "window-panes")
        )
        assert sheet is not None
        assert place is not None
        assert sheet["width"] <= place["width"]
        assert sheet["height"] <= place["height"]
        act(desk, "fit")
        wait_for_toast(desk, "its size holds")
        assert size_of(desk, pane) == "220x70"
        same_screen(desk, pane)
    until(desk, lambda: size_of(desk, pane) != "220x70")
    desk.wait_for("() => document.querySelector('terminal-area').shownFontSize === 13")


def test_a_phone_leaves_the_size_alone_until_it_is_told_to(phone: Desk) -> None:
    pane = phone.session(size="120x40")
    opened(phone, pane)
    status_says(phone, "120x40")
    phone.page.set_viewport_size({"width": 380, "height": 600})
    phone.wait_for("() => document.querySelector('window-panes').clientWidth <= 380")
    assert size_of(phone, pane) == "120x40"
    act(phone, "fit")
    until(phone, lambda: size_of(phone, pane) != "120x40")
    assert int(size_of(phone, pane).split("x")[0]) < 80
    same_screen(phone, pane)


def test_letters_and_theme_are_the_persons_and_stay(desk: Desk) -> None:
    pane = desk.session()
    opened(desk, pane)
    until(desk, lambda: size_of(desk, pane) != "100x30")
    before = int(size_of(desk, pane).split("x")[0])
    for _ in range(3):
        act(desk, "font-bigger")
    until(desk, lambda: int(size_of(desk, pane).split("x")[0]) < before)
    act(desk, "theme-dark")
    ground = "() => document.querySelector('tmux-adapter-web').getAttribute('theme-background')"
    desk.wait_for(f"() => ({ground})() === '#0b1112'")
    act(desk, "theme-light")
    desk.wait_for(f"() => ({ground})() === '#ffffff'")
    desk.page.reload()
    desk.wait_for("() => document.querySelector('terminal-area').shownFontSize === 16")
    assert desk.page.evaluate(ground) == "#ffffff"
    act(desk, "font-reset")
    desk.wait_for("() => document.querySelector('terminal-area').shownFontSize === 13")
