"""Which programs forward, by their name and by their connections, in sample snapshots."""

import asyncio
import os
from ipaddress import ip_address

import pytest

from config.gate import processes
from config.gate.forwarders import forwarder_name
from config.gate.peers import ESTABLISHED, PeerSocket
from config.gate.processes import Relays, TcpPeer
from config.gate.relays import LISTEN, End, PeerProcess, RelayVerdict, Snapshot, TcpConnection
from config.gate.request import Address

OURS, OTHER = 1000, 1001
PEER = 7  # the inode of the client's socket


@pytest.mark.parametrize(
    ("exe", "comm", "argv", "wanted"),
    [
        ("/usr/bin/socat", "socat", ("socat",), "socat"),
        ("/usr/bin/socat1", "x", ("y",), "socat1"),
        ("/usr/bin/ncat (deleted)", "ncat", ("ncat",), "ncat"),
        ("", "sshd-session", ("sshd-session: me [priv]",), "sshd-session"),
        ("/usr/sbin/sshd", "sshd", ("sshd: me@pts/0",), "sshd"),
        ("", "systemd-socket-", (), "systemd-socket-proxyd"),
        ("/usr/bin/busybox", "nc", ("busybox", "nc", "-l"), "nc"),
        ("/usr/bin/python3.11", "python3", ("python3", "-m", "websockify", "80"), "websockify"),
        ("/usr/bin/python3.12", "py", ("python3", "-u", "/opt/mitmdump.py"), "mitmdump"),
        (
            "/usr/bin/node", "node",
            ("node", "/usr/lib/node_modules/localtunnel/bin/client.js"), "localtunnel",
        ),
        ("/home/me/bin/NGROK", "NGROK", (), "ngrok"),
        ("/usr/bin/curl", "curl", ("curl", "http://socat/"), ""),
        ("/usr/bin/curl", "curl", ("curl", "socat"), ""),
        ("/usr/bin/python3", "python3", ("python3", "client.py", "socat"), ""),
        ("/usr/bin/node", "claude", ("claude",), ""),
        ("/usr/bin/python3", "python3", ("python3", "-m"), ""),
    ],
)  # fmt: skip
def test_a_forwarder_is_recognised_by_file_name_argument_or_script(
    exe: str, comm: str, argv: tuple[str, ...], wanted: str
) -> None:
    assert forwarder_name(exe, comm, argv) == wanted


def test_the_settings_add_names_of_forwarders() -> None:
    assert forwarder_name("/opt/tunnel", "tunnel", ("tunnel",)) == ""
    assert forwarder_name("/opt/tunnel", "tunnel", ("tunnel",), ["Tunnel"]) == "tunnel"


def end(text: str) -> End:
    address, _, port = text.rpartition(":")
    return ip_address(address), int(port)


def row(local: str, remote: str, inode: int, *, uid: int = OURS, state: int = 1) -> TcpConnection:
    return TcpConnection(end(local), end(remote), state, uid, inode)


def listener(local: str, inode: int) -> TcpConnection:
    return row(local, "0.0.0.0:0", inode, state=LISTEN)


MINE = row("127.0.0.1:50000", "127.0.0.1:8080", PEER)


def judged(
    sockets: dict[int, set[int]],
    *rows: TcpConnection,
    parents: dict[int, int] | None = None,
    names: dict[int, str] | None = None,
    other: set[int] | None = None,
) -> RelayVerdict:
    """Process 10 is the client; each is a program of its own unless `names` says otherwise."""

    def process(pid: int) -> PeerProcess | None:
        if pid not in {*sockets, *(parents or {}), *(names or {})}:
            return None
        name = (names or {}).get(pid, f"program{pid}")
        return PeerProcess(pid, (parents or {}).get(pid, 0), f"/bin/{name}", name, (name,))

    snapshot = Snapshot(
        OURS, sockets, process, [MINE, *rows], server=1, other_sockets=lambda: other or set()
    )
    return snapshot.judge(PEER)


def test_a_plain_client_is_direct_and_may_be_remembered() -> None:
    assert judged({10: {PEER}}) == RelayVerdict()
    # Its own connections to other machines and programs say nothing.
    api = row("192.168.1.2:40000", "192.0.2.1:443", 8)
    database, its_server = row("127.0.0.1:40001", "127.0.0.1:5432", 9), listener("0.0.0.0:5432", 99)
    assert judged({10: {PEER, 8, 9}, 20: {99}}, api, database, its_server) == RelayVerdict()


def test_a_peer_without_a_process_is_not_trusted() -> None:
    assert "cannot be seen" in judged({11: {99}}).problem


@pytest.mark.parametrize("address", ["0.0.0.0:9000", ":::9000", "192.168.1.2:9000"])
def test_a_program_that_listens_for_other_machines_is_not_direct(address: str) -> None:
    assert "other machines" in judged({10: {PEER, 8}}, listener(address, 8)).problem


@pytest.mark.parametrize("address", ["127.0.0.1:9000", "::1:9000", "127.3.2.1:9000"])
def test_a_program_that_listens_on_loopback_is_direct_but_checked_again(address: str) -> None:
    assert judged({10: {PEER, 8}}, listener(address, 8)) == RelayVerdict(listens=True)


def test_a_connection_from_another_machine_is_seen_after_its_listener_closed() -> None:
    """As `nc -l` does. Ports of one's own connections are ephemeral, those of services are not."""
    inbound = row("192.168.1.2:9000", "192.0.2.7:40000", 8)
    assert "from another machine" in judged({10: {PEER, 8}}, inbound).problem


@pytest.mark.parametrize(
    ("uid", "inode", "wanted"),
    [(OTHER, 9, "another user"), (OURS, 0, "disconnected"), (OURS, 9, "cannot be seen")],
)
def test_a_loopback_caller_of_the_peer_must_be_ours(uid: int, inode: int, wanted: str) -> None:
    inbound = row("127.0.0.1:9000", "127.0.0.1:41000", 8)
    caller = row("127.0.0.1:41000", "127.0.0.1:9000", inode, uid=uid)
    rows = (listener("127.0.0.1:9000", 7000), inbound, caller)
    assert wanted in judged({10: {PEER, 8, 7000}}, *rows).problem


def test_a_leftover_connection_to_an_ended_server_is_no_caller() -> None:
    """A client holds the connection in CLOSE_WAIT until it uses it again."""
    left = row("127.0.0.1:41000", "127.0.0.1:3000", 8)
    assert judged({10: {PEER, 8}}, left).problem == ""


def test_a_caller_that_is_in_no_table_has_gone() -> None:
    rows = (listener("127.0.0.1:9000", 8),)
    assert "disconnected" in judged({10: {PEER, 8, 66}}, *rows).problem
    assert judged({10: {PEER, 8, 66}}, *rows, other={66}).problem == ""
    assert judged({10: {PEER, 66}}).problem == ""  # no one can have called it


def test_mapped_ipv4_is_followed() -> None:
    inbound = row("127.0.0.1:9000", "127.0.0.1:41000", 8)
    rows = (listener(":::9000", 9), inbound)
    assert judged({10: {PEER, 8}, 20: {9}}, *rows).problem != ""


def chain(length: int, *, last: str = "program") -> RelayVerdict:
    """The client is called by one of our programs that is called by another one, and so on."""
    sockets: dict[int, set[int]] = {10: {PEER}}
    rows = []
    for number in range(length):
        port = 9000 + number
        sockets[10 + number] |= {100 + number, 200 + number}
        rows += [
            listener(f"127.0.0.1:{port}", 200 + number),
            row(f"127.0.0.1:{port}", f"127.0.0.1:{40000 + number}", 100 + number),
            row(f"127.0.0.1:{40000 + number}", f"127.0.0.1:{port}", 300 + number),
        ]
        sockets[11 + number] = {300 + number}
    return judged(sockets, *rows, names={10 + length: last} if length else None)


def test_chains_of_our_own_programs_are_followed_to_a_limit() -> None:
    assert [chain(length).problem for length in range(4)] == [""] * 4
    assert "ssh" in chain(3, last="ssh").problem
    assert "too many" in chain(20).problem


def test_programs_that_call_each_other_end_the_search() -> None:
    rows = (
        listener("127.0.0.1:9000", 20),
        row("127.0.0.1:9000", "127.0.0.1:9100", 21),
        row("127.0.0.1:9100", "127.0.0.1:9000", 22),
    )
    assert judged({10: {PEER, 20, 21, 22}}, *rows).problem == ""


def test_shells_below_sshd_are_direct_and_programs_below_socat_are_not() -> None:
    parents = {10: 9, 9: 8, 8: 1}
    assert judged({10: {PEER}}, parents=parents, names={8: "sshd"}).problem == ""
    assert "socat" in judged({10: {PEER}}, parents=parents, names={8: "socat"}).problem
    assert "sshd" in judged({10: {PEER}}, names={10: "sshd"}).problem


def test_the_master_of_a_worker_counts_and_another_parent_does_not() -> None:
    rows = (listener("0.0.0.0:9000", 8),)
    same = {9: "tool", 10: "tool"}
    assert (
        "other machines" in judged({10: {PEER}, 9: {8}}, *rows, parents={10: 9}, names=same).problem
    )
    assert judged({10: {PEER}, 9: {8}}, *rows, parents={10: 9}).problem == ""


def test_every_holder_of_the_socket_counts() -> None:
    assert "ssh" in judged({10: {PEER}, 11: {PEER}}, names={11: "ssh"}).problem


# ---- what is remembered, and for how long ----

FOUND = PeerSocket(state=ESTABLISHED, uid=os.geteuid(), inode=PEER)
CLIENT, SERVER = ("127.0.0.1", 50000), ("127.0.0.1", 8080)


class Counting:
    """Snapshots in which the client is direct, listens, or forwards."""

    def __init__(self, *rows: TcpConnection, name: str = "curl") -> None:
        self.taken, self.rows, self.name = 0, rows, name

    def __call__(self, more: object) -> Snapshot:
        self.taken += 1
        sockets = {10: {PEER, *(each.inode for each in self.rows)}}
        return Snapshot(
            OURS, sockets,
            lambda pid: PeerProcess(10, 0, "/bin/x", self.name) if pid == 10 else None,
            [MINE, *self.rows],
        )  # fmt: skip


def relays(snapshots: Counting, monkeypatch: pytest.MonkeyPatch, answer: object = FOUND) -> Relays:
    monkeypatch.setattr(processes, "take_snapshot", snapshots)
    return Relays(find=lambda client, server: answer)  # type: ignore[arg-type,return-value]  # or None


async def test_a_connection_is_judged_once(monkeypatch: pytest.MonkeyPatch) -> None:
    snapshots = Counting()
    judge = relays(snapshots, monkeypatch)
    for _ in range(3):
        assert await judge.judge(TcpPeer(CLIENT, SERVER, FOUND)) == RelayVerdict()
    assert snapshots.taken == 1
    await judge.judge(
        TcpPeer(CLIENT, SERVER, FOUND._replace(inode=8))
    )  # another one on the same port
    assert snapshots.taken == 2


async def test_concurrent_connections_share_a_snapshot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    snapshots = Counting()
    judge = relays(snapshots, monkeypatch)
    clients: list[Address] = [("127.0.0.1", 50000 + number) for number in range(20)]
    await asyncio.gather(*(judge.judge(TcpPeer(client, SERVER, FOUND)) for client in clients))
    assert snapshots.taken <= 2


async def test_listeners_and_refused_peers_are_judged_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for snapshots in (Counting(listener("127.0.0.1:9000", 8)), Counting(name="ssh")):
        judge = relays(snapshots, monkeypatch)
        for _ in range(3):
            await judge.judge(TcpPeer(CLIENT, SERVER, FOUND))
        assert snapshots.taken == 3


async def test_a_verdict_expires(monkeypatch: pytest.MonkeyPatch) -> None:
    snapshots = Counting()
    judge = relays(snapshots, monkeypatch)
    monkeypatch.setattr(processes, "VERDICT_SECONDS", -1.0)
    await judge.judge(TcpPeer(CLIENT, SERVER, FOUND))
    await judge.judge(TcpPeer(CLIENT, SERVER, FOUND))
    assert snapshots.taken == 2


async def test_the_number_of_cached_verdicts_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    judge = relays(Counting(), monkeypatch)
    monkeypatch.setattr(processes, "VERDICTS_LIMIT", 5)
    for number in range(20):
        await judge.judge(TcpPeer(("127.0.0.1", 50000 + number), SERVER, FOUND))
    assert len(judge._known) == 5


async def test_a_connection_that_ends_meanwhile_is_not_trusted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    judge = relays(Counting(), monkeypatch, answer=None)
    assert "closed" in (await judge.judge(TcpPeer(CLIENT, SERVER, FOUND))).problem


async def test_a_failed_snapshot_trusts_no_peer(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(more: object) -> Snapshot:
        raise OSError("no /proc")

    monkeypatch.setattr(processes, "take_snapshot", fail)
    verdict = await Relays().judge(TcpPeer(CLIENT, SERVER, FOUND))
    assert "could not be looked up" in verdict.problem
    assert "no /proc" in caplog.text
