"""Messages as `read_chat_messages` returns them, compared with what the model received and said.

The truth is the model server's log: prompts that reached it, and what it answered. Every turn is
checked for its exact text and place; at the end the whole conversation is: nothing more, nothing
less, in this order. `confirmed` must never be true for a text that is not exact.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lab.agents import AgentProgram
from lab.harness import Bench
from lab.quotes import QUOTES
from lab.suites.common import Table, end_turn, ready

PROMPTS = (
    "SAY A short reply.",
    "SAY =prose",
    "SAY =lines",
    "SAY =spinners",
    "SAY Accents: café, emoji 🚀, 日本語.",
    "SAY =code",
    "SAY 1. one",
    "SAY =yes-no",
    "SAY =table",
    "SAY =markdown",
    "THINK Let me see. ;; SAY The **answer** is `42`.",
    "RUN echo hello ;; SAY The tool has run.",
    "SAY Before. ;; RUN echo again ;; SAY After.",
    "SAY =long",
)
SETTLE_SECONDS = 25.0  # for the last message of a turn to be stored, on a loaded machine
TURN_SECONDS = 60.0
POLL_SECONDS = 0.3


@dataclass(frozen=True)
class Turn:
    prompt: str
    replies: tuple[str, ...]


def measure(kind: AgentProgram, size: str, rounds: int | None = None) -> Table:
    table = Table("chat")
    with ready(kind, size) as bench:
        turns = [Turn("SAY ready", ("ready",))]
        for number in range(rounds or len(PROMPTS)):
            # A number makes every prompt different, so that a mixed-up order is noticed.
            steps = PROMPTS[number % len(PROMPTS)]
            prompt = f"Turn {number}\n{steps}"
            turn = Turn(prompt, _replies(steps))
            if not (reply := bench.prompt(prompt)).ok:
                table.add("turns", "refused", reply.error)
                continue
            _approve(bench, f"Turn {number}\n")
            end_turn(bench)
            turns.append(turn)
            _check_turn(table, bench, turn)
        _check_all(table, bench, turns)
    return table


def _replies(steps: str) -> tuple[str, ...]:
    """What the model says in these steps; between two texts there is a tool call."""
    words = [step.partition(" ")[::2] for step in steps.split(" ;; ")]
    texts = [rest for word, rest in words if word == "SAY"]
    return tuple(QUOTES[text[1:]] if text.startswith("=") else text for text in texts)


def _approve(bench: Bench, beginning: str) -> None:
    """Answers dialogs through webtmux until the model has sent the last reply of the turn."""
    deadline = time.monotonic() + TURN_SECONDS
    while time.monotonic() < deadline:
        sent = [reply for reply in bench.model.replies() if beginning in reply.prompt]
        if any(reply.tools and not reply.calls for reply in sent):
            return
        if bench.agent().get("state") == "waiting":
            bench.answer("1")
        time.sleep(POLL_SECONDS)


def _messages(bench: Bench, query: str = "") -> list[dict[str, Any]]:
    window = bench.agent()["windowId"].replace("@", "%40")
    page = bench.call("GET", f"/windows/{window}/messages?limit=500{query}").body
    messages: list[dict[str, Any]] = page.get("messages", [])
    return messages


def _texts(messages: Sequence[dict[str, Any]]) -> list[tuple[str, str]]:
    """Prompts and replies, without tool calls and answers to dialogs."""
    return [
        (each["role"], each["text"].strip())
        for each in messages
        if each.get("kind", "text") == "text"
    ]


def _expected(turns: Sequence[Turn]) -> list[tuple[str, str]]:
    return [
        item
        for turn in turns
        for item in (
            ("user", turn.prompt),
            *(("assistant", reply.strip()) for reply in turn.replies),
        )
    ]


def _check_turn(table: Table, bench: Bench, turn: Turn) -> None:
    wanted, last = _expected([turn]), list[dict[str, Any]]()
    deadline = time.monotonic() + SETTLE_SECONDS
    while time.monotonic() < deadline:
        last = _messages(bench)
        if _texts(last)[-len(wanted) :] == wanted:
            break
        time.sleep(POLL_SECONDS)
    shown = _after(_texts(last), turn.prompt)
    if shown == wanted:
        table.add("turns", "exact")
    elif _blank(shown) == _blank(wanted):
        table.add("turns", "other blanks", f"{shown!r:.300}")
    elif shown:
        table.add("turns", "WRONG", f"{wanted!r:.300} read as {shown!r:.600}")
    else:
        table.add("turns", "missing", f"{turn.prompt!r:.100}: {_texts(last)[-2:]!r:.300}")
    _check_confirmed(table, last, wanted)


def _check_confirmed(
    table: Table, messages: Sequence[dict[str, Any]], wanted: Sequence[tuple[str, str]]
) -> None:
    exact = {text for _, text in wanted}
    place = [index for index, each in enumerate(messages) if each["text"].strip() == wanted[0][1]]
    for each in messages[place[-1] :] if place else ():
        if each.get("kind", "text") != "text":
            continue
        if each["text"].strip() in exact:
            table.add("texts", f"from {each.get('source', 'screen')}")
        if each.get("confirmed") and each["text"].strip() not in exact:
            table.add("confirmed", "WRONG", f"{each['text']!r:.200}")


def _check_all(table: Table, bench: Bench, turns: Sequence[Turn]) -> None:
    wanted, shown = _expected(turns), _texts(_messages(bench))
    if shown == wanted:
        table.add("conversation", "exact")
        return
    missing = [item for item in wanted if item not in shown]
    extra = [item for item in shown if item not in wanted]
    note = f"{len(missing)} missing {missing!r:.300}, {len(extra)} extra {extra!r:.300}"
    table.add("conversation", "WRONG" if missing or extra else "other order", note)


def _after(texts: list[tuple[str, str]], prompt: str) -> list[tuple[str, str]]:
    places = [index for index, item in enumerate(texts) if item == ("user", prompt)]
    return texts[places[-1] :] if places else []


def _blank(texts: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    return [(role, "".join(text.split())) for role, text in texts]
