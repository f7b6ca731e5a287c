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
    """The only journal whose last turn the pane shows. None if there is none, or several."""
    letters = _letters(shown)
    matches = [place for place, turn in turns if _is_shown(turn, letters)]
    if current is not None and (not matches or current in matches):
        return current
    return matches[0] if len(matches) == 1 else None


def _is_shown(turn: LastTurn, shown: str) -> bool:
    prompt, reply = _letters(turn.prompt)[:PROMPT_LETTERS], _letters(turn.reply)[-REPLY_LETTERS:]
    if not prompt or reply not in shown:
        return False
    return prompt in shown or len(reply) >= SURE_LETTERS


def _letters(text: str) -> str:
    return "".join(char for char in text if char.isalnum())
