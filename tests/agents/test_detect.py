"""Who is an agent and what it is called, by value."""

import pytest

from agents import detect
from agents.detect import Named, Place, Process, Table
from agents.rules import runtimes

TABLE = Table(runtimes())


def process(line: str, name: str = "", **more: object) -> Process:
    words = tuple(line.split())
    return Process(7, name or words[0].rsplit("/", 1)[-1], arguments=words, **more)  # type: ignore[arg-type]


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
def test_the_program_in_front_is_known_by_its_name_or_its_script(line: str, runtime: str) -> None:
    found = detect.in_front(process(line), TABLE)
    assert found is not None
    assert (found.runtime, found.pid, found.tier) == (runtime, 7, 1)


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
def test_what_only_mentions_an_agent_is_none(line: str) -> None:
    assert detect.in_front(process(line), TABLE) is None
    assert detect.behind(process(line), (), TABLE) is None


def test_node_is_claude_before_it_is_opencode() -> None:
    order = [rules.runtime for rules in runtimes()]
    assert order[:7] == ["claude", "gemini", "codex", "cursor", "auggie", "amp", "opencode"]


def test_an_agent_behind_a_shell_that_runs_a_script_is_found() -> None:
    shell = process("bash ./start", group=5)
    found = detect.behind(shell, [process("tee log", group=5), process("codex", group=5)], TABLE)
    assert found is not None
    assert (found.runtime, found.tier) == ("codex", 2)


def test_an_agent_in_the_background_of_a_shell_is_none() -> None:
    """What is typed would go to the shell, and run there."""
    shell = process("-bash", group=5)
    assert detect.behind(shell, [process("claude", group=9)], TABLE) is None
    assert detect.behind(shell, [process("claude", group=5, stopped=True)], TABLE) is None


def test_an_agent_behind_an_unknown_program_is_found_in_any_group() -> None:
    found = detect.behind(process("script -q log", group=5), [process("amp", group=9)], TABLE)
    assert found is not None
    assert (found.runtime, found.tier) == ("amp", 3)


def test_a_program_that_calls_itself_by_its_version_is_known_by_its_path() -> None:
    one = process("2.1.38", program="/home/u/.local/share/claude/versions/2.1.38")
    assert detect.wants_path(one)
    found = detect.behind(one, (), TABLE)
    assert found is not None
    assert (found.runtime, found.tier) == ("claude", 3)
    other = process("2.1.38", program="/opt/tool/versions/2.1.38")
    assert detect.behind(other, (), TABLE) is None


# --- names ------------------------------------------------------------------------------------

ONE = Place("%1", "$1", "work", 0, 0)
TWO = Place("%2", "$1", "work", 1, 0)
SPLIT = Place("%3", "$1", "work", 1, 1)


def named(places: list[Place], before: dict[str, Named] | None = None) -> dict[str, str]:
    return {pane: one.name for pane, one in detect.names(places, before or {}).items()}


def test_the_first_has_the_sessions_name_and_the_others_say_where_they_are() -> None:
    assert named([TWO, SPLIT, ONE, Place("%9", "$2", "ops", 3, 0)]) == {
        "%1": "work", "%2": "work:1.0", "%3": "work:1.1", "%9": "ops",
    }  # fmt: skip


def test_a_newcomer_in_an_earlier_window_does_not_take_the_name_over() -> None:
    before = detect.names([TWO], {})
    assert named([ONE, TWO], before) == {"%1": "work:0.0", "%2": "work"}


def test_nobody_inherits_a_name_while_it_lives_but_a_newcomer_may_have_it() -> None:
    before = detect.names([ONE, TWO], {})
    after = detect.names([TWO], before)
    assert {pane: one.name for pane, one in after.items()} == {"%2": "work:1.0"}
    assert named([TWO, SPLIT], after) == {"%2": "work:1.0", "%3": "work"}


def test_a_renamed_session_renames_its_agents_in_their_places() -> None:
    before = detect.names([ONE, TWO], {})
    moved = [Place("%1", "$1", "play", 0, 0), Place("%2", "$1", "play", 4, 0)]
    assert named(moved, before) == {"%1": "play", "%2": "play:4.0"}


def test_an_agent_that_moves_to_another_session_is_named_anew() -> None:
    before = detect.names([ONE, TWO], {})
    assert named([ONE, Place("%2", "$2", "ops", 0, 0)], before) == {"%1": "work", "%2": "ops"}


@pytest.mark.parametrize(
    ("path", "inside"),
    [("/tmp/gt", True), ("/tmp/gt/", True), ("/tmp/gt/work", True), ("/tmp/gt-other", False),
     ("/tmp", False), ("", False)],
)  # fmt: skip
@pytest.mark.parametrize("root", ["/tmp/gt", "/tmp/gt/"])
def test_only_the_directory_and_what_is_below_it_counts(path: str, inside: bool, root: str) -> None:
    assert detect.is_under(path, [root]) is inside
    assert detect.is_under(path, [])
