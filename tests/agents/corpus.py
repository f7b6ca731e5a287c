"""The labelled screens of tests/agents/screens/: a first line that says what is right, the rest."""

import json
from dataclasses import dataclass
from pathlib import Path

from agents.states import State

DIRECTORY = Path(__file__).parent / "screens"


@dataclass(frozen=True)
class Sample:
    name: str
    runtime: str
    state: State
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
        path.stem, label["runtime"], State(label["state"]), label["size"], label["question"],
        tuple(label["options"]), label["composer"], tuple(lines),
    )  # fmt: skip
