"""Reject, approve once, approve always: was the answer obeyed?"""

import time
from pathlib import Path

from lab.agents import AgentProgram
from lab.harness import Bench, Reply
from lab.suites.common import QUIET_SECONDS, Table, ask, end_turn, file_appears, option_for, ready

ROUNDS = 10


def measure(kind: AgentProgram, size: str, rounds: int | None = None) -> Table:
    """Reject, approve once, approve always: was the answer obeyed?"""
    table, rounds = Table("answers"), rounds or ROUNDS
    with ready(kind, size) as bench:
        for number in range(rounds):
            for choice in ("reject", "once"):
                _judge(table, bench, choice, number)
                end_turn(bench)
    for number in range(rounds):
        # Afterwards the agent does not ask again, so each round needs a new agent.
        with ready(kind, size) as bench:
            _judge(table, bench, "always", number)
    return table


def _judge(table: Table, bench: Bench, choice: str, number: int) -> None:
    marker = bench.pane.place.work / f"{choice}{number}"
    try:
        agent = ask(bench, f"RUN touch {marker.name}")
        option = option_for(agent, choice)
    except (RuntimeError, TimeoutError, LookupError) as failure:
        table.add(choice, "not asked", str(failure))
        return
    reply = bench.answer(str(option["number"]) if number % 2 else option["label"])
    if choice == "always" and reply.ok:
        reply = _confirm(bench, reply)
    ran = file_appears(marker) if choice != "reject" else _ran_late(marker)
    right = ran == (choice != "reject")
    if not reply.ok:
        outcome = "refused" if not ran else "WRONG"
    else:
        outcome = "obeyed" if right and _remembered(bench, choice, marker) else "WRONG"
    note = "" if outcome == "obeyed" else f"{option['label']!r} {reply} ran={ran}"
    table.add(choice, outcome, note)


def _confirm(bench: Bench, reply: Reply) -> Reply:
    """After "always", opencode asks a second question."""
    deadline = time.monotonic() + 4
    while time.monotonic() < deadline:
        labels = [option["label"] for option in bench.agent().get("options", [])]
        if "Confirm" in labels:
            return bench.answer("Confirm")
        time.sleep(0.2)
    return reply


def _ran_late(marker: Path) -> bool:
    time.sleep(QUIET_SECONDS)
    return marker.exists()


def _remembered(bench: Bench, choice: str, marker: Path) -> bool:
    """After "always" the same command runs without a dialog."""
    if choice != "always":
        return True
    bench.until("idle")
    marker.unlink()
    return bench.prompt(f"RUN touch {marker.name}").ok and file_appears(marker)
