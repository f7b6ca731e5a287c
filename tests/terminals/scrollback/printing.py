"""A pane that prints exactly the given lines."""

from dataclasses import dataclass

from terminals.tmux.driver import Tmux
from tests.conftest import RunTmux
from tests.waiting import eventually

PROGRAM = "stty -echo; echo ready; exec cat"


@dataclass(frozen=True, slots=True)
class Printer:
    tmux: Tmux
    pane: str
    window: str

    async def say(self, *lines: str) -> None:
        """Print lines and wait until the last one is on the screen."""
        await self.tmux.type(self.pane, "".join(f"{line}\r" for line in lines).encode())
        await self.shows(lines[-1])

    async def shows(self, line: str) -> None:
        async def is_shown() -> bool:
            text = (await self.tmux.capture(self.pane, history=True)).decode()
            return line in text.rstrip().split("\n")[-24:]

        await eventually(is_shown)


async def start_printer(
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
    printer = Printer(tmux, *run_tmux("list-panes", "-t", f"={name}:", "-F", form).split())
    if program == PROGRAM:
        await printer.shows("ready")
    return printer
