"""Whether a program has switched bracketed paste on, read from everything that it prints.

tmux tells by a format only since 3.7. Before, a paste with line breaks depends on this: so `on` is
True only where tmux is certain to agree. Output is hostile: what tmux might read as a switch off
counts as one, in every spelling; a switch on counts only in its plain spelling.
"""

import re

NUMBER = b"2004"  # of the mode
CARRIED = 64  # bytes of an unfinished sequence; programs write less than 20
# Within a sequence tmux skips DEL and acts on C0 characters; CAN, SUB and ESC end the sequence.
_BODY = rb"[\x00-\x17\x19\x1c-\x3f\x7f]*"
_EVENT = re.compile(rb"\x1b(?:(?P<reset>c|\[!p)|(?P<dcs>P)|(?P<end>\\)|\[(?P<body>%b)[hl])" % _BODY)
_UNFINISHED = re.compile(rb"\x1b(?:\[%b)?\Z" % _BODY)
_PLAIN = re.compile(rb"\?[0-9]{1,4}(?:;[0-9]{1,4}){0,15}")


class PasteMode:
    """Feed it every byte of one pane, in order; call `forget` where bytes went by unseen."""

    def __init__(self) -> None:
        self.on: bool | None = None  # None: not known
        self._carried = b""
        self._hidden = False  # inside a DCS string, where tmux obeys nothing

    def forget(self) -> None:
        self.on, self._carried, self._hidden = None, b"", False

    def feed(self, data: bytes) -> None:
        if not self._carried and b"\x1b" not in data:
            return
        data = self._carried + data
        for event in _EVENT.finditer(data):
            self._take(event)
        unfinished = _UNFINISHED.search(data)
        self._carried = unfinished[0] if unfinished else b""
        if len(self._carried) > CARRIED:
            self.forget()

    def _take(self, event: re.Match[bytes]) -> None:
        if event["reset"]:
            self.on = False
        elif event["dcs"]:
            # tmux and this parser may disagree about where the string ends: start over after it.
            self.on, self._hidden = None, True
        elif event["end"]:
            self._hidden = False
        elif _names_mode(event["body"]):
            plain = _PLAIN.fullmatch(event["body"]) is not None
            self.on = event[0].endswith(b"h") and plain and not self._hidden


def _names_mode(body: bytes) -> bool:
    """Whether tmux could read the mode's number in these parameters; digits may be torn apart."""
    digits = re.sub(rb"[\x00-\x1f\x7f]", b"", body)
    return NUMBER in {number.lstrip(b"0") for number in re.findall(rb"[0-9]+", digits)}
