"""The table of requirements names tests that exist."""

import re
from pathlib import Path

TESTS = Path(__file__).parent
NAMED = re.findall(r"`([\w/]+\.py)(?:::(\w+))?`", (TESTS / "requirements.md").read_text())


def test_every_named_test_is_there() -> None:
    assert len(NAMED) > 20
    for file, function in NAMED:
        text = (TESTS / file).read_text()
        assert not function or f"def {function}(" in text, f"{file}::{function}"
