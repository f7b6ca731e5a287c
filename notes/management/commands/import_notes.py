"""`manage.py import_notes FILE`: imports the notes of a `window-notes.json`."""

import argparse
import sys
from collections import Counter
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from core.errors import Invalid, WebtmuxError
from core.progress import Progress
from notes.exchange.files import ParsedFile, parse
from notes.exchange.importing import ImportOutcome, import_notes
from notes.exchange.records import NotesEntry

FILE_LIMIT = 256 * 1024 * 1024  # bytes
REFUSED = "refused"
SHAPES = """\
The file is a JSON object or list, in one of these shapes:

  {"main": "notes"}                                by session; a string or a record
  {"main": {"notes": "…", "windows": {"2": {…}, "editor": {…}}}}
  {"main:2": {…}, "main:editor": {…}, "@7": {…}}   windows by index, name or id
  {"projects": {"main": {…}}, "windows": {"main:2": {…}}}
  [{"session": "main", "windowName": "editor", "notes": "…"}]

A record has `notes`, and may have `source` (local or notion), `notionPageId`, `updatedAt` (a time
or milliseconds); in a list also `scope`, `session`, `project`, `window` or `windowIndex`,
`windowName`, `windowId`. Keys in snake_case are accepted. Notes of a session or window that does
not exist are attached when it is created. Existing notes that differ are kept, unless --replace is
given.
"""


class Command(BaseCommand):
    help = "Import notes from a window-notes.json. Exits with 1 if an entry was refused."

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        kwargs |= {"epilog": SHAPES, "formatter_class": argparse.RawDescriptionHelpFormatter}
        return super().create_parser(prog_name, subcommand, **kwargs)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="the JSON file; - is stdin")
        parser.add_argument("--dry-run", action="store_true", help="show what would be done")
        parser.add_argument(
            "--replace", action="store_true", help="overwrite existing notes that differ"
        )

    def handle(
        self, *args: object, file: str, replace: bool, dry_run: bool, **options: object
    ) -> None:
        try:
            parsed = parse(_read(file))
        except (Invalid, OSError) as problem:
            raise CommandError(str(problem)) from None
        with transaction.atomic() if dry_run else nullcontext():
            counts = self._import(parsed, replace=replace, dry_run=dry_run)
            if dry_run:
                transaction.set_rollback(True)
        self._print_summary(counts, dry_run=dry_run)

    def _import(self, parsed: ParsedFile, *, replace: bool, dry_run: bool) -> Counter[str]:
        """A dry run does the same and is rolled back, so that it reports what would happen."""
        counts: Counter[str] = Counter()
        for problem in parsed.problems:
            counts[REFUSED] += 1
            self._report(problem.place, f"{REFUSED}: {problem.message}")
        with Progress(sys.stderr, total=len(parsed.entries)) as progress:
            for entry in parsed.entries:
                outcome, message = _import_entry(entry, replace=replace)
                counts[outcome] += 1
                if dry_run or outcome == REFUSED or entry.ignored or not progress.is_shown:
                    progress.clear()
                    self._report(_name(entry), message)
                progress.step()
        return counts

    def _report(self, place: str, message: str) -> None:
        self.stdout.write(f"{_printable(place)}: {message}")

    def _print_summary(self, counts: Counter[str], *, dry_run: bool) -> None:
        summary = ", ".join(f"{counts[name]} {name}" for name in (*ImportOutcome, REFUSED))
        self.stdout.write(summary + (" (dry run: nothing was written)" if dry_run else ""))
        if counts[REFUSED]:
            raise CommandError(f"{counts[REFUSED]} refused: see above")


def _read(file: str) -> str:
    with nullcontext(sys.stdin.buffer) if file == "-" else Path(file).open("rb") as stream:
        raw = stream.read(FILE_LIMIT + 1)
    if len(raw) > FILE_LIMIT:
        raise Invalid(f"the file has over {FILE_LIMIT:,} bytes: split it")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Invalid("the file is not UTF-8") from None


def _import_entry(entry: NotesEntry, *, replace: bool) -> tuple[str, str]:
    try:
        outcome = import_notes(entry=entry, replace=replace)
    except WebtmuxError as problem:
        return REFUSED, f"{REFUSED}: {problem.message}"
    ignored = f"; unknown fields ignored: {', '.join(entry.ignored)}" if entry.ignored else ""
    return outcome, f"{outcome}, {len(entry.notes):,} characters{ignored}"


def _printable(text: str) -> str:
    """Escapes names from the file: they must not control the terminal or break the line."""
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def _name(entry: NotesEntry) -> str:
    return entry.place if entry.place == str(entry) else f"{entry.place} {entry}"
