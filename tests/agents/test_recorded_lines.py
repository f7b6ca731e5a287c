"""Every line, whatever the door, is recorded once and in order; a hidden one nowhere."""

from tests.agents import lines
from tests.terminals.served import served_tmux

WINDOWS, LINES, SEED = 7, 84, 6


async def test_every_line_of_every_door_is_recorded_once_in_order_and_no_password() -> None:
    with served_tmux() as served:
        targets = await lines.drive_all(served, windows=WINDOWS, lines=LINES, seed=SEED)
        told = {target.name: lines.lines_of(served, target) for target in targets}
        for target in targets:
            pairs = zip(told[target.name], target.expected, strict=False)
            assert [pair for pair in pairs if pair[0] != pair[1]] == [], target.name
            assert len(told[target.name]) == len(target.expected), target.name
        assert sum(map(len, told.values())) >= LINES
        assert not lines.holds_secret(served)
        assert lines.SECRET not in served.running.output
