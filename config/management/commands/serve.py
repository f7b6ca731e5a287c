"""`manage.py serve`: prepare what is missing, then serve until a signal."""

import dataclasses
import os
import threading
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connections

from config import prepare, sign_in_codes
from config.env import Env, SettingError, words
from config.gate import Policy
from config.sessions import cookie_names
from mcp_gateway.services import has_usable_token
from terminals.errors import Invalid

# Threads of libraries may outlive their work and would hold the process for ever.
THREADS_SECONDS = 1.0
PUBLIC_BIND = (
    "{host} is reachable from other machines, and nothing here asks who is calling.\n"
    "Do one of these first: set WEBTMUX_AUTH_TOKEN (or --auth-token), or run"
    " `manage.py create_token NAME`, or run `manage.py createsuperuser`.\n"
    "Or listen on 127.0.0.1 only."
)


class Command(BaseCommand):
    help = "Serve webtmux. Makes database, secret and a first account where they are missing."
    requires_system_checks: list[str] = []  # noqa: RUF012  # as Django declares it

    def add_arguments(self, parser: CommandParser) -> None:
        env: Env = settings.WEBTMUX
        parser.add_argument("--host", default=env.host)
        parser.add_argument("--port", type=int, default=env.port)
        parser.add_argument(
            "--auth-token",
            default=env.auth_token,
            metavar="TOKEN",
            help="asked of every caller (others can see it in ps: prefer WEBTMUX_AUTH_TOKEN)",
        )
        parser.add_argument(
            "--allowed-origins",
            default=",".join(env.allowed_origins),
            metavar="LIST",
            help="other pages that may use us: https://name, http://name:port, name:*",
        )
        parser.add_argument(
            "--allowed-hosts",
            default=",".join(env.allowed_hosts),
            metavar="LIST",
            help="other names that we are reached by",
        )
        parser.add_argument("--work-dir", default=env.work_dir)
        parser.add_argument("--debug-serve-dir", default=env.debug_serve_dir)
        parser.add_argument(
            "--require-token",
            action="store_true",
            default=env.require_token,
            help="ask a token or a sign-in of local callers too",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        env = _env(options)
        # Before anything reads it: the flags count for the whole process.
        settings.WEBTMUX = env
        password = self._prepare(env)
        # Late: it builds Django's handler, which looks at the collected files once.
        from config.asgi import application
        from config.serving import CannotListen, serve

        code = 0
        try:
            serve(
                application,
                host=env.host,
                port=env.port,
                announce=lambda address: self._announce(env, address, password),
            )
        except CannotListen as problem:
            code = 1
            raise CommandError(str(problem)) from None
        finally:
            _exit_soon(code)

    def _prepare(self, env: Env) -> str:
        prepare.prepare_directory(env.data_dir)
        prepare.prepare_database()
        refuse_public_bind(env)
        password = prepare.first_account()
        prepare.prepare_static()
        connections.close_all()
        return password

    def _announce(self, env: Env, address: str, password: str) -> None:
        """Before the first request: the port is known only now where the system chose it."""
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
                f"Sign in to {address}admin/ as {prepare.ADMIN_NAME} with {password}\n"
                "(shown once; `manage.py changepassword admin` makes another)"
            )
        self.stdout.flush()


def _sign_in_link(env: Env, port: int) -> str:
    """Empty: there is no account to sign in."""
    try:
        code = sign_in_codes.create_code(user=sign_in_codes.default_user())
    except Invalid:
        return ""
    finally:
        connections.close_all()
    return sign_in_codes.sign_in_address(sign_in_codes.own_address(env, port), code)


def _env(options: dict[str, Any]) -> Env:
    env: Env = dataclasses.replace(
        settings.WEBTMUX,
        host=options["host"],
        port=options["port"],
        auth_token=options["auth_token"],
        allowed_origins=words(options["allowed_origins"]),
        allowed_hosts=words(options["allowed_hosts"]),
        work_dir=options["work_dir"],
        debug_serve_dir=options["debug_serve_dir"],
        require_token=options["require_token"],
    )
    try:
        Policy.of(env)
    except SettingError as problem:
        raise CommandError(str(problem)) from None
    return env


def refuse_public_bind(env: Env) -> None:
    """Before the first account is made: one that nobody has chosen protects nobody."""
    if is_loopback(env.host) or env.auth_token:
        return
    if not has_usable_token() and not prepare.has_active_user():
        raise CommandError(PUBLIC_BIND.format(host=env.host))


def is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _exit_soon(code: int) -> None:
    """Daemon threads run on while the interpreter waits for the others: this one ends that."""
    guard = threading.Timer(THREADS_SECONDS, os._exit, (code,))
    guard.daemon = True
    guard.start()
