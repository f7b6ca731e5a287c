"""The tool sets that an address serves: `/mcp?tools=workspace,notes`. Pure."""

from functools import lru_cache

from core.errors import Invalid
from mcp_gateway.registry import ToolSet

EVERY = frozenset(ToolSet)


@lru_cache(maxsize=64)  # called for every request, nearly always with the same text
def parse(text: str, *, served: frozenset[ToolSet] = EVERY) -> frozenset[ToolSet]:
    """The named sets among `served`; all of these if none is named."""
    wanted = [word.strip() for word in text.split(",") if word.strip()]
    unknown = [word for word in wanted if word not in served]
    if unknown:
        raise Invalid(f"there is no tool set {unknown[0]!r} here: use {join(served)}")
    return frozenset(ToolSet(word) for word in wanted) or served


def join(sets: frozenset[str]) -> str:
    """The names in a fixed order, as an address takes them."""
    return ",".join(name for name in ToolSet if name in sets)
