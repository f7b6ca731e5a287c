"""How many values the JSON of one request may hold: reading and checking it holds the event loop.

Pure. A long text, such as a prompt or a note, is one value and read quickly; a hundred thousand
small values are not, and each that is wrong gets an error of its own. Requests of ours have tens.
"""

from terminals.errors import Invalid

VALUES_LIMIT = 10_000
TOO_MANY = f"invalid JSON: more than {VALUES_LIMIT:,} values in one request; send it in parts"


def check_values(data: bytes) -> None:
    """Counts the characters that separate values. A few passes of C code, whatever is in it."""
    if _separators(data) + data.count(b'"') <= VALUES_LIMIT:
        return
    # A text may hold as many of them as it likes: only what is outside of strings counts.
    plain = data.replace(b"\\\\", b"").replace(b'\\"', b"")
    if plain.count(b'"') > 4 * VALUES_LIMIT:
        raise Invalid(TOO_MANY)
    if _separators(b"".join(plain.split(b'"')[::2])) > VALUES_LIMIT:
        raise Invalid(TOO_MANY)


def _separators(data: bytes) -> int:
    return data.count(b",") + data.count(b"[") + data.count(b"{")
