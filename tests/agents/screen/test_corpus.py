"""The labelled screens are read correctly: accuracy, confusion table, and no flicker."""

import itertools
import random
from collections import Counter
from collections.abc import Iterable

import pytest

from agents.runtimes.loader import AgentState, load
from agents.screen.states import HOLD_SECONDS, Reading, StateTracker, read_screen
from tests.agents.corpus import Sample, samples

GOAL = 0.99
SAMPLES = samples()


def read(sample: Sample) -> Reading:
    return read_screen(sample.lines, load(sample.runtime))


def test_the_corpus_is_large_and_varied() -> None:
    assert len(SAMPLES) >= 120
    assert len({sample.runtime for sample in SAMPLES}) >= 11
    assert len({sample.size for sample in SAMPLES}) >= 4
    states = Counter(sample.state for sample in SAMPLES)
    assert (
        min(states[state] for state in (AgentState.WORKING, AgentState.WAITING, AgentState.IDLE))
        >= 40
    )
    assert states[AgentState.UNKNOWN] >= 5


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_no_screen_is_larger_than_its_pane(sample: Sample) -> None:
    width, height = map(int, sample.size.split("x"))
    assert len(sample.lines) <= height + 1
    assert max(map(len, sample.lines)) <= width


def test_states_are_read_correctly() -> None:
    table = Counter((sample.state, read(sample).state) for sample in SAMPLES)
    wrong = [sample.name for sample in SAMPLES if read(sample).state is not sample.state]
    print("\n" + confusion(table))  # noqa: T201  # shown with -s
    accuracy = 1 - len(wrong) / len(SAMPLES)
    print(f"accuracy {accuracy:.2%} of {len(SAMPLES)} screens")  # noqa: T201  # shown with -s
    assert accuracy >= GOAL, wrong


def confusion(table: Counter[tuple[AgentState, AgentState]]) -> str:
    head = "expected \\ read" + "".join(f"{state:>9}" for state in AgentState)
    rows = [
        f"{expected:15}" + "".join(f"{table[expected, read]:9}" for read in AgentState)
        for expected in AgentState
    ]
    return "\n".join([head, *rows])


def test_questions_and_options_are_read_completely() -> None:
    waiting = [sample for sample in SAMPLES if sample.state is AgentState.WAITING]
    wrong = [sample.name for sample in waiting if not _has_question(sample)]
    assert len(wrong) <= len(waiting) * (1 - GOAL), wrong


def _has_question(sample: Sample) -> bool:
    reading = read(sample)
    labels = tuple(option.label for option in reading.options)
    return (reading.question, labels) == (sample.question, sample.options)


def test_the_text_of_the_composer_is_read() -> None:
    wrong = [sample.name for sample in SAMPLES if read(sample).composer != sample.composer]
    assert len(wrong) <= len(SAMPLES) * (1 - GOAL), wrong


# --- turns ------------------------------------------------------------------------------------

TURN = (
    AgentState.IDLE,
    AgentState.WORKING,
    AgentState.WAITING,
    AgentState.WORKING,
    AgentState.IDLE,
)


def turns() -> list[list[Sample]]:
    """Scripted turns of every runtime and size that has a screen of each state."""
    by_key: dict[tuple[str, str, AgentState], Sample] = {}
    for sample in SAMPLES:
        by_key.setdefault((sample.runtime, sample.size, sample.state), sample)
    places = sorted({(sample.runtime, sample.size) for sample in SAMPLES})
    return [
        [by_key[(*place, state)] for state in TURN]
        for place in places
        if all((*place, state) in by_key for state in TURN)
    ]


def frames(turn: list[Sample], chance: random.Random) -> list[tuple[str, ...]]:
    """Each state for nine captures; in every third, only the top of the screen is painted."""
    shown: list[tuple[str, ...]] = []
    for sample in turn:
        for _ in range(3):
            cut = chance.randrange(len(sample.lines))
            shown += [sample.lines[:cut], sample.lines, sample.lines]
    return shown


def changes(states: Iterable[AgentState]) -> list[AgentState]:
    return [state for state, _ in itertools.groupby(states)]


def test_half_painted_screens_never_change_the_believed_state() -> None:
    chance, wrong, blind = random.Random(3), [], 0
    scripts = turns()
    for turn in scripts:
        tracker, rules = StateTracker(), load(turn[0].runtime)
        readings = [read_screen(lines, rules) for lines in frames(turn, chance)]
        times = itertools.count(0, HOLD_SECONDS * 1.1)
        believed = changes(tracker.update(reading, next(times)).state for reading in readings)
        blind += len(changes(reading.state for reading in readings)) - len(TURN)
        if believed != [AgentState.UNKNOWN, *TURN]:
            wrong.append((turn[0].runtime, turn[0].size, believed))
    summary = f"{len(scripts)} turns: wrong in {len(wrong)}; untracked {blind} wrong changes"
    print(f"\n{summary}")  # noqa: T201  # shown with -s
    assert len(scripts) >= 15
    assert blind > 100, "the half-painted screens change no reading"
    assert not wrong
