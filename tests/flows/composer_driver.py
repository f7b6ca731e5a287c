"""Drives the prompt composer and the agent cards of the page."""

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, WebSocketRoute, expect

from tests.agents.fakes.launch import Fake
from tests.flows.page_driver import MS, PageDriver


def open_agent_composer(driver: PageDriver, fake: Fake) -> Locator:
    """Opens the window of an agent; returns the text field once the agent is idle."""
    field = open_composer(driver, fake.pane_id)
    expect(composer(driver).locator(".composer-head .chip.idle")).to_be_attached(timeout=MS)
    return field


def open_composer(driver: PageDriver, pane: str) -> Locator:
    """Opens the window of a pane by its key; returns the text field."""
    driver.open(f"#/window/{driver.key_of(pane)}")
    field = composer(driver).locator("textarea")
    expect(field).to_be_visible(timeout=MS)
    return field


def composer(driver: PageDriver) -> Locator:
    return driver.page.locator("prompt-composer")


def composer_status(driver: PageDriver) -> Locator:
    return composer(driver).locator(".composer-status")


def card(driver: PageDriver, fake: Fake) -> Locator:
    return driver.page.locator(f'agent-deck [data-agent="{fake.name}"]')


def make_agents_ask(driver: PageDriver, *fakes: Fake) -> None:
    """Sends each agent a prompt that makes it ask a question; the deck must be open."""
    for fake in fakes:
        expect(card(driver, fake).locator(".chip.idle")).to_be_visible(timeout=MS)
        driver.type(fake.pane_id, "ask: may I?")
    for fake in fakes:
        expect(card(driver, fake).locator("answer-bar button")).to_have_count(3, timeout=MS)


def run_action(driver: PageDriver, name: str) -> None:
    """Runs an action of the page."""
    driver.page.evaluate(
        "(name) => document.dispatchEvent(new CustomEvent('action', { detail: { name } }))", name
    )


def receipt() -> re.Pattern[str]:
    return re.compile(r"Submitted.* · \d+(\.\d)? m?s")


class LossySocket:
    """Proxies the WebSocket of the page and drops messages of the server."""

    def __init__(self, driver: PageDriver, *, drops: Callable[[dict[str, Any]], bool]) -> None:
        self.sent: list[dict[str, Any]] = []  # by the page, over all connections
        self.drops = drops
        self._pages: list[WebSocketRoute] = []
        driver.page.route_web_socket(re.compile(r"/ws"), self._connect)

    def cut(self) -> None:
        self._pages[-1].close(code=1012)

    def _connect(self, page: WebSocketRoute) -> None:
        server = page.connect_to_server()
        self._pages.append(page)

        def up(message: str | bytes) -> None:
            if isinstance(message, str):
                self.sent.append(json.loads(message))
            server.send(message)

        def down(message: str | bytes) -> None:
            if not isinstance(message, str) or not self.drops(json.loads(message)):
                page.send(message)

        page.on_message(up)
        server.on_message(down)
