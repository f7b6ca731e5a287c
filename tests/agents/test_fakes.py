"""The fakes are what they claim: real processes under real names, with manners and faults."""

from pathlib import Path

import pytest

from agents import rules
from agents.rules import State
from agents.states import read_screen
from terminals.tmux.driver import Tmux
from tests.agents.deliveries import RUNTIMES, agent_of
from tests.agents.fakes.composer import Composer, wrap
from tests.agents.fakes.kinds import KINDS
from tests.agents.fakes.launch import Fake, launch
from tests.agents.fakes.typed import Did, Event, Typed
from tests.terminals.tmux.waiting import eventually

PASTE = b"\x1b[200~one\ntwo\x1b[201~"


async def until_shown(tmux: Tmux, fake: Fake, *parts: str) -> str:
    async def look() -> str:
        screen = (await tmux.capture(fake.pane_id)).decode()
        return screen if all(part in screen for part in parts) else ""

    return await eventually(look)


async def state_of(tmux: Tmux, fake: Fake, wanted: State) -> None:
    async def look() -> bool:
        lines = (await tmux.capture(fake.pane_id)).decode().split("\n")
        return read_screen(lines, rules.load(agent_of(fake).runtime)).state is wanted

    await eventually(look)


@pytest.mark.parametrize("runtime", RUNTIMES)
async def test_the_kernel_and_tmux_know_a_fake_by_the_real_name(
    tmux: Tmux, tmp_path: Path, runtime: str
) -> None:
    fake = await launch(tmux, tmp_path, runtime)
    shown = {"codex": "Ask Codex", "copilot": "\u276f", "opencode": "Ask anything"}
    await until_shown(tmux, fake, shown.get(runtime, ">"))
    assert Path(f"/proc/{fake.pid}/comm").read_text().strip() == runtime
    assert (await tmux.pane(fake.pane_id)).command == runtime


@pytest.mark.parametrize("runtime", RUNTIMES)
async def test_the_rules_of_the_real_agents_read_a_turn_of_a_fake(
    tmux: Tmux, tmp_path: Path, runtime: str
) -> None:
    fake = await launch(tmux, tmp_path, runtime, turn=0.6)
    await state_of(tmux, fake, State.IDLE)
    await tmux.type(fake.pane_id, b"ask: may I?")
    await until_shown(tmux, fake, "ask: may I?")
    await tmux.press(fake.pane_id, "Enter")
    await state_of(tmux, fake, State.WAITING)
    if runtime != "opencode":  # its options have no keys
        await tmux.type(fake.pane_id, b"y" if runtime == "amp" else b"1")
    if runtime in {"amp", "opencode"}:
        await tmux.press(fake.pane_id, "Enter")
    await state_of(tmux, fake, State.WORKING)
    await state_of(tmux, fake, State.IDLE)
    assert fake.prompts == [b"ask: may I?"]
    assert len(fake.answers) == 1


@pytest.mark.parametrize(("runtime", "cancels"), [("claude", 1), ("gemini", 1), ("amp", 0)])
async def test_escape_stops_a_turn_where_the_real_one_does(
    tmux: Tmux, tmp_path: Path, runtime: str, cancels: int
) -> None:
    fake = await launch(tmux, tmp_path, runtime, turn=1.0)
    await state_of(tmux, fake, State.IDLE)
    await tmux.type(fake.pane_id, b"go")
    await tmux.press(fake.pane_id, "Enter")
    await state_of(tmux, fake, State.WORKING)
    await tmux.press(fake.pane_id, "Escape")
    await state_of(tmux, fake, State.IDLE)
    assert len(fake.events("cancelled")) == cancels


async def test_gemini_clears_its_draft_on_escape(tmux: Tmux, tmp_path: Path) -> None:
    fake = await launch(tmux, tmp_path, "gemini", faults=["draft"])
    await until_shown(tmux, fake, "half a thought")
    await tmux.press(fake.pane_id, "Escape")
    await until_shown(tmux, fake, "Type your message")


async def test_a_plain_prompt_takes_every_line_for_one_prompt(tmux: Tmux, tmp_path: Path) -> None:
    fake = await launch(tmux, tmp_path, "amp", turn=0.01)
    await until_shown(tmux, fake, ">")
    await tmux.paste(fake.pane_id, b"one\ntwo\n")

    async def both() -> bool:
        return fake.prompts == [b"one", b"two"]

    await eventually(both)


def test_a_paste_is_one_event_wherever_the_reads_cut_it() -> None:
    for cut in range(2, len(PASTE)):
        typed = Typed()
        events = typed.feed(PASTE[:cut], 0) + typed.feed(PASTE[cut:], 0)
        assert events == [Event(Did.PASTE, b"one\ntwo")]


def test_with_the_fault_a_paste_comes_in_pieces_and_an_enter_among_them_is_lost() -> None:
    typed = Typed(split=True)
    assert typed.feed(PASTE[:10], 0) == [Event(Did.PASTE, b"one\n")]
    assert typed.feed(PASTE[10:] + b"\r", 0) == [Event(Did.PASTE, b"two")]
    assert typed.feed(b"\r", 0) == [Event(Did.KEY, key="enter")]


def test_with_the_fault_escape_and_enter_at_once_are_a_line_break() -> None:
    typed = Typed(meta=True)
    assert typed.feed(b"\x1b", 0.0) == []
    assert typed.feed(b"\r", 0.03) == [Event(Did.TEXT, b"\n")]
    assert typed.feed(b"\x1b", 1.0) == []
    assert typed.late(1.06) == [Event(Did.KEY, key="escape")]
    assert typed.feed(b"\r", 1.1) == [Event(Did.KEY, key="enter")]


def test_a_long_paste_is_folded_and_sent_whole() -> None:
    composer = Composer(KINDS["claude"].fold)
    composer.type(b"look: ")
    composer.paste(b"a\nb\nc\nd")
    assert composer.shown == "look: [Pasted text #1 +3 lines]"
    assert composer.value == b"look: a\nb\nc\nd"


def test_rows_are_cut_by_cells() -> None:
    assert wrap("ab漢字c", 4) == ["ab漢", "字c"]
