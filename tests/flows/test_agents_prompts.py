"""Prompts from the page: sent once, with a receipt, kept on failure; files, drafts, history."""

import re
from typing import Any

import pytest
from playwright.sync_api import FilePayload, expect

from tests.flows.composer_driver import (
    LossySocket,
    composer,
    composer_status,
    open_agent_composer,
    open_composer,
    receipt,
)
from tests.flows.page_driver import MS, PageDriver

# Drops or pastes one file.
TRANSFER = """(element, [type, name, mime, data]) => {
  const transfer = new DataTransfer()
  const content = typeof data === 'number' ? new Uint8Array(data) : data
  transfer.items.add(new File([content], name, { type: mime }))
  const options = { bubbles: true, cancelable: true }
  const event = type === 'paste'
    ? new ClipboardEvent(type, { ...options, clipboardData: transfer })
    : new DragEvent(type, { ...options, dataTransfer: transfer })
  element.dispatchEvent(event)
}"""


def test_enter_sends_a_prompt_and_shows_its_receipt(desktop: PageDriver) -> None:
    fake = desktop.fake("claude")
    field = open_agent_composer(desktop, fake)
    field.fill("fix the failing test")
    field.press("Enter")
    expect(composer_status(desktop)).to_have_text(receipt(), timeout=MS)
    expect(composer_status(desktop)).to_contain_text("turn started")
    expect(field).to_have_value("")
    assert fake.prompts == [b"fix the failing test"]


def test_a_multiline_prompt_arrives_as_one(desktop: PageDriver) -> None:
    fake = desktop.fake("codex")
    field = open_agent_composer(desktop, fake)
    field.focus()
    desktop.page.keyboard.type("first line")
    height = field.bounding_box()
    field.press("Shift+Enter")
    desktop.page.keyboard.type("second line")
    expect(field).to_have_value("first line\nsecond line")
    grown = field.bounding_box()
    assert height is not None
    assert grown is not None
    assert grown["height"] > height["height"]
    assert fake.prompts == []
    composer(desktop).get_by_role("button", name="Send", exact=True).click()
    expect(composer_status(desktop)).to_have_text(receipt(), timeout=MS)
    assert fake.prompts == [b"first line\nsecond line"]


def test_type_only_does_not_submit(desktop: PageDriver) -> None:
    fake = desktop.fake("claude")
    field = open_agent_composer(desktop, fake)
    field.fill("not yet")
    composer(desktop).get_by_role("button", name="Type only").click()
    expect(composer_status(desktop)).to_contain_text("Typed, not submitted", timeout=MS)
    expect(field).to_have_value("")
    desktop.wait_until(lambda: "> not yet" in desktop.screen(fake.pane_id))
    assert fake.prompts == []


def test_an_unaccepted_prompt_is_kept_and_shows_the_agents_input(desktop: PageDriver) -> None:
    fake = desktop.fake("claude", faults=["enter-never"])
    field = open_agent_composer(desktop, fake)
    field.fill("swallow this")
    field.press("Enter")
    expect(composer_status(desktop)).to_have_text("Typing…")
    failed = composer(desktop).get_by_role("alert")
    expect(failed).to_contain_text("Not submitted.", timeout=MS)
    expect(failed).to_contain_text("'swallow this'")  # the text in the input box of the agent
    expect(field).to_have_value("swallow this")
    expect(failed.get_by_role("button", name="Retry")).to_be_visible()
    failed.get_by_role("button", name="Keep text").click()
    expect(failed).to_be_hidden()
    expect(field).to_have_value("swallow this")
    assert fake.prompts == []


def test_a_prompt_with_a_lost_response_is_not_sent_twice(desktop: PageDriver) -> None:
    fake = desktop.fake("claude")
    lost: list[dict[str, Any]] = []

    def drops(message: dict[str, Any]) -> bool:
        is_first = message.get("type") == "send-prompt" and not lost
        lost.extend([message] if is_first else [])
        return is_first

    socket = LossySocket(desktop, drops=drops)
    field = open_agent_composer(desktop, fake)
    field.fill("exactly once")
    field.press("Enter")
    desktop.wait_until(lambda: fake.prompts == [b"exactly once"] and bool(lost))
    socket.cut()
    expect(composer_status(desktop)).to_have_text(receipt(), timeout=MS)
    expect(field).to_have_value("")
    sent = [message for message in socket.sent if message["type"] == "send-prompt"]
    assert len(sent) == 2
    assert sent[0]["key"] == sent[1]["key"]
    assert fake.prompts == [b"exactly once"]


def test_an_unconfirmed_prompt_is_not_sent_twice_after_a_reload(desktop: PageDriver) -> None:
    fake = desktop.fake("claude")
    socket = LossySocket(desktop, drops=lambda message: message.get("type") == "send-prompt")
    field = open_agent_composer(desktop, fake)
    field.fill("once, over a reload")
    field.press("Enter")
    desktop.wait_until(lambda: len(fake.prompts) == 1)
    socket.drops = lambda message: False
    desktop.page.reload()
    expect(field).to_have_value("once, over a reload", timeout=MS)
    expect(composer(desktop).locator(".chip.idle")).to_be_attached(timeout=MS)
    field.press("Enter")
    expect(composer_status(desktop)).to_have_text(receipt(), timeout=MS)
    assert fake.prompts == [b"once, over a reload"]


def test_drafts_belong_to_windows_and_survive_a_reload(desktop: PageDriver) -> None:
    first, second = desktop.session("first"), desktop.session("second")
    field = open_composer(desktop, first)
    field.fill("half a thought")
    open_composer(desktop, second)
    expect(field).to_have_value("")
    field.fill("another thought")
    desktop.page.reload()
    expect(field).to_have_value("another thought", timeout=MS)
    open_composer(desktop, first)
    expect(field).to_have_value("half a thought")


def test_earlier_prompts_are_found_by_arrow_keys_and_search(desktop: PageDriver) -> None:
    pane = desktop.session("shell", "exec cat")
    field = open_composer(desktop, pane)
    for text in ("first thing", "second thing"):
        field.fill(text)
        field.press("Enter")
        expect(composer_status(desktop)).to_contain_text("Sent", timeout=MS)
        expect(field).to_have_value("")
    field.fill("unfinished")
    field.press("ArrowUp")  # moves the caret to the start of the text
    field.press("ArrowUp")
    expect(field).to_have_value("second thing")
    field.press("ArrowUp")
    expect(field).to_have_value("first thing")
    field.press("ArrowDown")
    field.press("ArrowDown")
    expect(field).to_have_value("unfinished")
    composer(desktop).get_by_role("button", name="Earlier prompts").click()
    search = composer(desktop).get_by_role("combobox", name="Search earlier prompts")
    expect(search).to_be_focused()
    expect(composer(desktop).get_by_role("option")).to_have_count(2)
    search.fill("first")
    expect(composer(desktop).get_by_role("option")).to_have_count(1)
    search.press("Enter")
    expect(field).to_have_value("first thing")
    expect(field).to_be_focused()


def test_files_are_attached_by_button_drop_and_paste(desktop: PageDriver) -> None:
    fake = desktop.fake("claude")
    field = open_agent_composer(desktop, fake)
    field.fill("compare")
    chips = composer(desktop).locator(".composer-files .chip")
    with desktop.page.expect_file_chooser() as chosen:
        composer(desktop).get_by_role("button", name="Attach files").click()
    hello: FilePayload = {"name": "a b.txt", "mimeType": "text/plain", "buffer": b"hello"}
    chosen.value.set_files(hello)
    expect(chips).to_have_count(1, timeout=MS)
    expect(field).to_have_value(re.compile(r"^compare \.webtmux/uploads/\S+-a-b\.txt $"))
    field.evaluate(TRANSFER, ["drop", "dropped.log", "text/x-log", "a log"])
    expect(chips).to_have_count(2, timeout=MS)
    field.evaluate(TRANSFER, ["paste", "shot.png", "image/png", "not really"])
    expect(chips).to_have_text(["a b.txt", "dropped.log", "shot.png"], timeout=MS)
    composer(desktop).get_by_role("button", name="Remove dropped.log").click()
    expect(chips).to_have_text(["a b.txt", "shot.png"])
    text = field.input_value()
    assert "dropped" not in text
    _, first, second = text.split()
    assert (desktop.directory / first).read_bytes() == b"hello"
    assert second.startswith(str(desktop.directory.resolve()))  # the full path for an image
    assert fake.prompts == []
    field.press("Enter")
    expect(composer_status(desktop)).to_have_text(receipt(), timeout=MS)
    assert [prompt.decode().strip() for prompt in fake.prompts] == [text.strip()]
    expect(chips).to_have_count(0)


def test_a_too_large_file_is_refused_with_a_message(desktop: PageDriver) -> None:
    field = open_composer(desktop, desktop.session())
    field.fill("look")
    field.evaluate(TRANSFER, ["drop", "film.bin", "a/b", 8 * 1024 * 1024 + 1])
    alert = composer(desktop).get_by_role("alert")
    expect(alert).to_contain_text(
        "Could not attach film.bin. The file is larger than 8 MiB.", timeout=MS
    )
    expect(field).to_have_value("look")
    alert.get_by_role("button", name="Close").click()
    expect(alert).to_be_hidden()


def test_a_window_without_an_agent_runs_the_command(desktop: PageDriver) -> None:
    pane = desktop.session()
    field = open_composer(desktop, pane)
    expect(composer(desktop).locator(".composer-head .chip")).to_have_text("terminal")
    field.fill("echo $((6 * 7)) is it")
    field.press("Enter")
    expect(composer_status(desktop)).to_contain_text("Sent", timeout=MS)
    desktop.wait_until(lambda: "42 is it" in desktop.screen(pane))


def test_the_enter_key_setting_is_remembered(desktop: PageDriver) -> None:
    field = open_composer(desktop, desktop.session())
    composer(desktop).get_by_role("button", name="Enter sends").click()
    desktop.page.reload()
    expect(field).to_be_visible(timeout=MS)
    field.fill("one")
    field.press("Enter")
    expect(field).to_have_value("one\n")
    field.press("Control+Enter")
    expect(composer_status(desktop)).to_contain_text("Sent", timeout=MS)


def test_on_a_phone_enter_adds_a_line_and_the_button_sends(phone: PageDriver) -> None:
    fake = phone.fake("claude")
    field = open_agent_composer(phone, fake)
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
    expect(composer_status(phone)).to_have_text(receipt(), timeout=MS)
    assert fake.prompts == [b"one\ntwo"]


@pytest.mark.parametrize("text", ["<img src=x onerror=alert(1)>", "`$(touch canary)` #{pane_pid}"])
def test_hostile_text_is_treated_as_text(desktop: PageDriver, text: str) -> None:
    pane = desktop.session("cat", "exec cat")
    field = open_composer(desktop, pane)
    field.fill(text)
    field.press("Enter")
    expect(composer_status(desktop)).to_contain_text("Sent", timeout=MS)
    desktop.wait_until(lambda: desktop.screen(pane).count(text) == 2)  # typed, and printed by cat
    field.press("ArrowUp")
    expect(field).to_have_value(text)
    assert not (desktop.directory / "canary").exists()
