"""Deliveries to fake agents in a real tmux: what is reported as sent is in the agent's own log."""

import asyncio
import random
from pathlib import Path

import pytest

from agents.delivery import runner
from agents.delivery.runner import ScreenReader, wake
from agents.runtimes import loader
from core.errors import Invalid
from terminals.tmux.driver import Tmux
from terminals.tmux.foreground import ProcessStat, process
from tests.agents.delivery import deliveries
from tests.agents.delivery.deliveries import FAULTS, HOPELESS, RUNTIMES, random_prompt, send
from tests.agents.fakes.launch import ENDLESS, Fake, launch
from tests.conftest import RunTmux
from tests.waiting import eventually

EACH = 2  # prompts for each pair of fault and fake; `make soak-delivery` sends two thousand


async def shown(tmux: Tmux, fake: Fake) -> str:
    return (await tmux.capture(fake.pane_id)).decode()


@pytest.mark.parametrize("fault", [fault for fault in FAULTS if fault not in HOPELESS])
async def test_prompts_reported_as_submitted_arrive_once_and_unaltered(
    tmux: Tmux, tmp_path: Path, fault: str
) -> None:
    tallies = await soak_runtimes(tmux, tmp_path, fault, prompts=EACH)
    sent = sum(tally.ok for tally in tallies)
    # Constant resizing may keep a composer from being recognised: that is reported, never guessed.
    # `make soak-delivery` counts how many deliveries are given up.
    assert sent >= len(tallies) * EACH - 2, tallies


@pytest.mark.usefixtures("quick_retries")
@pytest.mark.parametrize("fault", HOPELESS)
async def test_prompts_that_cannot_be_submitted_are_reported(
    tmux: Tmux, tmp_path: Path, fault: str
) -> None:
    tallies = await soak_runtimes(tmux, tmp_path, fault, prompts=1)
    assert [tally.ok for tally in tallies] == [0] * len(tallies), tallies


async def soak_runtimes(
    tmux: Tmux, directory: Path, fault: str, *, prompts: int
) -> list[deliveries.Tally]:
    """Sends prompts to all fakes with one fault. None may be lost, altered or wrongly reported."""
    tallies = await asyncio.gather(
        *(
            deliveries.soak(tmux, directory, runtime, fault, prompts=prompts, seed=2)
            for runtime in RUNTIMES
        )
    )
    assert [tally.wrong for tally in tallies] == [0] * len(tallies), tallies
    assert [tally.denied for tally in tallies] == [0] * len(tallies), tallies
    return tallies


@pytest.mark.parametrize("runtime", RUNTIMES)
async def test_the_start_of_a_turn_is_reported(tmux: Tmux, tmp_path: Path, runtime: str) -> None:
    fake = await launch(tmux, tmp_path, runtime, turn=ENDLESS)
    outcome = await send(tmux, fake, "hello")
    assert outcome.ok
    assert (outcome.pasted, outcome.turn_started, outcome.attempts) == (True, True, 1)
    assert fake.prompts == [b"hello"]


@pytest.mark.usefixtures("quick_retries")
async def test_a_failure_quotes_the_composer(tmux: Tmux, tmp_path: Path) -> None:
    fake = await launch(tmux, tmp_path, "claude", faults=["enter-never"])
    outcome = await send(tmux, fake, "never to be read")
    assert not outcome.ok
    assert outcome.error == "the prompt was not seen to leave the composer"
    assert outcome.detail == "never to be read"
    assert fake.prompts == []


async def test_a_dialog_receives_no_key_and_the_error_quotes_its_question(
    tmux: Tmux, tmp_path: Path
) -> None:
    fake = await launch(tmux, tmp_path, "claude", faults=["dialog"])

    async def asks() -> bool:
        return "Do you want" in await shown(tmux, fake)

    await eventually(asks)
    before = await shown(tmux, fake)
    outcome = await send(tmux, fake, "1")
    assert outcome.detail == "Do you want to proceed?"
    assert not outcome.pasted
    assert (await shown(tmux, fake), fake.answers) == (before, [])


async def test_a_prompt_during_a_turn_neither_cancels_the_turn_nor_is_lost(
    tmux: Tmux, tmp_path: Path
) -> None:
    fake = await launch(tmux, tmp_path, "claude", turn=ENDLESS)
    first = await send(tmux, fake, "the first")
    second = await send(tmux, fake, "the second")
    assert (first.turn_started, second.ok, second.turn_started) == (True, True, False)
    assert fake.prompts == [b"the first", b"the second"]
    assert fake.events("cancelled") == []


async def test_concurrent_prompts_do_not_mix(tmux: Tmux, tmp_path: Path) -> None:
    fake = await launch(tmux, tmp_path, "codex")
    chance = random.Random(5)
    texts = [random_prompt(chance, lines=True) for _ in range(4)]
    outcomes = await asyncio.gather(*(send(tmux, fake, text) for text in texts))
    assert all(outcome.ok for outcome in outcomes)
    assert sorted(fake.prompts) == sorted(text.encode() for text in texts)


async def test_a_prompt_reaches_the_agent_although_another_pane_is_active(
    tmux: Tmux, run_tmux: RunTmux, tmp_path: Path
) -> None:
    fake = await launch(tmux, tmp_path, "claude")
    run_tmux("split-window", "-t", fake.pane_id, "exec sh")
    assert (await tmux.pane(fake.session_id)).id != fake.pane_id
    assert (await send(tmux, fake, "to the upper pane")).ok
    assert fake.prompts == [b"to the upper pane"]


async def test_a_shell_left_by_an_agent_receives_nothing(tmux: Tmux, tmp_path: Path) -> None:
    """The agent's last frame is still on the screen, and a paste would run line by line."""
    fake = await launch(tmux, tmp_path, "claude")
    assert (await send(tmux, fake, "hello")).ok
    await tmux.monitor.run(("set-option", "-p", "-t", fake.pane_id, "remain-on-exit", "on"))
    await tmux.press(fake.pane_id, "C-c")

    def has_ended() -> bool:
        running = process(fake.pid)
        return running is None or running.state == "Z"

    await eventually(has_ended)
    outcome = await send(tmux, fake, "touch hacked\ntouch hacked")
    assert (outcome.ok, outcome.pasted, outcome.attempts) == (False, False, 0)
    assert "ended" in outcome.error
    assert fake.prompts == [b"hello"]


@pytest.mark.parametrize(
    "running",
    [
        ProcessStat(7, "claude", "T", group=7, foreground_group=7),  # stopped
        ProcessStat(7, "claude", "S", group=7, foreground_group=3),  # in the background
    ],
)
async def test_an_agent_that_is_not_in_front_receives_nothing(
    tmux: Tmux, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, running: ProcessStat
) -> None:
    fake = await launch(tmux, tmp_path, "claude")
    monkeypatch.setattr(runner, "process", lambda pid: running)
    outcome = await send(tmux, fake, "more")
    assert (outcome.ok, outcome.pasted) == (False, False)
    assert ("stopped" if running.state == "T" else "not in front") in outcome.error
    assert "fg" in outcome.error
    assert fake.prompts == []


async def test_line_breaks_are_refused_if_each_line_would_be_a_prompt(
    tmux: Tmux, tmp_path: Path
) -> None:
    fake = await launch(tmux, tmp_path, "amp")
    with pytest.raises(Invalid, match="one line at a time"):
        await send(tmux, fake, "one\ntwo")
    assert fake.prompts == []


async def test_line_ends_are_converted_to_those_of_a_terminal(tmux: Tmux, tmp_path: Path) -> None:
    fake = await launch(tmux, tmp_path, "claude")
    assert (await send(tmux, fake, "one\r\ntwo\rthree\n")).ok
    assert fake.prompts == [b"one\ntwo\nthree"]


async def test_waking_an_agent_restores_the_size_of_its_window(
    tmux: Tmux, run_tmux: RunTmux, tmp_path: Path
) -> None:
    fake = await launch(tmux, tmp_path, "claude")
    query = ("display-message", "-p", "-t", fake.pane_id, "#{window_width}x#{window_height}")
    before = run_tmux(*query)
    await wake(tmux, fake.pane_id)
    await eventually(lambda: run_tmux(*query) == before)
    assert run_tmux("show-options", "-wv", "-t", fake.pane_id, "window-size") == ""


async def test_a_composer_is_recognised_after_its_rows_wrapped(tmux: Tmux, tmp_path: Path) -> None:
    """tmux keeps joining rows that wrapped once, whatever is drawn over them later."""
    fake = await launch(tmux, tmp_path, "claude", faults=["draft"])
    screen = ScreenReader(tmux, fake.pane_id, loader.load("claude"))

    async def has_draft() -> bool:
        return ((await screen.read()).reading.composer or "").startswith("half a thought")

    await eventually(has_draft)
    for _ in range(3):
        await wake(tmux, fake.pane_id)
        await eventually(has_draft)


def test_no_rules_file_sends_escape() -> None:
    """Escape cancels a turn in most agents, and together with Enter it is Meta-Enter."""
    assert {rules.delivery.escape for rules in loader.runtimes()} == {"never"}
