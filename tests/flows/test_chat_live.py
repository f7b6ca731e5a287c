"""The chat of a window while something is said in it."""

import re

from playwright.sync_api import expect

from tests.flows.chats import is_at_end, row, rows, scroll, turns, write
from tests.flows.desk import Desk

SOON = 30_000


def test_a_conversation_appears_as_it_happens(desk: Desk) -> None:
    fake = desk.fake("claude")
    desk.open(f"#/window/{fake.window_id}/chat")
    expect(desk.page.locator("virtual-list")).to_be_visible()
    desk.rest("POST", f"/agents/{fake.name}/prompt", json={"prompt": "mend the roof"})
    expect(rows(desk, "user").filter(has_text="mend the roof")).to_be_visible(timeout=SOON)
    answer = rows(desk, "assistant").last
    expect(answer).to_contain_text("Done, nothing was changed.", timeout=SOON)
    expect(answer.locator(".chat-who")).to_have_text("claude")
    year = desk.page.evaluate("new Date().getFullYear()")
    expect(answer.locator("time")).to_have_attribute("title", re.compile(str(year)))
    assert is_at_end(desk)


def test_everything_shows_the_pictures_that_the_conversation_is_read_from(desk: Desk) -> None:
    pane = desk.session()
    key = desk.key_of(pane)
    write(desk, key, turns(3))
    desk.open(f"#/window/{key}/chat")
    expect(row(desk, "answer 2 line 0")).to_be_visible(timeout=SOON)
    expect(row(desk, "$ echo 2")).to_have_count(0)
    desk.page.get_by_role("button", name="Everything").click()
    expect(row(desk, "$ echo 2")).to_be_visible(timeout=SOON)
    expect(rows(desk, "user").last.locator(".chat-who")).to_have_text("Submitted")
    desk.page.reload()
    expect(row(desk, "$ echo 2")).to_be_visible(timeout=SOON)  # what was chosen is kept


def test_who_reads_above_is_not_moved_and_is_told_what_is_new(desk: Desk) -> None:
    fake = desk.fake("claude")
    key = desk.key_of(fake.pane_id)
    write(desk, key, turns(40))
    desk.open(f"#/window/{key}/chat")
    expect(row(desk, "answer 39 line 0")).to_be_visible(timeout=SOON)
    scroll(desk, -900)
    expect(desk.page.get_by_role("button", name="Newest")).to_be_visible()
    before = place_of_first(desk)
    desk.rest("POST", f"/agents/{fake.name}/prompt", json={"prompt": "one more thing"})
    new = desk.page.get_by_role("button", name="new", exact=False).filter(has_text="↓")
    expect(new).to_contain_text("new", timeout=SOON)
    assert place_of_first(desk) == before
    new.click()
    expect(row(desk, "one more thing").last).to_be_in_viewport(timeout=SOON)
    expect(desk.page.locator(".chat-newest")).to_have_count(0)
    assert is_at_end(desk)


def place_of_first(desk: Desk) -> list[object]:
    """The first row that is visible, and where."""
    told: list[object] = desk.page.locator("virtual-list").evaluate(
        """(list) => {
          const top = list.getBoundingClientRect().top
          const rows = [...list.querySelectorAll('.chat-row')]
          const row = rows.find((one) => one.getBoundingClientRect().bottom > top)
          return [row.dataset.ts, Math.round(row.getBoundingClientRect().top)]
        }"""
    )
    return told


def test_a_message_is_copied_as_it_was_said(desk: Desk) -> None:
    desk.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    key = desk.key_of(desk.session())
    write(desk, key, turns(4))
    desk.open(f"#/window/{key}/chat")
    button = row(desk, "answer 3 line 0").get_by_role("button", name="Copy")
    button.click()
    expect(button).to_have_text("Copied")
    copied = desk.page.evaluate("navigator.clipboard.readText()")
    assert copied == "\n".join(f"answer 3 line {line}" for line in range(4))


def test_a_message_leads_to_its_moment_of_a_recording(desk: Desk) -> None:
    pane = desk.session()
    key = desk.key_of(pane)
    desk.rest("POST", f"/windows/{key}/recording", json={})
    desk.rest("POST", f"/panes/{pane[1:]}/send", json={"text": "echo roof", "submit": True})
    desk.open(f"#/window/{key}/chat")
    watch = rows(desk, "user").filter(has_text="echo roof").get_by_role("link", name="Watch")
    expect(watch).to_be_visible(timeout=SOON)
    recording = desk.rest("GET", f"/recordings?window={key}")["items"][0]["key"]
    address = re.compile(rf"^/recordings/{recording}\?t=\d+$")
    expect(watch).to_have_attribute("href", address)
    assert desk.page.request.get(f"{desk.address}{watch.get_attribute('href')}").ok
    desk.rest("DELETE", f"/windows/{key}/recording")


def test_the_whole_conversation_is_copied(desk: Desk) -> None:
    desk.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    key = desk.key_of(desk.session())
    write(desk, key, turns(3))
    desk.open(f"#/window/{key}/chat")
    desk.page.get_by_role("button", name="Copy all").click()
    expect(desk.page.get_by_text("6 messages are on the clipboard")).to_be_visible(timeout=SOON)
    copied: str = desk.page.evaluate("navigator.clipboard.readText()")
    assert [line for line in copied.split("\n") if line.startswith(("echo", "answer"))][:2] == [
        "echo 0", "answer 0 line 0",
    ]  # fmt: skip


def test_a_window_where_nothing_was_said_says_so_and_leads_to_its_terminal(desk: Desk) -> None:
    key = desk.key_of(desk.session(command="exec cat"))
    desk.open(f"#/window/{key}/chat")
    expect(desk.page.get_by_role("heading", name="Nothing was said here yet")).to_be_visible()
    desk.page.get_by_role("link", name="Open the terminal").click()
    desk.wait_for("(key) => location.hash === `#/window/${key}`", key)


def test_a_window_that_does_not_exist_is_told_in_the_words_of_the_server(desk: Desk) -> None:
    desk.open("#/window/nosuchkey2/chat")
    alert = desk.page.get_by_role("alert").filter(has_text="could not be loaded")
    expect(alert).to_contain_text("there is no window", timeout=SOON)
    expect(alert.get_by_role("button", name="Try again")).to_be_visible()
