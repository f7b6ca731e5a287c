"""A line of keys and text, as one would give it to `tmux send-keys`: `ls Enter`.

Pure. Not the bytes of a keyboard: those are terminals/keys.py.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from terminals.tmux.commands import is_key

Part = str | bytes  # a key's tmux name, or bytes to be typed exactly

# Quotes count only around whole words: in `it's` there is none.
_WORD = re.compile(r"(?P<double>\"[^\"]*\"(?!\S))|(?P<single>'[^']*'(?!\S))|\S+")


def split(line: str) -> list[Part]:
    """Words that name a key are pressed, the text between them is typed as it stands.

    A quoted text that stands alone loses its quotes, and is text even if it names a key.
    """
    words = list(_WORD.finditer(line))
    if len(words) != 1 and not any(is_key(word[0]) for word in words):
        return [line.encode()] if line else []
    return list(_parts(line, words))


def _parts(line: str, words: Iterable[re.Match[str]]) -> Iterator[Part]:
    for pressed, run in groupby(words, lambda word: is_key(word[0])):
        if pressed:
            yield from (word[0] for word in run)
        elif typed := _text(line, list(run)):
            yield typed.encode()


def _text(line: str, run: Sequence[re.Match[str]]) -> str:
    text = line[run[0].start() : run[-1].end()]
    return text[1:-1] if len(run) == 1 and run[0].lastgroup else text
