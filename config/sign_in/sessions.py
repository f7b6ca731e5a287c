"""Browser sessions: who a session belongs to, and how a token is exchanged for one.

A session belongs either to a user, as in Django, or to the token that it was exchanged for. A token
session has the scope of its token and ends with it.
"""

from importlib import import_module

from django.conf import settings
from django.contrib.auth import get_user
from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from core.callers import CallerKind, Principal, Scope
from mcp_gateway.models import AccessToken
from mcp_gateway.services import find_token

AUTH_TOKEN_CALLER = Principal(CallerKind.TOKEN, "auth-token", Scope.ADMIN)
TOKEN_KEY = "webtmux_token"  # the stored hash of a token
AUTH_TOKEN_KEY = "webtmux_auth_token"  # a keyed hash of WEBTMUX_AUTH_TOKEN
COOKIE_NAMES = {"SESSION_COOKIE_NAME": "webtmux_session", "CSRF_COOKIE_NAME": "webtmux_csrf"}


def cookie_names(port: int) -> dict[str, str]:
    """Browsers share cookies between ports, so two servers on one host need different names."""
    return {setting: f"{name}_{port}" for setting, name in COOKIE_NAMES.items()}


def caller_of(key: str) -> Principal | None:
    """The caller whose session has this key, if it is still valid."""
    store = _store(key)
    if TOKEN_KEY in store:
        return _by_token_hash(store[TOKEN_KEY])
    if AUTH_TOKEN_KEY in store:
        wanted = _auth_token_hash()
        known = wanted and constant_time_compare(store[AUTH_TOKEN_KEY], wanted)
        return AUTH_TOKEN_CALLER if known else None
    return _by_user(store)


def exchange_token(secret: str) -> str | None:
    """The key of a new session for a token; None if the token is not valid."""
    kept = marks_of(secret)
    if kept is None:
        return None
    store = _store(None)
    store.update(kept)
    store.create()
    return str(store.session_key)


def marks_of(secret: str) -> dict[str, str] | None:
    """The data of a session that has the rights of a token; None if the token is not valid."""
    auth_token = settings.WEBTMUX.auth_token
    if auth_token and constant_time_compare(secret, auth_token):
        return {AUTH_TOKEN_KEY: _auth_token_hash()}
    row = find_token(secret=secret)
    return {TOKEN_KEY: row.hash} if row else None


def _store(key: str | None) -> SessionBase:
    store: SessionBase = import_module(settings.SESSION_ENGINE).SessionStore(key)
    return store


def _by_token_hash(stored: str) -> Principal | None:
    row = AccessToken.objects.filter(hash=stored).first()
    if row is None or not row.is_usable(timezone.now()):
        return None
    return Principal(CallerKind.TOKEN, row.name, Scope(row.scope))


def _by_user(store: SessionBase) -> Principal | None:
    """The user of a session if active, checked as Django does (also for a changed password)."""
    request = HttpRequest()
    request.session = store
    user = get_user(request)
    if not user.is_authenticated:
        return None
    scope = Scope.ADMIN if user.is_staff else Scope.WRITE
    return Principal(CallerKind.SESSION, user.get_username(), scope)


def _auth_token_hash() -> str:
    secret = settings.WEBTMUX.auth_token
    return (
        salted_hmac("webtmux.auth-token", secret, algorithm="sha256").hexdigest() if secret else ""
    )
