"""A pane that prints exactly what a test says, line by line."""

from dataclasses import dataclass

from terminals.tmux.driver import Tmux
from tests.conftest import RunTmux
from tests.terminals.tmux.waiting import eventually

PROGRAM = "stty -echo; echo ready; exec cat"


@dataclass(frozen=True, slots=True)
class Printer:
    tmux: Tmux
    pane: str
    window: str

    async def say(self, *lines: str) -> None:
        """Print lines and wait until the last of them stands there."""
        await self.tmux.type(self.pane, "".join(f"{line}\r" for line in lines).encode())
        await self.shows(lines[-1])

    async def shows(self, line: str) -> None:
        async def there() -> bool:
            text = (await self.tmux.capture(self.pane, history=True)).decode()
            return line in text.rstrip().split("\n")[-24:]

        await eventually(there)


async def printer(
    tmux: Tmux,
    run_tmux: RunTmux,
    name: str = "print",
    *,
    history: int = 2000,
    program: str = PROGRAM,
) -> Printer:
    run_tmux("set-option", "-g", "history-limit", str(history))
    run_tmux("new-session", "-d", "-s", name, "-x", "80", "-y", "24", program)
    form = "#{pane_id} #{window_id}"
    made = Printer(tmux, *run_tmux("list-panes", "-t", f"={name}:", "-F", form).split())
    if program == PROGRAM:
        await made.shows("ready")
    return made
