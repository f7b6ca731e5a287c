"""Signing a browser in: one-time codes, tokens, cookies, and what the pages say when it fails."""

import re
from datetime import timedelta
from urllib.parse import urlsplit

import httpx
import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from config.env import Env
from config.models import SignInCode
from config.sign_in.codes import create_code, default_user, own_address, sign_in_address, use_code
from config.sign_in.sessions import caller_of, exchange_token
from config.sign_in.token_exchange import safe_target
from core.callers import CallerKind, Principal, Scope
from core.errors import Invalid, NotFound, Refused
from mcp_gateway.services import create_token, revoke_token
from tests.config.servers import Running, manage
from tests.terminals.served import Served
from tests.waiting import LONGEST_SECONDS

CODE_LINE = re.compile(r"Sign a browser in with (\S+)")
ACCEPT = {"Accept": "text/html"}


@pytest.fixture
def admin(db: None) -> User:
    return User.objects.create_superuser("admin", password="x")


# ---- codes ----


def test_a_code_works_once(admin: User) -> None:
    code = create_code(user=admin)
    assert use_code(code=code) == admin
    with pytest.raises(Refused, match=r"already used.*sign_in_link"):
        use_code(code=code)


def test_a_code_is_stored_as_a_hash_only(admin: User) -> None:
    code = create_code(user=admin)
    (row,) = SignInCode.objects.values()
    assert code not in str(row)
    assert code.replace("-", "") not in str(row)


def test_a_code_may_be_typed_in_any_form(admin: User) -> None:
    code = create_code(user=admin)
    assert re.fullmatch(r"(?:[2-9A-Z]{4}-){3}[2-9A-Z]{4}", code)
    assert use_code(code=f"  {code.lower().replace('-', ' ')} ") == admin


def test_a_code_expires(admin: User) -> None:
    code = create_code(user=admin)
    SignInCode.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    with pytest.raises(Refused, match=r"expired.*sign_in_link"):
        use_code(code=code)


def test_a_wrong_code_is_reported_with_a_remedy(admin: User) -> None:
    create_code(user=admin)
    for wrong in ("", "AAAA-AAAA-AAAA-AAAA", "x" * 10_000):
        with pytest.raises(NotFound, match="sign_in_link"):
            use_code(code=wrong)


def test_a_code_of_an_inactive_account_does_not_sign_in(admin: User) -> None:
    code = create_code(user=admin)
    User.objects.update(is_active=False)
    with pytest.raises(Refused, match="not active"):
        use_code(code=code)


def test_old_codes_are_deleted(admin: User) -> None:
    create_code(user=admin)
    SignInCode.objects.update(expires_at=timezone.now() - timedelta(days=2))
    create_code(user=admin)
    assert SignInCode.objects.count() == 1


def test_the_first_superuser_is_signed_in_unless_another_is_named(admin: User) -> None:
    person = User.objects.create_user("person", password="x")
    assert default_user() == admin
    assert default_user("person") == person
    with pytest.raises(Invalid, match="createsuperuser"):
        default_user("nobody")
    User.objects.all().delete()
    with pytest.raises(Invalid, match="createsuperuser"):
        default_user()


@pytest.mark.parametrize(
    ("env", "wanted"),
    [
        (Env(), "http://127.0.0.1:8080"),
        (Env(host="::1"), "http://[::1]:8080"),
        (Env(host="192.0.2.1"), "http://192.0.2.1:8080"),
        (Env(host="0.0.0.0"), "http://127.0.0.1:8080"),
        (Env(host="::", allowed_hosts=("box.example",)), "http://box.example:8080"),
        (Env(host="0.0.0.0", allowed_hosts=("box.example:80",)), "http://box.example:80"),
    ],
)
def test_the_printed_address_is_one_that_we_answer_under(env: Env, wanted: str) -> None:
    assert own_address(env, 8080) == wanted


# ---- the page ----


def test_opening_the_address_does_not_use_the_code(client: Client, admin: User) -> None:
    """Previews of chats and scanners of mails open addresses too."""
    code = create_code(user=admin)
    for _ in range(3):
        page = client.get("/login", {"code": code, "next": "/connect"})
        assert page.status_code == 200
        assert f'value="{code}"' in page.text
    assert client.head("/login", {"code": code}).status_code == 200
    assert use_code(code=code) == admin


def test_the_button_signs_in_and_redirects(client: Client, admin: User) -> None:
    form = {"code": create_code(user=admin), "next": "/connect?tools=notes", "fragment": "#/x"}
    answer = client.post("/login", form)
    assert (answer.status_code, answer["Location"]) == (302, "/connect?tools=notes#/x")
    cookie = answer.cookies[settings.SESSION_COOKIE_NAME]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert caller_of(cookie.value) == Principal(CallerKind.SESSION, "admin", Scope.ADMIN)


def test_the_form_needs_its_csrf_token(admin: User) -> None:
    """Another page must not sign a browser in with an account of its own choice."""
    strict = Client(enforce_csrf_checks=True)
    assert strict.post("/login", {"code": create_code(user=admin)}).status_code == 403


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("", "Enter the code"),
        ("AAAA-AAAA-AAAA-AAAA", "This code is not known"),
        ("wtx_" + "x" * 43, "This token is not valid"),
    ],
)
def test_the_page_shows_the_error_and_its_remedy(
    client: Client, admin: User, code: str, words: str
) -> None:
    answer = client.post("/login", {"code": code, "next": "/connect"})
    assert answer.status_code == 400
    assert words in answer.text
    assert "manage.py sign_in_link" in answer.text
    assert 'name="next" value="/connect"' in answer.text
    assert settings.SESSION_COOKIE_NAME not in answer.cookies


def test_a_wrong_code_keeps_the_current_session(client: Client, admin: User) -> None:
    client.force_login(admin)
    for wrong in ("AAAA-AAAA-AAAA-AAAA", "wtx_" + "x" * 43):
        client.post("/login", {"code": wrong})
    assert caller_of(client.session.session_key or "") is not None


def test_a_used_code_is_reported_on_the_page(client: Client, admin: User) -> None:
    code = create_code(user=admin)
    client.post("/login", {"code": code})
    assert "already used" in Client().post("/login", {"code": code}).text


def test_the_page_says_why_the_user_was_redirected_to_it(client: Client) -> None:
    assert "forwarded port" in client.get("/login", {"why": "forwarded"}).text
    assert "not valid" in client.get("/login", {"why": "token"}).text
    assert "<b>" not in client.get("/login", {"why": "<b>", "code": "<b>", "next": "/<b>"}).text


@pytest.mark.parametrize(
    "target",
    [
        "https://evil.example/", "//evil.example", "/\\evil.example", "\\\\evil.example",
        "javascript:alert(1)", "///evil.example", "/\t/evil.example", "evil", "", "http:/x",
        " //evil.example", "/\n/evil.example",
    ],
)  # fmt: skip
def test_no_redirect_leads_to_another_site(client: Client, admin: User, target: str) -> None:
    assert safe_target(target) == "/"
    answer = client.post("/login", {"code": create_code(user=admin), "next": target})
    assert answer["Location"] == "/"


@pytest.mark.parametrize(
    "fragment", ["x", "//evil.example", "#x", "@evil.example", ".evil.example"]
)
def test_a_fragment_adds_only_an_anchor(client: Client, admin: User, fragment: str) -> None:
    form = {"code": create_code(user=admin), "fragment": fragment}
    assert client.post("/login", form)["Location"] == "/"


# ---- tokens as sessions ----


def test_a_pasted_token_becomes_a_session_with_its_scope(client: Client, db: None) -> None:
    row, secret = create_token(name="phone", scope=Scope.READ)
    answer = client.post("/login", {"code": secret})
    key = answer.cookies[settings.SESSION_COOKIE_NAME].value
    assert caller_of(key) == Principal(CallerKind.TOKEN, "phone", Scope.READ)
    revoke_token(token=row)
    assert caller_of(key) is None


def test_a_session_of_a_token_ends_with_the_token(db: None) -> None:
    row, secret = create_token(name="phone")
    key = exchange_token(secret)
    assert key
    assert caller_of(key) == Principal(CallerKind.TOKEN, "phone", Scope.WRITE)
    row.expires_at = timezone.now() - timedelta(seconds=1)
    row.save()
    assert caller_of(key) is None
    row.delete()
    assert caller_of(key) is None
    assert exchange_token(secret) is None


def test_a_session_of_the_configured_token_ends_when_it_changes(
    db: None, settings: "object"
) -> None:
    settings.WEBTMUX = Env(auth_token="one")  # type: ignore[attr-defined]
    key = exchange_token("one")
    assert key
    assert caller_of(key) == Principal(CallerKind.TOKEN, "auth-token", Scope.ADMIN)
    for other in ("two", ""):
        settings.WEBTMUX = Env(auth_token=other)  # type: ignore[attr-defined]
        assert caller_of(key) is None


def test_signing_in_by_a_code_replaces_a_session_with_fewer_permissions(
    client: Client, admin: User
) -> None:
    _, secret = create_token(name="phone", scope=Scope.READ)
    first = client.post("/login", {"code": secret}).cookies[settings.SESSION_COOKIE_NAME].value
    answer = client.post("/login", {"code": create_code(user=admin)})
    key = answer.cookies[settings.SESSION_COOKIE_NAME].value
    assert key != first
    assert caller_of(key) == Principal(CallerKind.SESSION, "admin", Scope.ADMIN)
    assert caller_of(first) is None


# ---- a real server that requires a sign-in ----


def browser(running: Running) -> httpx.Client:
    return httpx.Client(base_url=running.address, headers=ACCEPT, timeout=LONGEST_SECONDS)


def enter(client: httpx.Client, running: Running, form: str, **more: str) -> httpx.Response:
    """Press the button of the sign-in page."""
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
    headers = {"Origin": running.address, **more}
    return client.post("/login", data=fields, headers=headers)


def port_of(running: Running) -> int:
    return urlsplit(running.address).port or 0


def test_the_printed_address_signs_a_browser_in(strict: Served) -> None:
    running = strict.running
    link = running.read_until(CODE_LINE)[1]
    with browser(running) as client:
        led = client.get("/connect")
        assert (led.status_code, led.headers["location"]) == (302, "/login?next=%2Fconnect")
        form = client.get(link)
        assert form.headers["cache-control"].startswith("max-age=0")
        assert form.headers["referrer-policy"] == "same-origin"
        assert enter(client, running, form.text).headers["location"] == "/"
        assert f"webtmux_session_{port_of(running)}" in client.cookies
        assert client.get("/connect").status_code == 200
        assert client.get("/api/projects").status_code == 200
        assert client.get("/admin/").status_code == 200
    with browser(running) as another:
        again = enter(another, running, another.get(link).text)
        assert (again.status_code, "already used" in again.text) == (400, True)


def test_the_command_prints_a_new_address(strict: Served) -> None:
    running = strict.running
    done = manage(strict.env, "sign_in_link")  # the port was chosen by the system
    assert done.returncode == 0, done.stderr
    with browser(running) as client:
        form = client.get(done.stdout.strip()).text
        assert enter(client, running, form).status_code == 302
        assert client.get("/").status_code == 200


def test_the_command_reports_an_unknown_user(strict: Served) -> None:
    done = manage(strict.env, "sign_in_link", "--user", "nobody")
    assert done.returncode == 1
    assert "createsuperuser" in done.stderr


def test_a_token_in_the_address_of_a_page_is_exchanged_for_a_cookie(strict: Served) -> None:
    running = strict.running
    secret = strict.token("read")
    with browser(running) as client:
        moved = client.get(f"/connect?tools=notes&token={secret}")
        assert (moved.status_code, moved.headers["location"]) == (303, "/connect?tools=notes")
        assert moved.headers["referrer-policy"] == "no-referrer"
        assert moved.headers["cache-control"] == "no-store"
        assert "HttpOnly" in moved.headers["set-cookie"]
        assert "Secure" not in moved.headers["set-cookie"]
        assert secret not in moved.text + str(moved.headers)
        assert client.get("/connect?tools=notes").status_code == 200
        assert client.get("/api/projects").status_code == 200
        # Programs keep it: the document of the adapter has it so.
    assert httpx.get(f"{running.address}/api/projects?token={secret}").status_code == 200


def test_a_wrong_token_in_the_address_of_a_page_leads_to_the_sign_in_page(strict: Served) -> None:
    running = strict.running
    with browser(running) as client:
        led = client.get("/connect?token=wrong")
        assert led.headers["location"] == "/login?next=%2Fconnect&why=token"
    assert httpx.get(f"{running.address}/api/projects?token=wrong").status_code == 401


def test_cookies_are_secure_where_the_browser_speaks_tls(strict: Served) -> None:
    running = strict.running
    secret = strict.token("read")
    proxied = {"X-Forwarded-Proto": "https"}
    with browser(running) as client:
        for answer in (
            client.get(f"/connect?token={secret}", headers=proxied),
            client.get("/login", headers=proxied),
        ):
            assert "; Secure" in answer.headers["set-cookie"]


PAGES = ("/", "/connect", "/api/docs", "/admin/", "/login", "/offline", "/nothing-here",
         "/recordings/none", "/shared/none", "/admin/login/", "/api/nothing")  # fmt: skip


@pytest.mark.parametrize("path", PAGES)
def test_every_page_has_a_policy_and_no_frame(strict: Served, path: str) -> None:
    running = strict.running
    headers = {**ACCEPT, "Authorization": f"Bearer {strict.token('admin')}"}
    for answer in (
        httpx.get(running.address + path, headers=headers, timeout=LONGEST_SECONDS),
        httpx.get(running.address + path, headers=ACCEPT, timeout=LONGEST_SECONDS),
    ):
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'")
        assert "frame-ancestors 'none'" in policy
        assert "script-src 'unsafe" not in policy
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["x-content-type-options"] == "nosniff"


def test_a_browser_gets_refusals_as_a_page(strict: Served) -> None:
    running = strict.running
    for headers, words in (
        ({"Host": "evil.example"}, "WEBTMUX_ALLOWED_HOSTS"),
        ({"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}, "new tab"),
        ({"Origin": "https://evil.example"}, "WEBTMUX_ALLOWED_ORIGINS"),
    ):
        page = httpx.get(running.address, headers={**ACCEPT, **headers})
        assert page.status_code in {403, 421}
        assert page.headers["content-type"].startswith("text/html")
        assert words in page.text


def test_the_code_is_kept_out_of_the_log() -> None:
    from config.logs import redact

    link = sign_in_address("http://127.0.0.1:8080", "AAAA-BBBB-CCCC-DDDD")
    assert "AAAA" not in redact(f"GET {link} HTTP/1.1")
    assert "AAAA" not in redact("GET /login?next=%2F&code=AAAA-BBBB-CCCC-DDDD")
