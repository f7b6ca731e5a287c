"""`manage.py serve`: create what is missing, then serve until SIGINT or SIGTERM."""

import gc
import os
import threading
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections

from config import bootstrap
from config.env import Env, SettingError, words
from config.gate.gate import Policy
from config.server.discovery import NotPrivate, ServerEntry
from config.sign_in import codes as sign_in_codes
from config.sign_in.sessions import cookie_names
from core.errors import Invalid
from core.hosts import is_loopback
from mcp_gateway.services import has_usable_token

# Threads of libraries may outlive their work and would keep the process alive forever.
THREADS_SECONDS = 1.0
# Options that replace the setting of the same name.
FLAGS = ("host", "port", "auth_token", "work_dir", "debug_serve_dir", "require_token")
LIST_FLAGS = ("allowed_origins", "allowed_hosts")
PUBLIC_BIND = (
    "{host} is reachable from other machines, but webtmux has no token and no account yet.\n"
    "Do one of these first: set WEBTMUX_AUTH_TOKEN (or --auth-token), run"
    " `manage.py create_token NAME`, or run `manage.py createsuperuser`.\n"
    "Or listen on 127.0.0.1 only."
)


class Command(BaseCommand):
    help = "Start the server. Creates the database, the secret key and a first account if needed."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        env: Env = settings.WEBTMUX
        parser.add_argument("--host", default=env.host, help="the address to listen on")
        parser.add_argument(
            "--port", type=int, default=env.port, help="the port to listen on; 0: any free port"
        )
        parser.add_argument(
            "--auth-token",
            default=env.auth_token,
            metavar="TOKEN",
            help="required from every caller (visible in ps: prefer WEBTMUX_AUTH_TOKEN)",
        )
        parser.add_argument(
            "--allowed-origins",
            default=",".join(env.allowed_origins),
            metavar="LIST",
            help="other pages that may use webtmux: https://name, http://name:port, name:*",
        )
        parser.add_argument(
            "--allowed-hosts",
            default=",".join(env.allowed_hosts),
            metavar="LIST",
            help="further host names of this server",
        )
        parser.add_argument(
            "--work-dir",
            default=env.work_dir,
            help="track only agents below this directory, and start new sessions in it",
        )
        parser.add_argument(
            "--debug-serve-dir",
            default=env.debug_serve_dir,
            help="serve a developer's own pages from this directory",
        )
        parser.add_argument(
            "--require-token",
            action="store_true",
            default=env.require_token,
            help="require a token or a sign-in from local callers too",
        )

    def handle(self, *args: object, **options: object) -> None:
        env = _env(options)
        # Before anything reads it: the flags apply to the whole process.
        settings.WEBTMUX = env
        password = self._prepare(env)
        # Collecting garbage during the imports takes a tenth of the start, and they leave little:
        # serving.py enables it again.
        gc.disable()
        # Imported late: it builds Django's handler, which reads the collected files once.
        from config.asgi import application
        from config.server.serving import CannotListen, serve

        entry = self._entry(env)

        def announce(address: str) -> None:
            if entry is not None:
                entry.announce(address)
            self._announce(env, address, password)

        code = 0
        try:
            serve(
                application,
                host=env.host,
                port=env.port,
                announce=announce,
                unix_socket=entry.clear() if entry is not None else "",
            )
        except CannotListen as error:
            code = 1
            raise CommandError(str(error)) from None
        finally:
            if entry is not None:
                entry.withdraw()
            _exit_soon(code)

    def _entry(self, env: Env) -> ServerEntry | None:
        try:
            return ServerEntry(env.data_dir)
        except NotPrivate as error:
            self.stderr.write(
                f"{error}. Programs such as `manage.py mcp_stdio` find this server by --url only;"
                " to fix this, set WEBTMUX_DATA_DIR to a directory that only you can change."
            )
            return None

    def _prepare(self, env: Env) -> str:
        bootstrap.prepare_directory(env.data_dir)
        bootstrap.prepare_database()
        refuse_public_bind(env)
        password = bootstrap.first_account()
        bootstrap.prepare_static()
        connections.close_all()
        return password

    def _announce(self, env: Env, address: str, password: str) -> None:
        """Called before the first request, when the port is known even if the system chose it."""
        port = urlsplit(address).port or env.port
        for name, value in cookie_names(port).items():
            setattr(settings, name, value)
        self.stdout.write(f"webtmux is at {address}")
        if link := _sign_in_link(env, port):
            self.stdout.write(
                f"Sign a browser in with {link}\n"
                f"(once, within {sign_in_codes.MINUTES} minutes; `manage.py sign_in_link` prints"
                " another)"
            )
        if password:
            self.stdout.write(
                f"Sign in to {address}admin/ as {bootstrap.ADMIN_NAME} with {password}\n"
                "(shown once; `manage.py changepassword admin` sets another)"
            )
        self.stdout.flush()


def _sign_in_link(env: Env, port: int) -> str:
    """Empty if there is no account to sign in to."""
    try:
        code = sign_in_codes.create_code(user=sign_in_codes.default_user())
    except Invalid:
        return ""
    finally:
        connections.close_all()
    return sign_in_codes.sign_in_address(sign_in_codes.own_address(env, port), code)


def _env(options: dict[str, object]) -> Env:
    flags = {name: options[name] for name in FLAGS}
    lists = {name: words(str(options[name])) for name in LIST_FLAGS}
    env: Env = settings.WEBTMUX.model_copy(update=flags | lists)
    try:
        Policy.of(env)
    except SettingError as error:
        raise CommandError(str(error)) from None
    return env


def refuse_public_bind(env: Env) -> None:
    """Called before the first account is created: that one does not count as protection."""
    if is_loopback(env.host) or env.auth_token:
        return
    if not has_usable_token() and not bootstrap.has_active_user():
        raise CommandError(PUBLIC_BIND.format(host=env.host))


def _exit_soon(code: int) -> None:
    """End the process even if threads of libraries are still running."""
    guard = threading.Timer(THREADS_SECONDS, os._exit, (code,))
    guard.daemon = True
    guard.start()
