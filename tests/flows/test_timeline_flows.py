"""The timeline of a project: everything that happened, by whom, and where it can be seen."""

from collections.abc import Iterator
from contextlib import contextmanager

import httpx
from playwright.sync_api import Locator, expect
from websockets.sync.client import connect

from tests.flows.chats import BEGIN, turns, write
from tests.flows.desk import Desk
from tests.mcp_gateway.mounted import BOTH

SOON = 30_000


def events(desk: Desk, kind: str = "") -> Locator:
    return desk.page.locator(f".event{f'.{kind}' if kind else ''}")


def call_tool(desk: Desk, name: str, **arguments: object) -> None:
    """Over MCP, as an agent does."""
    message = {
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": name, "arguments": arguments},
    }  # fmt: skip
    answer = httpx.post(f"{desk.address}/mcp", json=message, headers=BOTH, timeout=15)
    assert answer.is_success, answer.text
    assert '"isError":true' not in answer.text.replace(" ", ""), answer.text


@contextmanager
def uploading(desk: Desk, pane: str, name: str, content: bytes) -> Iterator[None]:
    """As the page does: what becomes of a file is not acknowledged, so the socket stays open."""
    with connect(f"{desk.served.running.socket_address}/ws") as socket:
        socket.send(b"\x04" + pane.encode() + b"\0" + name.encode() + b"\0image/png\0" + content)
        yield


def test_everything_that_happens_appears_with_its_caller_and_leads_to_its_place(desk: Desk) -> None:
    fake = desk.fake("claude")
    key = desk.key_of(fake.pane_id)
    desk.open(f"#/project/{fake.name}/timeline")
    expect(desk.page.get_by_role("heading", name="Nothing has happened here yet")).to_be_visible()
    desk.rest("POST", f"/agents/{fake.name}/prompt", json={"prompt": "mend the roof"})
    expect(events(desk, "prompt")).to_contain_text("mend the roof", timeout=SOON)
    expect(events(desk, "prompt")).to_contain_text("by local")
    expect(events(desk, "turn").first).to_contain_text("Done, nothing was changed", timeout=SOON)
    with uploading(desk, fake.pane_id, "roof.png", bytes(5000)):
        expect(events(desk, "attachment")).to_contain_text("roof.png (5 KiB)", timeout=SOON)
    where = {"mode": "execute", "scope": "project", "session": fake.name}
    call_tool(desk, "update_task", **where, action="add", text="Mend the roof", status="WIP")
    call_tool(desk, "update_task", **where, action="set_status", index=0, status="CM")
    moved = events(desk, "task").filter(has_text="Mend the roof: in progress → done")
    expect(moved).to_be_visible(timeout=SOON)
    expect(moved.get_by_role("link", name="On the board")).to_have_attribute(
        "href", f"#/project/{fake.name}/board"
    )
    expect(events(desk, "call").first).to_contain_text("update_task", timeout=SOON)
    expect(events(desk, "call").first).to_contain_text("by peer local")
    expect(events(desk, "attachment").locator(".event-window")).to_have_attribute(
        "href", f"#/window/{key}"
    )
    events(desk, "prompt").get_by_role("link", name="In the chat").click()
    expect(desk.page.locator(".chat-row.found")).to_contain_text("mend the roof", timeout=SOON)


def test_only_the_chosen_kinds_are_shown(desk: Desk) -> None:
    key = desk.key_of(desk.session("a"))
    project = f"{desk.prefix}-a"
    write(desk, key, turns(3))
    task = {"action": "add", "text": "Mend the roof", "status": "NS"}
    desk.rest("POST", f"/projects/{project}/tasks", json=task)
    desk.open(f"#/project/{project}/timeline")
    expect(events(desk)).to_have_count(4, timeout=SOON)
    desk.page.get_by_role("button", name="Tasks").click()
    expect(events(desk)).to_have_count(1, timeout=SOON)
    expect(events(desk, "task")).to_contain_text("Mend the roof: not started")
    desk.page.get_by_role("button", name="Tasks").click()
    desk.page.get_by_role("button", name="Files").click()
    expect(desk.page.get_by_text("Nothing of the chosen kinds")).to_be_visible(timeout=SOON)
    desk.page.get_by_role("button", name="Show everything").click()
    expect(events(desk)).to_have_count(4, timeout=SOON)


def test_a_long_timeline_is_read_page_by_page_down_to_its_beginning(desk: Desk) -> None:
    key = desk.key_of(desk.session("a"))
    write(desk, key, turns(180))
    desk.open(f"#/project/{desk.prefix}-a/timeline")
    expect(events(desk).first).to_contain_text("echo 179", timeout=SOON)
    for _ in range(20):
        if events(desk).filter(has_text="echo 0").count():
            break
        loaded = desk.page.locator("virtual-list").evaluate(
            "(list) => { list.scrollTop = list.scrollHeight; return list.items.length }"
        )
        desk.wait_for(
            "(count) => document.querySelector('virtual-list').items.length > count"
            " || [...document.querySelectorAll('.event-text')].at(-1).textContent === 'echo 0'",
            loaded,
        )
    expect(events(desk).filter(has_text="echo 0").last).to_be_in_viewport()
    assert events(desk).count() < 60


def test_a_phone_shows_the_timeline_without_scrolling_sideways(phone: Desk) -> None:
    key = phone.key_of(phone.session("a"))
    write(phone, key, [*turns(30), (9_000_000, "user", "y" * 300)])
    phone.open(f"#/project/{phone.prefix}-a/timeline")
    expect(events(phone).first).to_contain_text("yyy", timeout=SOON)
    assert phone.page.evaluate("document.documentElement.scrollWidth") <= 390
    box = events(phone).first.get_by_role("link", name="In the chat").bounding_box()
    assert box is not None
    assert box["height"] >= 44
    events(phone).nth(3).get_by_role("link", name="In the chat").tap()
    moment = BEGIN + 27 * 60_000
    phone.wait_for("([key, at]) => location.hash === `#/window/${key}/chat/${at}`", [key, moment])
    expect(phone.page.locator(".chat-row.found")).to_contain_text("echo 27", timeout=SOON)
