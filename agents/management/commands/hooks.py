"""`manage.py hooks install|status|uninstall [RUNTIME…]`: for agents that are started by hand."""

from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from agents.witnesses.hooks import services
from agents.witnesses.hooks.install import RUNTIMES
from core.errors import WebtmuxError


class Command(BaseCommand):
    help = "Let agents that you start by hand report to webtmux what they do, or undo that."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("action", choices=["install", "status", "uninstall"])
        parser.add_argument(
            "runtimes",
            nargs="*",
            metavar="RUNTIME",
            help=f"of {', '.join(RUNTIMES)}; by default all that are used here",
        )
        parser.add_argument(
            "--dry-run", action="store_true", help="show the changes as a diff, write nothing"
        )

    def handle(
        self, *args: object, action: str, runtimes: list[str], dry_run: bool, **options: object
    ) -> None:
        place = services.HookPlace(Path.home(), settings.WEBTMUX.data_dir)
        try:
            if dry_run and action != "status":
                diff = services.preview(place, runtimes, install=action == "install")
                self.stdout.write(diff or "nothing to change\n", ending="")
                return
            run = {
                "install": services.install_hooks,
                "status": services.hooks_status,
                "uninstall": services.uninstall_hooks,
            }[action]
            statuses = run(place, runtimes)
        except (WebtmuxError, OSError) as problem:
            raise CommandError(str(problem)) from None
        for status in statuses:
            detail = status.problem or ", ".join(status.files)
            self.stdout.write(f"{status.runtime:10}{status.state:10} {detail}".rstrip())
