"""`manage.py sign_in_link`: print an address that signs one browser in to the running server."""

from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config import sign_in_codes
from config.env import Env
from config.running_servers import running_servers
from terminals.errors import Invalid


class Command(BaseCommand):
    help = "Print an address with a one-time code that signs a browser in."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--user", default="", help="whom to sign in (default: the admin)")
        parser.add_argument(
            "--address",
            default="",
            metavar="URL",
            help="where the browser reaches webtmux (default: the server that is running)",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        env = settings.WEBTMUX
        address = options["address"] or sign_in_codes.own_address(env, _port(env))
        try:
            user = sign_in_codes.default_user(options["user"])
        except Invalid as problem:
            raise CommandError(problem.message) from None
        code = sign_in_codes.create_code(user=user)
        self.stderr.write(
            f"This signs one browser in as {user}, once, within {sign_in_codes.MINUTES} minutes:"
        )
        # Alone on standard output, so that a script can take it.
        self.stdout.write(sign_in_codes.sign_in_address(address, code))


def _port(env: Env) -> int:
    """Of the newest server on this data directory; of the settings where none runs."""
    for server in running_servers(env.data_dir):
        if port := urlsplit(server.address).port:
            return port
    return int(env.port)
