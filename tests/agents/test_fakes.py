"""The fake agents: real processes under real names, with the behaviour and faults they claim."""

from pathlib import Path

import pytest

from agents.runtimes import loader
from agents.runtimes.loader import AgentState
from agents.screen.states import read_screen
from terminals.tmux.driver import Tmux
from tests.agents.delivery.deliveries import RUNTIMES, agent_of
from tests.agents.fakes.composer import Composer, wrap
from tests.agents.fakes.kinds import KINDS
from tests.agents.fakes.launch import ENDLESS, Fake, launch
from tests.agents.fakes.typed import Event, EventKind, InputParser
from tests.waiting import eventually

PASTE = b"\x1b[200~one\ntwo\x1b[201~"


async def until_shown(tmux: Tmux, fake: Fake, *parts: str) -> str:
    async def look() -> str:
        screen = (await tmux.capture(fake.pane_id)).decode()
        return screen if all(part in screen for part in parts) else ""

    return await eventually(look)


async def state_of(tmux: Tmux, fake: Fake, wanted: AgentState) -> None:
    async def look() -> bool:
        lines = (await tmux.capture(fake.pane_id)).decode().split("\n")
        return read_screen(lines, loader.load(agent_of(fake).runtime)).state is wanted

    await eventually(look)


@pytest.mark.parametrize("runtime", RUNTIMES)
async def test_the_kernel_and_tmux_report_the_name_of_the_real_agent(
    tmux: Tmux, tmp_path: Path, runtime: str
) -> None:
    fake = await launch(tmux, tmp_path, runtime)
    prompts = {"codex": "Ask Codex", "copilot": "\u276f", "opencode": "Ask anything"}
    await until_shown(tmux, fake, prompts.get(runtime, ">"))
    assert Path(f"/proc/{fake.pid}/comm").read_text().strip() == runtime
    assert (await tmux.pane(fake.pane_id)).command == runtime


@pytest.mark.parametrize("runtime", RUNTIMES)
async def test_the_rules_of_real_agents_recognise_a_turn_of_a_fake(
    tmux: Tmux, tmp_path: Path, runtime: str
) -> None:
    fake = await launch(tmux, tmp_path, runtime, turn=ENDLESS)
    await state_of(tmux, fake, AgentState.IDLE)
    await tmux.type(fake.pane_id, b"ask: may I?")
    await until_shown(tmux, fake, "ask: may I?")
    await tmux.press(fake.pane_id, "Enter")
    await state_of(tmux, fake, AgentState.WAITING)
    if runtime != "opencode":  # its options have no keys
        await tmux.type(fake.pane_id, b"y" if runtime == "amp" else b"1")
    if runtime in {"amp", "opencode"}:
        await tmux.press(fake.pane_id, "Enter")
    await state_of(tmux, fake, AgentState.WORKING)
    fake.end_turn()
    await state_of(tmux, fake, AgentState.IDLE)
    assert fake.prompts == [b"ask: may I?"]
    assert len(fake.answers) == 1


@pytest.mark.parametrize(("runtime", "cancels"), [("claude", 1), ("gemini", 1), ("amp", 0)])
async def test_escape_cancels_a_turn_if_it_does_in_the_real_agent(
    tmux: Tmux, tmp_path: Path, runtime: str, cancels: int
) -> None:
    fake = await launch(tmux, tmp_path, runtime, turn=ENDLESS)
    await state_of(tmux, fake, AgentState.IDLE)
    await tmux.type(fake.pane_id, b"go")
    await tmux.press(fake.pane_id, "Enter")
    await state_of(tmux, fake, AgentState.WORKING)
    await tmux.press(fake.pane_id, "Escape")
    if not cancels:
        fake.end_turn()
    await state_of(tmux, fake, AgentState.IDLE)
    assert len(fake.events("cancelled")) == cancels


async def test_escape_clears_the_draft_of_gemini(tmux: Tmux, tmp_path: Path) -> None:
    fake = await launch(tmux, tmp_path, "gemini", faults=["draft"])
    await until_shown(tmux, fake, "half a thought")
    await tmux.press(fake.pane_id, "Escape")
    await until_shown(tmux, fake, "Type your message")


async def test_a_plain_prompt_submits_every_line(tmux: Tmux, tmp_path: Path) -> None:
    fake = await launch(tmux, tmp_path, "amp", turn=0.01)
    await until_shown(tmux, fake, ">")
    await tmux.paste(fake.pane_id, "one\ntwo\n", submit=True)
    await eventually(lambda: fake.prompts == [b"one", b"two"])


def test_a_paste_is_one_event_wherever_the_reads_split_it() -> None:
    for cut in range(2, len(PASTE)):
        parser = InputParser()
        events = parser.feed(PASTE[:cut], 0) + parser.feed(PASTE[cut:], 0)
        assert events == [Event(EventKind.PASTE, b"one\ntwo")]


def test_fault_split_paste_delivers_pieces_and_loses_an_enter_among_them() -> None:
    parser = InputParser(split=True)
    assert parser.feed(PASTE[:10], 0) == [Event(EventKind.PASTE, b"one\n")]
    assert parser.feed(PASTE[10:] + b"\r", 0) == [Event(EventKind.PASTE, b"two")]
    assert parser.feed(b"\r", 0) == [Event(EventKind.KEY, key="enter")]


def test_fault_meta_enter_turns_escape_and_enter_into_a_line_break() -> None:
    parser = InputParser(meta=True)
    assert parser.feed(b"\x1b", 0.0) == []
    assert parser.feed(b"\r", 0.03) == [Event(EventKind.TEXT, b"\n")]
    assert parser.feed(b"\x1b", 1.0) == []
    assert parser.late(1.06) == [Event(EventKind.KEY, key="escape")]
    assert parser.feed(b"\r", 1.1) == [Event(EventKind.KEY, key="enter")]


def test_a_long_paste_is_folded_but_sent_whole() -> None:
    composer = Composer(KINDS["claude"].fold)
    composer.type(b"look: ")
    composer.paste(b"a\nb\nc\nd")
    assert composer.shown == "look: [Pasted text #1 +3 lines]"
    assert composer.value == b"look: a\nb\nc\nd"


def test_rows_are_wrapped_by_cells() -> None:
    assert wrap("ab漢字c", 4) == ["ab漢", "字c"]
