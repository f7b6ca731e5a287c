"""Regular expressions that callers send: filters, searches, and conditions to wait for.

RE2 matches in time that grows only with pattern and text, and never backtracks. The syntax is that
of RE2 and Go (https://github.com/google/re2/wiki/Syntax): no look-around, no back-references.

Pure. A search over much text belongs in `core.offload`: RE2 releases the GIL, but a large
pattern takes up to 10 microseconds per character.
"""

import re2

from core.errors import Invalid

PATTERN_LIMIT = 500  # characters
TEXT_LIMIT = 4096  # characters of one text that are searched; a path is not longer
MEMORY_LIMIT = 512 * 1024  # bytes of one compiled pattern with its caches; re2 keeps 128 of them
REPEAT_LIMIT = 1000  # of RE2 itself: the largest product of nested repeat counts
SYNTAX = "patterns are in RE2 syntax"

# The beginning of RE2's message → what to write instead.
_ADVICE = {
    "invalid perl operator": f"{SYNTAX}, without look-around, conditions and atomic groups",
    "invalid escape sequence: \\Z": f"{SYNTAX}: write \\z for the end of the text",
    "invalid escape sequence: \\u": f"{SYNTAX}: write \\x{{10FFFF}} for a character by its number",
    "invalid escape sequence": f"{SYNTAX}, without back-references",
    "bad repetition operator": f"{SYNTAX}, without possessive and doubled repetitions",
    "invalid repetition size": f"repeat at most {REPEAT_LIMIT} times, nested counts multiplied",
    "pattern too large": "use smaller repeat counts and fewer character classes",
}


class Pattern:
    """A compiled pattern. Safe to use from several threads at once."""

    def __init__(self, text: str) -> None:
        """Raises `Invalid`, which says what is wrong and what to write instead."""
        if len(text) > PATTERN_LIMIT:
            raise Invalid(f"longer than {PATTERN_LIMIT} characters")
        try:
            # As bytes: for str the wrapper would also map every offset back to characters.
            self._compiled = re2.compile(text.encode(), _options())
        except UnicodeEncodeError:
            raise Invalid("half of a surrogate pair is not a character") from None
        except re2.error as error:
            raise Invalid(_explain(error)) from None

    def search(self, text: str) -> bool:
        """Whether it matches anywhere in the first `TEXT_LIMIT` characters."""
        data = text[:TEXT_LIMIT].encode("utf-8", "replace")
        return self._compiled.search(data) is not None


def compile(text: str, *, subject: str = "pattern") -> Pattern:
    """`what` is named in the error: "invalid session include filter: missing ): ("."""
    try:
        return Pattern(text)
    except Invalid as error:
        raise Invalid(f"invalid {subject}: {error.message}") from None


def _options() -> re2.Options:
    options = re2.Options()
    options.max_mem = MEMORY_LIMIT
    options.log_errors = False  # they are raised; RE2 would also write them to stderr
    options.never_capture = True  # what groups matched is never used
    return options


def _explain(error: re2.error) -> str:
    message = error.args[0]
    text = message.decode("utf-8", "replace") if isinstance(message, bytes) else str(message)
    advice = next((advice for begin, advice in _ADVICE.items() if text.startswith(begin)), "")
    return f"{text} ({advice})" if advice else text
