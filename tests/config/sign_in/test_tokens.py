"""Tokens: shown once, stored hashed, usable until revoked or expired."""

from datetime import timedelta
from io import StringIO

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from core.callers import Scope
from core.errors import Invalid
from mcp_gateway.models import AccessToken
from mcp_gateway.services import (
    LAST_USED_STEP,
    create_token,
    find_token,
    has_usable_token,
    revoke_token,
)

pytestmark = pytest.mark.django_db


def test_the_secret_is_not_in_the_row() -> None:
    row, secret = create_token(name="laptop")
    stored = " ".join(str(value) for value in AccessToken.objects.values_list().get(pk=row.pk))
    assert secret not in stored
    assert secret.startswith(row.prefix)
    assert len(secret) - len(row.prefix) > 30


def test_a_token_is_found_by_its_secret_only() -> None:
    row, secret = create_token(name="laptop", scope=Scope.READ)
    create_token(name="phone")
    assert find_token(secret=secret) == row
    for wrong in ("", row.prefix, secret[:-1], secret + "x", secret.upper(), row.hash):
        assert find_token(secret=wrong) is None


def test_a_revoked_token_is_not_found() -> None:
    row, secret = create_token(name="laptop")
    first = revoke_token(token=row).revoked_at
    assert find_token(secret=secret) is None
    assert revoke_token(token=row).revoked_at == first
    assert not has_usable_token()


def test_an_expired_token_is_not_found() -> None:
    now = timezone.now()
    _, old = create_token(name="old", expires_at=now - timedelta(seconds=1))
    assert not has_usable_token()
    _, young = create_token(name="young", expires_at=now + timedelta(hours=1))
    assert find_token(secret=old) is None
    assert find_token(secret=young) is not None
    assert has_usable_token()


def test_the_last_use_is_recorded_at_most_once_a_minute() -> None:
    row, secret = create_token(name="laptop")
    find_token(secret=secret)
    row.refresh_from_db()
    first = row.last_used_at
    assert first is not None
    find_token(secret=secret)
    row.refresh_from_db()
    assert row.last_used_at == first
    row.last_used_at = first - LAST_USED_STEP
    row.save()
    find_token(secret=secret)
    row.refresh_from_db()
    assert row.last_used_at >= first


def test_a_name_is_unique() -> None:
    create_token(name="laptop")
    with pytest.raises(Invalid, match="another name"):
        create_token(name=" laptop ")
    with pytest.raises(Invalid, match="needs a name"):
        create_token(name=" ")


def test_the_command_prints_a_secret_that_works() -> None:
    out = StringIO()
    call_command(
        "create_token", "script", "--scope", "read", "--days", "2", stdout=out, stderr=StringIO()
    )
    row = find_token(secret=out.getvalue().strip())
    assert row is not None
    assert row.scope == "read"
    assert row.expires_at is not None
    assert timedelta(days=1) < row.expires_at - timezone.now() <= timedelta(days=2)
    with pytest.raises(CommandError, match="already"):
        call_command("create_token", "script", stdout=StringIO())
    with pytest.raises(CommandError, match="1 or more"):
        call_command("create_token", "other", "--days", "0", stdout=StringIO())


@pytest.fixture
def staff(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("boss", password="x"))
    return client


def test_the_admin_shows_a_new_secret_once_and_never_the_hash(staff: Client) -> None:
    form = {"name": "laptop", "scope": "write", "expires_at_0": "", "expires_at_1": ""}
    listed = staff.post("/admin/mcp_gateway/accesstoken/add/", form, follow=True)
    row = AccessToken.objects.get(name="laptop")
    page = listed.content.decode()
    secret = page.split("not shown again: ")[1].split("<")[0]
    assert find_token(secret=secret) == row
    for path in (
        "/admin/mcp_gateway/accesstoken/",
        f"/admin/mcp_gateway/accesstoken/{row.pk}/change/",
    ):
        later = staff.get(path).content.decode()
        assert row.prefix in later
        assert secret not in later
        assert row.hash not in later


def test_the_admin_cannot_change_an_issued_token(staff: Client) -> None:
    row, _ = create_token(name="laptop", scope=Scope.READ)
    path = f"/admin/mcp_gateway/accesstoken/{row.pk}/change/"
    staff.post(path, {"name": "other", "scope": "admin"})
    row.refresh_from_db()
    assert (row.name, row.scope) == ("laptop", "read")


def test_the_admin_revokes_tokens(staff: Client) -> None:
    row, secret = create_token(name="laptop")
    chosen = {"action": "revoke", "_selected_action": [str(row.pk)]}
    staff.post("/admin/mcp_gateway/accesstoken/", chosen)
    assert find_token(secret=secret) is None
