"""Who is calling and what they may do. Decided by the gate, read by every door."""

from dataclasses import dataclass
from enum import StrEnum

PRINCIPAL = "webtmux.principal"  # where the gate leaves it in an ASGI scope


class Scope(StrEnum):
    """What a caller may do; each includes the ones before it."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"

    def includes(self, wanted: "Scope") -> bool:
        order = list(Scope)
        return order.index(self) >= order.index(wanted)


class Kind(StrEnum):
    """How the caller was known."""

    PEER = "peer"  # the same user of this machine, as tmux's own socket would admit
    TOKEN = "token"  # noqa: S105
    SESSION = "session"
    PUBLIC = "public"  # a route that anybody may read


@dataclass(frozen=True, slots=True)
class Principal:
    kind: Kind
    name: str
    scope: Scope
