"""`manage.py sign_in_link`: print an address that signs one browser in to the running server."""

from urllib.parse import urlsplit

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from config.env import Env
from config.server.discovery import running_servers
from config.sign_in import codes as sign_in_codes
from core.errors import Invalid


class Command(BaseCommand):
    help = "Print an address with a one-time code that signs a browser in."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--user", default="", help="the user to sign in (default: the first superuser)"
        )
        parser.add_argument(
            "--address",
            default="",
            metavar="URL",
            help="the address of webtmux for the browser (default: the running server)",
        )

    def handle(self, *args: object, user: str, address: str, **options: object) -> None:
        env = settings.WEBTMUX
        address = address or sign_in_codes.own_address(env, _port(env))
        try:
            account = sign_in_codes.default_user(user)
        except Invalid as error:
            raise CommandError(error.message) from None
        code = sign_in_codes.create_code(user=account)
        self.stderr.write(
            f"This signs one browser in as {account}, once, within {sign_in_codes.MINUTES} minutes:"
        )
        # The only output on standard output, for scripts.
        self.stdout.write(sign_in_codes.sign_in_address(address, code))


def _port(env: Env) -> int:
    """The port of the newest server on this data directory; of the settings if none runs."""
    for server in running_servers(env.data_dir):
        if port := urlsplit(server.address).port:
            return port
    return int(env.port)
