"""The recorded conversations in tests/golden/chat/*.json: the records and the actual messages.

`python -m tests.agents.chat.record_conversations` records them again on a real tmux.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.chat.selectors import conversation
from agents.models import ChatRecord

DIRECTORY = Path(__file__).parents[2] / "golden" / "chat"
FIELDS = ("ts", "role", "text", "pane", "runtime", "columns", "top", "full")


@dataclass(frozen=True)
class Conversation:
    name: str
    records: list[dict[str, Any]]
    expected: list[tuple[str, str]]  # role and text of the actual messages

    def read(self) -> list[tuple[str, str]]:
        records = [ChatRecord(**fields) for fields in self.records]
        return [(message.role, message.text) for message in conversation(records)]


def conversations() -> list[Conversation]:
    return [_load(path) for path in sorted(DIRECTORY.glob("*.json"))]


def _load(path: Path) -> Conversation:
    content = json.loads(path.read_text(encoding="utf-8"))
    expected = [(role, text) for role, text in content["said"]]
    return Conversation(path.stem, content["records"], expected)


def save(name: str, records: list[ChatRecord], expected: list[tuple[str, str]]) -> None:
    first = records[0].ts if records else 0
    rows = [{field: getattr(record, field) for field in FIELDS} for record in records]
    for row in rows:
        row["ts"] = row["ts"] - first + 1
        row["pane"] = "%0"
    text = json.dumps({"said": expected, "records": rows}, ensure_ascii=False, indent=1)
    DIRECTORY.mkdir(parents=True, exist_ok=True)
    (DIRECTORY / f"{name}.json").write_text(text + "\n", encoding="utf-8")
