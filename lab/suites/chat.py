"""Replies as `read_chat_messages` returns them, compared with what the model said."""

import time

from lab.agents import AgentProgram
from lab.harness import Bench
from lab.quotes import QUOTES
from lab.suites.common import Table, end_turn, ready

TEXTS = (
    "A short reply.",
    "=prose",
    "=lines",
    "=spinners",
    "Accents: café, emoji 🚀, 日本語.",
    "=code",
    "1. one",
    "=yes-no",
)
SETTLE_SECONDS = 4.0


def measure(kind: AgentProgram, size: str, rounds: int | None = None) -> Table:
    table = Table("chat")
    with ready(kind, size) as bench:
        for number in range(rounds or len(TEXTS)):
            text = TEXTS[number % len(TEXTS)]
            truth = QUOTES.get(text.removeprefix("="), text)
            prompt = f"SAY {text}"
            if not (reply := bench.prompt(prompt)).ok:
                table.add("replies", "refused", reply.error)
                continue
            time.sleep(SETTLE_SECONDS)
            end_turn(bench)
            _compare(table, bench, prompt, truth)
    return table


def _compare(table: Table, bench: Bench, prompt: str, truth: str) -> None:
    window = bench.agent()["windowId"].replace("@", "%40")
    messages = bench.call("GET", f"/windows/{window}/messages?limit=20").body.get("messages", [])
    asked = [index for index, each in enumerate(messages) if each.get("text", "").strip() == prompt]
    table.add(
        "prompts", "exact" if asked else "missing", "" if asked else f"{messages[-2:]!r:.300}"
    )
    replies = [
        each.get("text", "")
        for each in messages[asked[-1] + 1 if asked else -1 :]
        if each.get("role") == "assistant"
    ]
    said = "\n".join(replies)
    if said.strip() == truth.strip():
        table.add("replies", "exact")
    elif "".join(said.split()) == "".join(truth.split()):
        table.add("replies", "other blanks", f"{said!r:.300}")
    else:
        table.add(
            "replies", "WRONG" if said else "missing", f"{truth!r:.200} read as {said!r:.400}"
        )
