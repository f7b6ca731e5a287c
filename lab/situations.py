"""Situations that the suites do not cause: queued prompts, lists of tasks, retries, plans, drafts.

Each screen is saved with its true state, which is known from how the situation was made. Used by
`python -m lab screens AGENT --parts situations`; what was saved is looked at before it becomes part
of the corpus.
"""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lab.screens import SHELL_KEY, Tour

STARTED_SECONDS = 2.5  # from Enter until the turn is visible
IDLE_SECONDS = 60.0
LONG_DRAFT = " ".join(f"word{number}" for number in range(1, 121))
MANY_LINES = [f"line {number} of the draft" for number in range(1, 9)]
TASKS = ("Read the sources", "Write the parser", "Test it")
# The agents' tools for a list of tasks, and for a question of the model. Claude Code has another.
TODOS = {
    "gemini": ("write_todos", "todos", "description", {}),
    "opencode": ("todowrite", "todos", "content", {"id": "1", "priority": "high"}),
}
CHOICES = {
    "claude": ("AskUserQuestion", "options"),
    "gemini": ("ask_user", "options"),
    "opencode": ("question", "options"),
    "copilot": ("ask_user", "choices"),
}
SUBAGENTS = {
    "claude": ("Agent", {"subagent_type": "general-purpose"}),
    "opencode": ("task", {"subagent_type": "general"}),
    "copilot": ("task", {"agent_type": "general-purpose", "name": "looker"}),
}
# Keys that change the mode of the composer, one after the other.
MODES = {"claude": 3, "codex": 1, "gemini": 2, "copilot": 2, "opencode": 0, "pi": 2}
ESCAPES = {"opencode": 2, "copilot": 2}


@dataclass
class Situations:
    tour: Tour
    failed: str = ""

    @property
    def name(self) -> str:
        return self.tour.pane.kind.name

    def run(self) -> None:
        for method in self._all():
            try:
                method()
                self.idle()
            except (RuntimeError, TimeoutError) as failure:
                print(f"{self.name} {method.__name__}: {str(failure)[:2000]}", flush=True)
                self.tour.close(tries=6)

    def _all(self) -> Iterator[Callable[[], None]]:
        yield from (
            self.queued, self.long_draft, self.lines_of_draft, self.draft_while_working,
            self.retries, self.modes, self.shell_runs, self.todo_list, self.choice, self.thinking,
            self.background, self.subagent, self.help, self.quit_hint, self.long_reply,
            self.interrupted, self.slash_words, self.compaction,
        )  # fmt: skip  # a list of names

    # --- helpers ---

    def snap(self, state: str, situation: str) -> None:
        self.tour.snap(state, f"sit-{situation}")

    def submit(self, prompt: str) -> None:
        self.tour.submit(prompt)

    def idle(self) -> None:
        self.tour.idle(IDLE_SECONDS)

    def interrupt(self) -> None:
        for _ in range(ESCAPES.get(self.name, 1)):
            self.tour.pane.press("Escape")
            time.sleep(0.4)
        time.sleep(1.5)

    def clear(self) -> None:
        self.tour.pane.press("C-e", "C-u")
        self.tour.pane.settle(0.4, 3)

    # --- working ---

    def queued(self) -> None:
        pane = self.tour.pane
        self.submit("SLEEP 14 ;; SAY done with the first")
        pane.type("SAY this one is queued")
        pane.settle(0.3, 1)
        self.snap("working", "typed-to-be-queued")
        pane.press("Enter")
        time.sleep(1.5)
        # Codex ends the request under way, and asks both together.
        queued = "idle+working" if self.name == "codex" else "working"
        self.snap(queued, "queued")
        pane.type("SAY another one that is queued")
        pane.press("Enter")
        time.sleep(1.5)
        self.snap(queued, "queued-two")
        time.sleep(12)
        self.idle()
        time.sleep(2)
        self.idle()
        self.snap("idle", "after-queued")

    def draft_while_working(self) -> None:
        pane = self.tour.pane
        self.submit("SLEEP 9 ;; SAY done")
        pane.type(LONG_DRAFT)
        pane.settle(0.4, 2)
        self.snap("working", "long-draft-while-working")
        self.clear_draft(12)
        time.sleep(8)

    def clear_draft(self, times: int) -> None:
        for _ in range(times):
            self.tour.pane.press("C-e", "C-u", "BSpace")
        self.tour.pane.settle(0.4, 2)

    def retries(self) -> None:
        """Some give up soon: then their error is on the screen, and they are idle."""
        self.submit("FAIL 40 ;; SAY recovered")
        for number in range(1, 4):
            self.snap("idle+working", f"retry-{number}")
            time.sleep(1.5)
        self.interrupt()
        self.snap("idle", "retry-interrupted")
        self.tour.close()

    def thinking(self) -> None:
        self.submit("THINK =prose ;; SLEEP 6 ;; SAY thought")
        time.sleep(1)
        self.snap("working", "thinking")

    def long_reply(self) -> None:
        self.submit("STREAM 8 =long")
        time.sleep(2)
        self.snap("working", "long-reply")
        time.sleep(5)
        self.idle()
        time.sleep(1)
        self.snap("idle", "after-long-reply")

    def interrupted(self) -> None:
        for situation, prompt in (("sleep", "SLEEP 20 ;; SAY x"), ("stream", "STREAM 20 =lines")):
            self.submit(prompt)
            time.sleep(STARTED_SECONDS)
            self.interrupt()
            self.snap("idle", f"interrupted-{situation}")
            self.clear_draft(2)

    def shell_runs(self) -> None:
        pane = self.tour.pane
        pane.type(SHELL_KEY)
        pane.settle(0.3, 2)
        pane.type("sleep 5; echo it ran")
        pane.settle(0.3, 2)
        self.snap("unknown", "shell-typed")
        pane.press("Enter")
        time.sleep(1.5)
        self.snap("working+unknown", "shell-runs")
        time.sleep(7)
        self.snap("idle+unknown+working", "shell-ended")
        self.tour.close()

    def todo_list(self) -> None:
        if self.name == "claude":
            self._tasks()
        elif self.name in TODOS:
            self._todos()

    def _tasks(self) -> None:
        tasks = [{"subject": task, "description": task, "activeForm": task} for task in TASKS]
        calls = " ++ ".join(f"TOOL TaskCreate {json.dumps(task)}" for task in tasks)
        update = json.dumps({"taskId": "1", "status": "in_progress"})
        self.submit(f"{calls} ;; TOOL TaskUpdate {update} ;; SLEEP 7 ;; SAY done")
        time.sleep(STARTED_SECONDS)
        self.snap("working", "todo-list")
        time.sleep(7)
        self.idle()
        self.snap("idle", "after-todo-list")

    def _todos(self) -> None:
        tool, field, label, more = TODOS[self.name]
        states = ("completed", "in_progress", "pending")
        rows = [
            {**more, label: task, "status": state}
            for task, state in zip(TASKS, states, strict=True)
        ]
        self.submit(f"TOOL {tool} {json.dumps({field: rows})} ;; SLEEP 7 ;; SAY done")
        time.sleep(STARTED_SECONDS)
        self.snap("working", "todo-list")
        time.sleep(7)
        self.idle()
        self.snap("idle", "after-todo-list")

    def background(self) -> None:
        if self.name != "claude":
            return
        call = {"command": "sleep 40", "run_in_background": True, "description": "Wait"}
        self.submit(f"TOOL Bash {json.dumps(call)} ;; SAY started")
        time.sleep(4)
        self.snap("idle", "background-task")
        self.submit("SLEEP 5 ;; SAY done")
        time.sleep(1)
        self.snap("working", "beside-background-task")
        time.sleep(5)

    def subagent(self) -> None:
        if self.name not in SUBAGENTS:
            return
        tool, values = SUBAGENTS[self.name]
        call = json.dumps({"description": "Look around", "prompt": "SLEEP 7 ;; SAY seen", **values})
        self.submit(f"TOOL {tool} {call} ;; SAY done")
        time.sleep(STARTED_SECONDS)
        self.snap("working", "subagent")
        time.sleep(6)

    def compaction(self) -> None:
        self.tour.pane.type("/compress" if self.name == "gemini" else "/compact")
        self.tour.pane.settle(0.5, 3)
        self.tour.pane.press("Enter")
        time.sleep(0.7)
        self.snap("idle+working", "compaction")
        time.sleep(6)
        self.snap("idle", "after-compaction")

    # --- idle ---

    def long_draft(self) -> None:
        self.tour.pane.type(LONG_DRAFT)
        self.tour.pane.settle(0.5, 3)
        self.snap("idle", "long-draft")
        self.clear_draft(14)

    def lines_of_draft(self) -> None:
        for line in MANY_LINES:
            self.tour.pane.type(line)
            time.sleep(0.3)
            self.tour.pane.press(*(["C-j"] if self.name != "pi" else ["S-Enter"]))
            time.sleep(0.2)
        self.tour.pane.settle(0.5, 3)
        self.snap("idle", "draft-of-lines")
        self.clear_draft(30)

    def modes(self) -> None:
        for number in range(1, MODES[self.name] + 1):
            self.tour.pane.press("BTab")
            self.tour.pane.settle(0.5, 3)
            self.snap("idle", f"mode-{number}")
            self.submit("SLEEP 4 ;; SAY done")
            self.snap("working", f"mode-{number}")
            time.sleep(6)
            self.snap("idle", f"mode-{number}-after")
        self.tour.pane.press("BTab")

    def help(self) -> None:
        self.tour.pane.type("?")
        self.tour.pane.settle(0.5, 3)
        self.snap("idle+unknown", "help")
        self.clear_draft(1)
        self.tour.close()

    def quit_hint(self) -> None:
        if self.name in ("codex", "opencode"):
            return  # they end at once
        self.tour.pane.press("C-c")
        time.sleep(0.4)
        self.snap("idle+unknown", "quit-hint")
        time.sleep(4)

    def slash_words(self) -> None:
        for word in ("/mod", "/xyz", "/"):
            self.tour.pane.type(word)
            self.tour.pane.settle(0.5, 3)
            self.snap("idle+unknown", f"typed-{word.strip('/') or 'slash'}")
            self.tour.pane.press("Escape")
            time.sleep(0.4)
            self.clear_draft(2)

    # --- waiting ---

    def choice(self) -> None:
        if self.name not in CHOICES:
            return
        tool, field = CHOICES[self.name]
        labels = ("Red", "Blue")
        question = {"question": "Which colour?", "header": "Colour", "multiSelect": False}
        if field == "choices":
            values: dict[str, object] = {"question": "Which colour?", "choices": list(labels)}
        else:
            options = [{"label": each, "description": f"{each} it is"} for each in labels]
            values = {"questions": [{**question, "type": "choice", field: options}]}
        self.submit(f"TOOL {tool} {json.dumps(values)} ;; SAY chosen")
        time.sleep(STARTED_SECONDS)
        self.snap("waiting", "choice")
        self.tour.pane.press("Down")
        self.tour.pane.settle(0.4, 2)
        self.snap("waiting", "choice-second")
        self.tour.close()
