"""`manage.py export_notes FILE`: writes all notes as JSON that import_notes can read."""

import os
import tempfile
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError, CommandParser

from notes.exchange.files import render
from notes.exchange.importing import export_notes


class Command(BaseCommand):
    help = "Write the notes of all projects and windows as JSON, for import_notes."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", nargs="?", default="-", help="- (the default) is stdout")
        parser.add_argument(
            "--session",
            action="append",
            default=[],
            metavar="NAME",
            help="only the notes of this session or project; can be repeated",
        )

    def handle(self, *args: object, file: str, session: list[str], **options: object) -> None:
        entries = export_notes(sessions=session)
        known = {name for entry in entries for name in (entry.session, entry.project)}
        if missing := set(session) - known:
            raise CommandError(f"no notes of {', '.join(sorted(missing))}: nothing was written")
        text = render(entries)
        if file == "-":
            self.stdout.write(text, ending="")
            return
        try:
            write_file(Path(file), text)
        except OSError as problem:
            raise CommandError(str(problem)) from None
        self.stderr.write(f"wrote {len(entries)} note sheets to {file}")


def write_file(path: Path, text: str) -> None:
    """Writes the file completely or not at all. Only its owner can read it, as with every temporary
    file."""
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
