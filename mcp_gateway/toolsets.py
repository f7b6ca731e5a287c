"""Which sets of tools an address serves: `/mcp?tools=workspace,notes`. Pure.

Not what a set holds: each tool names its own.
"""

from functools import lru_cache

from mcp_gateway.registry import ToolSet
from terminals.errors import Invalid

EVERY = frozenset(ToolSet)


@lru_cache(maxsize=64)  # asked with every request, and nearly always the same
def parse(text: str, *, served: frozenset[ToolSet] = EVERY) -> frozenset[ToolSet]:
    """Of those that are `served`; no names at all: every one of them."""
    wanted = [word.strip() for word in text.split(",") if word.strip()]
    unknown = [word for word in wanted if word not in served]
    if unknown:
        raise Invalid(f"there is no tool set {unknown[0]!r} here: use {told(served)}")
    return frozenset(ToolSet(word) for word in wanted) or served


def told(sets: frozenset[ToolSet]) -> str:
    """In the order of the documents, as an address takes them."""
    return ",".join(each for each in ToolSet if each in sets)
