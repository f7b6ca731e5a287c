"""The page at /connect: how to connect a client, in plain HTML.

The same answer as `GET /api/connect`; nothing acts from here.
"""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from mcp_gateway import api
from mcp_gateway.registry import ToolSet
from terminals.errors import Invalid


@require_safe
def connect(request: HttpRequest) -> HttpResponse:
    """`?tools=` as at /mcp itself; a set that is not there is said, and left out."""
    wanted, problem = request.GET.get("tools", ""), ""
    try:
        told = api.connection(request, wanted)
    except Invalid as failure:
        told, problem = api.connection(request, ""), failure.message
    sets = [each for each in ToolSet if each in api.served()]
    context = {"connection": told, "sets": sets, "wanted": wanted, "problem": problem}
    return render(request, "connect.html", context)
