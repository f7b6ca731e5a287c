"""No regular expression in webtmux can be made slow by the text that it reads.

Every pattern that a module or a rule file contains is tried on long runs of the characters it
contains, which is what makes a backtracking engine quadratic or worse.
"""

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import agents
import config
import mcp_gateway
import notes
import terminals
from agents.runtimes.loader import load
from tests.scaling import grows_linearly

PACKAGES = (agents, config, mcp_gateway, notes, terminals)
RUNTIMES = sorted(path.stem for path in (Path(agents.__path__[0]) / "runtimes").glob("*.toml"))
# Patterns that are only tried at the beginning of a text: `search` would try every place.
AT_START = {"agents.detection.classify._SCRIPT.0",
            "notes.notion.addresses._HOSTS.0", "notes.tasklist._FENCE.0",
            "notes.tasklist._FENCE_END.0", "notes.tasklist._NO_TASK.0"}  # fmt: skip
SIZE = 250
COMMON = (" ", "a", "1", "a ", " a", "1 ", ". ", "/", "a/", "(", ")", "[y ", "- ", "\t", "\n", "y")


def modules() -> Iterator[str]:
    for package in PACKAGES:
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not {"migrations", "commands"}.intersection(module.name.split(".")):
                yield module.name


def of_modules() -> dict[str, "re.Pattern[str] | re.Pattern[bytes]"]:
    patterns = {}
    for name in modules():
        for key, value in vars(importlib.import_module(name)).items():
            for number, pattern in enumerate(
                value if isinstance(value, tuple | list) else (value,)
            ):
                if isinstance(pattern, re.Pattern):
                    patterns[f"{name}.{key}.{number}"] = pattern
    return patterns


def of_rules() -> dict[str, "re.Pattern[str] | re.Pattern[bytes]"]:
    patterns: dict[str, re.Pattern[str] | re.Pattern[bytes]] = {}

    def add(name: str, value: object) -> None:
        if isinstance(value, re.Pattern):
            patterns[name] = value
        elif isinstance(value, tuple):
            for number, each in enumerate(value):
                add(f"{name}.{number}", each)
        elif hasattr(value, "__dataclass_fields__"):
            for key in value.__dataclass_fields__:
                add(f"{name}.{key}", getattr(value, key))

    for name in RUNTIMES:
        add(f"rules.{name}", load(name))
    return patterns


PATTERNS = of_modules() | of_rules()


def test_patterns_are_found() -> None:
    assert len(PATTERNS) > 100
    assert "agents.screen.menus._NUMBERED.0" in PATTERNS


def units(pattern: str) -> list[str]:
    """What is repeated: characters of the pattern, alone and next to a blank."""
    letters = dict.fromkeys(
        char for char in pattern if not char.isalnum() and char not in "?*+^$|\\"
    )
    words = re.findall(r"[a-z]{3,}", pattern)[:8]
    return list(dict.fromkeys([*COMMON, *letters, *(f"{letter} " for letter in letters), *words]))


@pytest.mark.parametrize("name", sorted(PATTERNS))
def test_a_pattern_reads_its_text_about_once(name: str) -> None:
    pattern = PATTERNS[name]
    is_bytes = isinstance(pattern.pattern, bytes)
    source = pattern.pattern.decode() if isinstance(pattern.pattern, bytes) else pattern.pattern
    search: Callable[[Any], object] = pattern.match if name in AT_START else pattern.search
    for unit in units(source):
        for before in ("", *units(source)[len(COMMON) : len(COMMON) + 6]):

            def text(size: int, unit: str = unit, before: str = before) -> Any:
                whole = before + unit * (size // len(unit)) + "\x01"
                return whole.encode() if is_bytes else whole

            assert grows_linearly(search, text, SIZE), (pattern.pattern, before, unit)
