"""`manage.py explain_agent NAME | --file screen.txt`: which rule says what an agent is doing.

Reads tmux once by itself; a running server is neither needed nor asked.
"""

import asyncio
import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from agents import selectors
from agents.registry import Agent
from agents.rules import GENERIC, runtimes
from agents.schemas import ExplainOut
from agents.workers import Scan
from terminals.errors import WebtmuxError
from terminals.runtime import temporary_roots
from terminals.tmux.driver import Tmux


class Command(BaseCommand):
    help = "Say which rule decides what an agent is doing, and on which line of its screen."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", nargs="?", default="", help="of an agent that runs")
        parser.add_argument("--file", help="a screen as text, with or without colours; - is stdin")
        parser.add_argument(
            "--runtime", default=GENERIC, choices=[*(one.runtime for one in runtimes()), GENERIC]
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if bool(options["name"]) == bool(options["file"]):
            raise CommandError("give either the NAME of an agent or --file")
        try:
            told = _of_file(options) if options["file"] else asyncio.run(_live(options["name"]))
        except (WebtmuxError, OSError) as problem:
            raise CommandError(str(problem)) from None
        for line in report(told):
            self.stdout.write(line)


def _of_file(options: dict[str, Any]) -> ExplainOut:
    source = options["file"]
    try:
        raw = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    except OSError as problem:
        raise CommandError(f"cannot read {source}: {problem.strerror}") from None
    return selectors.explain_screen(raw.decode("utf-8", "replace"), options["runtime"])


async def _live(name: str) -> ExplainOut:
    env = settings.WEBTMUX
    tmux = Tmux(socket=env.tmux_socket, roots=temporary_roots(env.data_dir))
    await tmux.start()
    try:
        found = {agent.name: agent for agent in await Scan(tmux).look()}
        return await selectors.explain_pane(tmux=tmux, agent=_one(name, found))
    finally:
        await tmux.stop()


def _one(name: str, found: dict[str, Agent]) -> Agent:
    if name in found:
        return found[name]
    there = ", ".join(found) or "there are none"
    raise CommandError(f"there is no agent named {name!r}: {there}")


def report(told: ExplainOut) -> list[str]:
    lines = [f"{told.runtime}: {told.state}"]
    lines += [f"  because of the rule {told.rule!r}: {told.evidence!r}"] if told.rule else []
    lines += [f"  it asks: {told.question}"] if told.question else []
    for option in told.options:
        mark = ">" if option.selected else " "
        lines.append(f"  {mark} {option.number}. {option.label}  [{option.key or 'Enter'}]")
    box = "is not seen" if told.composer is None else f"holds {told.composer!r}"
    lines += [f"  its composer {box}", "", "rules, in their order:"]
    for rule in told.rules:
        verdict = "no" if rule.evidence is None else f"yes: {rule.evidence!r}"
        lines.append(f"  {rule.priority:3} {rule.state:8} {rule.region:10} {rule.name}: {verdict}")
    return lines
