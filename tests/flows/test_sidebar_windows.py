"""The sidebar with many windows: waiting agents, order, pins, long names and selections."""

import re

from playwright.sync_api import Locator, expect

from tests.flows.page_driver import MS, PageDriver
from tests.flows.page_elements import (
    choose_menu_item,
    heading,
    row,
    send_to_agent,
    sidebar,
    toast,
    wait_for_state,
)
from tests.flows.touch import Touch

# Whether an element is on the screen: not scrolled out of view, and not covered by another.
IS_SEEN = """(element) => {
  const { left, top, width, height } = element.getBoundingClientRect()
  const hit = document.elementFromPoint(left + width / 2, top + height / 2)
  return height > 0 && hit !== null && (element.contains(hit) || hit.contains(element))
}"""
OVERFLOWS = "(element) => element.scrollWidth > element.clientWidth + 1"
LONG = "a-very-long-name-" * 12


def waiting_lines(driver: PageDriver) -> Locator:
    region = sidebar(driver.page).get_by_role("region", name="Waiting")
    return region.locator("button.rail-asker")


def windows_of(driver: PageDriver, session: str) -> str:
    """The names of the windows of a session in tmux's order."""
    names = driver.tmux("list-windows", "-t", f"={session}", "-F", "#{window_name}")
    return " ".join(names.split())


def add_window(driver: PageDriver, session: str, name: str) -> str:
    """Opens a window with a plain shell; returns the id of its pane."""
    return driver.tmux(
        "new-window", "-dP", "-F", "#{pane_id}", "-t", f"={session}:", "-n", name, "exec sh"
    )


def session_of(driver: PageDriver, names: str, *, session: str = "s") -> str:
    """Starts a session with these windows; returns its name."""
    first, *others = names.split()
    driver.session(session)
    full = f"{driver.prefix}-{session}"
    driver.tmux("rename-window", "-t", f"={full}:", first)
    for name in others:
        add_window(driver, full, name)
    return full


def shown_order(driver: PageDriver, session: str) -> str:
    rows = sidebar(driver.page).get_by_role("region", name=session, exact=True)
    return " ".join(rows.locator(".rail-name").all_inner_texts())


# --- waiting agents ---------------------------------------------------------------------------


def test_waiting_agents_leave_room_for_the_windows(desktop: PageDriver) -> None:
    fakes = [desktop.fake("claude", name) for name in "abcd"]
    for fake in fakes:
        for name in ("logs", "shell"):
            add_window(desktop, fake.name, name)
    desktop.open("#/")
    for fake in reversed(fakes):  # the one that waits longest is not the first by name
        wait_for_state(desktop.page, fake, "idle")
        send_to_agent(desktop, fake, "ask: may I?")
        wait_for_state(desktop.page, fake, "waiting")
    lines = waiting_lines(desktop)
    expect(lines).to_have_count(4)
    titles = [f"{fake.name} · " for fake in reversed(fakes)]
    expect(lines.locator(".cut")).to_have_text([re.compile(re.escape(title)) for title in titles])
    heights = lines.evaluate_all("(lines) => lines.map((line) => line.offsetHeight)")
    assert max(heights) <= 36  # one line each
    box = sidebar(desktop.page).get_by_role("region", name="Waiting").bounding_box()
    whole = sidebar(desktop.page).bounding_box()
    assert box is not None
    assert whole is not None
    assert box["height"] <= whole["height"] / 3
    for fake in fakes:
        for name in ("logs", "shell"):
            assert row(desktop.page, fake.name, name).evaluate(IS_SEEN), (fake.name, name)


def test_many_waiting_agents_scroll_in_a_third_of_the_sidebar(desktop: PageDriver) -> None:
    desktop.page.set_viewport_size({"width": 844, "height": 300})
    fakes = [desktop.fake("claude", name) for name in "abc"]
    desktop.open("#/")
    for fake in fakes:
        wait_for_state(desktop.page, fake, "idle")
        send_to_agent(desktop, fake, "ask: may I?")
        wait_for_state(desktop.page, fake, "waiting")
    expect(waiting_lines(desktop)).to_have_count(3)
    region = sidebar(desktop.page).get_by_role("region", name="Waiting")
    assert region.evaluate("(section) => section.offsetHeight") <= 300 / 3
    assert region.locator("ul").evaluate("(list) => list.scrollHeight > list.clientHeight")


def test_a_waiting_line_opens_the_question_and_its_answers(desktop: PageDriver) -> None:
    fake = desktop.fake("claude")
    desktop.open("#/")
    wait_for_state(desktop.page, fake, "idle")
    send_to_agent(desktop, fake, "ask: may I?")
    line = waiting_lines(desktop)
    line.focus()
    desktop.page.keyboard.press("Enter")
    answer = desktop.page.get_by_role("dialog", name=f"Answer {fake.name} · ")
    expect(answer).to_be_visible()
    expect(answer.get_by_role("link")).to_be_focused()
    desktop.page.keyboard.press("Escape")
    expect(answer).to_be_hidden()
    expect(line).to_be_focused()
    line.click()
    answer.get_by_role("button").first.click()
    expect(line).to_be_hidden()
    assert fake.answers == ["Yes"]


# --- order and pins ---------------------------------------------------------------------------


def test_windows_are_moved_by_menu_keyboard_and_drag(desktop: PageDriver) -> None:
    name = session_of(desktop, "one two three four")
    desktop.open("#/")
    expect(row(desktop.page, name, "four")).to_be_visible()
    choose_menu_item(desktop.page, "three", "Move up")
    desktop.wait_until(lambda: windows_of(desktop, name) == "one three two four")
    desktop.wait_until(lambda: shown_order(desktop, name) == "one three two four")

    row(desktop.page, name, "three").focus()
    desktop.page.keyboard.press("Alt+ArrowDown")
    desktop.wait_until(lambda: shown_order(desktop, name) == "one two three four")
    expect(row(desktop.page, name, "three")).to_be_focused()
    desktop.page.keyboard.press("Alt+ArrowDown")
    desktop.wait_until(lambda: windows_of(desktop, name) == "one two four three")
    desktop.wait_until(lambda: shown_order(desktop, name) == "one two four three")

    start = row(desktop.page, name, "three").bounding_box()
    end = row(desktop.page, name, "one").bounding_box()
    assert start is not None
    assert end is not None
    mouse = desktop.page.mouse
    mouse.move(start["x"] + 60, start["y"] + 10)
    mouse.down()
    mouse.move(end["x"] + 60, end["y"] + 12, steps=8)
    mouse.move(end["x"] + 60, end["y"] + 4, steps=2)
    expect(sidebar(desktop.page).locator('[data-drop="before"]')).to_have_count(1)
    mouse.up()
    desktop.wait_until(lambda: windows_of(desktop, name) == "three one two four")
    desktop.wait_until(lambda: shown_order(desktop, name) == "three one two four")


def test_a_pinned_window_is_at_the_top_of_every_page(
    desktop: PageDriver, phone: PageDriver
) -> None:
    name = session_of(desktop, "one two")
    phone.open("#/")
    desktop.open("#/")
    choose_menu_item(desktop.page, "two", "Pin")
    pinned = sidebar(desktop.page).get_by_role("region", name="Pinned")
    expect(pinned.get_by_role("link")).to_contain_text(f"{name} · two")
    expect(row(desktop.page, name, "two")).to_have_count(0)
    card = phone.page.locator("agent-deck .plain-card").first
    expect(card).to_contain_text(f"{name} · two")
    expect(card.locator(".card-pin")).to_be_visible()
    # The phone unpins it in the menu of the window.
    card.tap()
    phone.page.get_by_role("button", name=f"More actions for {name} · two").tap()
    phone.page.get_by_role("menuitem", name="Unpin window").tap()
    expect(pinned).to_have_count(0)
    expect(row(desktop.page, name, "two")).to_be_visible()


# --- names ------------------------------------------------------------------------------------


def test_a_window_has_one_name_everywhere(desktop: PageDriver) -> None:
    name = session_of(desktop, "one two")
    desktop.rest("PATCH", f"/projects/{name}", json={"name": f"{name} project"})
    title = f"{name} · two"
    desktop.open("#/")
    expect(desktop.page.locator("agent-deck").get_by_text(title)).to_be_visible()
    row_link = sidebar(desktop.page).get_by_role("link", name=re.compile("^two"))
    expect(row_link).to_have_attribute("title", re.compile(f"^{re.escape(title)}\n"))
    row_link.click()
    expect(heading(desktop.page)).to_have_text(title)
    expect(desktop.page).to_have_title(f"{title} — webtmux")
    expect(desktop.page.locator(".composer-head")).to_contain_text(title)
    desktop.page.keyboard.press("Control+k")
    desktop.page.keyboard.type("two")
    expect(desktop.page.get_by_role("option", name=title).first).to_be_visible()
    desktop.page.keyboard.press("Escape")
    choose_menu_item(desktop.page, "two", "Close window")
    expect(desktop.page.get_by_role("dialog")).to_contain_text(f"Close window {title}?")


def test_long_names_stay_within_sidebar_header_deck_and_board(desktop: PageDriver) -> None:
    session = f"{desktop.prefix}-{LONG}"[:200]
    pane = desktop.tmux(
        "new-session", "-dP", "-F", "#{pane_id}", "-s", session, "-n", LONG, "exec sh"
    )
    desktop.rest("PUT", f"/projects/{session}/notes", json={"notes": f"- {LONG}\n- [WIP] {LONG}"})
    title = f"{session} · {LONG}"
    desktop.open("#/")
    page = desktop.page
    expect(page.locator(".plain-card", has_text=title)).to_be_visible()
    for size in ((1440, 900), (390, 844)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        for fragment in ("#/", f"#/window/{desktop.key_of(pane)}", f"#/project/{session}/board"):
            desktop.open(fragment)
            expect(heading(page)).to_be_visible()
            assert not page.locator("body").evaluate(OVERFLOWS), fragment
            assert not page.locator("#stage").evaluate(OVERFLOWS), fragment
    page.set_viewport_size({"width": 1440, "height": 900})
    desktop.open(f"#/window/{desktop.key_of(pane)}")
    expect(heading(page)).to_have_attribute("title", title)
    tools = page.get_by_role("button", name=re.compile("^More actions for"))
    assert tools.evaluate(IS_SEEN)
    link = sidebar(page).locator(".rail-line.window a.row", has_text=LONG)
    box = link.bounding_box()
    assert box is not None
    assert box["x"] + box["width"] <= 280
    link.hover()
    button = sidebar(page).get_by_role("button", name=f"Actions for {LONG}", exact=True)
    assert button.evaluate(IS_SEEN)
    desktop.open(f"#/project/{session}/board")
    for card in page.locator("board-screen article").all():
        assert not card.evaluate(OVERFLOWS)


# --- several windows --------------------------------------------------------------------------


def test_one_prompt_reaches_the_selected_agents_and_shows_each_receipt(
    desktop: PageDriver,
) -> None:
    ready, asks = desktop.fake("claude", "ready"), desktop.fake("claude", "asks")
    plain = session_of(desktop, "shell", session="plain")
    desktop.open("#/")
    for fake in (ready, asks):
        wait_for_state(desktop.page, fake, "idle")
    send_to_agent(desktop, asks, "ask: may I?")
    wait_for_state(desktop.page, asks, "waiting")
    for session in (ready.name, asks.name, plain):
        link = sidebar(desktop.page).get_by_role("region", name=session, exact=True)
        link.locator(".rail-line.window a.row").click(modifiers=["ControlOrMeta"])
    bar = sidebar(desktop.page).get_by_role("region", name="Selected windows")
    expect(bar).to_contain_text("3 selected")
    expect(bar).to_contain_text("2 agents")
    expect(heading(desktop.page)).to_have_text("All agents")  # no click opened a window
    bar.get_by_role("button", name="Prompt").click()
    dialog = desktop.page.get_by_role("dialog", name="Prompt for 2 agents")
    expect(dialog).to_contain_text(f"Skipped, no agent: {plain} · shell")
    dialog.get_by_label("Prompt", exact=True).fill("say hello")
    desktop.page.keyboard.press("Control+Enter")
    sent = dialog.locator(f'[data-agent="{ready.name}"]')
    refused = dialog.locator(f'[data-agent="{asks.name}"]')
    expect(sent).to_contain_text(re.compile(r"Sent\. Submitted.* · \d"))
    expect(refused).to_contain_text("Refused.")
    assert ready.prompts == [b"say hello"]
    assert b"say hello" not in asks.prompts
    expect(dialog.get_by_role("button", name="Retry (1)")).to_be_enabled()
    dialog.get_by_role("button", name="Close").click()
    bar.get_by_role("button", name="Done").click()
    expect(bar).to_have_count(0)


def test_selected_windows_are_closed_after_one_question_by_keyboard(desktop: PageDriver) -> None:
    name = session_of(desktop, "one two three four")
    desktop.open("#/")
    row(desktop.page, name, "two").focus()
    desktop.page.keyboard.press("Space")
    bar = sidebar(desktop.page).get_by_role("region", name="Selected windows")
    expect(bar).to_contain_text("1 selected")
    desktop.page.keyboard.press("Shift+ArrowDown")
    expect(bar).to_contain_text("2 selected")
    desktop.page.keyboard.press("Delete")
    dialog = desktop.page.get_by_role("dialog", name="Close 2 windows?")
    expect(dialog).to_contain_text(f"{name} · two")
    expect(dialog).to_contain_text(f"{name} · three")
    desktop.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert windows_of(desktop, name) == "one two three four"
    desktop.page.keyboard.press("Delete")
    desktop.page.keyboard.press("Enter")
    toast(desktop.page, "Closed 2 windows.")
    assert windows_of(desktop, name) == "one four"
    expect(bar).to_have_count(0)


def test_a_range_is_selected_with_shift_and_by_the_select_action(desktop: PageDriver) -> None:
    name = session_of(desktop, "one two three")
    desktop.open("#/")
    choose_menu_item(desktop.page, "one", "Select")
    row(desktop.page, name, "three").click(modifiers=["Shift"])
    bar = sidebar(desktop.page).get_by_role("region", name="Selected windows")
    expect(bar).to_contain_text("3 selected")
    row(desktop.page, name, "three").focus()
    desktop.page.keyboard.press("Escape")
    expect(bar).to_have_count(0)
    desktop.page.keyboard.press("Control+k")
    desktop.page.keyboard.type("select windows")
    desktop.page.keyboard.press("Enter")
    expect(bar).to_contain_text("Select windows")
    row(desktop.page, name, "two").click()
    expect(bar).to_contain_text("1 selected")


def test_a_long_press_on_a_phone_selects_and_a_prompt_is_sent(phone: PageDriver) -> None:
    fake = phone.fake("claude")
    phone.open("#/")
    wait_for_state(phone.page, fake, "idle")
    card = phone.page.locator(f'.agent-card[data-agent="{fake.name}"]')
    box = card.bounding_box()
    assert box is not None
    touch = Touch(phone.page)
    touch.press((box["x"] + 60, box["y"] + 20))
    bar = phone.page.locator("agent-deck").get_by_role("region", name="Selected windows")
    expect(bar).to_contain_text("1 selected")
    touch.lift()
    expect(heading(phone.page)).to_have_text("All agents")
    expect(card.locator(".tick.on")).to_be_visible()
    bar.get_by_role("button", name="Prompt").tap()
    dialog = phone.page.get_by_role("dialog", name="Prompt for 1 agent")
    dialog.get_by_label("Prompt", exact=True).fill("say hello")
    dialog.get_by_role("button", name="Send").tap()
    expect(dialog.locator(f'[data-agent="{fake.name}"]')).to_contain_text("Sent.", timeout=MS)
    assert fake.prompts == [b"say hello"]
