"""An answer approves what it was given for and nothing else, and a prompt operates no menu.

The attacks run on a real tmux with fakes that behave as the real agents were measured, see
tests/agents/fakes/kinds.py. Each fake's own log says which dialog was answered and how.
"""

import asyncio
import os
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from agents import answers, choices, prompts, rules, services
from agents.plans import Plan
from agents.receipts import Outcome
from agents.states import State, read_screen
from terminals.errors import Invalid, Refused
from terminals.tmux.driver import Tmux, Typed
from tests.agents.deliveries import agent_of
from tests.agents.fakes.kinds import KINDS, MENU
from tests.agents.fakes.launch import Fake, launch
from tests.terminals.tmux.waiting import eventually

RUNTIMES = ("claude", "codex", "copilot", "opencode", "gemini")
QUIET_SECONDS = 0.6  # a second key would have been read by then
OPERATE = ("1", "3", "y", "n", "1 2 3", "yes 2 no 3", "3\n2\n1", "choose 3!")


async def shown(tmux: Tmux, fake: Fake, *parts: str) -> None:
    async def look() -> bool:
        screen = (await tmux.capture(fake.pane_id)).decode()
        return all(part in screen for part in parts)

    await eventually(look)


async def asking(tmux: Tmux, directory: Path, runtime: str, *faults: str) -> Fake:
    fake = await launch(tmux, directory, runtime, faults=faults or ("dialog",), stoppable=True)
    await shown(tmux, fake, KINDS[runtime].options[0], KINDS[runtime].question)
    return fake


async def answer(tmux: Tmux, fake: Fake, text: str, **more: str) -> Outcome:
    found = agent_of(fake)
    told = await answers.give(
        tmux=tmux, agent=found, rules=rules.load(found.runtime), answer=text, **more
    )
    await asyncio.sleep(QUIET_SECONDS)
    return told


async def send(tmux: Tmux, fake: Fake, text: str) -> Outcome:
    found = agent_of(fake)
    return await prompts.deliver(
        tmux=tmux, agent=found, rules=rules.load(found.runtime), prompt=text
    )


def answered(fake: Fake) -> list[str]:
    """ "touch a: 1": the command of each dialog that was answered, and the option."""
    return [line.decode() for line in fake.events("answered")]


def untouched(fake: Fake) -> bool:
    kinds = ("answered", "chosen", "shell", "prompt", "command")
    return not any(fake.events(kind) for kind in kinds)


@contextmanager
def stopped_at_the_key(tmux: Tmux, fake: Fake, seconds: float) -> Iterator[list[Typed]]:
    """The agent is stopped in the moment before it gets its first key, and goes on later."""
    heard: list[Typed] = []
    loop = asyncio.get_running_loop()

    def observe(typed: Typed) -> None:
        if typed.pane_id != fake.pane_id:
            return
        heard.append(typed)
        if len(heard) == 1:
            os.kill(fake.pid, signal.SIGSTOP)
            loop.call_later(seconds, os.kill, fake.pid, signal.SIGCONT)

    tmux.observers.append(observe)
    try:
        yield heard
    finally:
        tmux.observers.remove(observe)
        os.kill(fake.pid, signal.SIGCONT)


# --- each answer is obeyed ------------------------------------------------------------------------


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("number", [1, 2, 3])
async def test_the_option_that_was_meant_is_the_one_that_is_chosen(
    tmux: Tmux, tmp_path: Path, runtime: str, number: int
) -> None:
    """In opencode "3" and then Enter hit the focused "Allow once"."""
    fake = await asking(tmux, tmp_path, runtime, "dialog:touch a")
    told = await answer(tmux, fake, str(number))
    assert told.ok, told
    assert answered(fake) == [f"touch a: {number}"]


async def test_reject_by_its_words_rejects_in_opencode(tmux: Tmux, tmp_path: Path) -> None:
    fake = await asking(tmux, tmp_path, "opencode", "dialog:rm -rf build")
    assert (await answer(tmux, fake, "Reject")).ok
    assert answered(fake) == ["rm -rf build: 3"]


async def test_an_option_that_wants_words_is_not_left_half_chosen(
    tmux: Tmux, tmp_path: Path
) -> None:
    """Copilot's "3" only moves the pointer to a text field: what is typed next would go there."""
    fake = await asking(tmux, tmp_path, "copilot", "dialog:touch a")
    told = await answer(tmux, fake, "No, and tell")
    assert (told.ok, told.attempts, answered(fake)) == (True, 1, ["touch a: 3"])


# --- one answer, one dialog -----------------------------------------------------------------------


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("second", ["touch a", "touch b"])
async def test_one_answer_approves_one_of_two_dialogs_in_a_row(
    tmux: Tmux, tmp_path: Path, runtime: str, second: str
) -> None:
    fake = await asking(tmux, tmp_path, runtime, "dialog:touch a", f"then:{second}")
    await answer(tmux, fake, "1")
    assert answered(fake) == ["touch a: 1"]


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("seconds", [0.1, 0.7, 2.0])
async def test_an_agent_that_is_stopped_at_the_key_gets_no_second_one(
    tmux: Tmux, tmp_path: Path, runtime: str, seconds: float
) -> None:
    fake = await asking(tmux, tmp_path, runtime, "dialog:touch a", "then:touch a")
    with stopped_at_the_key(tmux, fake, seconds) as heard:
        told = await answer(tmux, fake, "1")
    assert len(heard) == 1
    assert answered(fake) == ["touch a: 1"]
    assert told.ok or told.error == choices.UNCONFIRMED


@pytest.mark.parametrize("runtime", RUNTIMES)
async def test_an_agent_that_is_busy_at_the_key_gets_no_second_one(
    tmux: Tmux, tmp_path: Path, runtime: str
) -> None:
    fake = await asking(tmux, tmp_path, runtime, "dialog:touch a", "then:touch a", "stall:1.2")
    await answer(tmux, fake, "1")
    assert answered(fake) == ["touch a: 1"]


async def test_a_pointer_that_is_stopped_half_way_chooses_nothing_by_itself(
    tmux: Tmux, tmp_path: Path
) -> None:
    """Right, then the agent stops: Enter is pressed only after the step was seen."""
    fake = await asking(tmux, tmp_path, "opencode", "dialog:touch a", "then:touch a")
    with stopped_at_the_key(tmux, fake, 1.5):
        told = await answer(tmux, fake, "2")
    assert answered(fake) in (["touch a: 2"], [])
    assert told.ok or told.error == choices.UNCONFIRMED


async def test_an_agent_that_never_goes_on_is_reported_as_not_confirmed(
    tmux: Tmux, tmp_path: Path
) -> None:
    fake = await asking(tmux, tmp_path, "claude", "dialog:touch a", "then:touch a", "stall:9")
    told = await answer(tmux, fake, "1")
    assert (told.ok, told.attempts, told.error) == (False, 1, choices.UNCONFIRMED)


async def test_a_retry_after_an_unconfirmed_answer_is_refused(tmux: Tmux, tmp_path: Path) -> None:
    """The caller's retry would be the second key."""
    fake = await asking(tmux, tmp_path, "claude", "dialog:touch a", "then:touch a", "stall:8")
    assert not (await answer(tmux, fake, "1")).ok
    for _ in range(2):
        with pytest.raises(Refused, match="not confirmed"):
            await answer(tmux, fake, "1")

    async def read() -> bool:
        return answered(fake) == ["touch a: 1"]

    await eventually(read)
    await asyncio.sleep(QUIET_SECONDS)
    assert answered(fake) == ["touch a: 1"]


async def test_two_callers_with_the_same_answer_approve_one_of_two_different_dialogs(
    tmux: Tmux, tmp_path: Path
) -> None:
    fake = await asking(tmux, tmp_path, "claude", "dialog:touch a", "stall:0.5")
    told = await asyncio.gather(
        answer(tmux, fake, "1"), answer(tmux, fake, "1"), return_exceptions=True
    )
    assert answered(fake) == ["touch a: 1"]
    assert sum(isinstance(one, Outcome) and one.ok for one in told) >= 1


async def test_keys_that_an_agent_has_not_read_hold_an_answer_back(
    tmux: Tmux, tmp_path: Path
) -> None:
    """Somebody pressed a digit in the terminal while the agent was busy."""
    fake = await asking(tmux, tmp_path, "claude", "dialog:touch a", "then:touch a", "stall:4")
    await tmux.type(fake.pane_id, b"1")  # wakes the fake, which then is deaf
    await tmux.type(fake.pane_id, b"x")
    told = await answer(tmux, fake, "1")
    assert (told.ok, told.attempts, told.error) == (False, 0, choices.UNREAD)


async def test_a_stopped_agent_gets_no_key_at_all(tmux: Tmux, tmp_path: Path) -> None:
    fake = await asking(tmux, tmp_path, "claude", "dialog:touch a")
    os.kill(fake.pid, signal.SIGSTOP)
    try:
        with pytest.raises(Refused, match="is stopped"):
            await answer(tmux, fake, "1")
    finally:
        os.kill(fake.pid, signal.SIGCONT)
    await asyncio.sleep(QUIET_SECONDS)
    assert answered(fake) == []


async def test_a_person_can_type_while_an_unconfirmed_answer_is_watched(
    tmux: Tmux, tmp_path: Path
) -> None:
    fake = await asking(tmux, tmp_path, "claude", "dialog:touch a", "stall:3")
    giving = asyncio.create_task(answer(tmux, fake, "1"))
    await asyncio.sleep(1.0)
    began = time.monotonic()
    await tmux.type(fake.pane_id, b"x")
    assert time.monotonic() - began < 1.0
    assert (await giving).ok


async def test_the_answer_is_not_given_to_another_question(tmux: Tmux, tmp_path: Path) -> None:
    fake = await asking(tmux, tmp_path, "copilot", "dialog:touch a")
    with pytest.raises(Refused, match="something else"):
        await answer(tmux, fake, "1", question="Delete everything?")
    assert answered(fake) == []


# --- no prompt operates a menu or dialog ----------------------------------------------------------


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("trouble", ["menu:Update Model Permissions", "dialog:touch a"])
async def test_a_prompt_full_of_digits_chooses_nothing(
    tmux: Tmux, tmp_path: Path, runtime: str, trouble: str
) -> None:
    """With Codex's /permissions open a prompt with a digit in it chose "Full Access"."""
    fake = await launch(tmux, tmp_path, runtime, faults=(trouble,))
    await shown(tmux, fake, MENU[2] if "menu" in trouble else KINDS[runtime].question)
    before = await tmux.capture(fake.pane_id)
    for text in OPERATE:
        told = await send(tmux, fake, text)
        assert (told.ok, told.pasted, told.attempts) == (False, False, 0), text
    assert untouched(fake)
    assert await tmux.capture(fake.pane_id) == before


@pytest.mark.parametrize("runtime", ["codex", "copilot", "opencode"])
async def test_a_composer_without_the_cursor_gets_no_prompt(
    tmux: Tmux, tmp_path: Path, runtime: str
) -> None:
    """An overlay that no rule knows has the keyboard, and leaves the composer in sight."""
    fake = await launch(tmux, tmp_path, runtime, faults=("away",))
    await asyncio.sleep(QUIET_SECONDS)
    told = await send(tmux, fake, "choose 3")
    assert (told.ok, told.pasted) == (False, False)
    assert "cursor" in told.error
    assert untouched(fake)


async def test_a_menu_that_opens_while_the_prompt_is_sent_takes_no_digit(
    tmux: Tmux, tmp_path: Path
) -> None:
    """What is sent as a paste is no key, whatever has come up meanwhile."""
    fake = await asking(tmux, tmp_path, "claude", "dialog:touch a")
    await tmux.paste(fake.pane_id, "1")
    await asyncio.sleep(QUIET_SECONDS)
    assert untouched(fake)

    told = list[Typed]()
    tmux.observers.append(told.append)
    other = await launch(tmux, tmp_path, "claude", name="other")
    assert (await send(tmux, other, "choose 1")).ok
    assert [one.paste for one in told if one.data] == [True]


async def test_a_slash_command_that_opens_a_menu_gets_one_enter(tmux: Tmux, tmp_path: Path) -> None:
    """A second Enter would choose the first option of the menu."""
    fake = await launch(tmux, tmp_path, "codex")
    await shown(tmux, fake, "Ask Codex")
    told = await send(tmux, fake, "/permissions")
    await asyncio.sleep(QUIET_SECONDS)
    assert (told.ok, told.became, told.attempts) == (True, "command", 1)
    assert fake.events("command") == [b"/permissions"]
    assert fake.events("chosen") == []


@pytest.mark.parametrize("seconds", [0.3, 1.0, 2.0])
async def test_a_stopped_agent_gets_no_second_enter_for_a_command(
    tmux: Tmux, tmp_path: Path, seconds: float
) -> None:
    fake = await launch(tmux, tmp_path, "claude", stoppable=True)
    await shown(tmux, fake, "? for shortcuts")
    entered = asyncio.Event()

    def observe(typed: Typed) -> None:
        if typed.keys == ("Enter",) and not entered.is_set():
            entered.set()
            os.kill(fake.pid, signal.SIGSTOP)
            asyncio.get_running_loop().call_later(seconds, os.kill, fake.pid, signal.SIGCONT)

    tmux.observers.append(observe)
    await send(tmux, fake, "/permissions")
    await asyncio.sleep(seconds + QUIET_SECONDS)
    assert fake.events("command") == [b"/permissions"]
    assert fake.events("chosen") == []


async def test_a_stopped_agent_gets_no_second_enter_for_a_prompt(
    tmux: Tmux, tmp_path: Path
) -> None:
    """The prompt leads to a dialog: an Enter that comes after it would approve."""
    fake = await launch(tmux, tmp_path, "claude", stoppable=True)
    await shown(tmux, fake, "? for shortcuts")
    entered: list[Typed] = []

    def observe(typed: Typed) -> None:
        if typed.keys == ("Enter",):
            entered.append(typed)
            if len(entered) == 1:
                os.kill(fake.pid, signal.SIGSTOP)
                asyncio.get_running_loop().call_later(2.0, os.kill, fake.pid, signal.SIGCONT)

    tmux.observers.append(observe)
    await send(tmux, fake, "ask: may I?")
    await asyncio.sleep(2.0 + QUIET_SECONDS)
    assert len(entered) == 1
    assert (fake.prompts, answered(fake)) == ([b"ask: may I?"], [])


# --- first characters -----------------------------------------------------------------------------


@pytest.mark.parametrize("runtime", [*RUNTIMES, "pi", "cursor", "amp", "vibe", "brandnew"])
@pytest.mark.parametrize(
    "text", ["!touch a", "! touch a", "  !touch a", "\n!touch a", "!!ls", "\t!"]
)
def test_a_shell_command_is_refused_before_anything_is_typed(runtime: str, text: str) -> None:
    """Gemini, pi, Copilot and opencode also drop blanks before it."""
    plan = Plan.of(rules.load(runtime).delivery)
    with pytest.raises(Invalid, match="put a word before it"):
        prompts.check(text, plan)


@pytest.mark.parametrize("runtime", RUNTIMES)
async def test_a_shell_command_never_reaches_the_pane(
    tmux: Tmux, tmp_path: Path, runtime: str
) -> None:
    fake = await launch(tmux, tmp_path, runtime)
    await asyncio.sleep(QUIET_SECONDS)
    before = await tmux.capture(fake.pane_id)
    with pytest.raises(Invalid):
        await services.send_prompt(tmux=tmux, agent=agent_of(fake), prompt="!touch hacked")
    assert untouched(fake)
    assert await tmux.capture(fake.pane_id) == before


@pytest.mark.parametrize("runtime", RUNTIMES)
async def test_a_composer_that_was_left_in_shell_mode_gets_no_prompt(
    tmux: Tmux, tmp_path: Path, runtime: str
) -> None:
    """Gemini stays in shell mode after a command: the next prompt would run in a shell."""
    fake = await launch(tmux, tmp_path, runtime, faults=("shell",))
    await asyncio.sleep(QUIET_SECONDS)
    told = await send(tmux, fake, "touch hacked")
    assert (told.ok, told.pasted) == (False, False)
    assert "shell" in told.error
    assert untouched(fake)


@pytest.mark.parametrize(
    ("runtime", "text", "became"),
    [
        ("claude", "hello", "prompt"), ("claude", "/compact", "command"),
        ("claude", "# a heading", "prompt"), ("claude", "&& is an operator", "prompt"),
        ("codex", "? is a question", "prompt"), ("gemini", "  /help", "command"),
        ("copilot", "@file", "prompt"),
    ],
)  # fmt: skip
def test_the_receipt_says_what_a_prompt_became(runtime: str, text: str, became: str) -> None:
    plan = Plan.of(rules.load(runtime).delivery)
    assert prompts.check(text, plan)
    assert plan.became(text) == became


def test_copilot_does_not_hand_a_prompt_to_the_cloud() -> None:
    with pytest.raises(Invalid, match="another agent"):
        prompts.check("&fix it", Plan.of(rules.load("copilot").delivery))


# --- what is read ---------------------------------------------------------------------------------


def test_the_question_of_codex_is_its_own_and_not_what_the_model_wrote() -> None:
    lines = [
        "• Running rm -rf build", "", "  Would you like to run the following command?", "",
        "  Reason: Shall I only list the files?", "", "  $ rm -rf build", "",
        "\u203a 1. Yes, proceed (y)", "  2. No, and tell Codex what to do differently (esc)", "",
        "  Press enter to confirm or esc to cancel",
    ]  # fmt: skip
    reading = read_screen(lines, rules.load("codex"))
    assert reading.question == "Would you like to run the following command?"
    assert reading.menu
    assert "  $ rm -rf build" in reading.menu.body


def test_the_body_tells_two_dialogs_with_the_same_question_apart() -> None:
    def menu(command: str) -> tuple[str, ...]:
        lines = ["─" * 40, " Bash command", f"   {command}", " Do you want to proceed?",
                 " \u276f 1. Yes", "   2. No", " Esc to cancel"]  # fmt: skip
        found = read_screen(lines, rules.load("claude")).menu
        assert found
        return found.body

    assert menu("touch a") != menu("touch b")


def test_inline_options_have_no_pointer_without_colours() -> None:
    """Then the option cannot be reached by steps, and Enter is not guessed."""
    rows = ["  ┃  △ Permission required", "  ┃  $ touch a", "  ┃",
            "  ┃   Allow once   Allow always   Reject     ⇆ select  enter confirm"]  # fmt: skip
    reading = read_screen(rows, rules.load("opencode"))
    assert reading.state is State.WAITING
    assert not any(option.selected for option in reading.options)
    coloured = rows[3].replace(" Allow always ", "\x1b[48;5;215m Allow always \x1b[0m")
    reading = read_screen([*rows[:3], coloured], rules.load("opencode"))
    assert [option.selected for option in reading.options] == [False, True, False]


@pytest.mark.parametrize("text", ["@1", "look at @1", "first line\n@src"])
def test_a_word_that_opencode_would_complete_is_refused(text: str) -> None:
    """Its list of files opens, and Enter would choose from it instead of sending the prompt."""
    plan = Plan.of(rules.load("opencode").delivery)
    with pytest.raises(Invalid, match="put words after it"):
        prompts.check(text, plan)
    prompts.check(f"{text} please", plan)


@pytest.mark.parametrize("runtime", ["claude", "codex", "copilot", "gemini"])
def test_a_file_may_be_named_last_where_enter_sends(runtime: str) -> None:
    prompts.check("look at @1", Plan.of(rules.load(runtime).delivery))
