"""`manage.py sync_notion [NAME …]`: reads linked Notion pages now. Needs no running server."""

import asyncio
from collections.abc import Sequence

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from notes import selectors
from notes.models import NoteSheet, NoteSource
from notes.notion import Notion, NotionFailed, sync


class Command(BaseCommand):
    help = "Read the pages of all notes that come from Notion, even if they have not changed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "names", nargs="*", metavar="NAME", help="sessions or projects (default: all)"
        )

    def handle(self, *args: object, names: list[str], **options: object) -> None:
        sheets = _select_sheets(names)
        env = settings.WEBTMUX
        # Created before the event loop starts: loading the TLS certificates would block it.
        notion = Notion(token=env.notion_token, url=env.notion_url)
        failed = asyncio.run(self._sync(sheets, notion))
        self.stdout.write(f"{len(sheets) - failed} read, {failed} failed")
        if failed:
            raise CommandError("notes that could not be read keep their last good copy")

    async def _sync(self, sheets: Sequence[NoteSheet], notion: Notion) -> int:
        """Returns the number of failures."""
        failed = 0
        try:
            for sheet in sheets:
                message, is_read = await _pull(sheet, notion)
                failed += not is_read
                self.stdout.write(f"{sheet}: {message}")
        finally:
            await notion.close()
        return failed


async def _pull(sheet: NoteSheet, notion: Notion) -> tuple[str, bool]:
    try:
        notes = await sync.pull(sheet=sheet, notion=notion, always=True)
    except NotionFailed as failure:
        return failure.message, False
    changed = "changed" if notes.sheet.body != sheet.body else "unchanged"
    return f"{changed}, version {notes.sheet.version}", True


def _select_sheets(names: Sequence[str]) -> list[NoteSheet]:
    linked = list(selectors.sheets().filter(source=NoteSource.NOTION))
    if not names:
        return linked
    chosen = [sheet for sheet in linked if {sheet.session, sheet.project_name} & set(names)]
    known = {name for sheet in chosen for name in (sheet.session, sheet.project_name)}
    if missing := set(names) - known:
        raise CommandError(f"no notes of {', '.join(sorted(missing))} come from Notion")
    return chosen
