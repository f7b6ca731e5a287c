"""Dictation into the composer: by the browser or the server, or an explanation; never sent."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.agents.speech import SpeechServer, serving_speech
from tests.flows.composer_driver import composer, composer_status, open_composer
from tests.flows.conftest import WIDE, OpenPage
from tests.flows.page_driver import MS, PageDriver
from tests.terminals.served import Served, served_tmux

NO_SPEECH = "delete window.SpeechRecognition; delete window.webkitSpeechRecognition"
# A fake speech recognition that returns words or an error.
SPEECH = """
  delete window.webkitSpeechRecognition
  window.SpeechRecognition = class {
    static async available({ processLocally }) { return processLocally ? 'available' : '' }
    start() {
      window.processedLocally = this.processLocally
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
def speech() -> Iterator[SpeechServer]:
    with serving_speech() as speech:
        yield speech


@pytest.fixture
def transcribing(speech: SpeechServer) -> Iterator[Served]:
    """A server that can transcribe speech."""
    with served_tmux(WEBTMUX_TRANSCRIBE_URL=speech.url) as served:
        yield served


def speak(desktop: PageDriver) -> None:
    """Starts dictation and waits until it listens."""
    composer(desktop).get_by_role("button", name="Dictate").click()
    expect(composer_status(desktop)).to_contain_text("Listening", timeout=MS)


def stop(desktop: PageDriver) -> None:
    composer(desktop).get_by_role("button", name="Stop dictation").click()


def test_if_the_browser_fails_the_server_transcribes_at_the_caret(
    speech: SpeechServer, transcribing: Served, open_page: OpenPage
) -> None:
    desktop = open_page(transcribing, **WIDE)
    desktop.page.context.grant_permissions(["microphone"])
    desktop.page.add_init_script(SPEECH % {"error": "network", "words": ""})
    pane = desktop.session("said", "exec cat")
    field = open_composer(desktop, pane)
    field.fill("please now")
    field.evaluate("(field) => field.setSelectionRange(6, 6)")
    speech.status = 500
    speak(desktop)
    stop(desktop)
    alert = composer(desktop).get_by_role("alert")
    expect(alert).to_contain_text("The transcription server answered 500", timeout=MS)
    expect(field).to_have_value("please now")  # nothing is lost
    speech.status = 200
    speak(desktop)
    stop(desktop)
    expect(field).to_have_value("please open the pod bay doors now", timeout=MS)
    expect(field).to_be_focused()
    expect(alert).to_be_hidden()
    request = speech.requests[-1]
    assert request.mime == "audio/webm"
    assert request.content.startswith(b"\x1aE\xdf\xa3")  # a real recording
    assert "pod bay" not in desktop.screen(pane)


def test_the_browser_transcribes_on_the_device(desktop: PageDriver) -> None:
    desktop.page.add_init_script(SPEECH % {"error": "", "words": "fix the test"})
    field = open_composer(desktop, desktop.session("said", "exec cat"))
    speak(desktop)
    stop(desktop)
    expect(field).to_have_value("fix the test ", timeout=MS)
    assert desktop.page.evaluate("window.processedLocally") is True


def test_the_button_explains_why_dictation_is_unavailable(desktop: PageDriver) -> None:
    desktop.page.add_init_script(NO_SPEECH)
    open_composer(desktop, desktop.session("said", "exec cat"))
    button = composer(desktop).get_by_role("button", name="Dictate")
    expect(button).to_have_attribute("aria-disabled", "true", timeout=MS)
    assert "WEBTMUX_TRANSCRIBE_URL" in (button.get_attribute("title") or "")
    button.press("Enter")
    alert = composer(desktop).get_by_role("alert")
    expect(alert).to_contain_text("WEBTMUX_TRANSCRIBE_URL", timeout=MS)
