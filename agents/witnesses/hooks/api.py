"""REST for the hooks of agents that are started by hand: in the home of the server's user.

Changes need the scope admin (config/gate/gate.py): they edit settings of other programs.
"""

import asyncio
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest
from ninja import Router

from agents.witnesses.hooks import services
from agents.witnesses.hooks.schemas import ChosenRuntimes, HooksOut
from agents.witnesses.hooks.services import HookPlace

router = Router(by_alias=True, tags=["agents"])


def _place() -> HookPlace:
    return HookPlace(Path.home(), settings.WEBTMUX.data_dir)


@router.get("/hooks", response=HooksOut)
async def hooks_status(request: HttpRequest) -> HooksOut:
    """For each runtime, whether its hooks are installed, and in which files."""
    return HooksOut.of(await asyncio.to_thread(services.hooks_status, _place()))


@router.post("/hooks/install", response=HooksOut)
async def install_hooks(request: HttpRequest, body: ChosenRuntimes) -> HooksOut:
    """Add hooks to the settings of agents. Other hooks and settings are kept."""
    return HooksOut.of(await asyncio.to_thread(services.install_hooks, _place(), body.runtimes))


@router.post("/hooks/uninstall", response=HooksOut)
async def uninstall_hooks(request: HttpRequest, body: ChosenRuntimes) -> HooksOut:
    """Remove the hooks. Files that were not changed since are restored byte by byte."""
    return HooksOut.of(await asyncio.to_thread(services.uninstall_hooks, _place(), body.runtimes))
