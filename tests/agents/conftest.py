"""Deliveries to fake agents do not depend on the machine's speed in any test of this directory."""

import pytest

from tests.agents.pacing import paced_deliveries, quick_retries

__all__ = ["paced_deliveries", "quick_retries"]


@pytest.fixture(autouse=True)
def _paced(paced_deliveries: None) -> None:
    """For every test, because the fixture costs nothing where nothing is delivered."""
