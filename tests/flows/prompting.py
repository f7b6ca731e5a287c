"""A person who writes prompts and answers agents: what they look for on the page, and wait for."""

import json
import re
import time
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, WebSocketRoute, expect

from tests.agents.fakes.launch import Fake
from tests.flows.desk import Desk

MS = 30_000  # CI is slow; nothing here waits for so long when it works


def write_to(desk: Desk, fake: Fake) -> Locator:
    """The page at an agent's window; the text field, once the agent is ready for a prompt."""
    field = write_in(desk, fake.pane_id)
    expect(composer(desk).locator(".composer-head .chip.idle")).to_be_attached(timeout=MS)
    return field


def write_in(desk: Desk, pane: str) -> Locator:
    """The page at a pane's window, under the address that stays: its key."""
    desk.open(f"#/window/{desk.key_of(pane)}")
    field = composer(desk).locator("textarea")
    expect(field).to_be_visible(timeout=MS)
    return field


def composer(desk: Desk) -> Locator:
    return desk.page.locator("prompt-composer")


def told(desk: Desk) -> Locator:
    return composer(desk).locator(".composer-told")


def card(desk: Desk, fake: Fake) -> Locator:
    return desk.page.locator(f'agent-deck [data-agent="{fake.name}"]')


def make_ask(desk: Desk, *fakes: Fake) -> None:
    """Each agent gets a prompt that makes it ask its question; the deck must be open."""
    for fake in fakes:
        expect(card(desk, fake).locator(".chip.idle")).to_be_visible(timeout=MS)
        desk.type(fake.pane_id, "ask: may I?")
    for fake in fakes:
        expect(card(desk, fake).locator("answer-bar button")).to_have_count(3, timeout=MS)


def act(desk: Desk, name: str) -> None:
    """An action, as the palette and the keys call it."""
    desk.page.evaluate(
        "(name) => document.dispatchEvent(new CustomEvent('action', { detail: { name } }))", name
    )


def eventually(desk: Desk, true: Callable[[], bool]) -> None:
    """For what the page does not show: a fake's own log, a pane's screen."""
    deadline = time.monotonic() + MS / 1000
    while not true():
        assert time.monotonic() < deadline
        desk.page.wait_for_timeout(30)  # lets the browser go on


def receipt() -> re.Pattern[str]:
    return re.compile(r"submitted.* · \d+(\.\d)? m?s")


class Wire:
    """Stands between the page and the server's socket, and can lose what is said on it."""

    def __init__(self, desk: Desk, *, loses: Callable[[dict[str, Any]], bool]) -> None:
        self.said: list[dict[str, Any]] = []  # by the page, over all connections
        self.loses = loses
        self._pages: list[WebSocketRoute] = []
        desk.page.route_web_socket(re.compile(r"/ws"), self._join)

    def cut(self) -> None:
        self._pages[-1].close(code=1012)

    def _join(self, page: WebSocketRoute) -> None:
        server = page.connect_to_server()
        self._pages.append(page)

        def up(message: str | bytes) -> None:
            if isinstance(message, str):
                self.said.append(json.loads(message))
            server.send(message)

        def down(message: str | bytes) -> None:
            if not isinstance(message, str) or not self.loses(json.loads(message)):
                page.send(message)

        page.on_message(up)
        server.on_message(down)
