"""Speech into the composer: by the browser, by the server, or said why not; never sent."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.agents.speech import Ears, serving_ears
from tests.flows.conftest import WIDE, Sit
from tests.flows.desk import Desk
from tests.flows.prompting import MS, composer, told, write_in
from tests.terminals.served import Served, served_tmux

NO_SPEECH = "delete window.SpeechRecognition; delete window.webkitSpeechRecognition"
# Speech recognition of a browser, with what it hears or how it fails.
SPEECH = """
  delete window.webkitSpeechRecognition
  window.SpeechRecognition = class {
    static async available({ processLocally }) { return processLocally ? 'available' : '' }
    start() {
      window.heardLocally = this.processLocally
      queueMicrotask(() => {
        if ('%(error)s') { this.onerror({ error: '%(error)s' }); this.onend() } else this.onstart()
      })
    }
    stop() {
      const result = Object.assign([{ transcript: ' %(words)s ' }], { isFinal: true })
      this.onresult({ results: [result], resultIndex: 0 })
      this.onend()
    }
  }
"""


@pytest.fixture
def ears() -> Iterator[Ears]:
    with serving_ears() as ears:
        yield ears


@pytest.fixture
def hearing(ears: Ears) -> Iterator[Served]:
    """A server that can write speech down."""
    with served_tmux(WEBTMUX_TRANSCRIBE_URL=ears.url) as served:
        yield served


def speak(desk: Desk) -> None:
    """Until it listens."""
    composer(desk).get_by_role("button", name="Speak").click()
    expect(told(desk)).to_contain_text("listening", timeout=MS)


def stop(desk: Desk) -> None:
    composer(desk).get_by_role("button", name="Stop listening").click()


def test_where_the_browsers_service_fails_a_recording_becomes_text_at_the_caret(
    ears: Ears, hearing: Served, sit: Sit
) -> None:
    desk = sit(hearing, **WIDE)
    desk.page.context.grant_permissions(["microphone"])
    desk.page.add_init_script(SPEECH % {"error": "network", "words": ""})
    pane = desk.session("said", "exec cat")
    field = write_in(desk, pane)
    field.fill("please now")
    field.evaluate("(field) => field.setSelectionRange(6, 6)")
    ears.status = 500
    speak(desk)
    stop(desk)
    alert = composer(desk).get_by_role("alert")
    expect(alert).to_contain_text("the server for speech answered 500", timeout=MS)
    expect(field).to_have_value("please now")  # nothing is lost by it
    ears.status = 200
    speak(desk)
    stop(desk)
    expect(field).to_have_value("please open the pod bay doors now", timeout=MS)
    expect(field).to_be_focused()
    expect(alert).to_be_hidden()
    heard = ears.heard[-1]
    assert heard.mime == "audio/webm"
    assert heard.content.startswith(b"\x1aE\xdf\xa3")  # a real recording
    assert "pod bay" not in desk.screen(pane)


def test_the_browser_writes_speech_down_on_the_device(desk: Desk) -> None:
    desk.page.add_init_script(SPEECH % {"error": "", "words": "mend the test"})
    field = write_in(desk, desk.session("said", "exec cat"))
    speak(desk)
    stop(desk)
    expect(field).to_have_value("mend the test ", timeout=MS)
    assert desk.page.evaluate("window.heardLocally") is True


def test_where_no_way_leads_to_text_the_button_says_why(desk: Desk) -> None:
    desk.page.add_init_script(NO_SPEECH)
    write_in(desk, desk.session("said", "exec cat"))
    button = composer(desk).get_by_role("button", name="Speak")
    expect(button).to_have_attribute("aria-disabled", "true", timeout=MS)
    assert "WEBTMUX_TRANSCRIBE_URL" in (button.get_attribute("title") or "")
    button.press("Enter")
    alert = composer(desk).get_by_role("alert")
    expect(alert).to_contain_text("WEBTMUX_TRANSCRIBE_URL", timeout=MS)
