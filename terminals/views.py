"""The page at /: what tmux is doing, in plain HTML.

Nothing acts from here: the doors that act are /api, /ws and /mcp.
"""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from terminals import runtime, selectors
from terminals.db import in_db
from terminals.errors import TmuxAway
from terminals.models import Project


@dataclass(frozen=True, slots=True)
class Board:
    live: list[Project]
    gone: list[Project]


@require_safe
async def home(request: HttpRequest) -> HttpResponse:
    board = await in_db(read_board)()
    context = {"problem": problem(), "projects": board.live, "gone": board.gone}
    return await in_db(render)(request, "home.html", context)


def read_board() -> Board:
    rows = list(selectors.projects())
    return Board([row for row in rows if row.alive], [row for row in rows if not row.alive])


def problem() -> str:
    """Why tmux cannot be used now; empty when it can."""
    try:
        return runtime.current().main.problem
    except TmuxAway as away:
        return away.message
