"""Every dialog that an agent can show: is it reported, with its options and its subject?"""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lab import screens
from lab.agents import AgentProgram
from lab.harness import Bench, start_bench
from lab.suites.common import Table, ready

DIALOG_SECONDS = 20.0
SETTLE_SECONDS = 1.5


@dataclass(frozen=True)
class Dialog:
    kind: str
    prompt: str
    subject: str  # what the person must see before answering
    keys: tuple[str, ...] = ()  # pressed before the prompt


def _tool(name: str, **values: Any) -> str:
    return f"TOOL {name} {json.dumps(values)}"


def dialogs(name: str, work: str) -> Iterator[Dialog]:
    path, url = f"{work}/notes.txt", "http://127.0.0.1:9/page"
    yield Dialog("command", "RUN touch marker-file", "touch marker-file")
    yield Dialog("write", f"WRITE {work}/new.txt some words", "new.txt")
    match name:
        case "claude":
            change = {"file_path": path, "old_string": "some", "new_string": "other"}
            read = _tool("Read", file_path=path)
            yield Dialog("edit", f"{read} ;; {_tool('Edit', **change)}", "notes.txt")
            yield Dialog("fetch", _tool("WebFetch", url=url, prompt="read"), url)
            options = [{"label": each, "description": each} for each in ("Red", "Blue")]
            question = {"question": "Which colour?", "header": "Colour", "options": options}
            ask = _tool("AskUserQuestion", questions=[{**question, "multiSelect": False}])
            yield Dialog("choice", ask, "Which colour?")
            yield Dialog("plan", _tool("ExitPlanMode", plan="Do it"), "plan", ("BTab", "BTab"))
        case "gemini":
            change = {"file_path": path, "old_string": "some", "new_string": "other"}
            yield Dialog("edit", _tool("replace", instruction="x", **change), "notes.txt")
            yield Dialog("fetch", _tool("web_fetch", prompt=f"read {url}"), url)
        case "opencode":
            change = {"filePath": path, "oldString": "some", "newString": "other"}
            read = _tool("read", filePath=path)
            yield Dialog("edit", f"{read} ;; {_tool('edit', **change)}", "notes.txt")
        case "copilot":
            change = {"path": path, "old_str": "some", "new_str": "other"}
            yield Dialog("edit", _tool("edit", **change), "notes.txt")
            yield Dialog("fetch", _tool("web_fetch", url=url), url)
            ask = _tool("ask_user", question="Which colour?", choices=["Red", "Blue"])
            yield Dialog("choice", ask, "Which colour?")
        case "pi":
            pass  # it never asks


def measure(kind: AgentProgram, size: str, rounds: int | None = None) -> Table:
    table = Table("dialogs")
    for start in kind.dialogs:
        with start_bench(kind, size=size, dialog=start) as bench:
            bench.pane.until(lambda screen: screens.STARTS.search(screen) is not None)
            _judge(table, bench, Dialog(start, "", bench.pane.place.work.name))
    if kind.name == "pi":
        return table
    with ready(kind, size) as bench:
        (bench.pane.place.work / "notes.txt").write_text("some words\n")
        for dialog in list(dialogs(kind.name, str(bench.pane.place.work)))[:rounds]:
            if dialog.keys:
                bench.pane.press(*dialog.keys)
                time.sleep(1)
            if not (reply := bench.prompt(dialog.prompt)).ok:
                table.add(dialog.kind, "refused", reply.error)
                continue
            _judge(table, bench, dialog)
            bench.tour.close(tries=6)
    return table


def _judge(table: Table, bench: Bench, dialog: Dialog) -> None:
    deadline = time.monotonic() + DIALOG_SECONDS
    while (agent := bench.agent()).get("state") != "waiting" and time.monotonic() < deadline:
        time.sleep(0.2)
    screen = bench.pane.settle(0.5, 3)
    if agent.get("state") != "waiting":
        table.add(dialog.kind, "NOT WAITING", f"{agent}\n{screen}")
        return
    agent = bench.agent()
    labels = [option["label"] for option in agent.get("options", [])]
    squeezed = "".join(screen.split())
    missing = [label for label in labels if "".join(label.split()) not in squeezed]
    if len(labels) < 2 or missing:
        table.add(dialog.kind, "wrong options", f"{labels}\n{screen}")
    else:
        subject = dialog.subject in _question(agent)
        table.add(dialog.kind, "with subject" if subject else "no subject", f"{agent['question']}")
    bench.tour.snap("waiting", f"dialog-{dialog.kind}")


def _question(agent: dict[str, Any]) -> str:
    """All words of the question, which is a string or an object."""
    question = agent.get("question") or ""
    return question if isinstance(question, str) else json.dumps(question, ensure_ascii=False)
