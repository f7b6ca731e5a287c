"""Answers that fit a model's context: what is cut, and the line that says how to read on.

Pure. A tool decides which end its reader needs: the newest output, or the page that comes next.
"""

from collections.abc import Sequence

ANSWER = 60_000  # characters: about 15,000 tokens, more than a model reads with profit at once
ROWS = 500  # lines of one list


def keep_end(text: str, limit: int, how: str) -> tuple[str, bool]:
    """The newest text, and whether some went; `how` says where the rest can be read."""
    if len(text) <= limit:
        return text, False
    kept = text[-limit:] if limit else ""
    return _noted(kept, f"(cut: the last {limit} of {len(text)} characters; {how})"), True


def keep_lines(lines: Sequence[str], limit: int) -> list[str]:
    """As many of the first lines as fit; at least one, or a reader would never get on."""
    size, kept = 0, list[str]()
    for line in lines:
        size += len(line) + 1
        if kept and size > limit:
            break
        kept.append(line)
    return kept


def table(lines: Sequence[str], *, empty: str, how: str) -> str:
    """A list as text, one line for each thing."""
    if not lines:
        return empty
    text = "\n".join(lines[:ROWS])
    return _noted(text, f"(cut: {len(lines) - ROWS} more; {how})") if len(lines) > ROWS else text


def _noted(text: str, note: str) -> str:
    return f"{text.rstrip()}\n{note}" if text else note
