"""Home: who waits, who works, and answers by one tap."""

from typing import Any

from playwright.sync_api import expect

from tests.flows.desk import Desk
from tests.flows.prompting import MS, Wire, act, card, composer, eventually, make_ask, write_to

PLACES = ("place-bar", "workspace-rail")
ANSWER = "Yes, and don't ask again for make commands"


def test_one_tap_on_the_phone_answers_an_agent(phone: Desk) -> None:
    fake = phone.fake("claude")
    phone.open("#/")
    make_ask(phone, fake)
    expect(card(phone, fake).locator(".answer-question")).to_have_text("Do you want to proceed?")
    buttons = card(phone, fake).locator("answer-bar button")
    for box in [button.bounding_box() for button in buttons.all()]:
        assert box is not None
        assert box["height"] >= 44
        assert box["x"] + box["width"] <= 390
    buttons.filter(has_text=ANSWER).tap()
    expect(card(phone, fake).locator(".chip.waiting")).to_be_hidden(timeout=MS)
    expect(card(phone, fake).locator("answer-bar")).to_have_count(0)
    assert fake.answers == [ANSWER]
    assert phone.page.url.endswith("/#/") or "#" not in phone.page.url  # the card was not opened


def test_the_deck_orders_and_counts_as_agents_change(desk: Desk) -> None:
    idle, busy, asks = (
        desk.fake("claude", "a"),
        desk.fake("codex", "b", turn=60),
        desk.fake("gemini", "c"),
    )
    desk.session("shell")
    desk.open("#/")
    counts = desk.page.locator(".deck-counts")
    make_ask(desk, asks)
    desk.type(busy.pane_id, "think for a minute")
    expect(counts).to_have_text("1 waiting · 1 working · 1 idle", timeout=MS)
    names = desk.page.locator("agent-deck .agent-card")
    order = names.evaluate_all("(cards) => cards.map((card) => card.dataset.agent)")
    assert order == [asks.name, busy.name, idle.name]
    plain = desk.page.get_by_role("region", name="Other windows")
    expect(plain.get_by_role("link", name=f"{desk.prefix}-shell")).to_be_visible()
    expect(card(desk, busy).locator(".card-words")).to_contain_text("think for a", timeout=MS)
    desk.tmux("kill-session", "-t", f"={busy.name}")
    expect(counts).to_have_text("1 waiting · 1 idle", timeout=MS)
    card(desk, idle).get_by_role("link").click()
    expect(composer(desk).locator("textarea")).to_be_visible(timeout=MS)


def test_an_answer_that_comes_too_late_is_refused_in_words(desk: Desk) -> None:
    fake = desk.fake("claude")
    deaf = False

    def loses(message: dict[str, Any]) -> bool:
        return deaf and message.get("type") == "agent-updated"

    Wire(desk, loses=loses)
    desk.open("#/")
    make_ask(desk, fake)
    deaf = True  # the page does not hear that somebody else has answered
    desk.tmux("send-keys", "-t", fake.pane_id, "1")
    eventually(desk, lambda: fake.answers == ["Yes"])
    expect(card(desk, fake).locator(".answer-told")).to_have_text("")
    card(desk, fake).get_by_role("button", name="3").click()
    told = card(desk, fake).locator(".answer-told")
    expect(told).to_have_text("Not answered: the agent asks nothing now", timeout=MS)
    expect(card(desk, fake).get_by_role("button", name="3")).to_be_enabled()
    assert fake.answers == ["Yes"]


def test_an_answer_to_another_question_is_refused_in_words(desk: Desk) -> None:
    fake = desk.fake("claude")
    desk.open("#/")
    make_ask(desk, fake)
    # As a page that slept would ask: with the question of before.
    desk.page.evaluate(
        "(agent) => document.dispatchEvent(new CustomEvent('action', { detail: { name:"
        " 'answer-agent', agent, number: 1, label: 'Yes', question: 'Delete all?' } }))",
        fake.name,
    )
    told = card(desk, fake).locator(".answer-told")
    expect(told).to_contain_text("it asks something else by now: Do you want to", timeout=MS)
    assert fake.answers == []
    card(desk, fake).locator("answer-bar button").first.click()
    expect(card(desk, fake).locator("answer-bar")).to_have_count(0, timeout=MS)
    assert fake.answers == ["Yes"]


def test_an_answer_in_the_head_of_the_window_shows_in_the_rail_too(desk: Desk) -> None:
    fake = desk.fake("codex", turn=0.5)
    desk.open("#/")
    make_ask(desk, fake)
    card(desk, fake).get_by_role("link").click()
    head, rail = (desk.page.locator(f"{place} answer-bar") for place in PLACES)
    expect(head.locator(".answer-question")).to_contain_text("Would you like to run", timeout=MS)
    expect(rail.locator("button")).to_have_count(3)
    head.get_by_role("button", name="1").click()
    expect(head).to_have_count(0, timeout=MS)
    expect(rail).to_have_count(0)
    assert fake.answers == ["Yes, proceed (y)"]


def test_an_agent_at_work_is_interrupted_after_a_question(desk: Desk) -> None:
    fake = desk.fake("claude", turn=120)
    field = write_to(desk, fake)
    field.fill("take your time")
    field.press("Enter")
    expect(composer(desk).locator(".composer-head .chip.working")).to_be_attached(timeout=MS)
    field.press("Escape")  # back to the terminal, and not to the agent
    expect(field).not_to_be_focused(timeout=MS)
    assert fake.events("cancelled") == []
    act(desk, "interrupt")
    dialog = desk.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Interrupt claude?", timeout=MS)
    dialog.get_by_role("button", name="Interrupt").click()
    eventually(desk, lambda: len(fake.events("cancelled")) == 1)


def test_the_answer_that_wants_words_leads_to_the_composer(desk: Desk) -> None:
    fake = desk.fake("claude")
    desk.open("#/")
    make_ask(desk, fake)
    card(desk, fake).locator("answer-bar button", has_text="tell Claude").click()
    field = composer(desk).locator("textarea")
    expect(field).to_be_focused(timeout=MS)
    expect(composer(desk).locator(".composer-head")).to_contain_text(fake.name)
    assert fake.answers == ["No, and tell Claude what to do differently (esc)"]


def test_keys_go_from_one_that_waits_to_the_next_and_into_the_composer(desk: Desk) -> None:
    one, other = desk.fake("claude", "one"), desk.fake("codex", "other")
    desk.open("#/")
    make_ask(desk, one, other)
    head = composer(desk).locator(".composer-head")
    for fake in (one, other, one):
        desk.page.locator("#stage").focus()
        desk.page.keyboard.press("w")
        expect(head).to_contain_text(fake.name, timeout=MS)
        # A window that is opened gives its terminal the keyboard.
        expect(desk.page.locator(f'tmux-adapter-web[name="{fake.pane_id}"]')).to_be_focused(
            timeout=MS
        )
    desk.page.locator("#stage").focus()
    desk.page.keyboard.press("c")
    expect(composer(desk).locator("textarea")).to_be_focused(timeout=MS)


def test_without_agents_home_says_how_to_start_one(desk: Desk) -> None:
    desk.session("shell")
    desk.open("#/")
    expect(desk.page.get_by_role("heading", name="No agent runs yet")).to_be_visible(timeout=MS)
    expect(
        desk.page.locator("agent-deck").get_by_role("button", name="New session")
    ).to_be_visible()
    fake = desk.fake("claude")
    expect(card(desk, fake)).to_be_visible(timeout=MS)
    expect(desk.page.get_by_role("heading", name="No agent runs yet")).to_be_hidden()
