"""The element and the socket together: a page of another origin, a real server, a real pane."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.pages import Terminal, another_origin
from tests.terminals.served import Served, served_tmux

# What a page has to do: bytes to the element, what the person does to the socket, credit back.
CONNECT = """
  const { BinaryMsgType, creditPayload, decodeBinaryFrame, encodeBinaryFrame } = component
  const { address, pane } = given
  const socket = window.socket = new WebSocket(address)
  socket.binaryType = 'arraybuffer'
  el.name = pane
  const send = (type, payload) => socket.send(encodeBinaryFrame(type, pane, payload))
  el.addEventListener('terminal-input', ({ detail }) => {
    send(BinaryMsgType.KeyboardInput, detail.data)
  })
  socket.onmessage = async ({ data }) => {
    if (typeof data === 'string') { (window.told ??= []).push(JSON.parse(data)); return }
    const { msgType, payload } = decodeBinaryFrame(new Uint8Array(data))
    if (msgType === BinaryMsgType.TerminalSnapshot) el.reset()
    await el.write(payload)
    send(BinaryMsgType.Credit, creditPayload(payload.length))
  }
  const opened = await new Promise((done) => {
    socket.onopen = () => done(true)
    socket.onclose = () => done(false)
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


def show(browser: Browser, served: Served, other: str) -> Terminal:
    page = browser.new_page(viewport={"width": 1000, "height": 700})
    page.goto(other)
    terminal = Terminal(page)
    terminal.wait_for("terminal-ready")
    return terminal


def test_a_person_types_into_a_real_pane_and_sees_a_flood_to_its_end(
    browser: Browser, served: Served
) -> None:
    pane = served.tmux("display-message", "-p", "-t", "work", "#{pane_id}")
    with another_origin(served.running.address) as other:
        terminal = show(browser, served, other)
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


def test_a_page_that_was_not_invited_cannot_connect(browser: Browser) -> None:
    with served_tmux() as served, another_origin(served.running.address) as other:
        pane = served.tmux("display-message", "-p", "-t", "work", "#{pane_id}")
        terminal = show(browser, served, other)
        assert terminal.run(CONNECT, {"address": served.address, "pane": pane}) is False
        terminal.page.close()
