"""The page at /: the workspace. What it shows and does goes over /ws and /api."""

from functools import cache
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from terminals import modules
from terminals.policy import strict


@require_safe
@gzip_page
@strict
async def home(request: HttpRequest) -> HttpResponse:
    return render(request, "home.html", {"modules": needed()})


@cache
def needed() -> list[str]:
    """Every module that the page cannot do without: named early, they load side by side."""
    return modules.imported("page/main.js", Path(settings.STATICFILES_DIRS[0]))
