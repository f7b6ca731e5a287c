"""Which processes are agents, and how agents are named."""

import pytest

from agents.detection import classify
from agents.detection.classify import AgentName, AgentPlace, PaneProcess, RuntimeTable
from agents.runtimes.loader import runtimes

TABLE = RuntimeTable(runtimes())


def process(line: str, name: str = "", **more: object) -> PaneProcess:
    words = tuple(line.split())
    return PaneProcess(7, name or words[0].rsplit("/", 1)[-1], arguments=words, **more)  # type: ignore[arg-type]  # fields by name


@pytest.mark.parametrize(
    ("line", "runtime"),
    [
        ("claude", "claude"),
        ("/usr/local/bin/claude --resume", "claude"),
        ("node /usr/local/bin/claude", "claude"),
        ("node /opt/x/node_modules/@anthropic-ai/claude-code/cli.js", "claude"),
        ("node --max-old-space-size=8192 /usr/bin/gemini", "gemini"),
        ("gemini", "gemini"),
        ("codex", "codex"),
        ("codex-x86_64-unknown-linux-musl", "codex"),
        ("cursor-agent", "cursor"),
        ("auggie", "auggie"),
        ("amp", "amp"),
        ("opencode", "opencode"),
        ("bun /home/u/.bun/bin/opencode", "opencode"),
        ("copilot", "copilot"),
        ("python3 /home/u/.local/bin/vibe", "vibe"),
        ("pi", "pi"),
        ("omp", "omp"),
        ("npx claude", "claude"),
    ],
)
def test_the_foreground_program_is_recognised_by_name_or_script(line: str, runtime: str) -> None:
    agent = classify.in_front(process(line), TABLE)
    assert agent is not None
    assert (agent.runtime, agent.pid, agent.tier) == (runtime, 7, 1)


@pytest.mark.parametrize(
    "line",
    [
        "node server.js",
        "node server.js claude",
        "node ./run /srv/data/amp",
        "bun run dev",
        "python3 manage.py claude",
        "vim claude",
        "grep claude notes",
        "claudette",
        "ampere",
        "bash",
        "node",
    ],
)
def test_a_program_that_only_mentions_an_agent_is_not_one(line: str) -> None:
    assert classify.in_front(process(line), TABLE) is None
    assert classify.behind(process(line), (), TABLE) is None


def test_runtimes_are_matched_in_order_of_priority() -> None:
    order = [rules.runtime for rules in runtimes()]
    assert order[:7] == ["claude", "gemini", "codex", "cursor", "auggie", "amp", "opencode"]


def test_an_agent_started_by_a_shell_script_is_detected() -> None:
    shell = process("bash ./start", group=5)
    agent = classify.behind(shell, [process("tee log", group=5), process("codex", group=5)], TABLE)
    assert agent is not None
    assert (agent.runtime, agent.tier) == ("codex", 2)


def test_an_agent_in_the_background_of_a_shell_is_ignored() -> None:
    """Typed keys would go to the shell, and run there."""
    shell = process("-bash", group=5)
    assert classify.behind(shell, [process("claude", group=9)], TABLE) is None
    assert classify.behind(shell, [process("claude", group=5, stopped=True)], TABLE) is None


def test_an_agent_behind_an_unknown_program_is_detected_in_any_group() -> None:
    agent = classify.behind(process("script -q log", group=5), [process("amp", group=9)], TABLE)
    assert agent is not None
    assert (agent.runtime, agent.tier) == ("amp", 3)


def test_a_program_named_by_its_version_is_recognised_by_its_path() -> None:
    program = process("2.1.38", program="/home/u/.local/share/claude/versions/2.1.38")
    assert classify.wants_path(program)
    agent = classify.behind(program, (), TABLE)
    assert agent is not None
    assert (agent.runtime, agent.tier) == ("claude", 3)
    other = process("2.1.38", program="/opt/tool/versions/2.1.38")
    assert classify.behind(other, (), TABLE) is None


# --- names ------------------------------------------------------------------------------------

ONE = AgentPlace("%1", "$1", "work", 0, 0)
TWO = AgentPlace("%2", "$1", "work", 1, 0)
SPLIT = AgentPlace("%3", "$1", "work", 1, 1)


def named(places: list[AgentPlace], before: dict[str, AgentName] | None = None) -> dict[str, str]:
    return {pane: name.name for pane, name in classify.names(places, before or {}).items()}


def test_the_first_agent_has_the_session_name_and_the_others_add_their_place() -> None:
    assert named([TWO, SPLIT, ONE, AgentPlace("%9", "$2", "ops", 3, 0)]) == {
        "%1": "work",
        "%2": "work:1.0",
        "%3": "work:1.1",
        "%9": "ops",
    }


def test_a_new_agent_in_an_earlier_window_does_not_take_over_the_name() -> None:
    before = classify.names([TWO], {})
    assert named([ONE, TWO], before) == {"%1": "work:0.0", "%2": "work"}


def test_a_running_agent_never_inherits_a_name_but_a_new_agent_may_get_it() -> None:
    before = classify.names([ONE, TWO], {})
    after = classify.names([TWO], before)
    assert {pane: name.name for pane, name in after.items()} == {"%2": "work:1.0"}
    assert named([TWO, SPLIT], after) == {"%2": "work:1.0", "%3": "work"}


def test_renaming_a_session_renames_its_agents() -> None:
    before = classify.names([ONE, TWO], {})
    moved = [AgentPlace("%1", "$1", "play", 0, 0), AgentPlace("%2", "$1", "play", 4, 0)]
    assert named(moved, before) == {"%1": "play", "%2": "play:4.0"}


def test_an_agent_that_moves_to_another_session_gets_a_new_name() -> None:
    before = classify.names([ONE, TWO], {})
    assert named([ONE, AgentPlace("%2", "$2", "ops", 0, 0)], before) == {"%1": "work", "%2": "ops"}


@pytest.mark.parametrize(
    ("path", "inside"),
    [
        ("/tmp/gt", True),
        ("/tmp/gt/", True),
        ("/tmp/gt/work", True),
        ("/tmp/gt-other", False),
        ("/tmp", False),
        ("", False),
    ],
)
@pytest.mark.parametrize("root", ["/tmp/gt", "/tmp/gt/"])
def test_a_work_dir_contains_itself_and_everything_below(
    path: str, inside: bool, root: str
) -> None:
    assert classify.is_under(path, [root]) is inside
    assert classify.is_under(path, [])
