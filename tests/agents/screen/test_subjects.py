"""What a dialog on the screen is about."""

from pathlib import Path

import pytest

from agents.runtimes.loader import load
from agents.screen.states import read_screen
from agents.screen.subjects import (
    DIFF_LIMIT,
    REASON_LIMIT,
    SUBJECT_LIMIT,
    QuestionKind,
    Subject,
    visible,
)
from tests.agents.corpus import DIRECTORY, samples
from tests.agents.fakes.kinds import ANGLE, POINTER

REAL = sorted(DIRECTORY.glob("*/*--waiting--*.txt"))
DRAWN = {sample.name: sample for sample in samples()}


def subject_on(screen: str, runtime: str) -> Subject:
    subject = read_screen(screen.split("\n"), load(runtime)).subject
    assert subject is not None
    return subject


def of_file(path: Path) -> Subject:
    return subject_on(path.read_text(encoding="utf-8").rstrip("\n"), path.parent.name)


def drawn(name: str) -> Subject:
    sample = DRAWN[name]
    return subject_on("\n".join(sample.lines), sample.runtime)


def real(situation: str) -> pytest.MarkDecorator:
    names = {
        f"{path.parent.name}/{path.stem}": path
        for path in REAL
        if path.stem.split("--")[2] == situation
    }
    assert len(names) >= 3
    return pytest.mark.parametrize(
        "path", [pytest.param(path, id=name) for name, path in names.items()]
    )


@real("command")
def test_the_command_is_read_from_the_dialogs_of_real_agents(path: Path) -> None:
    subject = of_file(path)
    assert (subject.kind, subject.subject) == (QuestionKind.COMMAND, "touch marker")
    assert (subject.path, subject.diff, subject.cut) == ("", "", False)
    assert subject.title
    assert "touch" not in subject.reason


@real("write")
def test_the_file_and_its_change_are_read_from_the_dialogs_of_real_agents(path: Path) -> None:
    subject = of_file(path)
    assert subject.kind in {QuestionKind.WRITE, QuestionKind.EDIT}
    assert subject.path.rpartition("/")[2] == "notes.txt"
    assert subject.diff == "+some words"


@real("trust")
def test_the_directory_to_trust_is_read(path: Path) -> None:
    subject = of_file(path)
    assert subject.kind is QuestionKind.TRUST
    whole = f"/tmp/lab-{path.parent.name}-00000000/work"
    assert subject.path == (whole[len("/tmp/") :] if path.parent.name == "gemini" else whole)
    assert subject.within(whole).path == whole
    assert subject.within("/elsewhere").path == subject.path


@pytest.mark.parametrize(
    ("name", "kind", "text"),
    [
        ("claude-waiting-box-120x40", QuestionKind.COMMAND, "npm test"),
        ("claude-waiting-two-60x20", QuestionKind.COMMAND, "for f in a b; do cat $f; done"),
        ("claude-waiting-fetch-60x20", QuestionKind.FETCH, "https://example.com"),
        ("claude-waiting-question-80x24", QuestionKind.CHOICE, ""),
        ("claude-waiting-mcp-80x24", QuestionKind.OTHER, "calendar - list (MCP)"),
        ("codex-waiting-command-60x20", QuestionKind.COMMAND, "pytest -q tests/test_net.py"),
        ("gemini-waiting-shell-60x20", QuestionKind.COMMAND, "pytest -q"),
        ("copilot-waiting-run-60x20", QuestionKind.COMMAND, "pytest -q"),
        ("opencode-waiting-permission-60x20", QuestionKind.COMMAND, "pytest -q"),
        ("cursor-waiting-run-60x20", QuestionKind.COMMAND, "pytest -q in ."),
        ("pi-waiting-select-60x20", QuestionKind.COMMAND, ""),
    ],
)
def test_drawn_dialogs(name: str, kind: QuestionKind, text: str) -> None:
    subject = drawn(name)
    assert (subject.kind, subject.subject) == (kind, text)


@pytest.mark.parametrize("runtime", ["claude-waiting-edit", "codex-waiting-edits"])
def test_an_edit_is_shown_as_a_diff(runtime: str) -> None:
    for size in ("60x20", "80x24", "200x50"):
        subject = drawn(f"{runtime}-{size}")
        assert (subject.kind, subject.path) == (QuestionKind.EDIT, "src/app/db.py")
        lines = subject.diff.split("\n")
        assert lines[:2] == ["-import settings", "+from app import settings"]


def claude(command: str, *, width: int = 60) -> str:
    rows = [" Bash command", "", *(f"   {row}" for row in command.split("\n")), ""]
    rows += [" Do you want to proceed?", f" {POINTER} 1. Yes", "   2. No", "", " Esc to cancel"]
    return "\n".join(["─" * width, *rows])


def test_a_command_that_wraps_is_one_line_again() -> None:
    shown = "npm run build -- --mode production --config the-long\n--watch"
    assert subject_on(claude(shown), "claude").subject == shown.replace("\n", " ")
    assert subject_on(claude("cd src\nmake"), "claude").subject == "cd src\nmake"


def test_a_remark_in_grey_is_the_reason_and_otherwise_part_of_the_subject() -> None:
    grey = subject_on(claude("rm x\n\x1b[38;5;246mHarmless\x1b[39m"), "claude")
    assert (grey.subject, grey.reason) == ("rm x", "Harmless")
    plain = subject_on(claude("rm x\nHarmless"), "claude")
    assert (plain.subject, plain.reason) == ("rm x\nHarmless", "")


def test_a_command_that_is_all_grey_is_not_taken_for_a_remark() -> None:
    assert subject_on(claude("\x1b[38;5;246mrm x\x1b[39m"), "claude").subject == "rm x"


def test_a_reason_that_looks_like_a_command_does_not_hide_the_command_of_codex() -> None:
    screen = "\n".join(
        [
            "  Would you like to run the following command?",
            "",
            "  Reason: Is this fine?",
            "  $ echo harmless",
            "",
            "  $ rm -rf /",
            "",
            f"{ANGLE} 1. Yes, proceed (y)",
            "  2. No, and tell Codex what to do differently (esc)",
            "",
            "  Press enter to confirm or esc to cancel",
        ]
    )
    subject = subject_on(screen, "codex")
    assert subject.title == "Would you like to run the following command?"
    assert "rm -rf /" in subject.subject


def test_long_texts_are_cut_and_marked() -> None:
    subject = Subject(
        QuestionKind.COMMAND,
        "Run?",
        subject="x" * (SUBJECT_LIMIT + 1),
        diff="+" * (DIFF_LIMIT + 1),
        reason="r" * (REASON_LIMIT + 1),
    ).bounded()
    assert subject.cut
    assert len(subject.subject) == SUBJECT_LIMIT + 1
    assert subject.diff.endswith("…")
    assert not Subject(QuestionKind.COMMAND, "Run?", subject="x" * SUBJECT_LIMIT).bounded().cut


def test_characters_that_hide_text_are_shown_by_their_number() -> None:
    assert visible("rm \u202egpj.exe\x1b[0m\n\tok") == "rm \\u{202e}gpj.exe\\u{1b}[0m\n\tok"
