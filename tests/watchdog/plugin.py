"""The pytest side of the watchdog: which reports count, and the fixture that fails the test.

A report of a server process counts unless it is allowed by name. In the test's own process tests
and product share one loop: there a report counts if a coroutine of the product was running, or if
no code of a test was.
"""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.watchdog import loop
from tests.watchdog.loop import PRODUCT, Held

# What may hold the loop, by the name of a function on the stack or of the callback → why. Start-up
# only: nothing that a terminal, a pattern or a request can reach belongs here.
ALLOWED: dict[str, str] = {
    "config/management/commands/mcp_stdio.py:_serve": (
        "start-up: imports the application before it reads the first request"
    ),
    "config/urls.py:<module>": (
        "start-up: a server loads it before it listens, the test process with its first request"
    ),
    "openai/_utils/_transform.py:get_type_hints": (
        "the first call of the openai package evaluates its type hints, once in a process"
    ),
}

SITE = Path(__file__).parent / "site"
RECORD = "WEBTMUX_LOOP_WATCHDOG"
_directory = tempfile.TemporaryDirectory(prefix="webtmux-watchdog-")
record = Path(_directory.name) / "held"
_read = 0  # bytes of the record
own: list[Held] = []  # reports of this process


def server_environment() -> dict[str, str]:
    """What a server process needs to report to the test that started it; nothing in benchmarks."""
    if "PYTEST_VERSION" not in os.environ:
        return {}
    path = os.pathsep.join([str(SITE), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {RECORD: str(record), "PYTHONPATH": path}


def pytest_configure(config: pytest.Config) -> None:
    if loop._watch is None:
        loop.install(own.append)


@pytest.fixture(autouse=True)
def loop_watchdog() -> Iterator[None]:
    """Fails a test during which the event loop was held by the product."""
    own.clear()
    yield
    if held := counted([*own, *taken()]):
        told = "\n".join(map(str, held))
        limit = f"{loop.LIMIT * 1000:.0f} ms"
        pytest.fail(f"the event loop was held over {limit}:\n{told}", pytrace=False)


def taken() -> list[Held]:
    """The reports of server processes since the last call."""
    global _read
    if not record.exists():
        return []
    lines = record.read_bytes()[_read:].splitlines(keepends=True)
    whole = [line for line in lines if line.endswith(b"\n")]
    _read += sum(map(len, whole))
    return [loop.read(line.decode()) for line in whole]


def counted(reports: list[Held]) -> list[Held]:
    return [held for held in reports if counts(held)]


def counts(held: Held) -> bool:
    if ALLOWED.keys() & held.names():
        return False
    return held.server or any(map(_is_product, held.stacks)) or _of_product(held.callback)


def _is_product(stack: tuple[str, ...]) -> bool:
    """A coroutine of the product, or its code called by nobody else than the loop."""
    if any(name.startswith("await ") and _of_product(name) for name in stack):
        return True
    return any(map(_of_product, stack)) and not any("tests/" in name for name in stack)


def _of_product(name: str) -> bool:
    return name.removeprefix("await ").partition("/")[0] in PRODUCT
