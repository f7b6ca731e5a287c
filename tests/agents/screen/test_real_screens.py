"""Screens of real agents, captured with their colours by the laboratory (docs/agents.md).

The name of a file is its label: RUNTIME/SIZE--STATE--SITUATION.txt (agents/screen/scoring.py).
"""

import io
import re
from collections import Counter
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from agents.runtimes.loader import AgentState, load
from agents.screen.scoring import ScoredScreen, score, true_states
from agents.screen.states import read_screen

DIRECTORY = Path(__file__).parents[1] / "screens"
SCREENS = list(score(DIRECTORY))
RUNTIMES = ("claude", "codex", "copilot", "gemini", "opencode", "pi")
SIZES = ("80x24", "120x40", "200x50")
# Rules for which no pinned version shows a screen, and why they stay.
NOT_CAPTURED = {
    ("codex", "esc to interrupt below the composer"): "versions before 0.166",
    ("copilot", "status line"): "versions before 1.0.102: above the composer",
    ("copilot", "waits for its own agents"): "needs background agents, which need an account",
    ("gemini", "waits for a confirmation"): "versions before 0.61: above the composer",
}


def situation(screen: ScoredScreen) -> str:
    return screen.path.stem.split("--", 2)[2]


def of(*states: AgentState, begins: str = "") -> pytest.MarkDecorator:
    """The screens with exactly these right states whose situation begins so."""
    chosen = [
        screen
        for screen in SCREENS
        if screen.states == set(states) and situation(screen).startswith(begins)
    ]
    assert chosen
    return pytest.mark.parametrize(
        "screen", chosen, ids=[f"{screen.runtime}/{screen.path.stem}" for screen in chosen]
    )


def scored(directory: Path) -> str:
    out = io.StringIO()
    call_command("score_screens", str(directory), stdout=out)
    return out.getvalue()


def test_every_screen_is_read_correctly() -> None:
    lines = scored(DIRECTORY).splitlines()
    assert [line.partition(":")[0] for line in lines] == sorted(RUNTIMES)


def test_the_corpus_covers_runtimes_sizes_and_states() -> None:
    assert len(SCREENS) >= 400
    counts = Counter((screen.runtime, screen.path.stem.split("--")[0]) for screen in SCREENS)
    assert all(counts[runtime, size] >= 10 for runtime in RUNTIMES for size in SIZES), counts


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_every_rule_decides_a_captured_screen(runtime: str) -> None:
    decided = {screen.reading.rule for screen in SCREENS if screen.runtime == runtime}
    own = {rule.name for rule in load(runtime).states} - {
        rule.name for rule in load("generic").states
    }
    excepted = {name for owner, name in NOT_CAPTURED if owner == runtime}
    assert own - decided == excepted


def test_no_path_of_the_machine_is_in_the_corpus() -> None:
    private = re.compile(r"/root\b|(?<!0{8})/(?:home|work)\b|\.agents/|lab-[a-z]+-(?!0{8})\w{8}")
    assert not [
        screen.path.name for screen in SCREENS if private.search(screen.path.read_text("utf-8"))
    ]


@of(AgentState.IDLE)
def test_an_idle_agent_has_a_composer(screen: ScoredScreen) -> None:
    assert screen.reading.composer is not None


@of(AgentState.IDLE, begins="draft")
def test_a_draft_is_read(screen: ScoredScreen) -> None:
    assert screen.reading.composer


@of(AgentState.WAITING)
def test_a_dialog_is_read_with_its_body_and_pointer(screen: ScoredScreen) -> None:
    reading = screen.reading
    assert reading.question
    assert len(reading.options) >= 2
    assert sum(option.selected for option in reading.options) == 1
    assert reading.menu
    subject = {"command": "touch marker", "write": "notes.txt"}.get(situation(screen), "")
    assert any(subject in line for line in reading.menu.body)


@of(AgentState.WAITING, AgentState.UNKNOWN)
def test_a_menu_is_never_mistaken_for_a_composer(screen: ScoredScreen) -> None:
    assert screen.reading.composer is None


@of(AgentState.UNKNOWN, begins="shell")
def test_a_composer_in_shell_mode_accepts_no_prompt(screen: ScoredScreen) -> None:
    assert screen.reading.composer is None
    assert "shell" in screen.reading.rule


# --- the command --------------------------------------------------------------------------------


def corpus(directory: Path, *labels: str) -> Path:
    """Copies of one idle screen under other labels."""
    [source] = DIRECTORY.glob("claude/120x40--idle--start.txt")
    (directory / "claude").mkdir()
    for label in labels:
        target = directory / "claude" / f"120x40--{label}.txt"
        target.write_bytes(source.read_bytes())
    return directory


def test_several_states_are_right_if_the_label_says_so(tmp_path: Path) -> None:
    assert scored(corpus(tmp_path, "idle--a", "idle+unknown--b")) == "claude: 2 of 2\n"


def test_a_misread_screen_is_named_with_its_rule(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    directory = corpus(tmp_path, "idle--a", "menu--b")
    with pytest.raises(SystemExit) as ended:
        call_command("score_screens", str(directory))
    assert ended.value.code == 1
    assert capsys.readouterr().out.splitlines() == [
        "claude: 1 of 2",
        "claude/120x40--menu--b.txt: idle by 'composer and no turn'",
    ]


def test_a_menu_may_be_waiting_or_unknown() -> None:
    expected = {AgentState.WAITING, AgentState.UNKNOWN}
    assert true_states(Path("80x24--menu--x.txt")) == expected


@pytest.mark.parametrize("labels", [(), ("asleep--a",)])
def test_a_corpus_without_valid_labels_is_refused(tmp_path: Path, labels: tuple[str, ...]) -> None:
    with pytest.raises(CommandError, match=r"no screens|'asleep' is not made of"):
        scored(corpus(tmp_path, *labels))


# --- what tells a real status from a quoted one -------------------------------------------------


def screen_lines(name: str) -> list[str]:
    return (DIRECTORY / f"{name}.txt").read_text("utf-8").rstrip("\n").split("\n")


def test_a_codex_turn_is_working_until_its_last_line() -> None:
    lines = screen_lines("codex/120x40--idle--streams-prose")
    streaming = [line for line in lines if "Worked for" not in line]
    assert read_screen(lines, load("codex")).state is AgentState.IDLE
    assert read_screen(streaming, load("codex")).state is AgentState.WORKING


def test_a_loader_of_pi_is_believed_only_with_its_colour() -> None:
    lines = screen_lines("pi/120x40--working--waits-for-model")
    [loader] = [index for index, line in enumerate(lines) if "Working..." in line]
    assert read_screen(lines, load("pi")).rule == "loader line"
    lines[loader] = " ⠸ Working..."
    assert read_screen(lines, load("pi")).state is AgentState.IDLE


def test_the_hint_after_a_paste_means_work_only_without_a_draft() -> None:
    lines = screen_lines("claude/120x40--working--streams-after-paste")
    assert read_screen(lines, load("claude")).state is AgentState.WORKING
    mark = "\N{HEAVY RIGHT-POINTING ANGLE QUOTATION MARK ORNAMENT}"
    drafted = [re.sub(rf"{mark}\s.*", f"{mark} [Pasted text #2]", line) for line in lines[-6:]]
    assert read_screen([*lines[:-6], *drafted], load("claude")).state is AgentState.IDLE
