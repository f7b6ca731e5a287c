"""Keeps the logs of panes within their limits: the settings, the worker and `manage.py prune`.

Each writer keeps the limits by itself, also while webtmux is away (terminals/log_writer.py). This
adds what no writer does: logs of panes that ended long ago, and logs whose writer is split(1) of an
earlier version, which removes nothing.
"""

import asyncio
import logging
import time
from functools import partial
from pathlib import Path
from typing import Protocol

from terminals import log_writer
from terminals.log_writer import Limits
from terminals.workers import wait_for

log = logging.getLogger(__name__)

MEGABYTE = 1_000_000
DAY_SECONDS = 86_400
LOOK_SECONDS = 30.0


class Settings(Protocol):
    """The part of config/env.py that is about logs."""

    @property
    def data_dir(self) -> Path: ...
    @property
    def log_max_mb(self) -> int: ...
    @property
    def logs_max_mb(self) -> int: ...
    @property
    def logs_free_mb(self) -> int: ...
    @property
    def keep_logs_days(self) -> int: ...


def limits_of(settings: Settings) -> Limits:
    return Limits(
        pane=settings.log_max_mb * MEGABYTE,
        total=settings.logs_max_mb * MEGABYTE,
        floor=settings.logs_free_mb * MEGABYTE,
    )


def prune_logs(settings: Settings, *, dry_run: bool = False) -> int:
    """How many segments were removed, or would be."""
    days = settings.keep_logs_days
    before = time.time() - days * DAY_SECONDS if days else 0.0
    root = settings.data_dir / "logs"
    return log_writer.tidy(root, limits_of(settings), before=before, dry_run=dry_run)


async def keep_logs(settings: Settings, *, stop: asyncio.Event) -> None:
    """Until `stop`."""
    while not stop.is_set():
        try:
            await asyncio.to_thread(partial(prune_logs, settings))
        except OSError as problem:
            log.warning("the logs of panes cannot be pruned: %s", problem)
        await wait_for(stop, seconds=LOOK_SECONDS)
