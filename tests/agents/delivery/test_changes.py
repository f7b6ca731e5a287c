"""What a receipt says about a text that the agent changed."""

import pytest

from agents.delivery.changes import describe_change
from agents.delivery.settings import DeliverySettings
from agents.runtimes import loader


@pytest.mark.parametrize(
    ("sent", "received", "change"),
    [
        ("same", "same", ""),
        ("a blank at the end ", "a blank at the end", ""),
        ("a\tb", "a    b", "tabs became spaces"),
        ("cafe\u0301", "caf\u00e9", "accents were composed"),
        ("a\tcafe\u0301", "a  caf\u00e9", "tabs became spaces, accents were composed"),
        ("a  b", "a b", "blanks"),
        ("a b", "a c", "other characters"),
        ("a\tb", "a  c", "tabs became spaces, other characters"),
    ],
)
def test_the_change_is_described(sent: str, received: str, change: str) -> None:
    assert describe_change(sent, received) == change


def test_claude_is_known_to_change_tabs_and_accents() -> None:
    settings: DeliverySettings = loader.load("claude").delivery
    assert settings.received(settings.check("a\tcafe\u0301")) == "a    caf\u00e9"
    assert loader.load("codex").delivery.received(settings.check("a\tb")) == "a\tb"
