"""The page at /: the workspace. It gets its data over /ws and /api."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from terminals.page.csp import strict


@require_safe
@gzip_page
@strict
async def home(request: HttpRequest) -> HttpResponse:
    return render(request, "home.html")
