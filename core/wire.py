"""Base classes of the schemas that REST, MCP and the socket share. Pure.

JSON keys are camelCase; Python names are snake_case. Every app's `schemas.py` builds on these.
"""

from dataclasses import dataclass
from typing import Annotated, Generic, Literal, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic.alias_generators import to_camel

TEXT_LIMIT = 1_000_000  # characters of one text in a request: a whole file, and still one paste
Item = TypeVar("Item")


def _encodable(text: str) -> str:
    """JSON can carry half of a surrogate pair, which no encoding can represent."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("this is not valid Unicode text") from None
    return text


Text = Annotated[str, AfterValidator(_encodable)]


class Wire(BaseModel):
    model_config = ConfigDict(
        alias_generator=to_camel, populate_by_name=True, serialize_by_alias=True, frozen=True
    )


class RequestBody(Wire):
    """The body of a request. Unknown fields are an error instead of being ignored."""

    model_config = ConfigDict(extra="forbid")


class Paging(Wire):
    """The query parameters of every paginated list."""

    limit: int = Field(100, ge=1, le=1000)
    offset: int = Field(0, ge=0, le=1_000_000_000)


class Page(Wire, Generic[Item]):
    """One page of a list. `count` is the length of the whole list."""

    items: list[Item]
    count: int
    limit: int
    offset: int


class ErrorDetail(Wire):
    code: str
    message: str
    field: str | None = Field(None, description="of the request; absent if it is not about one")


class ErrorOut(Wire):
    error: ErrorDetail


class SocketRequest(Wire):
    """A request of the socket; `type` and `id` come from the exchange. Used for documentation and
    for the types of the page: the handlers in each app's ws.py read the fields themselves."""


class SocketMessage(Wire):
    """What the server sends over the socket."""

    def message(self) -> dict[str, object]:
        return self.model_dump(mode="json")


class SocketAnswer(SocketMessage):
    """The response to a request that succeeded."""

    ok: Literal[True] = True


# For a field that is left out instead of being null.
MAY_BE_ABSENT = {"x-may-be-absent": True}


@dataclass(frozen=True, slots=True)
class Exchange:
    """What one type of request contains, and what its response contains."""

    request: type[SocketRequest] | type[Wire] = SocketRequest
    response: type[Wire] = SocketAnswer
