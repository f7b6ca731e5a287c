"""Adds the Content-Security-Policy to pages, and `Secure` to cookies over TLS.

Pages with scripts of their own have a policy with a nonce (terminals/page/csp.py); it stays.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import iscoroutinefunction
from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.decorators import sync_and_async_middleware

from terminals.page.csp import add_default_policy

Answer = Callable[[HttpRequest], Any]  # a response, or an awaitable one: Django decides


@sync_and_async_middleware
def protect(get_response: Answer) -> Answer:
    """The outermost middleware, so that error pages pass through it too."""
    if iscoroutinefunction(get_response):

        async def respond(request: HttpRequest) -> HttpResponseBase:
            answer: Awaitable[HttpResponseBase] = get_response(request)
            return _protected(request, await answer)

        return respond

    def respond_now(request: HttpRequest) -> HttpResponseBase:
        return _protected(request, get_response(request))

    return respond_now


def _protected(request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
    add_default_policy(response)
    names = (settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME)
    own_cookies = [response.cookies[name] for name in names if name in response.cookies]
    if own_cookies and is_secure(request):
        for cookie in own_cookies:
            cookie["secure"] = True
    return response


def is_secure(request: HttpRequest) -> bool:
    """The same rule as Call.is_secure, for Django's requests."""
    proxied = request.headers.get("X-Forwarded-Proto", "") == "https"
    return (
        proxied or request.is_secure() or request.headers.get("Origin", "").startswith("https://")
    )
