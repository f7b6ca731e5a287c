"""The official conformance suite on our mount, for every revision that it supports."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.config.servers import environment, serving
from tests.mcp_gateway.suites import CONFORMANCE, modern_node

WAIT_SECONDS = 200.0
# How many checks passed when this was written: a suite that runs none has no failures either.
REVISIONS = {"2025-06-18": 56, "2025-11-25": 81, "2026-07-28": 152}


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    env = environment(tmp_path_factory.mktemp("conformance") / "data")
    command = ["-W", "ignore", "-m", "tests.mcp_gateway.conformance"]
    with serving(command, env) as running:
        yield f"{running.address}/mcp"


@pytest.mark.parametrize(("revision", "expected"), REVISIONS.items())
def test_no_check_of_the_suite_fails(address: str, revision: str, expected: int) -> None:
    node = modern_node()
    if not node or not CONFORMANCE.exists():
        pytest.skip("the suite is not installed: make suites")
    report = run_suite(node, CONFORMANCE, address, revision)
    totals = re.search(r"Total: (\d+) passed, (\d+) failed", report)
    assert totals is not None, report
    assert int(totals[2]) == 0, report
    assert int(totals[1]) >= expected


def run_suite(node: str, suite: Path, address: str, revision: str) -> str:
    command = [node, str(suite), "server", "--url", address, "--suite", "all"]
    done = subprocess.run(
        [*command, "--spec-version", revision],
        capture_output=True, text=True, timeout=WAIT_SECONDS, check=False,
    )  # fmt: skip
    return done.stdout + done.stderr
