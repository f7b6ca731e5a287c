"""Whether a program has enabled bracketed paste, read from everything that it prints. Pure.

tmux reports it in a format only since 3.7. Before, the safety of a paste with line breaks depends
on this parser, so `on` is True only where tmux certainly agrees. Output is hostile: what tmux might
read as disabling the mode counts in every spelling, enabling it only in the plain spelling.
"""

import re

MODE_NUMBER = b"2004"
CARRIED_BYTES = 64  # of an incomplete sequence; programs write less than 20
# Inside a sequence tmux skips DEL and executes C0 characters; CAN, SUB and ESC end the sequence.
_BODY = rb"[\x00-\x17\x19\x1c-\x3f\x7f]*"
_EVENT = re.compile(rb"\x1b(?:(?P<reset>c|\[!p)|(?P<dcs>P)|(?P<end>\\)|\[(?P<body>%b)[hl])" % _BODY)
_INCOMPLETE = re.compile(rb"\x1b(?:\[%b)?\Z" % _BODY)
_PLAIN = re.compile(rb"\?[0-9]{1,4}(?:;[0-9]{1,4}){0,15}")


class PasteMode:
    """Feed it every byte of one pane in order; call `forget` after a gap."""

    def __init__(self) -> None:
        self.on: bool | None = None  # None: not known
        self._carried = b""
        self._in_string = False  # inside a DCS string, where tmux executes nothing

    def forget(self) -> None:
        self.on, self._carried, self._in_string = None, b"", False

    def feed(self, data: bytes) -> None:
        if not self._carried and b"\x1b" not in data:
            return
        data = self._carried + data
        for event in _EVENT.finditer(data):
            self._apply(event)
        incomplete = _INCOMPLETE.search(data)
        self._carried = incomplete[0] if incomplete else b""
        if len(self._carried) > CARRIED_BYTES:
            self.forget()

    def _apply(self, event: re.Match[bytes]) -> None:
        if event["reset"]:
            self.on = False
        elif event["dcs"]:
            # tmux and this parser may disagree about where the string ends: start over after it.
            self.on, self._in_string = None, True
        elif event["end"]:
            self._in_string = False
        elif _names_mode(event["body"]):
            plain = _PLAIN.fullmatch(event["body"]) is not None
            self.on = event[0].endswith(b"h") and plain and not self._in_string


def _names_mode(body: bytes) -> bool:
    """Whether tmux could read the mode in these parameters; other bytes may separate the digits."""
    digits = re.sub(rb"[\x00-\x1f\x7f]", b"", body)
    return MODE_NUMBER in {number.lstrip(b"0") for number in re.findall(rb"[0-9]+", digits)}
