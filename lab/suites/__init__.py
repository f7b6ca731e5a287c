"""Measurements with real agents. Each suite drives webtmux over REST and trusts only what the agent
did: the files that its commands created, the model server's log, and the agent's own settings.
"""

from collections.abc import Callable

from lab.agents import AgentProgram
from lab.suites import answers, away, chat, delivery, dialogs, doubles, menus, runs, states, waits
from lab.suites.common import Table

# Each takes the size of the pane and, if given, how much to do.
SUITES: dict[str, Callable[[AgentProgram, str, int | None], Table]] = {
    "answers": answers.measure,
    "away": away.measure,
    "chat": chat.measure,
    "delivery": delivery.measure,
    "dialogs": dialogs.measure,
    "doubles": doubles.measure,
    "menus": menus.measure,
    "runs": runs.measure,
    "states": states.measure,
    "waits": waits.measure,
}
