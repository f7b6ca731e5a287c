"""Decides which of several journals belongs to a pane, by what the pane shows. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agents.chat.journals.entries import Entry, JournalMessage, MessageKind
from agents.chat.journals.places import JournalPlace

PROMPT_LETTERS = 80
REPLY_LETTERS = 60
SURE_LETTERS = 12  # of a reply that identify it without its prompt


@dataclass(frozen=True, slots=True)
class LastTurn:
    """The last prompt of a journal, and the last reply after it."""

    prompt: str = ""
    reply: str = ""


def last_turn(entries: Iterable[Entry]) -> LastTurn:
    turn = LastTurn()
    for entry in entries:
        if not isinstance(entry, JournalMessage) or entry.kind is not MessageKind.TEXT:
            continue
        is_prompt = entry.role == "user"
        turn = LastTurn(entry.text) if is_prompt else LastTurn(turn.prompt, entry.text)
    return turn


def choose(
    turns: Sequence[tuple[JournalPlace, LastTurn]], shown: str, *, current: JournalPlace | None
) -> JournalPlace | None:
    """The journal whose last turn the pane shows, the lowest one if it shows several: after the
    agent has begun another session, the turns of the one before it are still above. None if there
    is none, or if two have the same last turn."""
    letters = _letters(shown)
    places = [(_place_of(turn, letters), place) for place, turn in turns]
    lowest = max((end for end, _ in places), default=-1)
    matches = [place for end, place in places if end == lowest and end >= 0]
    if current is not None and (not matches or current in matches):
        return current
    return matches[0] if len(matches) == 1 else None


def _place_of(turn: LastTurn, shown: str) -> int:
    """Where the turn ends in what the pane shows; -1: nowhere."""
    prompt, reply = _letters(turn.prompt)[:PROMPT_LETTERS], _letters(turn.reply)[-REPLY_LETTERS:]
    if not prompt:
        return -1
    prompt_at, reply_at = shown.rfind(prompt), shown.rfind(reply)
    if reply_at < 0 or (prompt_at < 0 and len(reply) < SURE_LETTERS):
        return -1
    return reply_at + len(reply) if reply else prompt_at + len(prompt)


def _letters(text: str) -> str:
    return "".join(char for char in text if char.isalnum())
