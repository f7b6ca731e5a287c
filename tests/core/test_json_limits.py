"""How many values one request may hold."""

import json

import pytest

from core.errors import Invalid
from core.json_limits import VALUES_LIMIT, check_values


@pytest.mark.parametrize(
    "value",
    [
        {"text": "a, [b], {c}, " * VALUES_LIMIT},
        {"text": '"quoted", \\ ' * VALUES_LIMIT},
        {"text": '\\",' * VALUES_LIMIT},
        [0] * VALUES_LIMIT,
        {"é": "ü" * VALUES_LIMIT},
    ],
)
def test_a_long_text_is_one_value(value: object) -> None:
    check_values(json.dumps(value).encode())
    check_values(json.dumps(value, ensure_ascii=False).encode())


@pytest.mark.parametrize(
    "data",
    [
        b"[" * 20_000,
        b'{"a":' * 20_000,
        json.dumps([[]] * 20_000).encode(),
        json.dumps([""] * 20_000).encode(),
        json.dumps({str(n): n for n in range(20_000)}).encode(),
        b'"' * 200_000,
    ],
)
def test_too_many_values_are_refused(data: bytes) -> None:
    with pytest.raises(Invalid, match="more than 10,000 values in one request; send it in parts"):
        check_values(data)
