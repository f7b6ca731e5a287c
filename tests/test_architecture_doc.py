"""docs/architecture.md names files that exist."""

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "docs" / "architecture.md"
# `agents/services.py`, `services.py`, `agents/chat/`; not `Tmux.type` and not /api.
_PATH = re.compile(r"`((?:[\w-]+/)*[\w-]+\.(?:py|js|toml|html)|(?:[\w-]+/)+)`")


def test_every_file_in_the_architecture_document_exists() -> None:
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\n")
    names = {Path(path).name for path in tracked}
    missing = [
        path
        for path in _PATH.findall(DOCUMENT.read_text())
        if not (ROOT / path).exists() and ("/" in path or path not in names)
    ]
    assert missing == []
