"""Prompts of all kinds, compared byte for byte with what reached the model.

exact: arrived unchanged, and the receipt says so. altered: arrived with other characters; the
receipt says so or not. lost: the receipt says ok, and nothing arrived. refused: nothing arrived,
and the receipt says so; wrong unless the agent would not take it for a prompt (shell, slash word).
"""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lab.agents import AgentProgram
from lab.harness import Bench, Reply
from lab.script import strip_notes
from lab.suites.common import Table, percentile, ready

ARRIVE_SECONDS = 12.0
IDLE_SECONDS = 30.0
# Texts of an empty composer.
PLACEHOLDERS = {
    "claude": 'Try "fix lint errors"',
    "codex": "Ask Codex to do anything",
    "gemini": "Type your message or @path/to/file",
    "opencode": "Ask anything",
    "copilot": "Type @ to mention files",
    "pi": "Type your message",
}


@dataclass(frozen=True)
class Prompt:
    kind: str
    text: str
    refusable: bool = False  # the agent would not take it for a prompt
    working: bool = False  # sent while the agent works


def prompts(name: str) -> Iterator[Prompt]:
    """100 prompts; the number in most of them makes them distinct."""
    for n in range(8):
        yield Prompt("short", f"short prompt {n}, nothing special")
    for n, length in enumerate((200, 400, 700, 900, 1500, 3000, 5000, 9000)):
        yield Prompt("long line", f"long {n} " + "word " * (length // 5) + "end")
    for n, count in enumerate((2, 2, 3, 3, 4, 5, 8, 12, 20, 30, 60, 120)):
        lines = (f"line {number} of prompt {n}" for number in range(count))
        yield Prompt("lines", "\n".join(lines))
    yield Prompt("lines", "first\n\nafter a blank line\n\n\nafter two")
    yield Prompt("lines", "def f(x):\n    if x:\n        return 1\n    return 2")
    for n, text in enumerate(("a\tb", "\tindented", "x\t\ty\tz", "if:\n\tbody\n\t\tmore")):
        yield Prompt("tabs", f"tabs {n}: {text}")
    for n, text in enumerate(("café naïve", "Zürich, Ångström", "señor año", "français où")):
        yield Prompt("accents, composed", f"composed {n}: {text}")
    decomposed = ("cafe\u0301 nai\u0308ve", "Zu\u0308rich", "a\u0303o", "o\u0323\u0302")
    for n, text in enumerate(decomposed):
        yield Prompt("accents, decomposed", f"decomposed {n}: {text}")
    emoji = ("😀 🚀 ✅", "👩‍💻 👨‍👩‍👧", "🇩🇪 🇯🇵", "👍🏽 ☝🏿", "❤️ ⚠️ ▶️", "🧪🧬🪐")
    for n, text in enumerate(emoji):
        yield Prompt("emoji", f"emoji {n}: {text}")
    for n, text in enumerate(("日本語テキスト", "中文字符，测", "한국어", "שלום עולם", "مرحبا")):
        yield Prompt("other scripts", f"script {n}: {text}")
    yield Prompt("placeholder", PLACEHOLDERS[name])
    yield Prompt("placeholder", f"{PLACEHOLDERS[name]} and more")
    for text in (
        "@notes.txt what is in it",
        "@nobody is no file",
        "mail to a@b.example",
        "@ alone",
        "@1",
        "look at @notes",
    ):
        yield Prompt("begins with @", text)
    yield Prompt("slash", "/nosuchcommand with words", refusable=True)
    yield Prompt("slash", "/1", refusable=True)
    yield Prompt("slash", "/mod", refusable=True)
    yield Prompt("slash", "/tmp/some/path is a path", refusable=True)
    yield Prompt("slash", "what does /help do")
    for text in ("?", "? what is this", "??"):
        yield Prompt("question mark", text)
    for n, text in enumerate(("!touch delivered-{n}", "! touch delivered-{n}", "!!")):
        yield Prompt("exclamation mark", text.format(n=n), refusable=True)
    yield Prompt("exclamation mark", "Hello! This is not a shell command!")
    for text in ("# a heading", "#1 is the first", "## and a list\n- one\n- two"):
        yield Prompt("hash", text)
    for text in ("1", "2", "42", "y", "3.14 is pi"):
        yield Prompt("digits and letters", text)
    for text in ("ends with a backslash \\", "C:\\path\\", "two \\\\"):
        yield Prompt("trailing backslash", text)
    for text in ("$HOME `id` $(id) \"q\" 's'", "<b>bold</b> & <i>", "{json: [1]}", "a;b && c | d",
                 "%d #{pane_id} #(date)"):  # fmt: skip  # one row
        yield Prompt("special characters", text)
    for text in ("& in front", "* a star", "- a dash", "> quoted", "[Pasted text #1]"):
        # Copilot passes what follows "&" to another agent.
        yield Prompt("other first characters", text, refusable=(name, text[0]) == ("copilot", "&"))
    for n in range(6):
        yield Prompt("while working", f"queued prompt {n}", working=True)


def measure(kind: AgentProgram, size: str, rounds: int | None = None) -> Table:
    table, milliseconds, refusals = Table("delivery"), list[float](), list[float]()
    remaining = list(prompts(kind.name))
    if rounds:
        remaining = remaining[:: max(1, len(remaining) // rounds)][:rounds]
    while remaining:
        with ready(kind, size) as bench:
            (bench.pane.place.work / "notes.txt").write_text("some words\n")
            while remaining:
                prompt = remaining.pop(0)
                reply, outcome, note = _deliver(bench, prompt)
                table.add(prompt.kind, outcome, note)
                # One that is sent while the agent works may wait for the end of the turn.
                if not prompt.working and (receipt := reply.body.get("receipt")):
                    (milliseconds if reply.ok else refusals).append(float(receipt["ms"]))
                if not _recover(bench):
                    break  # continue with a new agent
    table.figures += [
        f"delivered, ms p50 / p95: {percentile(milliseconds, 50):.0f} /"
        f" {percentile(milliseconds, 95):.0f} of {len(milliseconds)}",
        f"refused, ms p50 / longest: {percentile(refusals, 50):.0f} /"
        f" {max(refusals, default=0):.0f} of {len(refusals)}",
    ]
    return table


def _deliver(bench: Bench, prompt: Prompt) -> tuple[Reply, str, str]:
    if prompt.working:
        bench.prompt("SLEEP 5 ;; SAY slept")
    since = len(bench.model.requests())
    reply = bench.prompt(prompt.text)
    arrived = _arrived(bench, prompt, since, ARRIVE_SECONDS if reply.ok else 2.0)
    outcome = _outcome(reply, prompt, arrived)
    shell = [path.name for path in bench.pane.place.work.glob("delivered-*")]
    if shell:
        outcome = "SHELL"
    for name in shell:
        (bench.pane.place.work / name).unlink()
    note = ""
    if outcome not in ("exact", "refused"):
        note = f"{prompt.text[:200]!r} arrived as {arrived!r:.300} {reply}\n{bench.pane.screen()}"
    return reply, outcome, note


def _outcome(reply: Reply, prompt: Prompt, arrived: str | None) -> str:
    receipt = reply.body.get("receipt") or {}
    if arrived == prompt.text:
        return "exact" if reply.ok else "false alarm"
    if arrived is not None:
        admits = not reply.ok or receipt.get("altered") or receipt.get("exact") is False
        return "altered, said" if admits else "ALTERED"
    if reply.ok and receipt.get("became") in ("command", "shell"):
        return "command"
    if reply.ok:
        return "LOST"
    return "refused" if prompt.refusable else "wrong refusal"


def _arrived(bench: Bench, prompt: Prompt, since: int, seconds: float) -> str | None:
    """The prompt as the model received it; None: nothing did."""
    deadline = time.monotonic() + seconds
    while True:
        requests = [request for request in bench.model.requests()[since:] if request.tools]
        for request in requests:
            texts = set(_strings(json.loads(request.body)))
            if _is_in(prompt.text, texts):
                return prompt.text
        others = [request.prompt for request in requests if not request.calls_made]
        others = [text for text in others if not text.startswith("SLEEP 5 ")]
        if others and time.monotonic() > deadline - seconds + 1.0:
            return others[-1]
        if time.monotonic() > deadline:
            return None
        time.sleep(0.1)


def _strings(value: Any) -> Iterator[str]:
    """Every string of a JSON value."""
    if isinstance(value, str):
        yield value
    for child in (
        value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    ):
        yield from _strings(child)


def _is_in(text: str, texts: set[str]) -> bool:
    """As a message of its own, apart from the notes that agents add; or wrapped, if queued."""
    if text in texts or any(
        strip_notes(each) == strip_notes(text) for each in texts if text in each
    ):
        return True
    return text.startswith("queued prompt") and any(text in each for each in texts)


def _recover(bench: Bench) -> bool:
    """Whether the agent is idle again, with an empty composer."""
    deadline = time.monotonic() + IDLE_SECONDS
    while time.monotonic() < deadline:
        screen = bench.pane.screen()
        if bench.tour.is_idle(screen) and bench.agent().get("state") == "idle":
            if bench.explain().get("composer") == "":
                return True
            bench.pane.press("C-e", "C-u")
        time.sleep(0.3)
    return bench.tour.close(tries=6)
