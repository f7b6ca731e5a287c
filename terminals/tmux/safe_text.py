"""Which text may be sent to a pane for a caller. REST, MCP and the socket all end here.

Text is not keys. Keys (bytes of a keyboard, key names) are sent unchanged by `Tmux.type` and
`Tmux.press`. Text must not act: without `submit` nothing may run, whatever its characters are.

- Control characters are keys in every shell: C-j, C-m, C-d, C-o (accept the line), ESC (ends a
  bracketed paste). They are refused, with or without `submit`.
- Line breaks and tabs are keys too, unless the program takes a paste as text. A line break runs the
  line; a tab completes, and zsh expands `$(command)` to do so. They need a bracketed paste.

Pure: the driver finds out whether a pane takes bracketed pastes (`Tmux.is_safe_text`).
"""

import re

from core.errors import Invalid

LINE_BREAKS = re.compile(r"\r\n?")
# C0 without tab and line feed, DEL, and C1, which terminals read as escape sequences.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
# U+2028 and U+2029 end a line in JavaScript, and so in some of its command lines.
_ACTING = re.compile(r"[\t\n\r\u2028\u2029]")

NO_PASTE = (
    "text with line breaks or tabs could run without Enter here: the program in this pane is not"
    " known to take a paste as text. Send one line without tabs, send it with Enter (submit), or"
    " save it in a file and send the path"
)


def checked(text: str) -> str:
    """The text with plain line feeds. Raises Invalid if it can never be sent."""
    text = LINE_BREAKS.sub("\n", text)
    if match := _CONTROL.search(text):
        raise Invalid(
            f"text cannot contain the control character U+{ord(match[0]):04X}: remove it, or press"
            " keys by their names, such as Enter, Escape or C-c"
        )
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Invalid("text cannot contain half of a surrogate pair: send valid Unicode") from None
    return text


def acts_when_typed(text: str) -> bool:
    """Whether typing this text does more than insert it into a line."""
    return _ACTING.search(text) is not None
