"""The page at /connect: how to connect an MCP client. `GET /api/connect` has the same content."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from core.errors import Invalid
from mcp_gateway import api
from mcp_gateway.registry import ToolSet


@require_safe
def connect(request: HttpRequest) -> HttpResponse:
    """`?tools=` as for /mcp. An unknown set is reported on the page and ignored."""
    wanted, problem = request.GET.get("tools", ""), ""
    try:
        setup = api.client_setup(request, wanted)
    except Invalid as failure:
        setup, problem = api.client_setup(request, ""), failure.message
    sets = [each for each in ToolSet if each in api.served()]
    context = {"connection": setup, "sets": sets, "wanted": wanted, "problem": problem}
    return render(request, "connect.html", context)
