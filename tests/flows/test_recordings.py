"""Recordings: record, play, search, share, revoke, delete; on desktop and phone."""

import re

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from terminals.recordings.files import RecordingFiles
from tests.flows.conftest import WIDE, OpenPage
from tests.flows.page_driver import MS, PageDriver
from tests.terminals.recordings.casts import events
from tests.terminals.served import Served
from tests.waiting import wait_until

# A request through a proxy is not trusted as local.
PROXIED = {"x-forwarded-for": "203.0.113.9"}


def open_recordings(desktop: PageDriver, pane: str) -> Locator:
    desktop.open(f"#/window/{desktop.key_of(pane)}/recordings")
    expect(desktop.page.get_by_role("heading", name="Recordings", exact=True)).to_be_visible(
        timeout=MS
    )
    return desktop.page.locator(".recording")


def create_recording(
    desktop: PageDriver, pane: str, text: str = "needle", *, title: str = ""
) -> str:
    """Records a pane that prints a text, then two more screens; returns the key."""
    row = desktop.rest("POST", f"/panes/{pane[1:]}/recording", json={"title": title})
    files = RecordingFiles(desktop.served.directory / "data" / "recordings" / row["key"])
    desktop.type(pane, f"echo {text[:1]}''{text[1:]}")
    wait_for_output(files, f"\n{text}")
    desktop.type(pane, "clear; seq 1 90; echo the e''nd")
    wait_for_output(files, "\nthe end")
    desktop.rest("DELETE", f"/panes/{pane[1:]}/recording")
    key: str = row["key"]
    return key


def wait_for_output(files: RecordingFiles, text: str) -> None:
    """Waits until the file of the recording contains the text."""
    wait_until(
        lambda: text in "".join(event[2] for event in events(files.lines())).replace("\r", "")
    )


def player_text(page: Page) -> Locator:
    """The text of the player, once it is ready."""
    expect(page.locator("player-page[data-ready]")).to_be_attached(timeout=MS)
    return page.locator(".ap-term-text")


def test_a_pane_is_recorded_renamed_and_played(desktop: PageDriver) -> None:
    pane = desktop.session()
    rows = open_recordings(desktop, pane)
    page = desktop.page
    expect(page.get_by_text("No recordings yet")).to_be_visible(timeout=MS)
    page.get_by_role("button", name="Record", exact=True).click()
    expect(rows).to_have_attribute("data-state", "recording", timeout=MS)
    assert (
        desktop.page.evaluate("document.querySelector('recordings-screen').store.recordings.size")
        == 1
    )
    desktop.type(pane, "echo pla''yed")
    page.locator("place-bar").get_by_role("button", name="Stop recording").click()
    expect(rows).to_have_attribute("data-state", "done", timeout=MS)
    rows.hover()
    page.get_by_role("button", name=re.compile("^Rename")).click()
    page.get_by_label("Title").fill("what happened")
    page.keyboard.press("Enter")
    expect(rows.get_by_role("link", name="what happened", exact=True)).to_be_visible(timeout=MS)
    rows.get_by_role("link", name="Play").click()
    text = player_text(page)
    expect(page.get_by_role("heading", name="what happened")).to_be_visible()
    page.locator(".ap-overlay-start").click()
    expect(text).to_contain_text("played", timeout=MS)
    page.get_by_role("link", name="Back to recordings").click()
    expect(page.locator(".recording")).to_be_visible(timeout=MS)


def test_markers_jump_to_their_position(desktop: PageDriver) -> None:
    agent = desktop.fake("claude")
    desktop.rest("POST", f"/panes/{agent.pane_id[1:]}/recording", json={"title": "an agent"})
    sent = desktop.rest(
        "POST", f"/agents/{agent.name}/prompt", json={"prompt": "fix the flaky test"}
    )
    assert sent["receipt"]["submitted"]
    key = desktop.rest("GET", f"/recordings?window={desktop.key_of(agent.pane_id)}")["items"][0][
        "key"
    ]
    markers = wait_until(lambda: desktop.rest("GET", f"/recordings/{key}")["markers"])
    assert [marker["label"] for marker in markers] == ["fix the flaky test"]
    row = desktop.rest("DELETE", f"/panes/{agent.pane_id[1:]}/recording")
    assert row["state"] == "done"
    page = desktop.page
    page.goto(f"{desktop.address}/recordings/{key}")
    text = player_text(page)
    marker = page.get_by_role("button", name=re.compile("fix the flaky test"))
    marker.click()
    expect(marker).to_have_attribute("aria-current", "true")
    expect(text).to_contain_text("fix the flaky test", timeout=MS)


def test_search_results_jump_to_their_position(desktop: PageDriver) -> None:
    pane = desktop.session()
    key = create_recording(desktop, pane)
    page = desktop.page
    page.goto(f"{desktop.address}/recordings/{key}?t=9999")
    text = player_text(page)
    expect(text).to_contain_text("the end", timeout=MS)
    page.get_by_label("Search", exact=True).fill("NEEDLE")
    hit = page.locator(".moment", has=page.locator("mark", has_text="needle")).last
    hit.click(timeout=MS)
    expect(text).to_contain_text("needle", timeout=MS)
    expect(text).not_to_contain_text("the end")
    page.get_by_label("Search", exact=True).fill("nowhere to be found")
    expect(page.get_by_text("No results.")).to_be_visible(timeout=MS)
    # Another speed and other pauses keep the position.
    page.get_by_label("Speed").select_option("4")
    page.get_by_label("Limit pauses to").select_option("0")
    expect(text).to_contain_text("needle", timeout=MS)


def test_a_secret_link_shows_one_recording_until_it_is_revoked(
    desktop: PageDriver, open_page: OpenPage, served_page: Served
) -> None:
    pane = desktop.session()
    key = create_recording(desktop, pane, title="for you")
    open_recordings(desktop, pane)
    page = desktop.page
    page.get_by_role("button", name="Share for you").click()
    page.get_by_role("button", name="Create link").click()
    link = page.get_by_role("textbox", name="Link").input_value(timeout=MS)
    visitor = open_page(served_page, **WIDE, extra_http_headers=PROXIED)
    visitor.page.goto(link)
    expect(player_text(visitor.page)).to_be_visible()
    expect(visitor.page.get_by_role("heading", name="for you")).to_be_visible()
    expect(visitor.page.get_by_role("link", name="Back")).to_have_count(0)
    visitor.page.get_by_label("Search", exact=True).fill("needle")
    expect(visitor.page.locator(".moment mark").first).to_be_visible(timeout=MS)
    for path in ("/", f"/recordings/{key}", f"/api/recordings/{key}", "/api/windows"):
        response = visitor.page.request.get(f"{desktop.address}{path}", max_redirects=0)
        assert response.status in {302, 401}, path
    page.get_by_role("button", name=re.compile("^Revoke")).click()
    expect(page.get_by_text("No active links.")).to_be_visible(timeout=MS)
    visitor.page.reload()
    expect(visitor.page.get_by_role("heading", name="Recording not available")).to_be_visible()


def test_a_recording_is_deleted_only_after_confirmation(desktop: PageDriver) -> None:
    pane = desktop.session()
    key = create_recording(desktop, pane, title="obsolete")
    rows = open_recordings(desktop, pane)
    page = desktop.page
    page.get_by_role("button", name="Delete obsolete").click()
    page.get_by_role("button", name="Cancel").click()
    expect(rows).to_have_count(1)
    page.get_by_role("button", name="Delete obsolete").click()
    page.keyboard.press("Enter")  # the focus is on the confirming button
    expect(rows).to_have_count(0, timeout=MS)
    directory = desktop.served.directory / "data" / "recordings" / key
    desktop.wait_until(lambda: not directory.exists())


def test_all_panes_of_a_window_are_recorded_and_shown_on_another_page(
    desktop: PageDriver, open_page: OpenPage, served_page: Served
) -> None:
    pane = desktop.session()
    desktop.tmux("split-window", "-t", pane, "exec sh")
    rows = open_recordings(desktop, pane)
    other = open_page(served_page, **WIDE)
    other_rows = open_recordings(other, pane)
    desktop.page.get_by_role("button", name="Record all").click(timeout=MS)
    expect(rows).to_have_count(2, timeout=MS)
    expect(other_rows).to_have_count(2, timeout=MS)
    other.page.get_by_role("button", name=re.compile(r"^Stop pane 0")).click()
    expect(desktop.page.locator('.recording[data-state="done"]')).to_have_count(1, timeout=MS)
    expect(desktop.page.locator('.recording[data-state="recording"]')).to_have_count(1)


def test_new_output_of_a_running_recording_is_loaded_on_request(desktop: PageDriver) -> None:
    pane = desktop.session()
    row = desktop.rest("POST", f"/panes/{pane[1:]}/recording", json={})
    files = RecordingFiles(desktop.served.directory / "data" / "recordings" / row["key"])
    page = desktop.page
    page.goto(f"{desktop.address}/recordings/{row['key']}")
    player_text(page)
    desktop.type(pane, "echo lat''er")
    wait_for_output(files, "\nlater")
    page.get_by_role("button", name="Load new output").click()
    page.get_by_label("Search", exact=True).fill("later")
    page.locator(".moment", has=page.locator("mark")).first.click(timeout=MS)
    expect(page.locator(".ap-term-text")).to_contain_text("later", timeout=MS)


def test_a_jump_while_new_output_is_loaded_is_not_lost(desktop: PageDriver) -> None:
    pane = desktop.session()
    row = desktop.rest("POST", f"/panes/{pane[1:]}/recording", json={})
    files = RecordingFiles(desktop.served.directory / "data" / "recordings" / row["key"])
    page = desktop.page
    page.goto(f"{desktop.address}/recordings/{row['key']}")
    player_text(page)
    desktop.type(pane, "echo lat''er")
    wait_for_output(files, "\nlater")
    held: list[Route] = []
    page.route("**/cast*", lambda route: held.append(route))
    page.get_by_role("button", name="Load new output").click()
    desktop.wait_until(lambda: held)
    page.get_by_label("Search", exact=True).fill("later")
    page.locator(".moment", has=page.locator("mark")).first.click(timeout=MS)
    for route in held:
        route.continue_()
    expect(page.locator(".ap-term-text")).to_contain_text("later", timeout=MS)


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_list_and_player_fit_a_phone(phone: PageDriver, colours: str) -> None:
    pane = phone.session()
    key = create_recording(phone, pane, title="on a phone")
    page = phone.page
    page.emulate_media(color_scheme=colours)  # type: ignore[arg-type]
    open_recordings(phone, pane)
    for name in ("Play", "Share on a phone", "Delete on a phone"):
        element = page.get_by_role("link", name=name).or_(page.get_by_role("button", name=name))
        box = element.first.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        assert box["x"] + box["width"] <= 390
    page.get_by_role("link", name="Play").tap()
    text = player_text(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator(".ap-overlay-start").tap()
    expect(text).to_contain_text("the end", timeout=MS)
    assert key in page.url
