"""The labelled screens of tests/agents/screens/: the first line is the expected reading in JSON."""

import json
from dataclasses import dataclass
from pathlib import Path

from agents.runtimes.loader import AgentState

DIRECTORY = Path(__file__).parent / "screens"


@dataclass(frozen=True)
class Sample:
    name: str
    runtime: str
    state: AgentState
    size: str
    question: str
    options: tuple[str, ...]
    composer: str | None
    lines: tuple[str, ...]


def samples() -> list[Sample]:
    return [_sample(path) for path in sorted(DIRECTORY.glob("*.txt"))]


def _sample(path: Path) -> Sample:
    head, *lines = path.read_text(encoding="utf-8").split("\n")
    label = json.loads(head)
    return Sample(
        path.stem,
        label["runtime"],
        AgentState(label["state"]),
        label["size"],
        label["question"],
        tuple(label["options"]),
        label["composer"],
        tuple(lines),
    )
