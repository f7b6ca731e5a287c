"""Lines sent through every interface are recorded once and in order; passwords never."""

from tests.agents.chat import lines
from tests.terminals.served import served_tmux

WINDOWS, LINES, SEED = 7, 84, 6


async def test_lines_from_every_interface_are_recorded_once_in_order_without_passwords() -> None:
    with served_tmux() as served:
        targets = await lines.drive_all(served, windows=WINDOWS, lines=LINES, seed=SEED)
        recorded = {target.name: lines.lines_of(served, target) for target in targets}
        for target in targets:
            pairs = zip(recorded[target.name], target.expected, strict=False)
            assert [pair for pair in pairs if pair[0] != pair[1]] == [], target.name
            assert len(recorded[target.name]) == len(target.expected), target.name
        assert sum(map(len, recorded.values())) >= LINES
        assert not lines.contains_secret(served)
        served.stop()
        assert lines.SECRET not in served.running.output
