"""Every dialog that an agent can show: is it reported, with its options, its kind and its subject?

The subject is judged twice: as webtmux reports it, with a hook where there is one, and as the
screen alone says it.
"""

import json
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from agents.runtimes.loader import load
from agents.screen.states import read_screen
from agents.screen.subjects import QuestionKind
from lab import screens
from lab.agents import AgentProgram
from lab.harness import Bench, start_bench
from lab.suites.common import Table, ready

DIALOG_SECONDS = 20.0
SETTLE_SECONDS = 1.5
QUESTION = "Which colour?"
PLAN = "First the parser, then its tests."
# Keys from its default mode to plan mode.
PLAN_KEYS = ("BTab", "BTab")
_PLAN_FILE = re.compile(r'/[^\s"\\]*/plans/[\w-]+\.md')


@dataclass(frozen=True)
class Dialog:
    name: str
    prompt: str
    kinds: tuple[QuestionKind, ...]
    subject: str  # what the person must see before answering: a part of the command, path, diff…
    diff: str = ""  # a part of the change that must be shown


def _tool(name: str, **values: Any) -> str:
    return f"TOOL {name} {json.dumps(values)}"


COMMAND, EDIT, WRITE = QuestionKind.COMMAND, QuestionKind.EDIT, QuestionKind.WRITE
CHANGE = (EDIT, WRITE)
# It has quotes, a pipe and a second command, and is longer than a line of a narrow pane.
LONG = "touch " + " ".join(f"'file {n}'" for n in range(1, 14)) + " | cat && touch last-of-them"


def dialogs(name: str, work: str) -> Iterator[Dialog]:
    path, url = f"{work}/notes.txt", "http://127.0.0.1:9/page"
    yield Dialog("command", "RUN touch marker-file", (COMMAND,), "touch marker-file")
    yield Dialog("long command", f"RUN {LONG}", (COMMAND,), LONG)
    yield Dialog("write", f"WRITE {work}/new.txt some words", CHANGE, "new.txt", "+some words")
    old, new = "some words", "other words"
    labels = ("Red", "Blue")
    options = [{"label": each, "description": f"{each} it is"} for each in labels]
    question = {"question": QUESTION, "header": "Colour", "options": options, "multiSelect": False}
    choice = ((QuestionKind.CHOICE,), QUESTION)
    match name:
        case "claude":
            change = _tool("Edit", file_path=path, old_string=old, new_string=new)
            read = _tool("Read", file_path=path)
            yield Dialog("edit", f"{read} ;; {change}", (EDIT,), "notes.txt", f"+{new}")
            fetch = _tool("WebFetch", url=url, prompt="read it")
            yield Dialog("fetch", fetch, (QuestionKind.FETCH,), url)
            yield Dialog("choice", _tool("AskUserQuestion", questions=[question]), *choice)
            cell = _tool("NotebookEdit", notebook_path=f"{work}/a.ipynb", new_source="print(1)")
            yield Dialog("notebook", f"{_tool('Read', file_path=f'{work}/a.ipynb')} ;; {cell}",
                         CHANGE, "a.ipynb")  # fmt: skip  # one call
        case "gemini":
            change = _tool(
                "replace", file_path=path, old_string=old, new_string=new, instruction="change it"
            )
            yield Dialog("edit", change, (EDIT,), "notes.txt", f"+{new}")
            fetch = _tool("web_fetch", prompt=f"read {url}")
            yield Dialog("fetch", fetch, (QuestionKind.FETCH,), url)
            ask = _tool("ask_user", questions=[{**question, "type": "choice"}])
            yield Dialog("choice", ask, *choice)
        case "opencode":
            read = _tool("read", filePath=path)
            change = _tool("edit", filePath=path, oldString=old, newString=new)
            yield Dialog("edit", f"{read} ;; {change}", (EDIT,), "notes.txt", f"+{new}")
            outside = _tool("read", filePath="/etc/hostname")
            yield Dialog("outside", outside, (QuestionKind.OTHER, QuestionKind.TRUST), "/etc")
            yield Dialog("choice", _tool("question", questions=[question]), *choice)
        case "copilot":
            change = _tool("edit", path=path, old_str=old, new_str=new)
            yield Dialog("edit", change, (EDIT,), "notes.txt", f"+{new}")
            outside = _tool("view", path="/etc/hostname")
            yield Dialog("outside", outside, (QuestionKind.OTHER, QuestionKind.TRUST), "/etc")
            ask = _tool("ask_user", question=QUESTION, choices=list(labels))
            yield Dialog("choice", ask, *choice)
        case "codex":
            patch = f"*** Begin Patch\n*** Update File: notes.txt\n@@\n-{old}\n+{new}\n"
            command = f"apply_patch <<'EOF'\n{patch}*** End Patch\nEOF\n"
            call = _tool("exec_command", cmd=command)
            yield Dialog("edit", call, (EDIT,), "notes.txt", f"+{new}")


def measure(kind: AgentProgram, size: str, rounds: int | None = None) -> Table:
    table = Table("dialogs")
    for start in kind.dialogs:
        with start_bench(kind, size=size, dialog=start) as bench:
            bench.pane.until(lambda screen: screens.STARTS.search(screen) is not None)
            subject = bench.pane.place.work.name if start == "trust" else ""
            expected = (QuestionKind.TRUST, QuestionKind.OTHER, QuestionKind.CHOICE)
            _judge(table, bench, Dialog(start, "", expected, subject))
    if kind.name == "pi":
        return table
    with ready(kind, size) as bench:
        work = bench.pane.place.work
        (work / "notes.txt").write_text("some words\n")
        cell: dict[str, Any] = {
            **{"cell_type": "code", "id": "a1", "source": [], "metadata": {}, "outputs": []},
            "execution_count": None,
        }
        notebook = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
        (work / "a.ipynb").write_text(json.dumps(notebook))
        for dialog in list(dialogs(kind.name, str(work)))[:rounds]:
            _ask(table, bench, dialog)
        if kind.name == "claude" and rounds is None:
            _ask_for_plan(table, bench)
    return table


def _ask(table: Table, bench: Bench, dialog: Dialog) -> None:
    if not (reply := bench.prompt(dialog.prompt)).ok:
        table.add(dialog.name, "refused", f"{reply.error}\n{bench.pane.screen()}")
        return
    _judge(table, bench, dialog)
    bench.tour.close(tries=6)


def _ask_for_plan(table: Table, bench: Bench) -> None:
    """Claude Code shows a plan that was written to the file that it names in its request."""
    bench.pane.press(*PLAN_KEYS)
    time.sleep(1)
    bench.prompt("SAY planning")
    bench.until("idle")
    files = [_PLAN_FILE.search(request.body) for request in bench.model.requests()]
    path = next((match[0] for match in reversed(files) if match), "")
    if not path:
        table.add("plan", "no plan file", bench.pane.screen())
        return
    prompt = f"WRITE {path} {PLAN} ;; TOOL ExitPlanMode {{}}"
    _ask(table, bench, Dialog("plan", prompt, (QuestionKind.PLAN,), PLAN))


def _judge(table: Table, bench: Bench, dialog: Dialog) -> None:
    deadline = time.monotonic() + DIALOG_SECONDS
    while (agent := bench.agent()).get("state") != "waiting" and time.monotonic() < deadline:
        time.sleep(0.2)
    bench.pane.settle(0.5, 3)
    time.sleep(SETTLE_SECONDS)
    agent, screen = bench.agent(), bench.pane.screen()
    coloured = bench.tour.snap("waiting", f"dialog-{dialog.name.replace(' ', '-')}")
    if agent.get("state") != "waiting":
        table.add(dialog.name, "NOT WAITING", f"{agent}\n{screen}")
        return
    labels = [option["label"] for option in agent.get("options", [])]
    squeezed = re.sub(r"[\s│┃]", "", screen)
    missing = [label for label in labels if re.sub(r"\s", "", label) not in squeezed]
    if len(labels) < 2 or missing:
        table.add(dialog.name, "wrong options", f"{labels}\n{screen}")
    alone = read_screen(
        bench.pane.screen(colours=True).split("\n"), load(bench.pane.kind.name)
    ).subject
    shown = (
        {"kind": alone.kind, "title": alone.title, "subject": alone.subject, "path": alone.path,
         "diff": alone.diff, "cut": alone.cut} if alone else {}
    )  # fmt: skip  # the fields of a question
    for source, question in (("reported", agent.get("question") or {}), ("screen", shown)):
        problem = _problem(question, dialog)
        outcome = f"{source}: {problem or 'right'}"
        table.add(dialog.name, outcome, f"{question}\n{coloured}" if problem else "")


def _problem(question: dict[str, Any], dialog: Dialog) -> str:
    """The first thing that a person who answers would not know."""
    if question.get("kind") not in dialog.kinds:
        return "wrong kind"
    if not question.get("title"):
        return "no title"
    words = " ".join(str(question.get(name, "")) for name in ("title", "subject", "path", "diff"))
    squeezed = "".join(words.split())
    if "".join(dialog.subject.split()) not in squeezed:
        return "no subject"
    if dialog.diff and dialog.diff not in str(question.get("diff")).replace("+ ", "+"):
        return "no diff"
    return ""
