"""Cuts long results to fit a model's context, with a line that says how to read the rest.

Pure. The tool decides what to keep: the newest output, or the next page.
"""

from collections.abc import Sequence

ANSWER = 60_000  # characters, about 15,000 tokens
ROWS = 500  # rows of a list


def keep_end(text: str, limit: int, hint: str) -> tuple[str, bool]:
    """The newest text, and whether it was cut; `hint` says where to read the rest."""
    if len(text) <= limit:
        return text, False
    kept = text[-limit:] if limit else ""
    return _noted(kept, f"(cut: the last {limit} of {len(text)} characters; {hint})"), True


def keep_lines(lines: Sequence[str], limit: int) -> list[str]:
    """As many of the first lines as fit, but at least one, so that every page makes progress."""
    size, kept = 0, list[str]()
    for line in lines:
        size += len(line) + 1
        if kept and size > limit:
            break
        kept.append(line)
    return kept


def table(lines: Sequence[str], *, empty: str, hint: str) -> str:
    """A list as text, one item per line."""
    if not lines:
        return empty
    text = "\n".join(lines[:ROWS])
    return _noted(text, f"(cut: {len(lines) - ROWS} more; {hint})") if len(lines) > ROWS else text


def _noted(text: str, note: str) -> str:
    return f"{text.rstrip()}\n{note}" if text else note
