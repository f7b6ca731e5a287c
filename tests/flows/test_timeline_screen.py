"""The timeline of a project: events, their authors, and links to them."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Locator, expect
from websockets.sync.client import connect

from tests.flows.chat_driver import START, turns, write_records
from tests.flows.page_driver import HTTP, MS, PageDriver
from tests.mcp_gateway.mounted import BOTH

INTERVAL_MS = 10_000  # between two reloads of the page


def events(desktop: PageDriver, kind: str = "") -> Locator:
    return desktop.page.locator(f".event{f'.{kind}' if kind else ''}")


def call_tool(desktop: PageDriver, name: str, **arguments: object) -> None:
    """Calls an MCP tool as an agent does."""
    message = {
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": name, "arguments": arguments},
    }  # fmt: skip
    response = HTTP.post(f"{desktop.address}/mcp", json=message, headers=BOTH)
    assert response.is_success, response.text
    assert '"isError":true' not in response.text.replace(" ", ""), response.text


def show_stored(desktop: PageDriver, project: str, kind: str) -> None:
    """Waits until the server has an item of this kind, then until the page loads its items again.

    The page reloads them after some events and every ten seconds; here the clock skips the wait.
    """
    path = f"/projects/{project}/timeline?kinds={kind}"
    desktop.wait_until(lambda: desktop.rest("GET", path)["items"])
    desktop.page.clock.fast_forward(INTERVAL_MS)


@contextmanager
def uploading(desktop: PageDriver, pane: str, name: str, content: bytes) -> Iterator[None]:
    """Uploads as the page does. Uploads are not acknowledged, so the socket stays open."""
    with connect(f"{desktop.served.running.socket_address}/ws") as socket:
        socket.send(b"\x04" + pane.encode() + b"\0" + name.encode() + b"\0image/png\0" + content)
        yield


@pytest.mark.separate_context
def test_events_appear_live_with_their_author_and_links(desktop: PageDriver) -> None:
    fake = desktop.fake("claude")
    key = desktop.key_of(fake.pane_id)
    desktop.page.clock.install()
    desktop.open(f"#/project/{fake.name}/timeline")
    expect(desktop.page.get_by_role("heading", name="No activity yet")).to_be_visible()
    desktop.rest("POST", f"/agents/{fake.name}/prompt", json={"prompt": "fix the roof"})
    show_stored(desktop, fake.name, "prompt")
    expect(events(desktop, "prompt")).to_contain_text("fix the roof", timeout=MS)
    expect(events(desktop, "prompt")).to_contain_text("by You")
    show_stored(desktop, fake.name, "turn")
    expect(events(desktop, "turn").first).to_contain_text("Done, nothing was changed", timeout=MS)
    with uploading(desktop, fake.pane_id, "roof.png", bytes(5000)):
        show_stored(desktop, fake.name, "attachment")
        expect(events(desktop, "attachment")).to_contain_text("roof.png (5 KiB)", timeout=MS)
    where = {"mode": "execute", "scope": "project", "session": fake.name}
    call_tool(desktop, "update_task", **where, action="add", text="Fix the roof", status="WIP")
    call_tool(desktop, "update_task", **where, action="set_status", index=0, status="CM")
    moved = events(desktop, "task").filter(has_text="Fix the roof: in progress → done")
    expect(moved).to_be_visible(timeout=MS)
    expect(moved.get_by_role("link", name="Open board")).to_have_attribute(
        "href", f"#/project/{fake.name}/board"
    )
    expect(events(desktop, "call").first).to_contain_text("update_task", timeout=MS)
    expect(events(desktop, "call").first).to_contain_text("by MCP client")
    expect(events(desktop, "attachment").locator(".event-window")).to_have_attribute(
        "href", f"#/window/{key}"
    )
    events(desktop, "prompt").get_by_role("link", name="Open chat").click()
    expect(desktop.page.locator(".chat-row.highlighted")).to_contain_text(
        "fix the roof", timeout=MS
    )


def test_the_timeline_is_filtered_by_kind(desktop: PageDriver) -> None:
    key = desktop.key_of(desktop.session("a"))
    project = f"{desktop.prefix}-a"
    write_records(desktop, key, turns(3))
    task = {"action": "add", "text": "Fix the roof", "status": "NS"}
    desktop.rest("POST", f"/projects/{project}/tasks", json=task)
    desktop.open(f"#/project/{project}/timeline")
    expect(events(desktop)).to_have_count(4, timeout=MS)
    desktop.page.get_by_role("button", name="Tasks").click()
    expect(events(desktop)).to_have_count(1, timeout=MS)
    expect(events(desktop, "task")).to_contain_text("Fix the roof: not started")
    desktop.page.get_by_role("button", name="Tasks").click()
    desktop.page.get_by_role("button", name="Files").click()
    expect(desktop.page.get_by_text("No activity of the selected kinds")).to_be_visible(timeout=MS)
    desktop.page.get_by_role("button", name="Show everything").click()
    expect(events(desktop)).to_have_count(4, timeout=MS)


def test_a_long_timeline_is_loaded_page_by_page(desktop: PageDriver) -> None:
    key = desktop.key_of(desktop.session("a"))
    write_records(desktop, key, turns(180))
    desktop.open(f"#/project/{desktop.prefix}-a/timeline")
    expect(events(desktop).first).to_contain_text("echo 179", timeout=MS)
    for _ in range(20):
        if events(desktop).filter(has_text="echo 0").count():
            break
        loaded = desktop.page.locator("virtual-list").evaluate(
            "(list) => { list.scrollTop = list.scrollHeight; return list.items.length }"
        )
        desktop.wait_for(
            "(count) => document.querySelector('virtual-list').items.length > count"
            " || [...document.querySelectorAll('.event-text')].at(-1).textContent === 'echo 0'",
            loaded,
        )
    expect(events(desktop).filter(has_text="echo 0").last).to_be_in_viewport()
    assert events(desktop).count() < 60


def test_the_timeline_fits_the_width_of_a_phone(phone: PageDriver) -> None:
    key = phone.key_of(phone.session("a"))
    write_records(phone, key, [*turns(30), (9_000_000, "user", "y" * 300)])
    phone.open(f"#/project/{phone.prefix}-a/timeline")
    expect(events(phone).first).to_contain_text("yyy", timeout=MS)
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= 390
    box = events(phone).first.get_by_role("link", name="Open chat").bounding_box()
    assert box is not None
    assert box["height"] >= 44
    events(phone).nth(3).get_by_role("link", name="Open chat").tap()
    timestamp = START + 27 * 60_000
    phone.wait_for(
        "([key, at]) => location.hash === `#/window/${key}/chat/${at}`", [key, timestamp]
    )
    expect(phone.page.locator(".chat-row.highlighted")).to_contain_text("echo 27", timeout=MS)
