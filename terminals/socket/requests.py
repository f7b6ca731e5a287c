"""Parses the requests of the socket: JSON objects with a type.

Pure. The handlers of the requests are in each app's ws.py.
"""

import json
from collections.abc import Mapping

from core.errors import Invalid
from core.json_limits import check_values

Request = Mapping[str, object]


class MissingField(Invalid):
    def __init__(self, field: str) -> None:
        super().__init__(f"{field} field required")


def parse(text: str) -> dict[str, object]:
    # Lone surrogates are checked where the text is used.
    check_values(text.encode("utf-8", "surrogatepass"))
    try:
        request = json.loads(text, parse_constant=finite, parse_float=finite)
    except (ValueError, RecursionError) as problem:
        raise Invalid(f"invalid JSON: {problem}") from None
    if not isinstance(request, dict):
        raise Invalid("invalid JSON: expected an object")
    if isinstance(request.get("id"), dict | list):
        raise Invalid("invalid JSON: id must be a string or a number")
    return request


def text_field(request: Request, name: str) -> str:
    """A required field."""
    value = request.get(name)
    if value is None or value == "":
        raise MissingField(name)
    if not isinstance(value, str):
        raise Invalid(f"{name} must be a string")
    return value


def identity(request: Request) -> dict[str, object]:
    """The id of the request, unchanged, if it has one."""
    return {"id": request["id"]} if "id" in request else {}


def lane(request: Request) -> str:
    """Requests of one lane keep their order: subscribing and unsubscribing the same output."""
    return f"{str(request['type']).removeprefix('un')} {request.get('agent', '')}"


def finite(text: str) -> float:
    """Refuses NaN and Infinity: an answer that repeats them would not be JSON."""
    if (number := float(text)) - number != 0:
        raise ValueError("a number is too large or not a number")
    return number
