"""Limits the number of values in the JSON of one request: parsing it blocks the event loop. Pure.

A long text, such as a prompt or a note, is one value and is parsed quickly. A hundred thousand
small values are not, and validation reports each wrong one separately. Our own requests have tens.
"""

from core.errors import Invalid

VALUES_LIMIT = 10_000
TOO_MANY = f"invalid JSON: more than {VALUES_LIMIT:,} values in one request; send it in parts"


def check_values(data: bytes) -> None:
    """Count the characters that separate values: a few passes of C code for any input."""
    if _separators(data) + data.count(b'"') <= VALUES_LIMIT:
        return
    # Strings may contain any number of them: count only those outside of strings.
    plain = data.replace(b"\\\\", b"").replace(b'\\"', b"")
    if plain.count(b'"') > 4 * VALUES_LIMIT:
        raise Invalid(TOO_MANY)
    if _separators(b"".join(plain.split(b'"')[::2])) > VALUES_LIMIT:
        raise Invalid(TOO_MANY)


def _separators(data: bytes) -> int:
    return data.count(b",") + data.count(b"[") + data.count(b"{")
