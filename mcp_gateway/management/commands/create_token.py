"""`manage.py create_token NAME`: issue an access token from the shell."""

from datetime import timedelta

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from core.callers import Scope
from core.errors import Invalid
from mcp_gateway.services import create_token


class Command(BaseCommand):
    help = "Issue an access token. Its secret is printed once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="who or what will use it")
        parser.add_argument(
            "--scope", choices=[scope.value for scope in Scope], default=Scope.WRITE.value
        )
        parser.add_argument("--days", type=int, help="days until it expires (default: never)")

    def handle(
        self, *args: object, name: str, scope: str, days: int | None, **options: object
    ) -> None:
        if days is not None and days < 1:
            raise CommandError("--days is 1 or more")
        try:
            _, secret = create_token(
                name=name,
                scope=Scope(scope),
                expires_at=timezone.now() + timedelta(days=days) if days else None,
            )
        except Invalid as refused:
            raise CommandError(refused.message) from None
        # The secret alone on standard output, so that a script can take it.
        self.stderr.write("Keep this token: it is not shown again.")
        self.stdout.write(secret)
