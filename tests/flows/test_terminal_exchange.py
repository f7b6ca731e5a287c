"""What goes in and out of a terminal beside keys: files, the clipboard, links, a search."""

from playwright.sync_api import expect

from tests.flows.desk import SECONDS, Desk
from tests.flows.terminals import act, enter, focus, opened, same_screen, toasts, wait_for_toast

MS = SECONDS * 1000
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


def test_a_dropped_file_and_a_pasted_picture_arrive_as_paths(desk: Desk) -> None:
    pane = desk.session()
    opened(desk, pane)
    desk.page.evaluate(DROP, [pane, "data.bin", "application/octet-stream", "a\0b"])
    desk.wait_for_text(pane, "data.bin")
    uploads = desk.directory / ".webtmux" / "uploads"
    [saved] = uploads.glob("*data.bin")
    assert saved.read_bytes() == b"a\0b"
    desk.page.evaluate(PASTE, [pane, "shot.png", "image/png", [137, 80, 78, 71]])
    desk.wait_for_text(pane, "shot.png")
    [picture] = uploads.glob("*shot.png")
    assert picture.read_bytes() == b"\x89PNG"
    assert str(picture) in desk.text(pane).replace("\n", "")
    same_screen(desk, pane)


def test_a_file_that_is_too_large_is_refused_in_words(desk: Desk) -> None:
    pane = desk.session()
    opened(desk, pane)
    desk.page.evaluate(DROP, [pane, "big", "", "x" * (8 * 1024 * 1024 + 1)])
    wait_for_toast(desk, "big was not sent: larger than")


def test_a_program_offers_text_and_only_the_person_takes_it(desk: Desk) -> None:
    desk.page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=desk.address)
    pane = desk.session()
    opened(desk, pane)
    desk.page.bring_to_front()
    desk.page.evaluate("navigator.clipboard.writeText('mine')")
    enter(desk, "printf '\\033]52;c;dGhlaXJz\\a'; echo offer'ed'")
    wait_for_toast(desk, "A program offers text for the clipboard: theirs")
    assert desk.page.evaluate(CLIPBOARD) == "mine"
    desk.page.evaluate("window.toasts.at(-1).undo.run()")
    desk.wait_for("async () => await navigator.clipboard.readText() === 'theirs'")


def test_marked_text_is_copied_and_pasted_by_keys(desk: Desk) -> None:
    desk.page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=desk.address)
    pane = desk.session()
    opened(desk, pane)
    desk.page.bring_to_front()
    enter(desk, "clear; echo cop''ied")
    desk.wait_for_text(pane, "copied\n")
    box = desk.terminal(pane).bounding_box()
    assert box is not None
    desk.page.mouse.dblclick(box["x"] + 20, box["y"] + 8)
    desk.wait_for("() => document.querySelector('tmux-adapter-web').selection === 'copied'")
    desk.page.keyboard.press("Control+Shift+C")
    desk.wait_for("async () => await navigator.clipboard.readText() === 'copied'")
    desk.page.keyboard.type("echo 1-")
    act(desk, "paste")
    desk.wait_for_text(pane, "echo 1-copied")
    desk.page.keyboard.press("Enter")
    desk.wait_for_text(pane, "\n1-copied")
    assert toasts(desk) == []


def test_text_is_found_in_the_history(desk: Desk) -> None:
    pane = desk.session()
    opened(desk, pane)
    enter(desk, "echo need''le; seq 1 300; echo need''le; echo e''nd")
    desk.wait_for_text(pane, "300\nneedle\nend")
    desk.page.keyboard.press("Control+Shift+F")
    box = desk.page.get_by_label("Find in this terminal")
    expect(box).to_be_focused(timeout=MS)
    desk.page.keyboard.type("needle")
    count = desk.page.locator("find-bar output")
    expect(count).to_have_text("2 of 2", timeout=MS)
    desk.page.get_by_role("button", name="Previous match").click()
    expect(count).to_have_text("1 of 2", timeout=MS)
    desk.page.keyboard.press("Enter")
    box.fill("nowhere to be found")
    expect(count).to_have_text("none", timeout=MS)
    box.press("Escape")
    expect(box).to_be_hidden()
    enter(desk, "echo ba''ck")
    desk.wait_for_text(pane, "\nback")


def test_a_link_opens_in_a_tab_that_knows_nothing_of_this_one(desk: Desk) -> None:
    pane = desk.session()
    opened(desk, pane)
    link = "\\033]8;;%s\\033\\\\%s\\033]8;;\\033\\\\\\n"
    enter(desk, f"clear; echo {desk.address}/healthz; printf '{link}' 'javascript:alert(1)' trap")
    desk.wait_for_text(pane, "/healthz\ntrap\n")
    box = desk.terminal(pane).bounding_box()
    assert box is not None
    desk.page.mouse.move(box["x"] + 60, box["y"] + 8, steps=3)
    desk.wait_for(
        "() => document.querySelector('tmux-adapter-web').shadowRoot.querySelector('[title]')"
    )
    focus(desk, pane)
    with desk.page.context.expect_page(timeout=MS) as opening:
        desk.page.mouse.move(box["x"] + 60, box["y"] + 8, steps=3)
        desk.page.keyboard.down("Control")
        desk.page.mouse.click(box["x"] + 60, box["y"] + 8)
    expect(opening.value).to_have_url(f"{desk.address}/healthz", timeout=MS)
    assert opening.value.evaluate("opener") is None
    opening.value.close()
    desk.page.mouse.move(box["x"] + 10, box["y"] + 23, steps=3)
    desk.page.mouse.click(box["x"] + 10, box["y"] + 23)
    desk.page.keyboard.up("Control")
    enter(desk, "echo no''thing")
    desk.wait_for_text(pane, "\nnothing")
    assert len(desk.page.context.pages) == 1
