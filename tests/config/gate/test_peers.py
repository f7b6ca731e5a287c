"""The owner of the other end of a real connection: ours, another user's, or unknown."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from ipaddress import ip_address
from pathlib import Path

import pytest

from config.gate import peers
from config.gate.peers import ask_kernel, peer_socket, read_tables
from config.gate.request import Address
from tests.waiting import LONGEST_SECONDS

NOBODY = 65534
# Connects as another user and stays until its standard input ends.
STRANGER = """
import encodings.idna, os, socket, sys  # all of it now: the user "nobody" may not read our Python
os.setgid(65534), os.setuid(65534)
connection = socket.create_connection((sys.argv[1], int(sys.argv[2])))
print("connected", flush=True)
sys.stdin.read()
"""


def uid_of_peer(client: Address, server: Address) -> int | None:
    peer = peer_socket(client, server)
    return peer.uid if peer else None


def plain(address: tuple[object, ...]) -> Address:
    return str(address[0]), int(str(address[1]))


@contextmanager
def connection(
    family: socket.AddressFamily, host: str, to: str = ""
) -> Iterator[tuple[Address, Address]]:
    """Both ends of one connection, as the server sees them."""
    with socket.create_server((host, 0), family=family, dualstack_ipv6=host == "::") as server:
        port = server.getsockname()[1]
        with closing(socket.create_connection((to or host, port))):
            accepted, client = server.accept()
            with accepted:
                yield plain(client), plain(accepted.getsockname())


@pytest.fixture(params=["kernel", "tables"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways to know must agree; the second is for systems that refuse the first."""
    if request.param == "tables":

        def refuse(*args: object) -> None:
            raise OSError("not here")

        monkeypatch.setattr(peers, "ask_kernel", refuse)
    return str(request.param)


def test_our_own_connection_belongs_to_us(way: str) -> None:
    with connection(socket.AF_INET, "127.0.0.1") as (client, server):
        assert uid_of_peer(client, server) == os.geteuid()


def test_our_own_ipv6_connection_belongs_to_us(way: str) -> None:
    with connection(socket.AF_INET6, "::1") as (client, server):
        assert uid_of_peer(client, server) == os.geteuid()


def test_ipv4_on_an_ipv6_socket_is_found(way: str) -> None:
    with connection(socket.AF_INET6, "::", to="127.0.0.1") as (client, server):
        assert client[0].startswith("::ffff:")
        assert uid_of_peer(client, server) == os.geteuid()
    with socket.create_server(("127.0.0.1", 0)) as listener:
        mapped = socket.socket(socket.AF_INET6)
        with mapped:
            mapped.connect((f"::ffff:{listener.getsockname()[0]}", listener.getsockname()[1]))
            accepted, far = listener.accept()
            with accepted:
                assert uid_of_peer(plain(far), plain(accepted.getsockname())) == os.geteuid()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_the_connection_of_another_user_belongs_to_them(way: str, host: str) -> None:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, 0), family=family) as server:
        argv = [sys.executable, "-c", STRANGER, host, str(server.getsockname()[1])]
        with subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as stranger:
            server.settimeout(5)
            accepted, client = server.accept()
            with accepted:
                assert uid_of_peer(plain(client), plain(accepted.getsockname())) == NOBODY
            stranger.communicate(timeout=LONGEST_SECONDS)


def test_a_closed_connection_has_no_owner(way: str) -> None:
    with connection(socket.AF_INET, "127.0.0.1") as (client, server):
        pass
    assert uid_of_peer(client, server) is None


def test_a_half_closed_connection_has_no_owner(way: str) -> None:
    """Its row has lost the owner and shows uid 0: root must not take it for its own."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        client = socket.create_connection(server.getsockname())
        accepted, far = server.accept()
        client.close()
        with accepted:
            assert accepted.recv(1) == b""
            assert uid_of_peer(plain(far), plain(accepted.getsockname())) is None


def test_a_connection_that_does_not_exist_has_no_owner(way: str) -> None:
    assert uid_of_peer(("127.0.0.1", 1), ("127.0.0.1", 2)) is None


@pytest.mark.parametrize(
    ("client", "server"),
    [
        (("192.0.2.1", 5), ("127.0.0.1", 6)),
        (("127.0.0.1", 5), ("192.0.2.1", 6)),
        (("localhost", 5), ("127.0.0.1", 6)),
        (("::1", 5), ("127.0.0.1", 6)),
    ],
)
def test_beyond_loopback_no_owner_is_known(
    client: Address, server: Address, monkeypatch: pytest.MonkeyPatch
) -> None:
    everybody = peers.PeerSocket(state=peers.ESTABLISHED, uid=os.geteuid(), inode=1)
    monkeypatch.setattr(peers, "ask_kernel", lambda *_: everybody)
    assert uid_of_peer(("127.0.0.1", 5), ("127.0.0.1", 6)) == os.geteuid()
    assert uid_of_peer(client, server) is None


def test_without_netlink_and_proc_no_owner_is_known(tmp_path: Path) -> None:
    item = ip_address("127.0.0.1")
    assert read_tables(item, 1, item, 2, proc_net=tmp_path) is None


def test_netlink_and_proc_give_the_same_owner() -> None:
    with connection(socket.AF_INET, "127.0.0.1") as (client, server):
        item = ip_address("127.0.0.1")
        assert ask_kernel(item, client[1], item, server[1]) == read_tables(
            item, client[1], item, server[1]
        )
