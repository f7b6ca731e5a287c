"""`manage.py import_notes FILE`: the notes of a `window-notes.json` become notes here."""

import argparse
import sys
from collections import Counter
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from notes.entries import Entry
from notes.exchange import Found, parse
from notes.importing import Outcome, import_notes
from terminals.errors import Invalid, WebtmuxError
from terminals.progress import Progress

FILE_LIMIT = 256 * 1024 * 1024  # bytes
REFUSED = "refused"
SHAPES = """\
The file is a JSON object or list, in one of these shapes:

  {"main": "notes"}                                by session; a text or a record
  {"main": {"notes": "…", "windows": {"2": {…}, "editor": {…}}}}
  {"main:2": {…}, "main:editor": {…}, "@7": {…}}   windows by index, name or id
  {"projects": {"main": {…}}, "windows": {"main:2": {…}}}
  [{"session": "main", "windowName": "editor", "notes": "…"}]

A record has `notes`, and may have `source` (local or notion), `notionPageId`, `updatedAt` (a time
or milliseconds); in a list also `scope`, `session`, `project`, `window` or `windowIndex`,
`windowName`, `windowId`. snake_case is read too. A session or window that is not there gets its
notes when it comes. Notes that are here already and differ are refused, unless --replace is given.
"""


class Command(BaseCommand):
    help = "Read notes from a window-notes.json. Exits with 1 if anything in it was refused."

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        kwargs |= {"epilog": SHAPES, "formatter_class": argparse.RawDescriptionHelpFormatter}
        return super().create_parser(prog_name, subcommand, **kwargs)

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="the JSON file; - is stdin")
        parser.add_argument("--dry-run", action="store_true", help="say what would be done")
        parser.add_argument(
            "--replace", action="store_true", help="overwrite notes that differ from the file's"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            found = parse(_read(options["file"]))
        except (Invalid, OSError) as problem:
            raise CommandError(str(problem)) from None
        dry = options["dry_run"]
        with transaction.atomic() if dry else nullcontext():
            counts = self._import(found, replace=options["replace"], dry=dry)
            if dry:
                transaction.set_rollback(True)
        self._sum_up(counts, dry=dry)

    def _import(self, found: Found, *, replace: bool, dry: bool) -> Counter[str]:
        """A dry run does everything, and is rolled back: so it tells what would happen."""
        counts: Counter[str] = Counter()
        for problem in found.problems:
            counts[REFUSED] += 1
            self._say(problem.place, f"{REFUSED}: {problem.message}")
        with Progress(sys.stderr, total=len(found.entries)) as progress:
            for entry in found.entries:
                outcome, told = _imported(entry, replace=replace)
                counts[outcome] += 1
                if dry or outcome == REFUSED or entry.ignored or not progress.is_shown:
                    progress.clear()
                    self._say(_name(entry), told)
                progress.step()
        return counts

    def _say(self, place: str, told: str) -> None:
        self.stdout.write(f"{_printable(place)}: {told}")

    def _sum_up(self, counts: Counter[str], *, dry: bool) -> None:
        told = ", ".join(f"{counts[each]} {each}" for each in (*Outcome, REFUSED))
        self.stdout.write(told + (" (a dry run: nothing was written)" if dry else ""))
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


def _imported(entry: Entry, *, replace: bool) -> tuple[str, str]:
    try:
        outcome = import_notes(entry=entry, replace=replace)
    except WebtmuxError as problem:
        return REFUSED, f"{REFUSED}: {problem.message}"
    ignored = f"; unknown fields left out: {', '.join(entry.ignored)}" if entry.ignored else ""
    return outcome, f"{outcome}, {len(entry.notes):,} characters{ignored}"


def _printable(text: str) -> str:
    """A name of the file must not act on the terminal, nor break its line."""
    return "".join(each if each.isprintable() else repr(each)[1:-1] for each in text)


def _name(entry: Entry) -> str:
    return entry.place if entry.place == str(entry) else f"{entry.place} {entry}"
