"""Recordings on the page: record, play, find a moment, share, revoke, delete; desk and phone."""

import re
import time
from collections.abc import Callable
from typing import TypeVar

import pytest
from playwright.sync_api import Locator, Page, expect

from terminals.recording_files import Files
from tests.flows.conftest import WIDE, Sit
from tests.flows.desk import Desk
from tests.terminals.recorded import events
from tests.terminals.served import Served

T = TypeVar("T")
SLOW = 30_000  # ms
# Whoever comes through a proxy is not taken for the person of this machine.
STRANGER = {"x-forwarded-for": "203.0.113.9"}


def list_of(desk: Desk, pane: str) -> Locator:
    desk.open(f"#/window/{desk.key_of(pane)}/recordings")
    expect(desk.page.get_by_role("heading", name="Recordings")).to_be_visible(timeout=SLOW)
    return desk.page.locator(".recording")


def recorded(desk: Desk, pane: str, text: str = "needle", *, title: str = "") -> str:
    """The key of a recording of a pane in which a text was printed, then two more screens."""
    row = desk.rest("POST", f"/panes/{pane[1:]}/recording", json={"title": title})
    files = Files(desk.served.directory / "data" / "recordings" / row["key"])
    desk.type(pane, f"echo {text[:1]}''{text[1:]}")
    written(files, f"\n{text}")
    desk.type(pane, "clear; seq 1 90; echo the e''nd")
    written(files, "\nthe end")
    desk.rest("DELETE", f"/panes/{pane[1:]}/recording")
    key: str = row["key"]
    return key


def written(files: Files, text: str) -> None:
    """Until the recorder has this in its file."""
    until(lambda: text in "".join(event[2] for event in events(files.lines())).replace("\r", ""))


def until(look: Callable[[], T]) -> T:
    """The first true answer."""
    deadline = time.monotonic() + SLOW / 1000
    while not (found := look()):
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.02)
    return found


def ready(page: Page) -> Locator:
    """The text that the player shows, once it shows any."""
    expect(page.locator("player-page[data-ready]")).to_be_attached(timeout=SLOW)
    return page.locator(".ap-term-text")


def test_a_pane_is_recorded_stopped_renamed_and_played(desk: Desk) -> None:
    pane = desk.session()
    rows = list_of(desk, pane)
    page = desk.page
    expect(page.get_by_text("Nothing is recorded yet")).to_be_visible(timeout=SLOW)
    page.get_by_role("button", name="Record", exact=True).click()
    expect(rows).to_have_attribute("data-state", "recording", timeout=SLOW)
    assert (
        desk.page.evaluate("document.querySelector('recordings-screen').store.recordings.size") == 1
    )
    desk.type(pane, "echo pla''yed")
    page.get_by_role("button", name="Stop recording").click()
    expect(rows).to_have_attribute("data-state", "done", timeout=SLOW)
    rows.hover()
    page.get_by_role("button", name=re.compile("^Rename")).click()
    page.get_by_label("Title").fill("what happened")
    page.keyboard.press("Enter")
    expect(rows.get_by_role("link", name="what happened", exact=True)).to_be_visible(timeout=SLOW)
    rows.get_by_role("link", name="Play").click()
    text = ready(page)
    expect(page.get_by_role("heading", name="what happened")).to_be_visible()
    page.locator(".ap-overlay-start").click()
    expect(text).to_contain_text("played", timeout=SLOW)
    page.get_by_role("link", name="Back to the recordings").click()
    expect(page.locator(".recording")).to_be_visible(timeout=SLOW)


def test_markers_and_hits_lead_to_their_moment(desk: Desk) -> None:
    agent = desk.fake("claude")
    desk.rest("POST", f"/panes/{agent.pane_id[1:]}/recording", json={"title": "an agent"})
    sent = desk.rest("POST", f"/agents/{agent.name}/prompt", json={"prompt": "fix the flaky test"})
    assert sent["receipt"]["submitted"]
    key = desk.rest("GET", f"/recordings?window={desk.key_of(agent.pane_id)}")["items"][0]["key"]
    told = until(lambda: desk.rest("GET", f"/recordings/{key}")["markers"])
    assert [marker["label"] for marker in told] == ["fix the flaky test"]
    row = desk.rest("DELETE", f"/panes/{agent.pane_id[1:]}/recording")
    assert row["state"] == "done"
    page = desk.page
    page.goto(f"{desk.address}/recordings/{key}")
    text = ready(page)
    marker = page.get_by_role("button", name=re.compile("fix the flaky test"))
    marker.click()
    expect(marker).to_have_attribute("aria-current", "true")
    expect(text).to_contain_text("fix the flaky test", timeout=SLOW)


def test_a_search_jumps_to_what_was_printed(desk: Desk) -> None:
    pane = desk.session()
    key = recorded(desk, pane)
    page = desk.page
    page.goto(f"{desk.address}/recordings/{key}?t=9999")
    text = ready(page)
    expect(text).to_contain_text("the end", timeout=SLOW)
    page.get_by_label("Search in the text").fill("NEEDLE")
    hit = page.locator(".moment", has=page.locator("mark", has_text="needle")).last
    hit.click(timeout=SLOW)
    expect(text).to_contain_text("needle", timeout=SLOW)
    expect(text).not_to_contain_text("the end")
    page.get_by_label("Search in the text").fill("nowhere to be found")
    expect(page.get_by_text("Nowhere in this recording.")).to_be_visible(timeout=SLOW)
    # Another speed and uncut pauses: at the same moment.
    page.get_by_label("Speed").select_option("4")
    page.get_by_label("Pauses at most").select_option("0")
    expect(text).to_contain_text("needle", timeout=SLOW)


def test_a_link_shows_one_recording_to_a_stranger_until_it_is_revoked(
    desk: Desk, sit: Sit, served_page: Served
) -> None:
    pane = desk.session()
    key = recorded(desk, pane, title="for you")
    list_of(desk, pane)
    page = desk.page
    page.get_by_role("button", name="Share for you").click()
    page.get_by_role("button", name="Make a link").click()
    link = page.get_by_role("textbox", name="The link").input_value(timeout=SLOW)
    stranger = sit(served_page, **WIDE, extra_http_headers=STRANGER)
    stranger.page.goto(link)
    expect(ready(stranger.page)).to_be_visible()
    expect(stranger.page.get_by_role("heading", name="for you")).to_be_visible()
    expect(stranger.page.get_by_role("link", name="Back")).to_have_count(0)
    stranger.page.get_by_label("Search in the text").fill("needle")
    expect(stranger.page.locator(".moment mark").first).to_be_visible(timeout=SLOW)
    for path in ("/", f"/recordings/{key}", f"/api/recordings/{key}", "/api/windows"):
        answer = stranger.page.request.get(f"{desk.address}{path}", max_redirects=0)
        assert answer.status in {302, 401}, path
    page.get_by_role("button", name=re.compile("^Revoke")).click()
    expect(page.get_by_text("There are no links to it.")).to_be_visible(timeout=SLOW)
    stranger.page.reload()
    expect(stranger.page.get_by_role("heading", name="There is nothing to play")).to_be_visible()


def test_a_recording_is_deleted_only_after_a_second_word(desk: Desk) -> None:
    pane = desk.session()
    key = recorded(desk, pane, title="to be gone")
    rows = list_of(desk, pane)
    page = desk.page
    page.get_by_role("button", name="Delete to be gone").click()
    page.get_by_role("button", name="Keep").click()
    expect(rows).to_have_count(1)
    page.get_by_role("button", name="Delete to be gone").click()
    page.keyboard.press("Enter")  # the focus is on the word that does it
    expect(rows).to_have_count(0, timeout=SLOW)
    assert not (desk.served.directory / "data" / "recordings" / key).exists()


def test_a_window_with_two_panes_is_recorded_whole_and_told_to_another_page(
    desk: Desk, sit: Sit, served_page: Served
) -> None:
    pane = desk.session()
    desk.tmux("split-window", "-t", pane, "exec sh")
    rows = list_of(desk, pane)
    other = sit(served_page, **WIDE)
    other_rows = list_of(other, pane)
    desk.page.get_by_role("button", name="Record all").click(timeout=SLOW)
    expect(rows).to_have_count(2, timeout=SLOW)
    expect(other_rows).to_have_count(2, timeout=SLOW)
    other.page.get_by_role("button", name=re.compile(r"^Stop pane 0")).click()
    expect(desk.page.locator('.recording[data-state="done"]')).to_have_count(1, timeout=SLOW)
    expect(desk.page.locator('.recording[data-state="recording"]')).to_have_count(1)


def test_a_recording_that_runs_is_watched_and_the_rest_loaded(desk: Desk) -> None:
    pane = desk.session()
    row = desk.rest("POST", f"/panes/{pane[1:]}/recording", json={})
    files = Files(desk.served.directory / "data" / "recordings" / row["key"])
    page = desk.page
    page.goto(f"{desk.address}/recordings/{row['key']}")
    ready(page)
    desk.type(pane, "echo lat''er")
    written(files, "\nlater")
    page.get_by_role("button", name="Load the rest").click()
    page.get_by_label("Search in the text").fill("later")
    page.locator(".moment", has=page.locator("mark")).first.click(timeout=SLOW)
    expect(page.locator(".ap-term-text")).to_contain_text("later", timeout=SLOW)


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_on_a_phone_list_and_player_fit_and_can_be_touched(phone: Desk, colours: str) -> None:
    pane = phone.session()
    key = recorded(phone, pane, title="in the hand")
    page = phone.page
    page.emulate_media(color_scheme=colours)  # type: ignore[arg-type]
    list_of(phone, pane)
    for name in ("Play", "Share in the hand", "Delete in the hand"):
        found = page.get_by_role("link", name=name).or_(page.get_by_role("button", name=name))
        box = found.first.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        assert box["x"] + box["width"] <= 390
    page.get_by_role("link", name="Play").tap()
    text = ready(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator(".ap-overlay-start").tap()
    expect(text).to_contain_text("the end", timeout=SLOW)
    assert key in page.url
