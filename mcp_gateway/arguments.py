"""Checks the names of a call's arguments and explains invalid values. Pure."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from pydantic import ValidationError

from core.errors import Invalid
from mcp_gateway.registry import Tool


def check_names(tool: Tool, names: Iterable[str]) -> None:
    """The SDK ignores unknown names: with `window_index` a tool would act on another window."""
    unknown = [name for name in names if name not in tool.arguments]
    if not unknown:
        return
    accepted = ", ".join(tool.arguments) or "no arguments"
    raise Invalid(f"unknown argument: {_named(unknown, tool)}. {tool.name} takes {accepted}")


def without_nulls(arguments: Mapping[str, object]) -> dict[str, object]:
    """Models write null for arguments that they omit."""
    return {name: value for name, value in arguments.items() if value is not None}


def explain(error: ValidationError) -> Invalid:
    """Names the arguments but never their values, which may be private."""
    return Invalid("; ".join(f"{_place(part['loc'])}: {part['msg']}" for part in error.errors()))


def _named(unknown: Iterable[str], tool: Tool) -> str:
    return ", ".join(f"{name}{_meant(name, tool)}" for name in unknown)


def _meant(name: str, tool: Tool) -> str:
    by_letters = {each.lower(): each for each in tool.arguments}
    close = get_close_matches(name.replace("_", "").lower(), by_letters, n=1)
    return f" (did you mean {by_letters[close[0]]}?)" if close else ""


def _place(location: tuple[str | int, ...]) -> str:
    return str(location[0]) if location else "arguments"
