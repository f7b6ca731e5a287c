"""Prompts from the page: sent once, receipted, kept when they fail; files, drafts, history."""

import re
from typing import Any

import pytest
from playwright.sync_api import FilePayload, expect

from tests.flows.desk import Desk
from tests.flows.prompting import (
    MS,
    Wire,
    composer,
    eventually,
    receipt,
    told,
    write_in,
    write_to,
)

# A drop or a paste of one file, as the browser tells it.
TRANSFER = """(element, [type, name, mime, what]) => {
  const transfer = new DataTransfer()
  const content = typeof what === 'number' ? new Uint8Array(what) : what
  transfer.items.add(new File([content], name, { type: mime }))
  const options = { bubbles: true, cancelable: true }
  const event = type === 'paste'
    ? new ClipboardEvent(type, { ...options, clipboardData: transfer })
    : new DragEvent(type, { ...options, dataTransfer: transfer })
  element.dispatchEvent(event)
}"""


def test_enter_sends_a_prompt_and_its_receipt_is_shown(desk: Desk) -> None:
    fake = desk.fake("claude")
    field = write_to(desk, fake)
    field.fill("mend the red test")
    field.press("Enter")
    expect(told(desk)).to_have_text(receipt(), timeout=MS)
    expect(told(desk)).to_contain_text("turn started")
    expect(field).to_have_value("")
    assert fake.prompts == [b"mend the red test"]


def test_a_prompt_of_several_lines_arrives_as_one(desk: Desk) -> None:
    fake = desk.fake("codex")
    field = write_to(desk, fake)
    field.focus()
    desk.page.keyboard.type("first line")
    height = field.bounding_box()
    field.press("Shift+Enter")
    desk.page.keyboard.type("second line")
    expect(field).to_have_value("first line\nsecond line")
    grown = field.bounding_box()
    assert height is not None
    assert grown is not None
    assert grown["height"] > height["height"]
    assert fake.prompts == []
    composer(desk).get_by_role("button", name="Send", exact=True).click()
    expect(told(desk)).to_have_text(receipt(), timeout=MS)
    assert fake.prompts == [b"first line\nsecond line"]


def test_what_is_only_typed_stands_there_unsubmitted(desk: Desk) -> None:
    fake = desk.fake("claude")
    field = write_to(desk, fake)
    field.fill("not yet")
    composer(desk).get_by_role("button", name="Type only").click()
    expect(told(desk)).to_contain_text("typed, not submitted", timeout=MS)
    expect(field).to_have_value("")
    eventually(desk, lambda: "> not yet" in desk.screen(fake.pane_id))
    assert fake.prompts == []


def test_a_prompt_that_is_not_taken_says_what_stands_there_and_is_kept(desk: Desk) -> None:
    fake = desk.fake("claude", faults=["enter-never"])
    field = write_to(desk, fake)
    field.fill("swallow this")
    field.press("Enter")
    expect(told(desk)).to_have_text("typing…")
    failed = composer(desk).get_by_role("alert")
    expect(failed).to_contain_text("Not submitted.", timeout=MS)
    expect(failed).to_contain_text("'swallow this'")  # what stands on the agent's composer
    expect(field).to_have_value("swallow this")
    expect(failed.get_by_role("button", name="Retry")).to_be_visible()
    failed.get_by_role("button", name="Keep text").click()
    expect(failed).to_be_hidden()
    expect(field).to_have_value("swallow this")
    assert fake.prompts == []


def test_a_prompt_whose_answer_was_lost_is_not_sent_twice(desk: Desk) -> None:
    fake = desk.fake("claude")
    lost: list[dict[str, Any]] = []

    def loses(message: dict[str, Any]) -> bool:
        is_first = message.get("type") == "send-prompt" and not lost
        lost.extend([message] if is_first else [])
        return is_first

    wire = Wire(desk, loses=loses)
    field = write_to(desk, fake)
    field.fill("exactly once")
    field.press("Enter")
    eventually(desk, lambda: fake.prompts == [b"exactly once"] and bool(lost))
    wire.cut()
    expect(told(desk)).to_have_text(receipt(), timeout=MS)
    expect(field).to_have_value("")
    sent = [message for message in wire.said if message["type"] == "send-prompt"]
    assert len(sent) == 2
    assert sent[0]["key"] == sent[1]["key"]
    assert fake.prompts == [b"exactly once"]


def test_a_prompt_whose_end_is_unknown_is_harmless_to_send_after_a_reload(desk: Desk) -> None:
    fake = desk.fake("claude")
    wire = Wire(desk, loses=lambda message: message.get("type") == "send-prompt")
    field = write_to(desk, fake)
    field.fill("once, over a reload")
    field.press("Enter")
    eventually(desk, lambda: len(fake.prompts) == 1)
    wire.loses = lambda message: False
    desk.page.reload()
    expect(field).to_have_value("once, over a reload", timeout=MS)
    expect(composer(desk).locator(".chip.idle")).to_be_attached(timeout=MS)
    field.press("Enter")
    expect(told(desk)).to_have_text(receipt(), timeout=MS)
    assert fake.prompts == [b"once, over a reload"]


def test_drafts_stay_with_their_windows_also_over_a_reload(desk: Desk) -> None:
    one, other = desk.session("one"), desk.session("other")
    field = write_in(desk, one)
    field.fill("half a thought")
    write_in(desk, other)
    expect(field).to_have_value("")
    field.fill("another thought")
    desk.page.reload()
    expect(field).to_have_value("another thought", timeout=MS)
    write_in(desk, one)
    expect(field).to_have_value("half a thought")


def test_earlier_prompts_come_back_by_arrows_and_by_words(desk: Desk) -> None:
    pane = desk.session("shell", "exec cat")
    field = write_in(desk, pane)
    for text in ("first thing", "second thing"):
        field.fill(text)
        field.press("Enter")
        expect(told(desk)).to_contain_text("sent", timeout=MS)
        expect(field).to_have_value("")
    field.fill("unfinished")
    field.press("ArrowUp")  # to the beginning of what is there
    field.press("ArrowUp")
    expect(field).to_have_value("second thing")
    field.press("ArrowUp")
    expect(field).to_have_value("first thing")
    field.press("ArrowDown")
    field.press("ArrowDown")
    expect(field).to_have_value("unfinished")
    composer(desk).get_by_role("button", name="Earlier prompts").click()
    search = composer(desk).get_by_role("combobox", name="Search earlier prompts")
    expect(search).to_be_focused()
    expect(composer(desk).get_by_role("option")).to_have_count(2)
    search.fill("first")
    expect(composer(desk).get_by_role("option")).to_have_count(1)
    search.press("Enter")
    expect(field).to_have_value("first thing")
    expect(field).to_be_focused()


def test_files_come_in_by_button_drop_and_paste(desk: Desk) -> None:
    fake = desk.fake("claude")
    field = write_to(desk, fake)
    field.fill("compare")
    chips = composer(desk).locator(".composer-files .chip")
    with desk.page.expect_file_chooser() as chosen:
        composer(desk).get_by_role("button", name="Attach files").click()
    hello: FilePayload = {"name": "a b.txt", "mimeType": "text/plain", "buffer": b"hello"}
    chosen.value.set_files(hello)
    expect(chips).to_have_count(1, timeout=MS)
    expect(field).to_have_value(re.compile(r"^compare \.webtmux/uploads/\S+-a-b\.txt $"))
    field.evaluate(TRANSFER, ["drop", "dropped.log", "text/x-log", "a log"])
    expect(chips).to_have_count(2, timeout=MS)
    field.evaluate(TRANSFER, ["paste", "shot.png", "image/png", "not really"])
    expect(chips).to_have_text(["a b.txt", "dropped.log", "shot.png"], timeout=MS)
    composer(desk).get_by_role("button", name="Remove dropped.log").click()
    expect(chips).to_have_text(["a b.txt", "shot.png"])
    text = field.input_value()
    assert "dropped" not in text
    _, first, second = text.split()
    assert (desk.directory / first).read_bytes() == b"hello"
    assert second.startswith(str(desk.directory.resolve()))  # of a picture the whole path
    assert fake.prompts == []
    field.press("Enter")
    expect(told(desk)).to_have_text(receipt(), timeout=MS)
    assert [prompt.decode().strip() for prompt in fake.prompts] == [text.strip()]
    expect(chips).to_have_count(0)


def test_a_file_that_is_too_large_is_refused_in_words(desk: Desk) -> None:
    field = write_in(desk, desk.session())
    field.fill("look")
    field.evaluate(TRANSFER, ["drop", "film.bin", "a/b", 8 * 1024 * 1024 + 1])
    alert = composer(desk).get_by_role("alert")
    expect(alert).to_contain_text("film.bin was not attached: it is larger than 8 MiB", timeout=MS)
    expect(field).to_have_value("look")
    alert.get_by_role("button", name="Close").click()
    expect(alert).to_be_hidden()


def test_a_window_without_an_agent_gets_the_command(desk: Desk) -> None:
    pane = desk.session()
    field = write_in(desk, pane)
    expect(composer(desk).locator(".composer-head .chip")).to_have_text("terminal")
    field.fill("echo $((6 * 7)) is it")
    field.press("Enter")
    expect(told(desk)).to_contain_text("sent", timeout=MS)
    eventually(desk, lambda: "42 is it" in desk.screen(pane))


def test_what_enter_does_is_remembered(desk: Desk) -> None:
    field = write_in(desk, desk.session())
    composer(desk).get_by_role("button", name="Enter sends").click()
    desk.page.reload()
    expect(field).to_be_visible(timeout=MS)
    field.fill("one")
    field.press("Enter")
    expect(field).to_have_value("one\n")
    field.press("Control+Enter")
    expect(told(desk)).to_contain_text("sent", timeout=MS)


def test_on_a_phone_enter_makes_a_line_and_the_button_sends(phone: Desk) -> None:
    fake = phone.fake("claude")
    field = write_to(phone, fake)
    field.tap()
    phone.page.keyboard.type("one")
    field.press("Enter")
    phone.page.keyboard.type("two")
    expect(field).to_have_value("one\ntwo")
    send = composer(phone).get_by_role("button", name="Send", exact=True)
    box = send.bounding_box()
    assert box is not None
    assert box["height"] >= 44
    assert box["x"] + box["width"] <= 390
    send.tap()
    expect(told(phone)).to_have_text(receipt(), timeout=MS)
    assert fake.prompts == [b"one\ntwo"]


@pytest.mark.parametrize("text", ["<img src=x onerror=alert(1)>", "`$(touch canary)` #{pane_pid}"])
def test_hostile_text_is_only_text(desk: Desk, text: str) -> None:
    pane = desk.session("cat", "exec cat")
    field = write_in(desk, pane)
    field.fill(text)
    field.press("Enter")
    expect(told(desk)).to_contain_text("sent", timeout=MS)
    eventually(desk, lambda: desk.screen(pane).count(text) == 2)  # typed, and told by cat
    field.press("ArrowUp")
    expect(field).to_have_value(text)
    assert not (desk.directory / "canary").exists()
