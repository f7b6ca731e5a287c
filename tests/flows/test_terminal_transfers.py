"""Files, the clipboard, links and search in a terminal."""

from playwright.sync_api import expect

from tests.flows.page_driver import MS, PageDriver
from tests.flows.terminal_driver import (
    expect_same_screen,
    focus_pane,
    open_terminal,
    run_action,
    toasts,
    type_line,
    wait_for_toast,
)

DROP = """([name, fileName, type, text]) => {
  const place = document.querySelector(`tmux-adapter-web[name='${name}']`)
    .shadowRoot.querySelector('.xterm-screen')
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File([text], fileName, { type }))
  const options = { dataTransfer, bubbles: true, cancelable: true, composed: true }
  for (const kind of ['dragover', 'drop']) place.dispatchEvent(new DragEvent(kind, options))
}"""
PASTE = """([name, fileName, type, bytes]) => {
  const clipboardData = new DataTransfer()
  clipboardData.items.add(new File([Uint8Array.from(bytes)], fileName, { type }))
  const options = { clipboardData, bubbles: true, cancelable: true, composed: true }
  document.querySelector(`tmux-adapter-web[name='${name}']`).shadowRoot.querySelector('textarea')
    .dispatchEvent(new ClipboardEvent('paste', options))
}"""
CLIPBOARD = "() => navigator.clipboard.readText()"


def test_dropped_files_and_pasted_images_arrive_as_paths(desktop: PageDriver) -> None:
    pane = desktop.session()
    open_terminal(desktop, pane)
    desktop.page.evaluate(DROP, [pane, "data.bin", "application/octet-stream", "a\0b"])
    desktop.wait_for_text(pane, "data.bin")
    uploads = desktop.directory / ".webtmux" / "uploads"
    [saved] = uploads.glob("*data.bin")
    assert saved.read_bytes() == b"a\0b"
    desktop.page.evaluate(PASTE, [pane, "shot.png", "image/png", [137, 80, 78, 71]])
    desktop.wait_for_text(pane, "shot.png")
    [picture] = uploads.glob("*shot.png")
    assert picture.read_bytes() == b"\x89PNG"
    assert str(picture) in desktop.text(pane).replace("\n", "")
    expect_same_screen(desktop, pane)


def test_a_too_large_file_is_refused_with_a_message(desktop: PageDriver) -> None:
    pane = desktop.session()
    open_terminal(desktop, pane)
    desktop.page.evaluate(DROP, [pane, "big", "", "x" * (8 * 1024 * 1024 + 1)])
    wait_for_toast(desktop, "Could not send big. The file is larger than")


def test_a_program_cannot_write_to_the_clipboard_without_consent(desktop: PageDriver) -> None:
    desktop.page.context.grant_permissions(
        ["clipboard-read", "clipboard-write"], origin=desktop.address
    )
    pane = desktop.session()
    open_terminal(desktop, pane)
    desktop.page.bring_to_front()
    desktop.page.evaluate("navigator.clipboard.writeText('mine')")
    type_line(desktop, "printf '\\033]52;c;dGhlaXJz\\a'; echo offer'ed'")
    wait_for_toast(desktop, "A program wants to copy to the clipboard: theirs")
    assert desktop.page.evaluate(CLIPBOARD) == "mine"
    desktop.page.evaluate("window.toasts.at(-1).undo.run()")
    desktop.wait_for("async () => await navigator.clipboard.readText() === 'theirs'")


def test_selected_text_is_copied_and_pasted_by_keys(desktop: PageDriver) -> None:
    desktop.page.context.grant_permissions(
        ["clipboard-read", "clipboard-write"], origin=desktop.address
    )
    pane = desktop.session()
    open_terminal(desktop, pane)
    desktop.page.bring_to_front()
    type_line(desktop, "clear; echo cop''ied")
    desktop.wait_for_text(pane, "copied\n")
    box = desktop.terminal(pane).bounding_box()
    assert box is not None
    desktop.page.mouse.dblclick(box["x"] + 20, box["y"] + 8)
    desktop.wait_for("() => document.querySelector('tmux-adapter-web').selection === 'copied'")
    desktop.page.keyboard.press("Control+Shift+C")
    desktop.wait_for("async () => await navigator.clipboard.readText() === 'copied'")
    desktop.page.keyboard.type("echo 1-")
    desktop.wait_for_text(pane, "echo 1-")
    run_action(desktop, "paste")
    desktop.wait_for_text(pane, "echo 1-copied")
    desktop.page.keyboard.press("Enter")
    desktop.wait_for_text(pane, "\n1-copied")
    assert toasts(desktop) == []


def test_search_finds_text_in_the_scrollback(desktop: PageDriver) -> None:
    pane = desktop.session()
    open_terminal(desktop, pane)
    type_line(desktop, "echo need''le; seq 1 300; echo need''le; echo e''nd")
    desktop.wait_for_text(pane, "300\nneedle\nend")
    desktop.page.keyboard.press("Control+Shift+F")
    box = desktop.page.get_by_role("textbox", name="Find in terminal")
    expect(box).to_be_focused(timeout=MS)
    desktop.page.keyboard.type("needle")
    count = desktop.page.locator("find-bar output")
    expect(count).to_have_text("2 of 2", timeout=MS)
    desktop.page.get_by_role("button", name="Previous match").click()
    expect(count).to_have_text("1 of 2", timeout=MS)
    desktop.page.keyboard.press("Enter")
    box.fill("nowhere to be found")
    expect(count).to_have_text("No results", timeout=MS)
    box.press("Escape")
    expect(box).to_be_hidden()
    type_line(desktop, "echo ba''ck")
    desktop.wait_for_text(pane, "\nback")


def test_a_link_opens_in_an_isolated_tab(desktop: PageDriver) -> None:
    pane = desktop.session()
    open_terminal(desktop, pane)
    link = "\\033]8;;%s\\033\\\\%s\\033]8;;\\033\\\\\\n"
    type_line(
        desktop,
        f"clear; echo {desktop.address}/healthz; printf '{link}' 'javascript:alert(1)' trap",
    )
    desktop.wait_for_text(pane, "/healthz\ntrap\n")
    box = desktop.terminal(pane).bounding_box()
    assert box is not None
    desktop.page.mouse.move(box["x"] + 60, box["y"] + 8, steps=3)
    desktop.wait_for(
        "() => document.querySelector('tmux-adapter-web').shadowRoot.querySelector('[title]')"
    )
    focus_pane(desktop, pane)
    with desktop.page.context.expect_page(timeout=MS) as opening:
        desktop.page.mouse.move(box["x"] + 60, box["y"] + 8, steps=3)
        desktop.page.keyboard.down("Control")
        desktop.page.mouse.click(box["x"] + 60, box["y"] + 8)
    expect(opening.value).to_have_url(f"{desktop.address}/healthz", timeout=MS)
    assert opening.value.evaluate("opener") is None
    opening.value.close()
    desktop.page.mouse.move(box["x"] + 10, box["y"] + 23, steps=3)
    desktop.page.mouse.click(box["x"] + 10, box["y"] + 23)
    desktop.page.keyboard.up("Control")
    type_line(desktop, "echo no''thing")
    desktop.wait_for_text(pane, "\nnothing")
    assert len(desktop.page.context.pages) == 1
