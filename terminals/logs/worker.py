"""Keeps the logs of panes within their limits: the settings, the worker and `manage.py prune`.

Each writer enforces the limits itself, also while webtmux is stopped (terminals/logs/writer.py).
The worker also removes logs of panes that ended long ago, and limits logs whose writer is split(1)
of an earlier version, which removes nothing.
"""

import asyncio
import logging
import time
from functools import partial
from pathlib import Path
from typing import Protocol

from core.workers import wait_for
from terminals.logs import writer
from terminals.logs.writer import LogLimits

log = logging.getLogger(__name__)

MEGABYTE = 1_000_000
DAY_SECONDS = 86_400
PRUNE_SECONDS = 30.0


class LogSettings(Protocol):
    """The settings about logs in config/env.py."""

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


def limits_of(settings: LogSettings) -> LogLimits:
    return LogLimits(
        pane=settings.log_max_mb * MEGABYTE,
        total=settings.logs_max_mb * MEGABYTE,
        floor=settings.logs_free_mb * MEGABYTE,
    )


def prune_logs(settings: LogSettings, *, dry_run: bool = False) -> int:
    """Returns how many segments were, or would be, removed."""
    days = settings.keep_logs_days
    before = time.time() - days * DAY_SECONDS if days else 0.0
    root = settings.data_dir / "logs"
    return writer.enforce_limits(root, limits_of(settings), before=before, dry_run=dry_run)


async def keep_logs(settings: LogSettings, *, stop: asyncio.Event) -> None:
    """Runs until `stop`."""
    while not stop.is_set():
        try:
            await asyncio.to_thread(partial(prune_logs, settings))
        except OSError as problem:
            log.warning("cannot prune the logs of panes: %s", problem)
        await wait_for(stop, seconds=PRUNE_SECONDS)
