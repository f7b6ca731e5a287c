"""The processes at the other end of a loopback connection, read from /proc.

Not a decision: config/relays.py decides, config/identity.py asks. Reading takes milliseconds, up
to a hundred on a busy workstation, so it happens in a thread and once per connection.
"""

import asyncio
import logging
import os
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from config.peers import Address, Socket, peer_socket, read_connections
from config.relays import Process, Snapshot, Verdict

logger = logging.getLogger(__name__)

PROC = Path("/proc")
SOCKET_LINK = "socket:["
# Tables of /proc/net, and the column of the inode.
OTHER_TABLES = {
    "unix": 6, "netlink": 9, "packet": 8, "udp": 9, "udp6": 9, "udplite": 9, "raw": 9, "raw6": 9,
    "icmp": 9, "icmp6": 9,
}  # fmt: skip
ARGUMENTS_LIMIT = 4096  # bytes of a command line that are read
# A connection is judged again after this time: its program may have begun to relay.
VERDICT_SECONDS = 30.0
VERDICTS_LIMIT = 1024
# A verdict that may pass is believed when it is the same so many times.
TURNS = 3
TURN_SECONDS = 0.02
DIRECT = Verdict()
GONE = Verdict("the connection was closed while it was looked up")
UNREADABLE = Verdict("the program that calls could not be looked up: the log says why")


class TcpPeer(NamedTuple):
    """One connection: another one on the same ports has another socket."""

    client: Address
    server: Address
    socket: Socket


class UnixPeer(NamedTuple):
    """The process that connected to our unix socket; a later one with this pid started later."""

    pid: int
    started: str


Peer = TcpPeer | UnixPeer


class Relays:
    """Judges connections, and remembers each for as long as it is the same connection.

    One snapshot at a time, in a thread, for all that waited for it: a page opens several
    connections at once.
    """

    def __init__(
        self,
        more_forwarders: Collection[str] = (),
        *,
        find: Callable[[Address, Address], Socket | None] = peer_socket,
    ) -> None:
        self._more, self._find = more_forwarders, find
        self._known: OrderedDict[Peer, float] = OrderedDict()  # trusted until
        self._waiting: dict[Peer, asyncio.Future[Verdict]] = {}
        self._work: asyncio.Task[None] | None = None

    async def judge(self, peer: Peer) -> Verdict:
        if self._known.get(peer, 0.0) > time.monotonic():
            return DIRECT
        if peer not in self._waiting:
            self._waiting[peer] = asyncio.get_running_loop().create_future()
        verdict = self._waiting[peer]
        if self._work is None or self._work.done():
            self._work = asyncio.create_task(self._judge_waiting())
        # Shielded: several requests of a connection may wait, and one of them may be given up.
        return await asyncio.shield(verdict)

    async def _judge_waiting(self) -> None:
        while batch := self._waiting:
            self._waiting = {}
            try:
                verdicts = await asyncio.to_thread(self._read, list(batch))
            except Exception:
                logger.exception("could not look up the programs that call")
                verdicts = [UNREADABLE] * len(batch)
            for peer, verdict in zip(batch, verdicts, strict=True):
                self._remember(peer, verdict)
                if not batch[peer].done():
                    batch[peer].set_result(verdict)

    def _remember(self, peer: Peer, verdict: Verdict) -> None:
        # What listens may get another caller at any time and use the same connection for it.
        if verdict.problem or verdict.listens:
            return
        self._known[peer] = time.monotonic() + VERDICT_SECONDS
        self._known.move_to_end(peer)
        if len(self._known) > VERDICTS_LIMIT:
            self._known.popitem(last=False)

    def _read(self, peers: Sequence[Peer]) -> list[Verdict]:
        verdicts: dict[Peer, Verdict] = {}
        for turn in range(TURNS):
            if left := [peer for peer in peers if peer not in verdicts or verdicts[peer].may_pass]:
                time.sleep(TURN_SECONDS if turn else 0)
                snapshot = take_snapshot(self._more)
                verdicts.update({peer: self._verdict(snapshot, peer) for peer in left})
        return [verdicts[peer] for peer in peers]

    def _verdict(self, snapshot: Snapshot, peer: Peer) -> Verdict:
        """A peer that hung up while it was looked up may have been a relay that is gone now."""
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
    # Sockets first: a connection that is opened in between belongs to another call.
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
    """The inodes of the sockets that a process holds; none where we may not look."""
    folder = f"/proc/{pid}/fd/"
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    found = []
    for name in names:
        try:
            target = os.readlink(folder + name)
        except OSError:  # closed meanwhile
            continue
        if target.startswith(SOCKET_LINK):
            found.append(int(target[len(SOCKET_LINK) : -1]))
    return found


def read_process(pid: int) -> Process | None:
    """Parent and names; those of another user's process as far as anyone may read them."""
    folder = PROC / str(pid)
    try:
        stat = (folder / "stat").read_bytes()
        with (folder / "cmdline").open("rb") as file:
            argv = file.read(ARGUMENTS_LIMIT).rstrip(b"\0").split(b"\0")
    except OSError:
        return None
    # The name stands in brackets and may hold anything, brackets too.
    comm, _, rest = stat.partition(b"(")[2].rpartition(b")")
    try:
        exe = os.readlink(folder / "exe")
    except OSError:
        exe = ""
    return Process(
        pid=pid,
        parent=int(rest.split()[1]),
        exe=exe,
        comm=comm.decode("utf-8", "replace"),
        argv=tuple(word.decode("utf-8", "replace") for word in argv),
    )


def _other_sockets() -> Iterator[int]:
    """The inodes of every socket but TCP, from tables that each have another form."""
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
