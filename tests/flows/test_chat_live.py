"""The chat of a window while messages arrive."""

import re

from playwright.sync_api import expect

from tests.flows.chat_driver import row, rows, scroll, turns, wait_for_end, write_records
from tests.flows.page_driver import MS, PageDriver


def test_messages_appear_live(desktop: PageDriver) -> None:
    fake = desktop.fake("claude")
    desktop.open(f"#/window/{fake.window_id}/chat")
    expect(desktop.page.locator("virtual-list")).to_be_visible()
    desktop.rest("POST", f"/agents/{fake.name}/prompt", json={"prompt": "fix the roof"})
    expect(rows(desktop, "user").filter(has_text="fix the roof")).to_be_visible(timeout=MS)
    answer = rows(desktop, "assistant").last
    expect(answer).to_contain_text("Done, nothing was changed.", timeout=MS)
    expect(answer.locator(".chat-who")).to_have_text("claude")
    year = desktop.page.evaluate("new Date().getFullYear()")
    expect(answer.locator("time")).to_have_attribute("title", re.compile(str(year)))
    wait_for_end(desktop)


def test_everything_shows_the_records_behind_the_conversation(desktop: PageDriver) -> None:
    pane = desktop.session()
    key = desktop.key_of(pane)
    write_records(desktop, key, turns(3))
    desktop.open(f"#/window/{key}/chat")
    expect(row(desktop, "answer 2 line 0")).to_be_visible(timeout=MS)
    expect(row(desktop, "$ echo 2")).to_have_count(0)
    desktop.page.get_by_role("button", name="Everything").click()
    expect(row(desktop, "$ echo 2")).to_be_visible(timeout=MS)
    expect(rows(desktop, "user").last.locator(".chat-who")).to_have_text("Submitted")
    desktop.page.reload()
    expect(row(desktop, "$ echo 2")).to_be_visible(timeout=MS)  # the choice is remembered


def test_new_messages_do_not_move_a_scrolled_reader_and_are_counted(desktop: PageDriver) -> None:
    fake = desktop.fake("claude")
    key = desktop.key_of(fake.pane_id)
    write_records(desktop, key, turns(40))
    desktop.open(f"#/window/{key}/chat")
    expect(row(desktop, "answer 39 line 0")).to_be_visible(timeout=MS)
    scroll(desktop, -900)
    expect(desktop.page.get_by_role("button", name="Newest")).to_be_visible()
    before = first_visible_row(desktop)
    desktop.rest("POST", f"/agents/{fake.name}/prompt", json={"prompt": "one more thing"})
    new = desktop.page.get_by_role("button", name="new", exact=False).filter(has_text="↓")
    expect(new).to_contain_text("new", timeout=MS)
    assert first_visible_row(desktop) == before
    new.click()
    expect(row(desktop, "one more thing").last).to_be_in_viewport(timeout=MS)
    expect(desktop.page.locator(".chat-newest")).to_have_count(0)
    wait_for_end(desktop)


def first_visible_row(desktop: PageDriver) -> list[object]:
    """The timestamp and the position of the first visible row, once the list is rendered."""
    position: list[object] = desktop.page.locator("virtual-list").evaluate(
        """async (list) => {
          for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
          const top = list.getBoundingClientRect().top
          const rows = [...list.querySelectorAll('.chat-row')]
          const row = rows.find((each) => each.getBoundingClientRect().bottom > top)
          return [row.dataset.ts, Math.round(row.getBoundingClientRect().top)]
        }"""
    )
    return position


def test_a_message_is_copied_unchanged(desktop: PageDriver) -> None:
    desktop.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    key = desktop.key_of(desktop.session())
    write_records(desktop, key, turns(4))
    desktop.open(f"#/window/{key}/chat")
    button = row(desktop, "answer 3 line 0").get_by_role("button", name="Copy")
    button.click()
    expect(button).to_have_text("Copied")
    copied = desktop.page.evaluate("navigator.clipboard.readText()")
    assert copied == "\n".join(f"answer 3 line {line}" for line in range(4))


def test_a_message_links_to_its_position_in_a_recording(desktop: PageDriver) -> None:
    pane = desktop.session()
    key = desktop.key_of(pane)
    desktop.rest("POST", f"/windows/{key}/recording", json={})
    desktop.rest("POST", f"/panes/{pane[1:]}/send", json={"text": "echo roof", "submit": True})
    desktop.open(f"#/window/{key}/chat")
    watch = rows(desktop, "user").filter(has_text="echo roof").get_by_role("link", name="Watch")
    expect(watch).to_be_visible(timeout=MS)
    recording = desktop.rest("GET", f"/recordings?window={key}")["items"][0]["key"]
    address = re.compile(rf"^/recordings/{recording}\?t=\d+$")
    expect(watch).to_have_attribute("href", address)
    assert desktop.page.request.get(f"{desktop.address}{watch.get_attribute('href')}").ok
    desktop.rest("DELETE", f"/windows/{key}/recording")


def test_a_whole_conversation_is_copied(desktop: PageDriver) -> None:
    desktop.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    key = desktop.key_of(desktop.session())
    write_records(desktop, key, turns(3))
    desktop.open(f"#/window/{key}/chat")
    desktop.page.get_by_role("button", name="Copy all").click()
    expect(desktop.page.get_by_text("Copied 6 messages.")).to_be_visible(timeout=MS)
    copied: str = desktop.page.evaluate("navigator.clipboard.readText()")
    assert [line for line in copied.split("\n") if line.startswith(("echo", "answer"))][:2] == [
        "echo 0", "answer 0 line 0",
    ]  # fmt: skip


def test_an_empty_chat_links_to_the_terminal(desktop: PageDriver) -> None:
    key = desktop.key_of(desktop.session(command="exec cat"))
    desktop.open(f"#/window/{key}/chat")
    expect(desktop.page.get_by_role("heading", name="No messages yet")).to_be_visible()
    desktop.page.get_by_role("link", name="Open terminal").click()
    desktop.wait_for("(key) => location.hash === `#/window/${key}`", key)


def test_a_missing_window_shows_the_error_of_the_server(desktop: PageDriver) -> None:
    desktop.open("#/window/nosuchkey2/chat")
    alert = desktop.page.get_by_role("alert").filter(has_text="Could not load the chat")
    expect(alert).to_contain_text("there is no window", timeout=MS)
    expect(alert.get_by_role("button", name="Retry")).to_be_visible()
