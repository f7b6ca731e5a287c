"""`manage.py explain_agent`: with a file, with stdin, and with a running agent."""

import io
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.agents.corpus import DIRECTORY, samples
from tests.agents.detection.programs import screen_program
from tests.config.servers import environment, manage
from tests.conftest import RunTmux
from tests.waiting import wait_until

ASKS = {sample.name: sample for sample in samples()}["codex-waiting-command-80x24"]


def screen(directory: Path) -> Path:
    path = directory / "screen.txt"
    path.write_text("\n".join(ASKS.lines))
    return path


def explained(*arguments: str) -> str:
    out = io.StringIO()
    call_command("explain_agent", *arguments, stdout=out)
    return out.getvalue()


def test_a_file_is_explained_by_the_rules_of_a_runtime(tmp_path: Path) -> None:
    output = explained("--file", str(screen(tmp_path)), "--runtime", "codex")
    assert output.startswith("codex: waiting\n  decided by the rule 'a question with options': ")
    assert f"question: {ASKS.question}" in output
    assert "> 1. Yes, proceed  [1]" in output
    assert "composer: not visible" in output
    assert output.count(": no\n") >= 3


def test_a_screen_is_read_from_stdin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fed = io.TextIOWrapper(io.BytesIO(screen(tmp_path).read_bytes()))
    monkeypatch.setattr(sys, "stdin", fed)
    assert explained("--file", "-", "--runtime", "codex").startswith("codex: waiting\n")


def test_without_a_runtime_the_generic_rules_are_used() -> None:
    output = explained("--file", str(DIRECTORY / "generic-waiting-yesno-80x24.txt"))
    assert output.startswith("generic: waiting")


@pytest.mark.parametrize("arguments", [[], ["job", "--file", "x"]])
def test_a_name_or_a_file_is_required(arguments: list[str]) -> None:
    with pytest.raises(CommandError, match="either the NAME of an agent or --file"):
        explained(*arguments)


def test_an_unreadable_file_is_reported_with_the_reason(tmp_path: Path) -> None:
    missing = tmp_path / "missing.txt"
    for path, reason in [(missing, "No such file or directory"), (tmp_path, "Is a directory")]:
        with pytest.raises(CommandError) as refused:
            explained("--file", str(path))
        assert str(refused.value) == f"cannot read {path}: {reason}"


def test_a_running_agent_is_explained_without_a_server(
    socket: str, run_tmux: RunTmux, tmp_path: Path
) -> None:
    program = screen_program(tmp_path / "bin", "codex")
    run_tmux("new-session", "-d", "-s", "job", "-x", "80", "-y", "24", f"exec {program}")
    env = environment(tmp_path / "data", WEBTMUX_TMUX_SOCKET=socket)
    missing = manage(env, "explain_agent", "nobody")
    assert missing.returncode != 0
    assert "there is no agent named 'nobody'. Running agents: job" in missing.stderr
    run_tmux("send-keys", "-t", "job", str(screen(tmp_path)), "Enter")
    wait_until(lambda: ASKS.question in run_tmux("capture-pane", "-p", "-t", "job"))
    done = manage(env, "explain_agent", "job")
    assert done.stdout.startswith("codex: waiting"), done.stderr
    assert "_webtmux" not in run_tmux("list-sessions")
