"""Computes the submitted line from keys: characters, backspaces, cursor keys, pastes.

Pure. The effect of a key such as Up or Tab is known to the program alone; such a line is marked as
doubtful and is read from the screen (submitted_text.py).
"""

import codecs
import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum, StrEnum

from terminals.socket import keys

LINE_LIMIT = 64 * 1024  # characters of one line; the rest is not recorded
# Every key is processed on the event loop before it is sent, so the work is bounded: INPUT_LIMIT
# bytes and KEYS_LIMIT keys of one input; a line longer than EDIT_LIMIT is changed at its end only.
# Beyond these limits the line is doubtful and is read from the screen.
INPUT_LIMIT = 1024 * 1024
KEYS_LIMIT = 8192
EDIT_LIMIT = 1024
_PASTE, _PASTE_END = "\x1b[200~", "\x1b[201~"


class Mode(StrEnum):
    """What turns keys into a line."""

    KERNEL = "kernel"  # the terminal itself
    EDITOR = "editor"  # a shell or another program with a line editor
    AGENT = "agent"  # a composer: a line feed is part of the text


class Doubt(IntEnum):
    """How uncertain the line is if only the keys are known."""

    NONE = 0
    LITTLE = 1  # an editing key that not every line editor supports
    GREAT = 2  # the program may have inserted any text


@dataclass(frozen=True, slots=True)
class EnteredLine:
    """A line at the moment when Enter was pressed."""

    text: str
    doubt: Doubt = Doubt.NONE
    at_end: bool = True  # whether the cursor was at the end

    @property
    def blank(self) -> bool:
        return not self.text.strip()


class Line:
    """The input line of one pane as computed from the keys."""

    def __init__(self) -> None:
        self.doubt = Doubt.NONE
        self._text: list[str] = []
        self._caret = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._mode = Mode.EDITOR
        self._pasting = False
        self._entered: list[EnteredLine] = []

    @property
    def before_caret(self) -> str:
        return "".join(self._text[: self._caret])

    def clear(self) -> None:
        self._text, self._caret, self.doubt = [], 0, Doubt.NONE

    def forget(self) -> None:
        """Clear a line of which the beginning may be missing: it is read from the screen."""
        self.clear()
        self.doubt = Doubt.GREAT

    # --- input ---

    def type(self, data: bytes, mode: Mode) -> list[EnteredLine]:
        """Return the lines that these bytes submit."""
        self._mode = mode
        if len(data) > INPUT_LIMIT:
            self._fold(data[:INPUT_LIMIT])
            self._doubt()
        else:
            self._fold(data)
        return self._take()

    def _fold(self, data: bytes) -> None:
        for part in keys.split(data):
            if isinstance(part, str):
                self._press(part)
                continue
            self._text_or_paste(self._decoder.decode(part))

    def press(self, names: tuple[str, ...], mode: Mode) -> list[EnteredLine]:
        self._mode = mode
        for name in names:
            self._press(name)
        return self._take()

    def paste(self, data: bytes, mode: Mode) -> list[EnteredLine]:
        """In kernel mode each line break submits a line; elsewhere a paste is inserted."""
        if mode is Mode.KERNEL:
            return self.type(data, mode)
        self._mode = mode
        self._insert(_cleaned(data[:INPUT_LIMIT].decode("utf-8", "replace")))
        return []

    # --- inside ---

    def _take(self) -> list[EnteredLine]:
        entered, self._entered = self._entered, []
        return entered

    def _text_or_paste(self, text: str) -> None:
        """Between the paste markers everything is text, also across several inputs."""
        index, count = 0, 0
        while index < len(text):
            index = self._paste_from(text, index) if self._pasting else self._key_from(text, index)
            count += 1
            if count == KEYS_LIMIT:
                self._doubt()
                self._pasting = text.rfind(_PASTE, index) > text.rfind(_PASTE_END, index)
                return

    def _paste_from(self, text: str, start: int) -> int:
        """Insert up to the end marker; return the index after it."""
        end = text.find(_PASTE_END, start)
        self._pasting = end < 0
        self._insert(_cleaned(text[start : len(text) if self._pasting else end]))
        return len(text) if self._pasting else end + len(_PASTE_END)

    def _key_from(self, text: str, start: int) -> int:
        """Process a run of characters, a control character or a paste marker."""
        match = _KEY_OR_TEXT.match(text, start)
        piece = match[0] if match else text[start]
        if piece == _PASTE:
            self._pasting = True
        elif piece[0] >= " " and piece[0] != "\x7f":
            self._insert(piece)
        else:
            self._press("BSpace" if piece == "\x7f" else f"C-{chr(ord(piece) + 96)}")
        return start + len(piece)

    def _insert(self, text: str) -> None:
        if self._caret < len(self._text) and len(self._text) > EDIT_LIMIT:
            self._doubt()
        text = text[: max(0, LINE_LIMIT - len(self._text))]
        self._text[self._caret : self._caret] = text
        self._caret += len(text)

    def _press(self, name: str) -> None:
        if self._mode is Mode.AGENT and name in _LINE_FEEDS:
            self._insert("\n")
        elif name in _ENTER:
            self._submit()
        elif name in _ENDS:
            self.clear()
        elif self._mode is Mode.KERNEL and name in _TABS:
            self._insert("\t")
        elif len(self._text) > EDIT_LIMIT and not (
            name in _ERASES and self._caret == len(self._text)
        ):
            self._doubt()
        else:
            _KEYS.get(name, Line._doubt)(self)

    def _submit(self) -> None:
        at_end = self._caret == len(self._text)
        self._entered.append(EnteredLine("".join(self._text), self.doubt, at_end))
        self.clear()

    def _doubt(self) -> None:
        """The program may have inserted any text; assume that the cursor is at its end."""
        self.doubt = Doubt.GREAT
        self._caret = len(self._text)

    # --- keys ---

    def _erase(self) -> None:
        if self._caret:
            self._caret -= 1
            del self._text[self._caret]

    def _erase_word(self) -> None:
        """Delete blanks and then a word backwards; editors disagree on what a word is."""
        start = self._caret
        while start and self._text[start - 1].isspace():
            start -= 1
        while start and not self._text[start - 1].isspace():
            start -= 1
        word = "".join(self._text[start : self._caret]).strip()
        if self._mode is not Mode.KERNEL and not word.replace("_", "a").isalnum():
            self.doubt = max(self.doubt, Doubt.LITTLE)
        del self._text[start : self._caret]
        self._caret = start

    def _kill(self) -> None:
        """Delete to the start of the line; some editors delete the whole line."""
        if self._mode is Mode.AGENT and "\n" in self._text:
            self._doubt()
            return
        if self._caret < len(self._text):
            self.doubt = max(self.doubt, Doubt.LITTLE)
        del self._text[: self._caret]
        self._caret = 0

    def _kill_rest(self) -> None:
        del self._text[self._caret :]

    def _delete(self) -> None:
        """Not every editor supports Delete, Home and End; some insert them as text."""
        del self._text[self._caret : self._caret + 1]
        self.doubt = max(self.doubt, Doubt.LITTLE)

    def _left(self) -> None:
        self._caret = max(0, self._caret - 1)

    def _right(self) -> None:
        """At the end of the line it may accept the program's suggestion."""
        if self._caret == len(self._text):
            self._doubt()
        self._caret = min(len(self._text), self._caret + 1)

    def _home(self) -> None:
        self._caret = 0

    def _home_key(self) -> None:
        self._caret, self.doubt = 0, max(self.doubt, Doubt.LITTLE)

    def _end(self) -> None:
        if self._caret == len(self._text) and self._text:
            self._doubt()
        self._caret = len(self._text)

    def _nothing(self) -> None:
        """The key changes the screen, not the line."""


_KEY_OR_TEXT = re.compile(r"\x1b\[200~|[^\x00-\x1f\x7f]+|[\x00-\x1f\x7f]")
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f]+")
_ERASES = frozenset({"BSpace", "C-h"})
_LINE_FEEDS = frozenset({"C-j", "M-Enter", "S-Enter"})
_ENTER = frozenset({"Enter", "KPEnter", "C-m", "C-j"})
_ENDS = frozenset({"C-c", "C-z", "C-\\", "C-|"})  # these discard the line
_TABS = frozenset({"Tab", "C-i"})
# Used in kernel mode too: the next shell edits what was typed ahead.
_KEYS: dict[str, Callable[[Line], None]] = {
    "BSpace": Line._erase, "C-h": Line._erase, "C-w": Line._erase_word, "C-u": Line._kill,
    "Space": lambda line: line._insert(" "),
    "C-k": Line._kill_rest, "DC": Line._delete, "Delete": Line._delete, "C-d": Line._delete,
    "Left": Line._left, "C-b": Line._left, "Right": Line._right, "C-f": Line._right,
    "Home": Line._home_key, "C-a": Line._home, "End": Line._doubt, "C-e": Line._end,
    "C-l": Line._nothing, "C-s": Line._nothing, "C-q": Line._nothing,
}  # fmt: skip  # a table


def _cleaned(text: str) -> str:
    """Normalise line breaks as a program receives them, and drop other control characters."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROLS.sub("", text)
