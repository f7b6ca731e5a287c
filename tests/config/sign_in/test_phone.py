"""Sign-in links for another device: who gets one, and for which address."""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from config.env import Env
from config.models import SignInCode
from config.sign_in.phone import create_sign_in_link, reachable_address
from core.callers import Caller, CallerKind, Principal, Scope, calling
from core.errors import Invalid, Refused

LOCAL = Principal(CallerKind.PEER, "local", Scope.ADMIN)
PAGE = "https://tmux.example"


def env(**changes: object) -> Env:
    return Env().model_copy(update=changes)


@pytest.mark.parametrize(
    ("origin", "host", "allowed", "expected"),
    [
        (PAGE, "127.0.0.1", (), PAGE),
        ("http://192.168.1.5:8080", "0.0.0.0", (), "http://192.168.1.5:8080"),
        ("http://localhost:8080", "192.168.1.5", (), "http://192.168.1.5:8080"),
        ("http://localhost:8080", "0.0.0.0", ("box.lan",), "http://box.lan:8080"),
        ("", "0.0.0.0", ("box.lan",), "http://box.lan:8080"),
    ],
)
def test_the_address_is_one_that_a_phone_can_reach(
    origin: str, host: str, allowed: tuple[str, ...], expected: str
) -> None:
    assert reachable_address(origin, env(host=host, allowed_hosts=allowed), 8080) == expected


@pytest.mark.parametrize(
    ("host", "allowed", "message"),
    [
        ("127.0.0.1", (), "listens on this machine only"),
        ("localhost", ("box.lan",), "listens on this machine only"),
        ("::1", (), "tailscale serve 8080"),
        ("0.0.0.0", (), "WEBTMUX_ALLOWED_HOSTS"),
        ("0.0.0.0", ("localhost",), "WEBTMUX_ALLOWED_HOSTS"),
    ],
)
def test_without_such_an_address_the_message_says_what_to_do(
    host: str, allowed: tuple[str, ...], message: str
) -> None:
    for origin in ("http://localhost:8080", "http://127.0.0.1:8080", "http://[::1]:8080", ""):
        with pytest.raises(Invalid, match=message):
            reachable_address(origin, env(host=host, allowed_hosts=allowed), 8080)


@pytest.mark.django_db
def test_the_code_signs_in_once_as_the_user_who_asked(client: Client) -> None:
    User.objects.create_superuser("root")
    User.objects.create_user("ada")
    caller = Principal(CallerKind.SESSION, "ada", Scope.WRITE)
    link = create_sign_in_link(caller=caller, origin=PAGE, env=env(), port=8080)
    assert link.address.startswith(f"{PAGE}/login?code=")
    assert link.image.startswith("data:image/svg+xml")
    code = link.address.partition("code=")[2]
    assert client.post("/login", {"code": code}).status_code == 302
    assert client.get("/login").wsgi_request.user.get_username() == "ada"
    assert Client().post("/login", {"code": code}).status_code == 400


@pytest.mark.django_db
def test_a_token_gets_no_code_whatever_its_scope() -> None:
    User.objects.create_superuser("root")
    for kind in (CallerKind.TOKEN, CallerKind.PUBLIC):
        with pytest.raises(Refused):
            create_sign_in_link(
                caller=Principal(kind, "x", Scope.ADMIN), origin=PAGE, env=env(), port=8080
            )
    assert not SignInCode.objects.exists()


@pytest.mark.django_db
def test_no_code_is_created_if_no_phone_can_reach_the_server() -> None:
    User.objects.create_superuser("root")
    with pytest.raises(Invalid):
        create_sign_in_link(caller=LOCAL, origin="http://localhost:8080", env=env(), port=8080)
    assert not SignInCode.objects.exists()


@pytest.mark.django_db
def test_rest_uses_the_address_of_the_page(client: Client) -> None:
    User.objects.create_superuser("root")
    with calling(Caller(LOCAL)):
        response = client.post("/api/sign-in-links", headers={"origin": PAGE})
    assert response.status_code == 201
    assert response.json()["address"].startswith(f"{PAGE}/login?code=")
    assert response.json()["minutes"] == 5
