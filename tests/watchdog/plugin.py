"""The pytest side of the watchdog: which reports count, and the fixture that fails the test.

A report of a server process counts unless it is allowed by name. In the test process, tests and
product share one loop: there a report counts if a coroutine of the product was running, or code of
the product without code of a test.
"""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.watchdog import loop
from tests.watchdog.loop import PRODUCT, SlowCallback

# What may hold the loop: the name of a function on the stack or of the callback → the reason. Only
# for start-up: nothing that a terminal, a pattern or a request can reach belongs here.
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
RECORD, BEST = "WEBTMUX_LOOP_WATCHDOG", "WEBTMUX_LOOP_WATCHDOG_BEST"  # environment variables
_directory = tempfile.TemporaryDirectory(prefix="webtmux-watchdog-")
record = Path(_directory.name) / "slow-callbacks"  # written by server processes
_read = 0  # bytes of the record
own_reports: list[SlowCallback] = []  # of this process


def server_environment() -> dict[str, str]:
    """What a server process needs to report to the test that started it; nothing in benchmarks."""
    if "PYTEST_VERSION" not in os.environ:
        return {}
    path = os.pathsep.join([str(SITE), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {RECORD: str(record), BEST: str(loop.best()), "PYTHONPATH": path}


def pytest_configure(config: pytest.Config) -> None:
    if not loop.is_installed():
        loop.install(own_reports.append)


@pytest.fixture(autouse=True)
def loop_watchdog() -> Iterator[None]:
    """Fails a test during which the product held the event loop."""
    own_reports.clear()
    yield
    if slow := [each for each in [*own_reports, *server_reports()] if counts(each)]:
        lines = "\n".join(map(str, slow))
        limit = f"{loop.LIMIT * 1000:.0f} ms"
        pytest.fail(f"the event loop was held over {limit}:\n{lines}", pytrace=False)


def server_reports() -> list[SlowCallback]:
    """The reports of server processes since the last call."""
    global _read
    if not record.exists():
        return []
    lines = record.read_bytes()[_read:].splitlines(keepends=True)
    complete = [line for line in lines if line.endswith(b"\n")]
    _read += sum(map(len, complete))
    return [loop.parse(line.decode()) for line in complete]


def counts(slow: SlowCallback) -> bool:
    """Whether this report fails the test."""
    if ALLOWED.keys() & slow.names():
        return False
    return slow.server or any(map(_is_product_stack, slow.stacks)) or _is_product(slow.callback)


def _is_product_stack(stack: tuple[str, ...]) -> bool:
    """A coroutine of the product, or its code without code of a test."""
    if any(name.startswith("await ") and _is_product(name) for name in stack):
        return True
    return any(map(_is_product, stack)) and not any("tests/" in name for name in stack)


def _is_product(name: str) -> bool:
    return name.removeprefix("await ").partition("/")[0] in PRODUCT
