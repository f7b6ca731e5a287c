"""Prepares what `serve` needs: the data directory, tables, a first account, static files.

Each step is quick if there is nothing to do. config/env.py creates the secret key.
"""

import fcntl
import hashlib
import secrets
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.contrib.staticfiles.finders import get_finders
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from config.env import SettingError
from config.private_files import tighten

ADMIN_NAME = "admin"
PASSWORD_BYTES = 12


def prepare_directory(data_dir: Path) -> None:
    """Private: it contains the secret key, hashes of tokens and the output of terminals."""
    try:
        tighten(data_dir)
    except (SettingError, OSError) as error:
        raise CommandError(str(error)) from None


def prepare_database() -> bool:
    """Apply migrations. Returns whether there were any."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if plan:
        call_command("migrate", interactive=False, verbosity=0)
    return bool(plan)


def first_account() -> str:
    """Create the first account and return its password; empty if there is an account already."""
    users = get_user_model().objects
    if users.exists():
        return ""
    password = secrets.token_urlsafe(PASSWORD_BYTES)
    users.create_superuser(ADMIN_NAME, password=password)
    return password


def has_active_user() -> bool:
    return User.objects.filter(is_active=True).exists()


def prepare_static() -> bool:
    """Collect the static files if they have changed. Returns whether they had."""
    root = Path(settings.STATIC_ROOT)
    root.parent.mkdir(parents=True, exist_ok=True)
    with root.with_suffix(".stamp").open("a+") as stamp:
        fcntl.flock(stamp, fcntl.LOCK_EX)  # two servers may start on one directory
        stamp.seek(0)
        wanted = _stamp()
        if root.is_dir() and stamp.read() == wanted:
            return False
        stamp.truncate(0)
        root.mkdir(exist_ok=True)
        call_command("collectstatic", interactive=False, clear=True, verbosity=0)
        stamp.write(wanted)
    return True


def _stamp() -> str:
    lines = sorted(_sources())
    lines.append(settings.STORAGES["staticfiles"]["BACKEND"])
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def _sources() -> Iterator[str]:
    for finder in get_finders():
        for name, storage in finder.list([]):
            status = Path(storage.path(name)).stat()
            yield f"{name} {status.st_mtime_ns} {status.st_size}"
