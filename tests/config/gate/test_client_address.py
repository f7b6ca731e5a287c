"""Which address a limit counts, with and without proxies that we trust."""

import pytest

from config.env import SettingError
from config.gate.client_address import client_address, trusted_networks
from tests.config.gate.callers import scope_of

PROXIES = trusted_networks(["127.0.0.1", "10.0.0.0/8", "::1"])


def address(client: tuple[str, int] | None, *forwarded: str, trusted: object = PROXIES) -> str:
    headers = [("host", "localhost"), *(("x-forwarded-for", value) for value in forwarded)]
    scope = {**scope_of("http", "GET", "/", headers), "client": client}
    return client_address(scope, trusted)  # type: ignore[arg-type]  # as the test wants it


@pytest.mark.parametrize(
    ("client", "forwarded", "wanted"),
    [
        ("127.0.0.1", (), "127.0.0.1"),
        ("127.0.0.1", ("192.0.2.7",), "192.0.2.7"),
        # The client wrote the first one itself.
        ("127.0.0.1", ("6.6.6.6, 192.0.2.7",), "192.0.2.7"),
        ("127.0.0.1", ("6.6.6.6", "192.0.2.7, 10.1.2.3"), "192.0.2.7"),
        ("192.0.2.9", ("6.6.6.6",), "192.0.2.9"),
        ("127.0.0.1", ("192.0.2.7:4711",), "192.0.2.7"),
        ("::1", ("[2001:db8::7]:4711",), "2001:db8::7"),
        ("::ffff:127.0.0.1", ("::ffff:192.0.2.7",), "192.0.2.7"),
        ("127.0.0.1", ("192.0.2.7, unknown",), "127.0.0.1"),
        ("127.0.0.1", ("",), "127.0.0.1"),
    ],
)
def test_only_what_a_trusted_proxy_appended_is_believed(
    client: str, forwarded: tuple[str, ...], wanted: str
) -> None:
    assert address((client, 4000), *forwarded) == wanted


def test_without_trusted_proxies_the_header_is_ignored() -> None:
    assert address(("127.0.0.1", 4000), "192.0.2.7", trusted=()) == "127.0.0.1"


def test_a_unix_socket_has_no_address() -> None:
    assert address(None, "192.0.2.7") == "unix"


def test_a_wrong_proxy_is_named_with_what_is_accepted() -> None:
    with pytest.raises(SettingError, match=r"TRUSTED_PROXIES.*proxy.example.*such as"):
        trusted_networks(["proxy.example"])
