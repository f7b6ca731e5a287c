"""A program that means harm prints into a terminal. `make fuzz-page` is the long run."""

from tests.flows.desk import Desk
from tests.flows.harm import Harm, harm_of


def test_hostile_output_reaches_neither_pane_nor_clipboard_nor_page(desk: Desk) -> None:
    assert harm_of(desk, 200, seconds=60) == Harm()
