"""`manage.py score_screens DIRECTORY`: scores the screen rules with labelled screens.

The layout of the directory is described in agents/screen/scoring.py. The exit code is 1 if a screen
is misread.
"""

import sys
from itertools import groupby
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from agents.screen.scoring import PATTERN, InvalidLabel, ScoredScreen, score


class Command(BaseCommand):
    help = "Score the screen rules with labelled screens: DIRECTORY/RUNTIME/SIZE--STATE--NAME.txt."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("directory", type=Path)

    def handle(self, *args: object, directory: Path, **options: object) -> None:
        try:
            screens = list(score(directory))
        except (InvalidLabel, OSError) as problem:
            raise CommandError(str(problem)) from None
        if not screens:
            raise CommandError(f"there are no screens: {directory / PATTERN}")
        for line in report(screens):
            self.stdout.write(line)
        if not all(screen.right for screen in screens):
            sys.exit(1)


def report(screens: list[ScoredScreen]) -> list[str]:
    """One line for each runtime, then one for each screen that is misread."""
    lines = []
    for runtime, group in groupby(screens, key=lambda screen: screen.runtime):
        results = [screen.right for screen in group]
        lines.append(f"{runtime}: {sum(results)} of {len(results)}")
    for screen in screens:
        if not screen.right:
            name = f"{screen.runtime}/{screen.path.name}"
            rule = screen.reading.rule or "no rule"
            lines.append(f"{name}: {screen.reading.state} by {rule!r}")
    return lines
