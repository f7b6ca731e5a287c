"""Reads from /proc which processes are at the other end of a loopback connection.

config/gate/relays.py decides whether they forward calls; config/gate/identity.py uses the result.
Reading takes milliseconds, up to a hundred on a busy workstation, so it happens in a thread and
once per connection.
"""

import asyncio
import logging
import os
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from config.gate.peers import PeerSocket, peer_socket, read_connections
from config.gate.relays import PeerProcess, RelayVerdict, Snapshot
from config.gate.request import Address

logger = logging.getLogger(__name__)

PROC = Path("/proc")
SOCKET_LINK = "socket:["
# Tables in /proc/net, and the column of the inode in each.
OTHER_TABLES = {
    "unix": 6, "netlink": 9, "packet": 8, "udp": 9, "udp6": 9, "udplite": 9, "raw": 9, "raw6": 9,
    "icmp": 9, "icmp6": 9,
}  # fmt: skip  # a table
ARGUMENTS_LIMIT = 4096  # bytes of a command line that are read
# A connection is judged again after this time: its program may have started to relay.
VERDICT_SECONDS = 30.0
VERDICTS_LIMIT = 1024
# A verdict that may be temporary counts only if it is the same this many times.
TURNS = 3
TURN_SECONDS = 0.02
DIRECT = RelayVerdict()
GONE = RelayVerdict("the connection was closed while it was looked up")
UNREADABLE = RelayVerdict("the calling program could not be looked up (see the server's log)")


class TcpPeer(NamedTuple):
    """One connection. A later one between the same ports has another socket."""

    client: Address
    server: Address
    socket: PeerSocket


class UnixPeer(NamedTuple):
    """The process that connected to our unix socket. A later one with this pid started later."""

    pid: int
    started: str


Peer = TcpPeer | UnixPeer


class Relays:
    """Judges connections and caches the verdict for each connection.

    Takes one snapshot at a time, in a thread, for all connections that wait for it: a page opens
    several at once.
    """

    def __init__(
        self,
        more_forwarders: Collection[str] = (),
        *,
        find: Callable[[Address, Address], PeerSocket | None] = peer_socket,
    ) -> None:
        self._more, self._find = more_forwarders, find
        self._known: OrderedDict[Peer, float] = OrderedDict()  # trusted until
        self._waiting: dict[Peer, asyncio.Future[RelayVerdict]] = {}
        self._work: asyncio.Task[None] | None = None

    async def judge(self, peer: Peer) -> RelayVerdict:
        if self._known.get(peer, 0.0) > time.monotonic():
            return DIRECT
        if peer not in self._waiting:
            self._waiting[peer] = asyncio.get_running_loop().create_future()
        verdict = self._waiting[peer]
        if self._work is None or self._work.done():
            self._work = asyncio.create_task(self._judge_waiting())
        # Shielded: several requests of a connection may wait, and one of them may be cancelled.
        return await asyncio.shield(verdict)

    async def _judge_waiting(self) -> None:
        while batch := self._waiting:
            self._waiting = {}
            try:
                verdicts = await asyncio.to_thread(self._read, list(batch))
            except Exception:
                logger.exception("could not look up the calling programs")
                verdicts = [UNREADABLE] * len(batch)
            for peer, verdict in zip(batch, verdicts, strict=True):
                self._remember(peer, verdict)
                if not batch[peer].done():
                    batch[peer].set_result(verdict)

    def _remember(self, peer: Peer, verdict: RelayVerdict) -> None:
        # A program that listens may get another caller at any time and reuse this connection.
        if verdict.problem or verdict.listens:
            return
        self._known[peer] = time.monotonic() + VERDICT_SECONDS
        self._known.move_to_end(peer)
        if len(self._known) > VERDICTS_LIMIT:
            self._known.popitem(last=False)

    def _read(self, peers: Sequence[Peer]) -> list[RelayVerdict]:
        verdicts: dict[Peer, RelayVerdict] = {}
        for turn in range(TURNS):
            if left := [
                peer for peer in peers if peer not in verdicts or verdicts[peer].is_temporary
            ]:
                time.sleep(TURN_SECONDS if turn else 0)
                snapshot = take_snapshot(self._more)
                verdicts.update({peer: self._verdict(snapshot, peer) for peer in left})
        return [verdicts[peer] for peer in peers]

    def _verdict(self, snapshot: Snapshot, peer: Peer) -> RelayVerdict:
        """A peer that disconnected during the lookup may have been a relay."""
        if isinstance(peer, UnixPeer):
            verdict = snapshot.judge_process(peer.pid)
            return verdict if unix_peer(peer.pid) == peer else GONE
        verdict = snapshot.judge(peer.socket.inode)
        return verdict if self._find(peer.client, peer.server) == peer.socket else GONE


def unix_peer(pid: int) -> UnixPeer | None:
    try:
        stat = (PROC / str(pid) / "stat").read_text(errors="replace")
    except OSError:
        return None
    return UnixPeer(pid, stat.rpartition(")")[2].split()[19])  # field 22: when it started


def take_snapshot(more_forwarders: Collection[str] = ()) -> Snapshot:
    uid = os.geteuid()
    # Sockets first: a connection that is opened afterwards belongs to another call.
    sockets = {pid: inodes for pid in _own_processes(uid) if (inodes := _sockets_of(pid))}
    return Snapshot(
        uid=uid,
        sockets=sockets,
        process=read_process,
        connections=list(read_connections()),
        server=os.getpid(),
        ephemeral=_ephemeral(),
        more_forwarders=more_forwarders,
        other_sockets=lambda: set(_other_sockets()),
    )


def _own_processes(uid: int) -> Iterator[int]:
    with os.scandir(PROC) as entries:
        for entry in entries:
            if entry.name.isdigit():
                try:
                    if entry.stat().st_uid == uid:
                        yield int(entry.name)
                except OSError:  # it has ended
                    continue


def _sockets_of(pid: int) -> list[int]:
    """The inodes of the sockets that a process holds; empty if we may not read them."""
    folder = f"/proc/{pid}/fd/"
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    inodes = []
    for name in names:
        try:
            target = os.readlink(folder + name)
        except OSError:  # closed in the meantime
            continue
        if target.startswith(SOCKET_LINK):
            inodes.append(int(target[len(SOCKET_LINK) : -1]))
    return inodes


def read_process(pid: int) -> PeerProcess | None:
    """The parent and the names of a process. The executable of another user's is not readable."""
    folder = PROC / str(pid)
    try:
        stat = (folder / "stat").read_bytes()
        with (folder / "cmdline").open("rb") as file:
            argv = file.read(ARGUMENTS_LIMIT).rstrip(b"\0").split(b"\0")
    except OSError:
        return None
    # The name is in parentheses and may contain anything, also parentheses.
    comm, _, rest = stat.partition(b"(")[2].rpartition(b")")
    try:
        exe = os.readlink(folder / "exe")
    except OSError:
        exe = ""
    return PeerProcess(
        pid=pid,
        parent=int(rest.split()[1]),
        exe=exe,
        comm=comm.decode("utf-8", "replace"),
        argv=tuple(word.decode("utf-8", "replace") for word in argv),
    )


def _other_sockets() -> Iterator[int]:
    """The inodes of all sockets except TCP, from tables that differ in their columns."""
    for table, column in OTHER_TABLES.items():
        try:
            lines = (PROC / "net" / table).read_text(errors="replace").splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            cells = line.split(maxsplit=column + 1)
            if len(cells) > column and cells[column].isdigit():
                yield int(cells[column])


def _ephemeral() -> range:
    try:
        first, last = (PROC / "sys/net/ipv4/ip_local_port_range").read_text().split()
    except (OSError, ValueError):
        return range(32768, 61000)
    return range(int(first), int(last) + 1)
