"""An answer approves what it was given for and nothing else, and a prompt operates no menu.

The attacks run on a real tmux with fake agents that behave as the real ones were measured to
(tests/agents/fakes/kinds.py). The log of a fake says which dialog was answered, and how.
"""

import asyncio
import os
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from agents import services
from agents.delivery import answer_keys, answers, runner
from agents.delivery.receipts import DeliveryOutcome
from agents.runtimes import loader
from agents.runtimes.loader import AgentState
from agents.screen.states import read_screen
from core.errors import Invalid, Refused
from terminals.tmux.driver import Capture, Tmux, Typed
from tests.agents.delivery.deliveries import agent_of
from tests.agents.fakes.kinds import KINDS, MENU
from tests.agents.fakes.launch import Fake, launch
from tests.agents.fakes.typed import SYNC
from tests.agents.pacing import paced_deliveries  # noqa: F401  # a fixture
from tests.waiting import eventually

pytestmark = pytest.mark.usefixtures("paced_deliveries")
RUNTIMES = ("claude", "codex", "copilot", "opencode", "gemini")
# Captures of the pane after which an agent that was stopped or busy goes on. A dialog is captured
# twice every 40 ms: this outlasts every pause after which a second key or Enter could be due.
LATE_CAPTURES = 36
# Prompts that would operate a menu or a dialog if they were typed into it.
KEY_PROMPTS = ("1", "3", "y", "n", "1 2 3", "yes 2 no 3", "3\n2\n1", "choose 3!")


async def shown(tmux: Tmux, fake: Fake, *parts: str) -> None:
    async def is_shown() -> bool:
        screen = (await tmux.capture(fake.pane_id)).decode()
        return all(part in screen for part in parts)

    await eventually(is_shown)


async def painted(tmux: Tmux, fake: Fake) -> None:
    """Until the fake has painted its first screen."""

    async def has_text() -> bool:
        return bool((await tmux.capture(fake.pane_id)).strip())

    await eventually(has_text)


async def launch_dialog(tmux: Tmux, directory: Path, runtime: str, *faults: str) -> Fake:
    """A fake that shows a dialog; one of the faults is "dialog:" and its command."""
    fake = await launch(tmux, directory, runtime, faults=faults, stoppable=True)
    await dialog_shown(tmux, fake)
    return fake


async def dialog_shown(tmux: Tmux, fake: Fake) -> None:
    await shown(tmux, fake, KINDS[fake.runtime].options[0], KINDS[fake.runtime].question)


async def answer(tmux: Tmux, fake: Fake, text: str, question: str = "") -> DeliveryOutcome:
    """Returns when the fake has read every key, so that a second key would be in its log."""
    outcome = await give(tmux, fake, text, question)
    await fake.read_everything(tmux)
    return outcome


async def give(tmux: Tmux, fake: Fake, text: str, question: str = "") -> DeliveryOutcome:
    agent = agent_of(fake)
    rules = loader.load(agent.runtime)
    return await answers.give(tmux=tmux, agent=agent, rules=rules, answer=text, question=question)


async def send(tmux: Tmux, fake: Fake, text: str, *, ready_ms: int = 0) -> DeliveryOutcome:
    """`ready_ms`: how long the delivery waits for a composer, if not as long as the rules say."""
    agent = agent_of(fake)
    rules = loader.load(agent.runtime)
    if ready_ms:
        rules = replace(rules, delivery=replace(rules.delivery, ready_ms=ready_ms))
    prompt = rules.delivery.check(text)
    return await runner.deliver(tmux=tmux, agent=agent, rules=rules, prompt=prompt)


def answered(fake: Fake) -> list[str]:
    """ "touch a: 1": the command of each dialog that was answered, and the option."""
    return [line.decode() for line in fake.events("answered")]


def untouched(fake: Fake) -> bool:
    kinds = ("answered", "chosen", "shell", "prompt", "command")
    return not any(fake.events(kind) for kind in kinds)


def record_input(
    tmux: Tmux, fake: Fake, on_first: Callable[[], None] = lambda: None
) -> list[Typed]:
    """What is sent to the fake from now on. `on_first` is called just before the first is sent."""
    inputs: list[Typed] = []

    def observe(typed: Typed) -> None:
        if typed.pane_id != fake.pane_id or typed.data == SYNC:
            return
        inputs.append(typed)
        if len(inputs) == 1:
            on_first()

    tmux.observers.append(observe)
    return inputs


def after_captures(
    monkeypatch: pytest.MonkeyPatch, tmux: Tmux, count: int, action: Callable[[], None]
) -> None:
    """Calls `action` once the pane has been captured so many times from now on."""
    capture_now, captures = tmux.capture_now, 0

    async def counted(*args: Any, **kwargs: Any) -> Capture:
        nonlocal captures
        captures += 1
        if captures == count:
            action()
        return await capture_now(*args, **kwargs)

    monkeypatch.setattr(tmux, "capture_now", counted)


def stop_for_a_while(monkeypatch: pytest.MonkeyPatch, tmux: Tmux, fake: Fake) -> None:
    """Stops the agent, until its pane has been captured a number of times."""
    os.kill(fake.pid, signal.SIGSTOP)
    after_captures(monkeypatch, tmux, LATE_CAPTURES, lambda: os.kill(fake.pid, signal.SIGCONT))


# --- each answer is obeyed, once ------------------------------------------------------------------


@pytest.mark.parametrize("runtime", RUNTIMES)
async def test_each_of_three_dialogs_in_a_row_gets_its_own_answer(
    tmux: Tmux, tmp_path: Path, runtime: str
) -> None:
    """The next dialog opens at once. In opencode "3" and then Enter would choose the focused
    "Allow once".
    """
    fake = await launch_dialog(
        tmux, tmp_path, runtime, "dialog:touch a", "then:touch b", "then:touch c"
    )
    for number in (1, 2, 3):
        await dialog_shown(tmux, fake)
        outcome = await answer(tmux, fake, str(number))
        assert outcome.ok, outcome
        assert [choice.rpartition(": ")[2] for choice in answered(fake)] == list("123"[:number])


async def test_reject_by_its_words_rejects_in_opencode(tmux: Tmux, tmp_path: Path) -> None:
    fake = await launch_dialog(tmux, tmp_path, "opencode", "dialog:rm -rf build")
    assert (await answer(tmux, fake, "Reject")).ok
    assert answered(fake) == ["rm -rf build: 3"]


async def test_an_option_that_expects_words_is_not_left_half_chosen(
    tmux: Tmux, tmp_path: Path
) -> None:
    """In Copilot "3" only moves the pointer to a text field, which would take later keys."""
    fake = await launch_dialog(tmux, tmp_path, "copilot", "dialog:touch a")
    outcome = await answer(tmux, fake, "No, and tell")
    assert (outcome.ok, outcome.attempts, answered(fake)) == (True, 1, ["touch a: 3"])


# --- an agent that reads late ---------------------------------------------------------------------
#
# The next dialog asks for the same command, so that a second key would approve it. The first one is
# then closed for a moment only. If no capture shows that, the answer is reported as unconfirmed.


@pytest.fixture
def short_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Still longer than an agent is stopped or busy here: each capture counts at most 60 ms."""
    monkeypatch.setattr(answer_keys, "MOVE_MS", 2000.0)
    monkeypatch.setattr(answer_keys, "ANSWER_MS", 2000.0)


def is_ok_or_unconfirmed(outcome: DeliveryOutcome) -> bool:
    return outcome.ok or outcome.error == answer_keys.UNCONFIRMED


@pytest.mark.usefixtures("short_limits")
@pytest.mark.parametrize("runtime", RUNTIMES)
async def test_an_agent_that_is_stopped_at_the_key_receives_no_second_key(
    tmux: Tmux, tmp_path: Path, runtime: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = await launch_dialog(tmux, tmp_path, runtime, "dialog:touch a", "then:touch a")
    keys = record_input(tmux, fake, lambda: stop_for_a_while(monkeypatch, tmux, fake))
    outcome = await answer(tmux, fake, "1")
    assert is_ok_or_unconfirmed(outcome), outcome
    assert len(keys) == 1
    assert answered(fake) == ["touch a: 1"]


@pytest.mark.usefixtures("short_limits")
@pytest.mark.parametrize("runtime", RUNTIMES)
async def test_an_agent_that_is_busy_at_the_key_receives_no_second_key(
    tmux: Tmux, tmp_path: Path, runtime: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake = await launch_dialog(
        tmux, tmp_path, runtime, "dialog:touch a", "then:touch a", "stall:inf"
    )
    after_captures(monkeypatch, tmux, LATE_CAPTURES, fake.end_stall)
    keys = record_input(tmux, fake)
    outcome = await answer(tmux, fake, "1")
    assert is_ok_or_unconfirmed(outcome), outcome
    assert len(keys) == 1
    assert answered(fake) == ["touch a: 1"]


@pytest.mark.usefixtures("short_limits")
async def test_an_agent_that_stops_while_the_pointer_moves_receives_no_enter(
    tmux: Tmux, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The agent stops at Right: Enter is pressed only after the step is visible."""
    fake = await launch_dialog(tmux, tmp_path, "opencode", "dialog:touch a", "then:touch a")
    record_input(tmux, fake, lambda: stop_for_a_while(monkeypatch, tmux, fake))
    outcome = await answer(tmux, fake, "2")
    assert is_ok_or_unconfirmed(outcome), outcome
    assert answered(fake) == ["touch a: 2"]


async def test_an_unconfirmed_answer_is_reported_and_not_repeated(
    tmux: Tmux, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A retry of the caller would be a second key, so it is refused."""
    monkeypatch.setattr(answer_keys, "ANSWER_MS", 500.0)
    fake = await launch_dialog(
        tmux, tmp_path, "claude", "dialog:touch a", "then:touch a", "stall:inf"
    )
    outcome = await give(tmux, fake, "1")
    assert (outcome.ok, outcome.attempts, outcome.error) == (False, 1, answer_keys.UNCONFIRMED)
    for _ in range(2):
        with pytest.raises(Refused, match="not confirmed"):
            await give(tmux, fake, "1")
    fake.end_stall()
    await fake.read_everything(tmux)
    assert answered(fake) == ["touch a: 1"]


async def test_two_callers_with_the_same_answer_approve_one_dialog(
    tmux: Tmux, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer_keys, "AIM_MS", 1000.0)
    fake = await launch_dialog(
        tmux, tmp_path, "claude", "dialog:touch a", "then:touch b", "stall:inf"
    )
    after_captures(monkeypatch, tmux, LATE_CAPTURES, fake.end_stall)
    outcomes = await asyncio.gather(
        answer(tmux, fake, "1"), answer(tmux, fake, "1"), return_exceptions=True
    )
    assert answered(fake) == ["touch a: 1"]
    assert [isinstance(outcome, DeliveryOutcome) and outcome.ok for outcome in outcomes] == [
        True,
        False,
    ]


async def test_no_answer_is_sent_while_the_agent_has_keys_to_read(
    tmux: Tmux, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The user pressed a digit in the terminal while the agent was busy."""
    monkeypatch.setattr(answer_keys, "AIM_MS", 300.0)
    fake = await launch_dialog(
        tmux, tmp_path, "claude", "dialog:touch a", "then:touch a", "stall:inf"
    )
    await tmux.type(fake.pane_id, b"1")  # wakes the fake, which then stops reading
    await tmux.type(fake.pane_id, b"x")
    outcome = await give(tmux, fake, "1")
    assert (outcome.ok, outcome.attempts, outcome.error) == (False, 0, answer_keys.UNREAD)


async def test_a_stopped_agent_receives_no_key(tmux: Tmux, tmp_path: Path) -> None:
    fake = await launch_dialog(tmux, tmp_path, "claude", "dialog:touch a")
    os.kill(fake.pid, signal.SIGSTOP)
    try:
        with pytest.raises(Refused, match="is stopped"):
            await give(tmux, fake, "1")
    finally:
        os.kill(fake.pid, signal.SIGCONT)
    await fake.read_everything(tmux)
    assert answered(fake) == []


async def test_the_user_can_type_while_an_unconfirmed_answer_is_watched(
    tmux: Tmux, tmp_path: Path
) -> None:
    fake = await launch_dialog(tmux, tmp_path, "claude", "dialog:touch a", "stall:inf")
    keys: list[Typed] = []
    tmux.observers.append(keys.append)
    giving = asyncio.create_task(give(tmux, fake, "1"))
    await eventually(lambda: keys)
    await tmux.type(fake.pane_id, b"x")  # waits for the lock of the pane
    assert not giving.done()
    fake.end_stall()
    assert (await giving).ok


async def test_an_answer_to_another_question_is_refused(tmux: Tmux, tmp_path: Path) -> None:
    fake = await launch_dialog(tmux, tmp_path, "copilot", "dialog:touch a")
    with pytest.raises(Refused, match="something else"):
        await answer(tmux, fake, "1", question="Delete everything?")
    assert answered(fake) == []


# --- no prompt operates a menu or dialog ----------------------------------------------------------


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("open_view", ["menu:Update Model Permissions", "dialog:touch a"])
async def test_a_prompt_of_digits_chooses_nothing(
    tmux: Tmux, tmp_path: Path, runtime: str, open_view: str
) -> None:
    """With /permissions of Codex open, a prompt with a digit in it once chose "Full Access"."""
    fake = await launch(tmux, tmp_path, runtime, faults=(open_view,))
    await shown(tmux, fake, MENU[2] if "menu" in open_view else KINDS[runtime].question)
    before = await tmux.capture(fake.pane_id)
    for text in KEY_PROMPTS:
        outcome = await send(tmux, fake, text, ready_ms=200)
        assert (outcome.ok, outcome.pasted, outcome.attempts) == (False, False, 0), text
    assert untouched(fake)
    assert await tmux.capture(fake.pane_id) == before


@pytest.mark.parametrize("runtime", ["codex", "copilot", "opencode"])
async def test_a_composer_without_the_cursor_receives_no_prompt(
    tmux: Tmux, tmp_path: Path, runtime: str
) -> None:
    """An unknown overlay has the keyboard, and leaves the composer visible."""
    fake = await launch(tmux, tmp_path, runtime, faults=("away",))
    await painted(tmux, fake)
    outcome = await send(tmux, fake, "choose 3", ready_ms=500)
    assert (outcome.ok, outcome.pasted) == (False, False)
    assert "cursor" in outcome.error
    assert untouched(fake)


async def test_a_dialog_that_opens_while_a_prompt_is_sent_takes_no_digit(
    tmux: Tmux, tmp_path: Path
) -> None:
    """A paste is not a key, even if a dialog has opened in the meantime."""
    fake = await launch_dialog(tmux, tmp_path, "claude", "dialog:touch a")
    await tmux.paste(fake.pane_id, "1")
    await fake.read_everything(tmux)
    assert untouched(fake)

    inputs = list[Typed]()
    tmux.observers.append(inputs.append)
    other = await launch(tmux, tmp_path, "claude", name="other")
    assert (await send(tmux, other, "choose 1")).ok
    assert [typed.paste for typed in inputs if typed.data] == [True]


async def test_a_slash_command_that_opens_a_menu_receives_one_enter(
    tmux: Tmux, tmp_path: Path
) -> None:
    """A second Enter would choose the first option of the menu."""
    fake = await launch(tmux, tmp_path, "codex")
    await shown(tmux, fake, "Ask Codex")
    outcome = await send(tmux, fake, "/permissions")
    await fake.read_everything(tmux)
    assert (outcome.ok, outcome.became, outcome.attempts) == (True, "command", 1)
    assert fake.events("command") == [b"/permissions"]
    assert fake.events("chosen") == []


@pytest.mark.parametrize("prompt", ["/permissions", "ask: may I?"])
async def test_an_agent_that_is_stopped_at_enter_receives_no_second_enter(
    tmux: Tmux, tmp_path: Path, prompt: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command opens a menu and the prompt a dialog; a second Enter would choose there."""
    fake = await launch(tmux, tmp_path, "claude", stoppable=True)
    await shown(tmux, fake, "? for shortcuts")
    enters: list[Typed] = []

    def observe(typed: Typed) -> None:
        if typed.keys == ("Enter",):
            enters.append(typed)
            if len(enters) == 1:
                stop_for_a_while(monkeypatch, tmux, fake)

    tmux.observers.append(observe)
    await send(tmux, fake, prompt)
    await fake.read_everything(tmux)
    assert len(enters) == 1
    assert [*fake.events("command"), *fake.prompts] == [prompt.encode()]
    assert (fake.events("chosen"), answered(fake)) == ([], [])


# --- first characters -----------------------------------------------------------------------------


@pytest.mark.parametrize("runtime", [*RUNTIMES, "pi", "cursor", "amp", "vibe", "brandnew"])
@pytest.mark.parametrize(
    "text", ["!touch a", "! touch a", "  !touch a", "\n!touch a", "!!ls", "\t!"]
)
def test_a_shell_command_is_refused_before_anything_is_typed(runtime: str, text: str) -> None:
    """Gemini, pi, Copilot and opencode also drop blanks before it."""
    with pytest.raises(Invalid, match="put a word before it"):
        loader.load(runtime).delivery.check(text)


@pytest.mark.parametrize("runtime", RUNTIMES)
async def test_a_shell_command_never_reaches_the_pane(
    tmux: Tmux, tmp_path: Path, runtime: str
) -> None:
    fake = await launch(tmux, tmp_path, runtime)
    await painted(tmux, fake)
    before = await tmux.capture(fake.pane_id)
    with pytest.raises(Invalid):
        await services.send_prompt(tmux=tmux, agent=agent_of(fake), prompt="!touch hacked")
    assert untouched(fake)
    assert await tmux.capture(fake.pane_id) == before


@pytest.mark.parametrize("runtime", RUNTIMES)
async def test_a_composer_in_shell_mode_receives_no_prompt(
    tmux: Tmux, tmp_path: Path, runtime: str
) -> None:
    """Gemini stays in shell mode after a command: the next prompt would run in a shell."""
    fake = await launch(tmux, tmp_path, runtime, faults=("shell",))
    await painted(tmux, fake)
    outcome = await send(tmux, fake, "touch hacked", ready_ms=500)
    assert (outcome.ok, outcome.pasted) == (False, False)
    assert "shell" in outcome.error
    assert untouched(fake)


@pytest.mark.parametrize(
    ("runtime", "text", "became"),
    [
        ("claude", "hello", "prompt"),
        ("claude", "/compact", "command"),
        ("claude", "# a heading", "prompt"),
        ("claude", "&& is an operator", "prompt"),
        ("codex", "? is a question", "prompt"),
        ("gemini", "  /help", "command"),
        ("copilot", "@file", "prompt"),
    ],
)
def test_the_receipt_says_what_a_prompt_became(runtime: str, text: str, became: str) -> None:
    settings = loader.load(runtime).delivery
    assert settings.check(text)
    assert settings.kind_of(text) == became


def test_copilot_does_not_hand_a_prompt_to_the_cloud() -> None:
    with pytest.raises(Invalid, match="another agent"):
        loader.load("copilot").delivery.check("&fix it")


# --- what is read ---------------------------------------------------------------------------------


def test_the_question_of_codex_is_its_own_and_not_what_the_model_wrote() -> None:
    lines = [
        "• Running rm -rf build",
        "",
        "  Would you like to run the following command?",
        "",
        "  Reason: Shall I only list the files?",
        "",
        "  $ rm -rf build",
        "",
        "\u203a 1. Yes, proceed (y)",
        "  2. No, and tell Codex what to do differently (esc)",
        "",
        "  Press enter to confirm or esc to cancel",
    ]
    reading = read_screen(lines, loader.load("codex"))
    assert reading.question == "Would you like to run the following command?"
    assert reading.menu
    assert "  $ rm -rf build" in reading.menu.body


def test_dialogs_with_the_same_question_differ_in_their_body() -> None:
    def menu(command: str) -> tuple[str, ...]:
        lines = [
            "─" * 40,
            " Bash command",
            f"   {command}",
            " Do you want to proceed?",
            " \u276f 1. Yes",
            "   2. No",
            " Esc to cancel",
        ]
        dialog = read_screen(lines, loader.load("claude")).menu
        assert dialog
        return dialog.body

    assert menu("touch a") != menu("touch b")


def test_inline_options_have_no_pointer_without_colours() -> None:
    """Then the option cannot be reached by steps, and Enter is not guessed."""
    rows = [
        "  ┃  △ Permission required",
        "  ┃  $ touch a",
        "  ┃",
        "  ┃   Allow once   Allow always   Reject     ⇆ select  enter confirm",
    ]
    reading = read_screen(rows, loader.load("opencode"))
    assert reading.state is AgentState.WAITING
    assert not any(option.selected for option in reading.options)
    coloured = rows[3].replace(" Allow always ", "\x1b[48;5;215m Allow always \x1b[0m")
    reading = read_screen([*rows[:3], coloured], loader.load("opencode"))
    assert [option.selected for option in reading.options] == [False, True, False]


@pytest.mark.parametrize("runtime", ["claude", "codex", "copilot", "gemini", "opencode"])
async def test_enter_never_takes_a_suggestion(tmux: Tmux, tmp_path: Path, runtime: str) -> None:
    """Agents complete what begins with a slash: "/per" and Enter would open their permissions."""
    fake = await launch(tmux, tmp_path, runtime)
    await painted(tmux, fake)
    await send(tmux, fake, "/per")
    await fake.read_everything(tmux)
    assert (fake.events("command"), fake.events("chosen")) == ([], [])

    assert (await send(tmux, fake, "/permissions")).ok
    await fake.read_everything(tmux)
    assert (fake.events("command"), fake.events("chosen")) == ([b"/permissions"], [])


@pytest.mark.parametrize("text", ["@1", "look at @1", "first line\n@src"])
def test_a_blank_closes_the_list_of_files_of_opencode(text: str) -> None:
    """Else Enter would choose from it instead of sending the prompt."""
    settings = loader.load("opencode").delivery
    assert settings.check(text) == f"{text} "
    assert settings.check(f"{text} please") == f"{text} please"
