"""Says how the text that an agent received differs from the one that was sent. Pure."""

import unicodedata

from agents.delivery.composer import letters


def describe_change(sent: str, received: str) -> str:
    """In words for the receipt; empty if they are equal apart from blanks at the end."""
    sent, received = sent.rstrip(), received.rstrip()
    if sent == received:
        return ""
    changes = []
    if sent.count("\t") > received.count("\t"):
        changes.append("tabs became spaces")
    if (composed := unicodedata.normalize("NFC", sent)) != sent and _count(received) < _count(sent):
        changes.append("accents were composed")
    if composed.expandtabs(1).split() != unicodedata.normalize("NFC", received).split():
        changes.append("other characters" if letters(sent) != letters(received) else "blanks")
    elif not changes:
        changes.append("blanks")
    return ", ".join(changes)


def _count(text: str) -> int:
    """Combining marks."""
    return sum(unicodedata.combining(character) > 0 for character in text)
