"""A request of the socket: a JSON object with a type, and what can be wrong with it.

Pure; what a request does is in each app's ws.py.
"""

import json
from collections.abc import Mapping
from typing import Any

from terminals.errors import Invalid
from terminals.json_limits import check_structure

Request = Mapping[str, Any]


class MissingField(Invalid):
    def __init__(self, field: str) -> None:
        super().__init__(f"{field} field required")


def parse(text: str) -> dict[str, Any]:
    try:
        # Half characters are judged by whoever uses the text.
        check_structure(text.encode("utf-8", "surrogatepass"))
        request = json.loads(text, parse_constant=finite, parse_float=finite)
    except (Invalid, ValueError, RecursionError) as problem:
        raise Invalid(f"invalid JSON: {problem}") from None
    if not isinstance(request, dict):
        raise Invalid("invalid JSON: expected an object")
    if isinstance(request.get("id"), dict | list):
        raise Invalid("invalid JSON: id must be a string or a number")
    return request


def text_field(request: Request, name: str) -> str:
    """A field that must be there."""
    value = request.get(name)
    if value is None or value == "":
        raise MissingField(name)
    if not isinstance(value, str):
        raise Invalid(f"{name} must be a string")
    return value


def identity(request: Request) -> dict[str, Any]:
    """The id as the client gave it, if it gave one."""
    return {"id": request["id"]} if "id" in request else {}


def lane(request: Request) -> str:
    """Requests of one lane are done in order: whoever subscribes and unsubscribes means it so."""
    return f"{request['type'].removeprefix('un')} {request.get('agent', '')}"


def finite(text: str) -> float:
    """An answer that echoes NaN or Infinity would be no JSON."""
    if (number := float(text)) - number != 0:
        raise ValueError("a number is too large, or none")
    return number
