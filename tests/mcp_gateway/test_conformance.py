"""The official conformance suite on our mount, for every revision that it supports."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.config.servers import environment, serving
from tests.mcp_gateway.suites import CONFORMANCE, modern_node

WAIT_SECONDS = 200.0
# How many scenarios there are: a suite that runs none has no failures either. The number of checks
# in a scenario is not fixed: the suite leaves some out on a slow machine.
REVISIONS = {"2025-06-18": 27, "2025-11-25": 33, "2026-07-28": 40}
SCENARIO = re.compile(r"^(\S) (\S+): (\d+) passed, (\d+) failed", re.MULTILINE)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    env = environment(tmp_path_factory.mktemp("conformance") / "data")
    command = ["-W", "ignore", "-m", "tests.mcp_gateway.conformance"]
    with serving(command, env) as running:
        yield f"{running.address}/mcp"


@pytest.mark.parametrize(("revision", "scenarios"), REVISIONS.items())
def test_no_check_of_the_suite_fails(address: str, revision: str, scenarios: int) -> None:
    node = modern_node()
    if not node or not CONFORMANCE.exists():
        pytest.skip("the suite is not installed: make suites")
    report = run_suite(node, CONFORMANCE, address, revision)
    results = SCENARIO.findall(report)
    assert len(results) == scenarios, report
    assert all(mark == "✓" and failed == "0" for mark, _, _, failed in results), report
    assert sum(int(passed) for *_, passed, _ in results) > scenarios, report


def run_suite(node: str, suite: Path, address: str, revision: str) -> str:
    command = [node, str(suite), "server", "--url", address, "--suite", "all"]
    done = subprocess.run(
        [*command, "--spec-version", revision],
        capture_output=True, text=True, timeout=WAIT_SECONDS, check=False,
    )  # fmt: skip
    return done.stdout + done.stderr
