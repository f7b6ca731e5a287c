"""The deck: order and counts of agents, and answers with one tap."""

from typing import Any

from playwright.sync_api import expect

from tests.flows.composer_driver import (
    LossySocket,
    card,
    composer,
    make_agents_ask,
    open_agent_composer,
    run_action,
)
from tests.flows.page_driver import LONG_TURN, MS, PageDriver

PLACES = ("question-bar", "workspace-rail")
ANSWER = "Yes, and don't ask again for make commands"


def test_one_tap_on_a_phone_answers_an_agent(phone: PageDriver) -> None:
    fake = phone.fake("claude")
    phone.open("#/")
    make_agents_ask(phone, fake)
    expect(card(phone, fake).locator(".answer-question")).to_contain_text("Do you want to")
    buttons = card(phone, fake).locator("answer-bar button")
    for box in [button.bounding_box() for button in buttons.all()]:
        assert box is not None
        assert box["height"] >= 44
        assert box["x"] + box["width"] <= 390
    buttons.filter(has_text=ANSWER).tap()
    expect(card(phone, fake).locator(".chip.waiting")).to_be_hidden(timeout=MS)
    expect(card(phone, fake).locator("answer-bar")).to_have_count(0)
    assert fake.answers == [ANSWER]
    expect(phone.page).to_have_url(f"{phone.address}/#/")  # the tap did not open the window


def test_the_deck_is_sorted_and_counted_live(desktop: PageDriver) -> None:
    idle, busy, asks = (
        desktop.fake("claude", "a"),
        desktop.fake("codex", "b", turn=LONG_TURN),
        desktop.fake("gemini", "c"),
    )
    desktop.session("shell")
    desktop.open("#/")
    counts = desktop.page.locator(".deck-counts")
    make_agents_ask(desktop, asks)
    desktop.type(busy.pane_id, "think for a minute")
    expect(counts).to_have_text("1 waiting · 1 working · 1 idle", timeout=MS)
    names = desktop.page.locator("agent-deck .agent-card")
    order = names.evaluate_all("(cards) => cards.map((card) => card.dataset.agent)")
    assert order == [asks.name, busy.name, idle.name]
    plain = desktop.page.get_by_role("region", name="Other windows")
    expect(plain.get_by_role("link", name=f"{desktop.prefix}-shell")).to_be_visible()
    expect(card(desktop, busy).locator(".card-preview")).to_contain_text("think for a", timeout=MS)
    desktop.tmux("kill-session", "-t", f"={busy.name}")
    expect(counts).to_have_text("1 waiting · 1 idle", timeout=MS)
    card(desktop, idle).get_by_role("link").click()
    expect(composer(desktop).locator("textarea")).to_be_visible(timeout=MS)


def test_a_late_answer_shows_why_it_was_refused(desktop: PageDriver) -> None:
    fake = desktop.fake("claude")
    drops_updates = False

    def drops(message: dict[str, Any]) -> bool:
        return drops_updates and message.get("type") == "agent-updated"

    LossySocket(desktop, drops=drops)
    desktop.open("#/")
    make_agents_ask(desktop, fake)
    drops_updates = True  # the page does not learn that the question was answered elsewhere
    desktop.tmux("send-keys", "-t", fake.pane_id, "1")
    desktop.wait_until(lambda: fake.answers == ["Yes"])
    expect(card(desktop, fake).locator(".answer-status")).to_have_text("")
    third = card(desktop, fake).locator("answer-bar button").nth(2)
    third.click()
    status = card(desktop, fake).locator(".answer-status")
    expect(status).to_have_text("Not answered. The agent asks nothing now.", timeout=MS)
    expect(third).to_be_enabled()
    assert fake.answers == ["Yes"]


def test_an_answer_to_another_question_shows_why_it_was_refused(desktop: PageDriver) -> None:
    fake = desktop.fake("claude")
    desktop.open("#/")
    make_agents_ask(desktop, fake)
    # As an outdated page would answer: with the previous question.
    desktop.page.evaluate(
        "(agent) => document.dispatchEvent(new CustomEvent('action', { detail: { name:"
        " 'answer-agent', agent, number: 1, label: 'Yes', question: 'Delete all?' } }))",
        fake.name,
    )
    status = card(desktop, fake).locator(".answer-status")
    expect(status).to_contain_text("It asks something else by now: Do you want to", timeout=MS)
    assert fake.answers == []
    card(desktop, fake).locator("answer-bar button").first.click()
    expect(card(desktop, fake).locator("answer-bar")).to_have_count(0, timeout=MS)
    assert fake.answers == ["Yes"]


def test_an_answer_in_the_window_updates_the_sidebar(desktop: PageDriver) -> None:
    fake = desktop.fake("codex", turn=0.5)
    desktop.open("#/")
    make_agents_ask(desktop, fake)
    card(desktop, fake).get_by_role("link").click()
    head, rail = (desktop.page.locator(f"{place} answer-bar") for place in PLACES)
    question = desktop.page.locator("question-bar .answer-question")
    expect(question).to_contain_text("Would you like to run", timeout=MS)
    expect(rail.locator("button")).to_have_count(3)
    head.get_by_role("button").first.click()
    expect(head).to_have_count(0, timeout=MS)
    expect(rail).to_have_count(0)
    assert fake.answers == ["Yes, proceed (y)"]


def test_a_working_agent_is_interrupted_after_confirmation(desktop: PageDriver) -> None:
    fake = desktop.fake("claude", turn=LONG_TURN)
    field = open_agent_composer(desktop, fake)
    field.fill("take your time")
    field.press("Enter")
    expect(composer(desktop).locator(".composer-head .chip.working")).to_be_attached(timeout=MS)
    field.press("Escape")  # moves the focus to the terminal, and is not sent to the agent
    expect(field).not_to_be_focused(timeout=MS)
    assert fake.events("cancelled") == []
    run_action(desktop, "interrupt")
    dialog = desktop.page.get_by_role("dialog")
    expect(dialog).to_contain_text("Interrupt claude?", timeout=MS)
    dialog.get_by_role("button", name="Interrupt").click()
    desktop.wait_until(lambda: len(fake.events("cancelled")) == 1)


def test_an_answer_that_needs_instructions_focuses_the_composer(desktop: PageDriver) -> None:
    fake = desktop.fake("claude")
    desktop.open("#/")
    make_agents_ask(desktop, fake)
    card(desktop, fake).locator("answer-bar button", has_text="tell Claude").click()
    field = composer(desktop).locator("textarea")
    expect(field).to_be_focused(timeout=MS)
    expect(composer(desktop).locator(".composer-head")).to_contain_text(fake.name)
    assert fake.answers == ["No, and tell Claude what to do differently (esc)"]


def test_keys_switch_between_waiting_agents_and_focus_the_composer(desktop: PageDriver) -> None:
    first, second = desktop.fake("claude", "first"), desktop.fake("codex", "second")
    desktop.open("#/")
    make_agents_ask(desktop, first, second)
    head = composer(desktop).locator(".composer-head")
    for fake in (first, second, first):
        desktop.page.locator("#stage").focus()
        desktop.page.keyboard.press("w")
        expect(head).to_contain_text(fake.name, timeout=MS)
        # Opening a window focuses its terminal.
        expect(desktop.page.locator(f'tmux-adapter-web[name="{fake.pane_id}"]')).to_be_focused(
            timeout=MS
        )
    desktop.page.locator("#stage").focus()
    desktop.page.keyboard.press("c")
    expect(composer(desktop).locator("textarea")).to_be_focused(timeout=MS)


def test_the_empty_deck_explains_how_to_start_an_agent(desktop: PageDriver) -> None:
    desktop.session("shell")
    desktop.open("#/")
    expect(desktop.page.get_by_role("heading", name="No agents running")).to_be_visible(timeout=MS)
    expect(
        desktop.page.locator("agent-deck").get_by_role("button", name="New session")
    ).to_be_visible()
    fake = desktop.fake("claude")
    expect(card(desktop, fake)).to_be_visible(timeout=MS)
    expect(desktop.page.get_by_role("heading", name="No agents running")).to_be_hidden()
