"""Splits a line of keys and text in the syntax of `tmux send-keys`, such as `ls Enter`.

Pure. For the bytes of a keyboard see terminals/socket/keys.py.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from terminals.tmux.commands import is_key

Part = str | bytes  # the tmux name of a key, or bytes to be sent unchanged

# Quotes count only around whole words: `it's` has none.
_WORD = re.compile(r"(?P<double>\"[^\"]*\"(?!\S))|(?P<single>'[^']*'(?!\S))|\S+")


def split(line: str) -> list[Part]:
    """Words that are names of keys are pressed, the text between them is typed unchanged.

    Quoted text between keys loses its quotes, and is text even if it is the name of a key.
    """
    words = list(_WORD.finditer(line))
    if len(words) != 1 and not any(is_key(word[0]) for word in words):
        return [line.encode()] if line else []
    return list(_parts(line, words))


def _parts(line: str, words: Iterable[re.Match[str]]) -> Iterator[Part]:
    for are_keys, run in groupby(words, lambda word: is_key(word[0])):
        if are_keys:
            yield from (word[0] for word in run)
        elif text := _text(line, list(run)):
            yield text.encode()


def _text(line: str, run: Sequence[re.Match[str]]) -> str:
    text = line[run[0].start() : run[-1].end()]
    return text[1:-1] if len(run) == 1 and run[0].lastgroup else text
