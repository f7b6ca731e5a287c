"""What has to exist before we serve: directory, tables, a first account, static files.

Each step is quick when there is nothing to do. Not the secret key: config/env.py makes it.
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
    """Ours alone: it holds the key, the tokens' hashes and what terminals printed."""
    try:
        tighten(data_dir)
    except (SettingError, OSError) as problem:
        raise CommandError(str(problem)) from None


def prepare_database() -> bool:
    """Whether there were migrations to apply."""
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if plan:
        call_command("migrate", interactive=False, verbosity=0)
    return bool(plan)


def first_account() -> str:
    """The password of the account made on the first start; empty when anybody has one."""
    users = get_user_model().objects
    if users.exists():
        return ""
    password = secrets.token_urlsafe(PASSWORD_BYTES)
    users.create_superuser(ADMIN_NAME, password=password)
    return password


def has_active_user() -> bool:
    return User.objects.filter(is_active=True).exists()


def prepare_static() -> bool:
    """Whether the static files had to be collected."""
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
            found = Path(storage.path(name)).stat()
            yield f"{name} {found.st_mtime_ns} {found.st_size}"
