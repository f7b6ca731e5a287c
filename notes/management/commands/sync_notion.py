"""`manage.py sync_notion [NAME …]`: read the linked pages of Notion now. A server is not needed."""

import asyncio
from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from notes import linking, selectors
from notes.models import NoteSheet, Source
from notes.notion import Notion, NotionFailed


class Command(BaseCommand):
    help = "Read the pages of all notes that come from Notion, whether they have changed or not."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "names", nargs="*", metavar="NAME", help="sessions or projects (default: all)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        sheets = _chosen(options["names"])
        failed = asyncio.run(self._sync(sheets))
        self.stdout.write(f"{len(sheets) - failed} read, {failed} failed")
        if failed:
            raise CommandError("the notes that failed keep their last good copy")

    async def _sync(self, sheets: Sequence[NoteSheet]) -> int:
        """How many failed."""
        env, failed = settings.WEBTMUX, 0
        notion = Notion(token=env.notion_token, url=env.notion_url)
        try:
            for sheet in sheets:
                told, is_read = await _outcome(sheet, notion)
                failed += not is_read
                self.stdout.write(f"{sheet}: {told}")
        finally:
            await notion.close()
        return failed


async def _outcome(sheet: NoteSheet, notion: Notion) -> tuple[str, bool]:
    try:
        notes = await linking.pull(sheet=sheet, notion=notion, always=True)
    except NotionFailed as failure:
        return failure.message, False
    changed = "changed" if notes.sheet.body != sheet.body else "unchanged"
    return f"{changed}, version {notes.sheet.version}", True


def _chosen(names: Sequence[str]) -> list[NoteSheet]:
    linked = list(selectors.sheets().filter(source=Source.NOTION))
    if not names:
        return linked
    chosen = [sheet for sheet in linked if {sheet.session, sheet.project_name} & set(names)]
    there = {name for sheet in chosen for name in (sheet.session, sheet.project_name)}
    if missing := set(names) - there:
        raise CommandError(f"no notes of {', '.join(sorted(missing))} come from Notion")
    return chosen
