"""Hostile output of programs."""

from tests.flows.page_driver import PageDriver
from tests.flows.side_effects import SideEffects, side_effects_of


def test_hostile_output_has_no_side_effects(desktop: PageDriver) -> None:
    assert side_effects_of(desktop, 200, seconds=60) == SideEffects()
