"""The element with a real server and pane, on a page of another origin."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser
from websockets.sync.client import connect

from tests.browser.embedding_page import Terminal, another_origin
from tests.terminals.served import Served, served_tmux
from tests.waiting import LONGEST_SECONDS

# What an embedding page does: bytes to the element, input to the socket, credit to the server.
CONNECT = """
  const { BinaryMsgType, creditPayload, decodeBinaryFrame, encodeBinaryFrame } = component
  const { address, pane } = argument
  const socket = window.socket = new WebSocket(address)
  socket.binaryType = 'arraybuffer'
  el.name = pane
  const send = (type, payload) => socket.send(encodeBinaryFrame(type, pane, payload))
  el.addEventListener('terminal-input', ({ detail }) => {
    send(BinaryMsgType.KeyboardInput, detail.data)
  })
  socket.onmessage = async ({ data }) => {
    if (typeof data === 'string') return
    const { msgType, payload } = decodeBinaryFrame(new Uint8Array(data))
    if (msgType === BinaryMsgType.TerminalSnapshot) el.reset()
    await el.write(payload)
    send(BinaryMsgType.Credit, creditPayload(payload.length))
  }
  const opened = await new Promise((resolve) => {
    socket.onopen = () => resolve(true)
    socket.onclose = () => resolve(false)
  })
  if (opened) {
    socket.send(JSON.stringify({ type: 'hello', features: ['credit', 'reset'] }))
    socket.send(JSON.stringify({ type: 'subscribe-output', agent: pane }))
  }
  return opened
"""


@pytest.fixture
def served() -> Iterator[Served]:
    with served_tmux("--allowed-origins", "127.0.0.1:*") as served:
        yield served


def show(browser: Browser, other: str) -> Terminal:
    page = browser.new_page(viewport={"width": 1000, "height": 700})
    page.goto(other)
    terminal = Terminal(page)
    terminal.wait_for("terminal-ready")
    return terminal


def test_typed_commands_and_a_flood_are_shown_as_in_tmux(browser: Browser, served: Served) -> None:
    pane = served.tmux("display-message", "-p", "-t", "work", "#{pane_id}")
    with another_origin(served.running.address) as other:
        terminal = show(browser, other)
        assert terminal.run(CONNECT, {"address": served.address, "pane": pane})
        terminal.run("el.focus()")
        terminal.page.keyboard.type("echo li''ve")
        terminal.page.keyboard.press("Enter")
        terminal.wait_for_text("\nlive")
        terminal.page.keyboard.type("seq 1 300000; echo the e''nd")
        terminal.page.keyboard.press("Enter")
        terminal.wait_for_text("300000\nthe end")
        shown = served.tmux("capture-pane", "-p", "-t", pane).split("\n")
        last = [row.rstrip() for row in shown if row][-20:-1]
        assert last == [row for row in terminal.rows() if row][-20:-1]
        terminal.page.close()


def test_a_page_of_an_unknown_origin_cannot_connect(terminal: Terminal, webtmux: str) -> None:
    address = f"{webtmux.replace('http', 'ws')}/ws"
    with connect(address) as socket:  # a program, which has no origin, can
        socket.send('{"id": "1", "type": "ping"}')
        assert json.loads(socket.recv(LONGEST_SECONDS))["id"] == "1"
    assert terminal.run(CONNECT, {"address": address, "pane": "%0"}) is False
