"""Which journal belongs to which agent: by hook, by process, or by what the pane shows."""

import json
import os
from pathlib import Path

import pytest

from agents.chat.journals import places
from agents.chat.journals.matching import LastTurn, choose, last_turn
from agents.chat.journals.places import AgentProcess, JournalPlace, candidates, certain
from agents.witnesses.evidence import AgentEvent, EventKind, EventSource

WORK = "/home/user/project"
STARTED = 1_000_000.0


def process(home: Path, runtime: str, pid: int = 4_000_000) -> AgentProcess:
    return AgentProcess(runtime, (pid,), STARTED, WORK, {"HOME": str(home)})


def write(path: Path, text: str = "{}\n", *, written: float = STARTED + 10) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (written, written))
    return path


def hook(path: str, *, runtime: str = "codex", timestamp: float = STARTED + 1) -> AgentEvent:
    return AgentEvent(
        runtime,
        EventKind.PROMPT_SUBMITTED,
        EventSource.HOOK,
        timestamp,
        session_id="session",
        transcript_path=path,
    )


def test_the_last_path_that_a_hook_reported_counts(tmp_path: Path) -> None:
    codex = process(tmp_path, "codex")
    events = [hook("/a.jsonl"), hook("/b.jsonl"), hook("/c.jsonl", runtime="claude")]
    assert certain(codex, events) == JournalPlace("codex", Path("/b.jsonl"), "session")
    assert certain(codex, [hook("/old.jsonl", timestamp=STARTED - 60)]) is None


def test_claude_names_the_session_of_its_process(tmp_path: Path) -> None:
    """Two in one directory, and one whose number an earlier process had."""
    own = os.getpid()
    start = places._start_of(own)
    sessions, projects = tmp_path / ".claude" / "sessions", tmp_path / ".claude" / "projects"
    for session in ("mine", "other"):
        write(projects / "-home-user-project" / f"{session}.jsonl")
    write(sessions / f"{own}.json", json.dumps({"sessionId": "mine", "procStart": start}))
    write(sessions / "1.json", json.dumps({"sessionId": "other", "procStart": "x"}))
    result = certain(process(tmp_path, "claude", own), [])
    assert result == JournalPlace("claude", projects / "-home-user-project" / "mine.jsonl", "mine")
    assert certain(process(tmp_path, "claude", 1), []) is None
    write(sessions / f"{own}.json", json.dumps({"sessionId": "../../x", "procStart": start}))
    assert certain(process(tmp_path, "claude", own), []) is None


def test_copilot_holds_a_file_of_its_session_open(tmp_path: Path) -> None:
    own = os.getpid()
    session = tmp_path / ".copilot" / "session-state" / "abc"
    hold_file = write(session / f"inuse.{own}.hold")
    assert certain(process(tmp_path, "copilot", own), []) is None
    with hold_file.open():
        result = certain(process(tmp_path, "copilot", own), [])
    assert result == JournalPlace("copilot", session / "events.jsonl", "abc")


@pytest.mark.parametrize("runtime", ["claude", "codex", "gemini", "pi"])
def test_candidates_are_of_the_directory_and_written_since_the_start(
    tmp_path: Path, runtime: str
) -> None:
    other = WORK + "-other"
    day = tmp_path / ".codex" / "sessions" / "2026" / "11" / "18"
    tmp = tmp_path / ".gemini" / "tmp"
    pi = tmp_path / ".pi" / "agent" / "sessions"
    write(tmp / "project" / ".project_root", WORK)
    write(tmp / "project-1" / ".project_root", other)
    own_directory, foreign = {
        "claude": [
            tmp_path / ".claude" / "projects" / name
            for name in ("-home-user-project", "-home-user-project-other")
        ],
        "codex": [day, day],
        "gemini": [tmp / "project" / "chats", tmp / "project-1" / "chats"],
        "pi": [pi / "--home-user-project--", pi / "--home-user-project-other--"],
    }[runtime]
    head = json.dumps({"payload": {"cwd": WORK}, "cwd": WORK}) + "\n"
    new = write(own_directory / "new.jsonl", head)
    newer = write(own_directory / "newer.jsonl", head, written=STARTED + 20)
    write(own_directory / "old.jsonl", head, written=STARTED - 60)
    write(foreign / "foreign.jsonl", head.replace(WORK, other))
    result = [place.path for place in candidates(process(tmp_path, runtime))]
    assert result == [newer, new]
    assert candidates(process(tmp_path / "nobody", runtime)) == []


# --- what the pane shows ------------------------------------------------------------------------

ONE = JournalPlace("pi", Path("/one.jsonl"), "one")
TWO = JournalPlace("pi", Path("/two.jsonl"), "two")
TURN_ONE = LastTurn("fix the bug", "Done: the **fixture** is opened first.")
TURN_TWO = LastTurn("write a test", "There is one now.")
SHOWN = "> fix the bug\n● Done: the fixture is\n  opened first."


def test_the_only_journal_that_the_pane_shows_is_chosen() -> None:
    turns = [(ONE, TURN_ONE), (TWO, TURN_TWO)]
    assert choose(turns, SHOWN, current=None) == ONE
    assert choose(turns, SHOWN.replace("bug", "bugs"), current=None) == ONE  # by its reply
    assert choose(turns, "> hello", current=None) is None


def test_two_journals_with_the_same_last_turn_are_not_guessed() -> None:
    turns = [(ONE, TURN_ONE), (TWO, TURN_ONE)]
    assert choose(turns, SHOWN, current=None) is None
    assert choose(turns, SHOWN, current=TWO) == TWO  # it stays with what it follows


def test_another_session_in_the_same_pane_is_followed_once_it_is_shown() -> None:
    turns = [(ONE, TURN_ONE), (TWO, TURN_TWO)]
    assert choose(turns, "> write a test\n● There is one now.", current=ONE) == TWO
    assert choose(turns, "nothing of both", current=ONE) == ONE


def test_an_empty_journal_is_not_chosen() -> None:
    assert choose([(ONE, LastTurn())], SHOWN, current=None) is None
    assert last_turn([]) == LastTurn()


def test_the_lowest_of_two_shown_sessions_is_the_one_of_the_pane() -> None:
    """After /new the terminal still shows the last turn of the session before it."""
    shown = f"{SHOWN}\n> /new\n> write a test\n● There is one now."
    turns = [(TWO, TURN_TWO), (ONE, TURN_ONE)]
    assert choose(turns, shown, current=ONE) == TWO
    assert choose(turns, f"> write a test\n● There is one now.\n{SHOWN}", current=ONE) == ONE
    # Without a reply, the prompt tells.
    waiting = (TWO, LastTurn("write a test"))
    assert choose([(ONE, TURN_ONE), waiting], shown, current=ONE) == TWO
