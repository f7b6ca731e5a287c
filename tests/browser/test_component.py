"""<tmux-adapter-web> in a real browser, on a page of another origin than the server."""

import time
from pathlib import Path

from playwright.sync_api import Browser, Page

from tests.browser.conftest import PHONE, open_terminal
from tests.browser.embedding_page import Terminal

XTERM = Path(__file__).parents[2] / "node_modules/@xterm/xterm/lib/xterm.js"
ESC = "\x1b"
ST = ESC + "\\"
# Every query that a program may send to its terminal.
QUERIES = (
    "[c", "[0c", "[>c", "[>0c", "[=c", "Z",
    "[5n", "[6n", "[?6n", "[?15n", "[?996n",
    "[20$p", "[4$p", "[?1$p", "[?25$p", "[?2004$p", "[?2026$p", "[?1049$p",
    "[>q", "[>0q", "[?u", "[?2;1S", "[?4m", "[x", "[1x", "[1;1;1;1;1;1*y", "[1$w", "[2$u", "[&u",
    "[11t", "[13t", "[14t", "[15t", "[16t", "[18t", "[19t", "[20t", "[21t",
    "P$qm" + ST, "P$qr" + ST, 'P$q"p' + ST, "P$q q" + ST, "P+q544e" + ST,
    "]4;1;?" + ST, "]4;1;?;2;?\a", "]5;0;?\a", "]10;?" + ST, "]10;?;?;?\a", "]11;?\a", "]12;?" + ST,
    "]17;?\a", "]21;foreground=?\a", "]52;c;?" + ST, "]52;;?\a",
    "[?1004h", "[?1;1004h",
)  # fmt: skip
QUERY_BYTES = "".join(ESC + query for query in QUERIES).encode()


def test_output_is_shown_on_a_page_of_another_origin(
    terminal: Terminal, webtmux: str, other: str
) -> None:
    assert webtmux != other
    terminal.write("grüße \x1b[1mbold\x1b[0m\r\nsecond 漢字".encode())
    terminal.wait_for_text("second 漢字")
    assert terminal.rows()[0] == "grüße bold"


def test_the_module_exports_the_frame_functions_and_the_element(terminal: Terminal) -> None:
    exported = terminal.run("return Object.keys(component).sort()")
    expected = {"BinaryMsgType", "TmuxAdapterWeb", "decodeBinaryFrame", "encodeBinaryFrame"}
    assert expected <= set(exported)
    same = "return (await import(argument)).TmuxAdapterWeb === component.TmuxAdapterWeb"
    address = terminal.run(
        "return performance.getEntriesByType('resource')"
        ".find(({ name }) => name.endsWith('/index.js')).name"
    )
    assert terminal.run(same, address.replace("index.js", "tmux-adapter-web.js"))


def test_typed_text_is_emitted_as_bytes_with_the_element_name(terminal: Terminal) -> None:
    terminal.run("el.focus()")
    terminal.page.keyboard.type("aß")
    terminal.page.keyboard.press("Enter")
    terminal.page.keyboard.press("Control+c")
    terminal.page.keyboard.press("ArrowUp")
    assert terminal.typed() == b"a\xc3\x9f\r\x03\x1b[A"
    events = terminal.events("terminal-input")
    assert {(event["detail"]["name"], event["composed"]) for event in events} == {("work", True)}


def test_shift_tab_is_sent_and_keeps_the_focus(terminal: Terminal) -> None:
    terminal.run("el.focus()")
    terminal.page.keyboard.press("Shift+Tab")
    assert terminal.typed() == b"\x1b[Z"
    assert terminal.run("return document.activeElement === el")


def test_shift_enter_sends_a_line_break(terminal: Terminal) -> None:
    terminal.run("el.focus()")
    terminal.page.keyboard.press("Shift+Enter")
    assert terminal.typed() == b"\n"
    terminal.page.keyboard.press("Enter")
    assert terminal.typed() == b"\n\r"


def test_the_textarea_is_focused_and_blurred_on_request(terminal: Terminal) -> None:
    focused = "return el.shadowRoot.activeElement?.tagName ?? ''"
    terminal.run("el.focusTextarea()")
    assert terminal.run(focused) == "TEXTAREA"
    terminal.run("el.blurTextarea()")
    assert terminal.run(focused) == ""


def test_queries_of_programs_are_not_answered(terminal: Terminal) -> None:
    terminal.write(QUERY_BYTES)
    terminal.write(b"after")
    terminal.wait_for_text("after")
    assert terminal.typed() == b""
    # A plain xterm.js answers the same bytes, so the queries are real.
    terminal.page.add_script_tag(path=XTERM)
    answers = terminal.run(
        """const bare = new Terminal(), answers = []
           bare.open(document.querySelector('#elsewhere'))
           bare.onData((data) => answers.push(data))
           await new Promise((resolve) => bare.write(Uint8Array.from(argument), resolve))
           return answers""",
        list(QUERY_BYTES),
    )
    assert len(answers) >= 20


def test_split_queries_are_not_answered(terminal: Terminal) -> None:
    terminal.run(
        "for (const byte of argument) await el.write(Uint8Array.of(byte))", list(QUERY_BYTES[:600])
    )
    assert terminal.typed() == b""


def test_programs_can_set_colours_but_not_query_them(terminal: Terminal) -> None:
    terminal.write(b"\x1b]11;rgb:ff/00/00\x07x")
    terminal.wait("getComputedStyle(el.shadowRoot.querySelector('.xterm-scrollable-element'))"
                  ".backgroundColor === 'rgb(255, 0, 0)'")  # fmt: skip


def test_only_real_focus_changes_are_reported(terminal: Terminal) -> None:
    terminal.write(b"\x1b[?1004h")
    assert terminal.typed() == b""
    terminal.run("el.focus()")
    assert terminal.typed() == b"\x1b[I"
    terminal.write(b"\x1b[?1004h")  # every snapshot turns it on again
    assert terminal.typed() == b"\x1b[I"
    terminal.run("el.blurTextarea()")
    assert terminal.typed() == b"\x1b[I\x1b[O"


def test_a_program_writes_to_the_clipboard_only_if_the_page_accepts(terminal: Terminal) -> None:
    terminal.page.bring_to_front()
    terminal.run("el.focus(); await navigator.clipboard.writeText('mine')")
    terminal.write(b"\x1b]52;c;dGhlaXJz\x07\x1b]52;c;?\x07")
    offers = terminal.wait_for("clipboard-write")
    assert [offer["detail"]["text"] for offer in offers] == ["theirs"]
    assert terminal.run("return navigator.clipboard.readText()") == "mine"
    terminal.run("await window.offer.accept()")
    assert terminal.run("return navigator.clipboard.readText()") == "theirs"
    assert terminal.typed() == b""


def test_a_resize_is_emitted_once_90_ms_after_the_last_change(browser: Browser, other: str) -> None:
    context = browser.new_context()  # its own: a fake clock belongs to the whole context
    terminal = open_terminal(context.new_page(), other)
    terminal.wait_for("terminal-resize")
    terminal.clear_events()
    clock = terminal.page.clock  # a fake one: the test does not depend on the speed of the machine
    clock.install()
    clock.pause_at(time.time() + 60)
    for width in (900, 860, 820, 780, 740):
        resize(terminal, width)
        clock.run_for(30)
    clock.run_for(59)
    assert terminal.events("terminal-resize") == []
    clock.run_for(1)
    events = terminal.events("terminal-resize")
    size = {
        "name": "work",
        "cols": terminal.run("return el.cols"),
        "rows": terminal.run("return el.rows"),
    }
    assert [event["detail"] for event in events] == [size]
    assert size["cols"] < 100
    # No other event is pending: a second change causes the second event.
    resize(terminal, 900)
    clock.run_for(90)
    assert len(terminal.events("terminal-resize")) == 2
    context.close()


def resize(terminal: Terminal, width: int) -> None:
    """Changes the width of the element and waits until the terminal has another size."""
    before = terminal.run("return el.cols")
    terminal.run("el.style.width = `${argument}px`", width)
    terminal.wait("el.cols !== argument", before)


def test_the_first_size_is_emitted_after_ready(terminal: Terminal) -> None:
    events = terminal.wait_for("terminal-resize")
    assert events[0]["detail"]["cols"] == terminal.run("return el.cols") > 80
    kinds = terminal.run("return recorded.map(({ type }) => type)")
    assert kinds == ["terminal-ready", "terminal-resize"]


DROP = """const screen = el.shadowRoot.querySelector('.xterm-screen')
  const dataTransfer = new DataTransfer()
  for (const [name, type, bytes] of argument)
    dataTransfer.items.add(new File([Uint8Array.from(bytes)], name, { type }))
  const options = { dataTransfer, bubbles: true, cancelable: true, composed: true }
  return [new DragEvent('dragover', options), new DragEvent('drop', options)]
    .map((event) => !screen.dispatchEvent(event))"""
PASTE = """const clipboardData = new DataTransfer()
  for (const [name, type, bytes] of argument.files ?? [])
    clipboardData.items.add(new File([Uint8Array.from(bytes)], name, { type }))
  if (argument.text) clipboardData.setData('text/plain', argument.text)
  const options = { clipboardData, bubbles: true, cancelable: true, composed: true }
  el.shadowRoot.querySelector('textarea').dispatchEvent(new ClipboardEvent('paste', options))"""


def test_dropped_files_are_emitted_in_order_as_upload_payloads(terminal: Terminal) -> None:
    files = [["ä.bin", "", [0, 255, 0]], ["b.txt", "text/plain", [98]]]
    assert terminal.run(DROP, files) == [True, True]
    events = terminal.wait_for("file-upload", 2)
    assert [bytes(event["detail"]["payload"]) for event in events] == [
        "ä.bin".encode() + b"\0application/octet-stream\0\x00\xff\x00",
        b"b.txt\0text/plain\0b",
    ]
    assert events[0]["detail"]["name"] == "work"


def test_a_file_over_8_mib_is_refused_before_it_is_sent(terminal: Terminal) -> None:
    terminal.run(
        """const dataTransfer = new DataTransfer()
           dataTransfer.items.add(new File([new Uint8Array(8 * 1024 * 1024 + 1)], 'big'))
           const drop = new DragEvent('drop', { dataTransfer, cancelable: true })
           el.shadowRoot.querySelector('#place').dispatchEvent(drop)"""
    )
    refused = terminal.wait_for("file-refused")[0]["detail"]
    assert refused == {
        "name": "work",
        "fileName": "big",
        "reason": "The file is larger than 8 MiB.",
    }
    assert terminal.events("file-upload") == []


def test_a_pasted_image_is_uploaded_and_pasted_text_is_typed(terminal: Terminal) -> None:
    image = ["shot.png", "image/png", [137, 80, 78, 71]]
    terminal.run(PASTE, {"files": [image]})
    payload = terminal.wait_for("file-upload")[0]["detail"]["payload"]
    assert bytes(payload) == b"shot.png\0image/png\0\x89PNG"
    terminal.run(PASTE, {"files": [image], "text": "one\ntwo"})
    assert terminal.typed() == b"one\rtwo"
    assert len(terminal.events("file-upload")) == 1


def test_pasted_text_cannot_end_the_bracketed_paste(terminal: Terminal) -> None:
    terminal.write(b"\x1b[?2004h")
    terminal.run(PASTE, {"text": "a\x1b[201~\nb"})
    assert terminal.typed() == b"\x1b[200~a[201~\rb\x1b[201~"


def test_ctrl_v_pastes_the_clipboard(terminal: Terminal) -> None:
    terminal.page.bring_to_front()
    terminal.run("el.focus(); await navigator.clipboard.writeText('from elsewhere')")
    terminal.page.keyboard.press("Control+v")
    terminal.wait_for("terminal-input")
    assert terminal.typed() == b"from elsewhere"


def first_row(terminal: Terminal) -> str:
    return terminal.rows()[0]


def turn_wheel(terminal: Terminal, notch: int, until: str = "") -> None:
    """Turns the wheel until a text is visible; 200 notches are more than the whole scrollback."""
    terminal.page.mouse.move(300, 200)
    for _ in range(200):
        terminal.page.mouse.wheel(0, notch)
        if until in "\n".join(terminal.rows()):
            return
    terminal.wait_for_text(until)


def test_output_does_not_scroll_unless_the_end_is_visible(terminal: Terminal) -> None:
    terminal.write("".join(f"line {number}\r\n" for number in range(300)).encode())
    terminal.wait_for_text("line 299")
    terminal.run("el.focus()")
    turn_wheel(terminal, -100)
    terminal.wait("!el.shadowRoot.querySelector('.xterm-rows').textContent.includes('line 299')")
    before = first_row(terminal)
    terminal.write("".join(f"more {number}\r\n" for number in range(100)).encode())
    assert first_row(terminal) == before
    turn_wheel(terminal, 100, until="more 99")
    terminal.write(b"at the end")
    terminal.wait_for_text("at the end")


def test_reset_clears_only_earlier_output(terminal: Terminal) -> None:
    # Not awaited one by one: the reset must stay in order with unparsed bytes, even after an
    # incomplete escape sequence and an incomplete character.
    terminal.run(
        """el.write(new TextEncoder().encode('old\\r\\n'.repeat(500)))
           el.write(Uint8Array.of(0x1b, 0x5d, 0x30, 0x3b, 0xf0, 0x9f))
           el.reset()
           await el.write(new TextEncoder().encode('new'))"""
    )
    terminal.wait_for_text("new")
    assert [row for row in terminal.rows() if row] == ["new"]


def test_at_least_80_columns_fit_on_a_phone(browser: Browser, other: str) -> None:
    context = browser.new_context(viewport={"width": PHONE["width"], "height": PHONE["height"]})
    terminal = open_terminal(context.new_page(), other)
    assert terminal.run("return el.cols") >= 80
    width = "return el.shadowRoot.querySelector('.xterm-screen').getBoundingClientRect().width"
    assert 0.9 * PHONE["width"] < terminal.run(width) <= PHONE["width"]
    terminal.run("el.setAttribute('min-cols', '20')")
    assert 20 <= terminal.run("return el.cols") < 80
    context.close()


def test_touch_scrolls_the_terminal_and_not_the_page(browser: Browser, other: str) -> None:
    context = browser.new_context(
        viewport={"width": PHONE["width"], "height": PHONE["height"]}, has_touch=True
    )
    terminal = open_terminal(context.new_page(), other)
    terminal.write("".join(f"line {number}\r\n" for number in range(300)).encode())
    terminal.wait_for_text("line 299")
    touch = context.new_cdp_session(terminal.page)
    for kind, y in (("touchStart", 100), ("touchMove", 200), ("touchMove", 300)):
        points = [{"x": 200, "y": y}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    terminal.wait("!el.shadowRoot.querySelector('.xterm-rows').textContent.includes('line 299')")
    assert terminal.run("return scrollY") == 0
    assert terminal.typed() == b""
    context.close()


def test_attributes_can_be_changed_at_runtime(terminal: Terminal) -> None:
    background = (
        "getComputedStyle(el.shadowRoot.querySelector('.xterm-scrollable-element')).backgroundColor"
    )
    assert terminal.run(f"return {background}") == "rgb(13, 17, 23)"
    terminal.run("el.setAttribute('theme-background', '#102030')")
    terminal.wait(f"{background} === 'rgb(16, 32, 48)'")
    terminal.run("el.setAttribute('cursor-blink', ''); el.focus()")
    terminal.wait("el.shadowRoot.querySelector('.xterm-cursor-blink') !== null")
    before = terminal.run("return el.cols")
    terminal.run("el.setAttribute('font-size', '20')")
    assert 80 <= terminal.run("return el.cols") < before
    terminal.run("el.setAttribute('scrollback', '5')")
    terminal.write("".join(f"line {number}\r\n" for number in range(100)).encode())
    rows = terminal.run("return el.rows")
    turn_wheel(terminal, -100, until=f"line {100 - rows - 4}")
    turn_wheel(terminal, -100)
    assert first_row(terminal) == f"line {100 - rows - 4}"
    terminal.run("el.setAttribute('name', 'other'); recorded.length = 0")
    terminal.page.keyboard.type("x")
    assert terminal.events("terminal-input")[0]["detail"]["name"] == "other"


def test_an_emoji_has_two_cells_as_in_tmux(terminal: Terminal) -> None:
    columns = terminal.run("return el.cols")
    terminal.write(("🚀" * (columns // 2 + 1) + "x").encode())
    terminal.wait_for_text("x")
    assert terminal.rows()[1] == "🚀x"


def test_moving_the_element_keeps_its_screen_and_removing_it_resets_it(terminal: Terminal) -> None:
    terminal.write(b"kept")
    terminal.run("document.querySelector('#elsewhere').append(el)")
    terminal.wait_for_text("kept")
    assert len(terminal.events("terminal-ready")) == 1
    terminal.run("el.remove(); await 0; document.body.append(el)")
    terminal.wait_for("terminal-ready", 2)
    terminal.write(b"fresh")
    terminal.wait_for_text("fresh")
    assert [row for row in terminal.rows() if row] == ["fresh"]


COLOURED = (
    b"\x1b[31mred\x1b[0m \x1b[38;5;118mgreen\x1b[0m \x1b[38;2;1;2;250mblue\x1b[0m \x1b[44mback"
)
COLOURS = """const spans = [...el.shadowRoot.querySelectorAll('.xterm-rows span')]
  const style = (text) => getComputedStyle(spans.find((span) => span.textContent.trim() === text))
  const letters = ['red', 'green', 'blue'].map((text) => style(text).color)
  return [...letters, style('back').backgroundColor]"""


def test_colours_are_the_same_under_a_strict_policy(page: Page, other: str) -> None:
    colours = []
    for address in (other, f"{other}/strict"):
        terminal = open_terminal(page, address)
        terminal.write(COLOURED)
        terminal.wait_for_text("back")
        colours.append(terminal.run(COLOURS))
        terminal.run("el.setAttribute('theme-background', '#102030')")
        terminal.wait(
            "getComputedStyle(el.shadowRoot.querySelector('.xterm-scrollable-element'))"
            ".backgroundColor === 'rgb(16, 32, 48)'"
        )
        assert terminal.run("return violations") == []
    assert colours[0] == colours[1]
    expected = ["rgb(255, 128, 120)", "rgb(135, 255, 0)", "rgb(1, 2, 250)", "rgb(121, 176, 255)"]
    assert colours[0] == expected
