"""`manage.py prune`: remove data beyond the limits in the settings. Safe while the server runs.

config/retention.py decides what is removed.
"""

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from config.retention import PruneProgress, prune

BAR = 40  # characters


class Command(BaseCommand):
    help = "Remove data that is older or larger than the WEBTMUX_KEEP_… settings allow."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--dry-run", action="store_true", help="only show what would be removed"
        )

    def handle(self, *args: object, dry_run: bool, **options: object) -> None:
        last = PruneProgress("", 0, 0)
        for progress in prune(settings.WEBTMUX, dry_run=dry_run):
            if progress.removed and self.stdout.isatty():
                self.stdout.write(f"\r{bar(progress)}", ending="")
            if progress.name != last.name:
                self._conclude(last, dry_run)
            last = progress
        self._conclude(last, dry_run)

    def _conclude(self, done: PruneProgress, dry_run: bool) -> None:
        if done.name:
            result = f"{done.of} to remove" if dry_run else f"{done.removed} removed"
            end = "\r\033[K" if self.stdout.isatty() else ""
            self.stdout.write(f"{end}{done.name}: {result}")


def bar(progress: PruneProgress) -> str:
    filled = BAR * progress.removed // max(1, progress.of)
    share = f"{progress.removed:,} of {progress.of:,}"
    return f"{progress.name} [{'#' * filled}{'.' * (BAR - filled)}] {share}"
