"""`manage.py explain_agent NAME | --file screen.txt`: shows why an agent has its state.

Reads tmux directly. A running server is not needed; but only that server knows what hooks have
reported: `GET /api/agents/NAME/explain` shows it.
"""

import asyncio
import sys
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from agents import selectors
from agents.registry import Agent
from agents.runtimes.loader import GENERIC, runtimes
from agents.schemas import ExplainOut
from agents.screen.states import HOLD_SECONDS
from agents.workers import Scan
from core.errors import WebtmuxError
from terminals.runtime import temporary_roots
from terminals.tmux.driver import Tmux


class Command(BaseCommand):
    help = "Show which rule decides the state of an agent, and which line of its screen it matches."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", nargs="?", default="", help="the name of a running agent")
        parser.add_argument(
            "--file", help="a captured screen, with or without colours; - reads stdin"
        )
        parser.add_argument(
            "--runtime",
            default=GENERIC,
            choices=[*(rules.runtime for rules in runtimes()), GENERIC],
            help="the rules to use with --file (default: %(default)s)",
        )

    def handle(
        self, *args: object, name: str, file: str | None, runtime: str, **options: object
    ) -> None:
        if bool(name) == bool(file):
            raise CommandError("give either the NAME of an agent or --file")
        try:
            explained = (
                _explain_file(file, runtime) if file else asyncio.run(_explain_running(name))
            )
        except (WebtmuxError, OSError) as problem:
            raise CommandError(str(problem)) from None
        for line in report(explained):
            self.stdout.write(line)


def _explain_file(source: str, runtime: str) -> ExplainOut:
    try:
        raw = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    except OSError as problem:
        raise CommandError(f"cannot read {source}: {problem.strerror}") from None
    return selectors.explain_screen(raw.decode("utf-8", "replace"), runtime)


async def _explain_running(name: str) -> ExplainOut:
    env = settings.WEBTMUX
    tmux = Tmux(socket=env.tmux_socket, roots=temporary_roots(env.data_dir))
    await tmux.start()
    try:
        scan = Scan(tmux)
        await scan.run()
        await asyncio.sleep(HOLD_SECONDS)  # a state is believed after a second capture
        agents = {agent.name: agent for agent in await scan.run()}
        return await selectors.explain_pane(tmux=tmux, agent=_find(name, agents))
    finally:
        await tmux.stop()


def _find(name: str, agents: dict[str, Agent]) -> Agent:
    if name in agents:
        return agents[name]
    running = ", ".join(agents) or "none"
    raise CommandError(f"there is no agent named {name!r}. Running agents: {running}")


def report(explained: ExplainOut) -> list[str]:
    lines = [f"{explained.runtime}: {explained.state}"]
    if explained.rule:
        lines.append(f"  decided by the rule {explained.rule!r}: {explained.evidence!r}")
    if explained.question:
        lines.append(f"  question: {explained.question}")
    for option in explained.options:
        mark = ">" if option.selected else " "
        lines.append(f"  {mark} {option.number}. {option.label}  [{option.key or 'Enter'}]")
    lines += _witnesses(explained)
    composer = "not visible" if explained.composer is None else repr(explained.composer)
    lines += [f"  composer: {composer}", "", "rules, in order of priority:"]
    for rule in explained.rules:
        result = "no" if rule.evidence is None else f"yes: {rule.evidence!r}"
        lines.append(f"  {rule.priority:3} {rule.state:8} {rule.region:10} {rule.name}: {result}")
    return lines


def _witnesses(explained: ExplainOut) -> list[str]:
    """The reported question, and the witnesses besides the screen."""
    lines = []
    if explained.reported_question:
        question = explained.reported_question
        lines.append(f"  about: {question.kind} {question.subject or question.path}".rstrip())
    if process := explained.process:
        place = "stopped" if process.stopped else "in front" if process.foreground else "behind"
        lines.append(f"  process: {process.pid}, {place}")
        for name, event in (("hook", explained.hook), ("journal", explained.journal)):
            last_report = (
                f"{event.event}, {event.age_seconds} s ago" if event else "nothing known here"
            )
            lines.append(f"  {name}: {last_report}")
    if explained.decided_by:
        disputed = ", disputed" if explained.disputed else ""
        lines.append(
            f"  reported: {explained.believed}, decided by the {explained.decided_by}{disputed}"
        )
    return lines
