"""`manage.py export_notes FILE`: all notes as JSON, in the shape that import_notes reads back."""

import os
import tempfile
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from notes.exchange import render
from notes.importing import export_notes


class Command(BaseCommand):
    help = "Write the notes of all projects and windows as JSON, for import_notes."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="?", default="-", help="- (the default) is stdout")
        parser.add_argument(
            "--session", action="append", default=[], metavar="NAME",
            help="only the notes of this session or project; may be given several times",
        )  # fmt: skip

    def handle(self, *args: Any, **options: Any) -> None:
        entries = export_notes(sessions=options["session"])
        there = {name for entry in entries for name in (entry.session, entry.project)}
        if missing := set(options["session"]) - there:
            raise CommandError(f"no notes of {', '.join(sorted(missing))}: nothing was written")
        text = render(entries)
        if options["file"] == "-":
            self.stdout.write(text, ending="")
            return
        try:
            write_file(Path(options["file"]), text)
        except OSError as problem:
            raise CommandError(str(problem)) from None
        self.stderr.write(f"{len(entries)} sheets written to {options['file']}")


def write_file(path: Path, text: str) -> None:
    """Whole or not at all, and readable by its owner only, which a temporary file is."""
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(text.encode())
            stream.flush()
            os.fsync(handle)
        os.replace(draft, path)
    except BaseException:
        os.unlink(draft)
        raise
