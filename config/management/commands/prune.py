"""`manage.py prune`: removes what is older or more than the settings keep. Safe while serving.

What that is, is in config/pruning.py.
"""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from config.pruning import Progress, prune

BAR = 40  # characters


class Command(BaseCommand):
    help = "Remove what is older or more than WEBTMUX_KEEP_… allow."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="only say what would go")

    def handle(self, *args: Any, **options: Any) -> None:
        dry, last = options["dry_run"], Progress("", 0, 0)
        for progress in prune(settings.WEBTMUX, dry_run=dry):
            if progress.removed and self.stdout.isatty():
                self.stdout.write(f"\r{bar(progress)}", ending="")
            if progress.name != last.name:
                self._conclude(last, dry)
            last = progress
        self._conclude(last, dry)

    def _conclude(self, done: Progress, dry: bool) -> None:
        if done.name:
            said = f"{done.of} to remove" if dry else f"{done.removed} removed"
            end = "\r\033[K" if self.stdout.isatty() else ""
            self.stdout.write(f"{end}{done.name}: {said}")


def bar(progress: Progress) -> str:
    filled = BAR * progress.removed // max(1, progress.of)
    share = f"{progress.removed:,} of {progress.of:,}"
    return f"{progress.name} [{'#' * filled}{'.' * (BAR - filled)}] {share}"
