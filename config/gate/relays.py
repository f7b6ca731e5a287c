"""Decides from a snapshot whether a process forwards the calls of others. Pure.

config/gate/processes.py takes the snapshot. A process is considered a relay if
- its program is a known forwarder, or a descendant of one (not of a login daemon: a shell of an ssh
  session is a direct caller);
- it, or its parent of the same program, listens on an address that other machines can reach, or
  holds a connection that was opened to it. A connection over loopback is followed to its other end:
  a program of the same user there is judged in the same way.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from ipaddress import IPv4Address, IPv6Address
from itertools import takewhile

from config.gate.forwarders import forwarder_name

IP = IPv4Address | IPv6Address
End = tuple[IP, int]
LISTEN = 10
# Longer chains of programs are not followed: such callers need a token.
CHAIN_LIMIT = 8
NO_SOCKET = -1
HAS_GONE = "it has disconnected"


@dataclass(frozen=True, slots=True)
class TcpConnection:
    """A row of the kernel's TCP tables."""

    local: End
    remote: End
    state: int
    uid: int
    inode: int


@dataclass(frozen=True, slots=True)
class PeerProcess:
    pid: int
    parent: int
    exe: str
    comm: str
    argv: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RelayVerdict:
    """`problem`: why the peer is not trusted. `listens`: the verdict may soon be outdated."""

    problem: str = ""
    listens: bool = False

    @property
    def is_temporary(self) -> bool:
        """A socket that is being opened or closed looks like that of a disconnected caller."""
        return self.problem.endswith(HAS_GONE)


@dataclass(frozen=True)
class Snapshot:
    """`sockets`: those of our own uid, by process id. `process` reads one process."""

    uid: int
    sockets: Mapping[int, Collection[int]]
    process: Callable[[int], PeerProcess | None]
    connections: Collection[TcpConnection]
    server: int = 0  # our own process: the connections it accepts are being judged
    ephemeral: range = range(32768, 61000)
    more_forwarders: Collection[str] = field(default=())
    # The inodes of all sockets that are not TCP; read only when needed.
    other_sockets: Callable[[], Collection[int]] = tuple

    @cached_property
    def by_inode(self) -> dict[int, TcpConnection]:
        return {each.inode: each for each in self.connections if each.inode}

    @cached_property
    def by_ends(self) -> dict[tuple[End, End], TcpConnection]:
        return {(each.local, each.remote): each for each in self.connections}

    @cached_property
    def listening(self) -> set[End]:
        return {each.local for each in self.connections if each.state == LISTEN}

    @cached_property
    def holders(self) -> dict[int, list[int]]:
        pids: dict[int, list[int]] = {}
        for pid, inodes in self.sockets.items():
            for inode in inodes:
                pids.setdefault(inode, []).append(pid)
        return pids

    def judge(self, inode: int) -> RelayVerdict:
        """Every process that holds the socket must be a direct caller."""
        return _Judge(self, inode).verdict()

    def judge_process(self, pid: int) -> RelayVerdict:
        """For a caller on our unix socket, which the TCP tables do not list."""
        return _Judge(self, NO_SOCKET).verdict_on(pid)


class _Judge:
    def __init__(self, snapshot: Snapshot, inode: int) -> None:
        self._snapshot, self._inode = snapshot, inode
        self._seen: set[int] = {snapshot.server}
        self._listens = False

    def verdict(self) -> RelayVerdict:
        return RelayVerdict(self._problem_of_socket(self._inode, CHAIN_LIMIT), self._listens)

    def verdict_on(self, pid: int) -> RelayVerdict:
        return RelayVerdict(self._problem_of(pid, CHAIN_LIMIT), self._listens)

    def _problem_of_socket(self, inode: int, steps: int) -> str:
        holders = self._snapshot.holders.get(inode)
        if not holders:
            return "the calling program cannot be seen from here"
        if steps == 0:
            return "the call passed through too many programs"
        problems = (self._problem_of(holder, steps) for holder in holders)
        return next(filter(None, problems), "")

    def _problem_of(self, pid: int, steps: int) -> str:
        if pid in self._seen:
            return ""
        holder = self._snapshot.process(pid)
        if holder is None:
            return "the calling program has ended"
        line = [holder, *self._ancestors(holder)]
        if name := self._forwarder(line):
            return f"the call came through {name}, which forwards connections"
        # A worker and its parents of the same program count as one.
        family = list(takewhile(lambda process: process.exe == holder.exe, line))
        new = [process for process in family if process.pid not in self._seen]
        self._seen.update(process.pid for process in new)
        problems = (self._problem_of_connections(process, steps) for process in new)
        return next(filter(None, problems), "") or self._problem_of_dead_sockets(new)

    def _forwarder(self, line: Sequence[PeerProcess]) -> str:
        more = self._snapshot.more_forwarders
        for number, each in enumerate(line):
            name = forwarder_name(each.exe, each.comm, each.argv, more, daemons=number == 0)
            if name:
                return name
        return ""

    def _ancestors(self, process: PeerProcess) -> Iterator[PeerProcess]:
        visited = {process.pid}
        while (parent := self._snapshot.process(process.parent)) and parent.pid not in visited:
            visited.add(parent.pid)
            yield parent
            process = parent

    def _problem_of_connections(self, process: PeerProcess, steps: int) -> str:
        inodes = self._snapshot.sockets.get(process.pid, ())
        rows = [self._snapshot.by_inode.get(inode) for inode in inodes]
        for row in rows:
            if row is None or row.inode == self._inode:
                continue
            if row.state == LISTEN:
                self._listens = True
                if not row.local[0].is_loopback:
                    return f"{_named(process)} listens for other machines and may forward calls"
            elif self._is_inbound(row) and (problem := self._problem_of_caller(row, steps)):
                return f"{_named(process)} serves another caller: {problem}"
        return ""

    def _problem_of_dead_sockets(self, family: Sequence[PeerProcess]) -> str:
        """A caller that reset its connection is in no table any more, but the program may still
        forward what it has read.
        """
        sockets, known = self._snapshot.sockets, self._snapshot.by_inode
        inodes = {inode for process in family for inode in sockets.get(process.pid, ())}
        listens = any(inode in known and known[inode].state == LISTEN for inode in inodes)
        if not listens or inodes <= known.keys():
            return ""
        dead = inodes - known.keys() - set(self._snapshot.other_sockets())
        return f"{_named(family[0])} serves another caller: {HAS_GONE}" if dead else ""

    def _is_inbound(self, row: TcpConnection) -> bool:
        """Whether the other side opened the connection."""
        if self._is_listening(row.local):
            return True
        if row.remote[0].is_loopback:
            return not self._is_listening(row.remote)
        # The listener may be closed by now; outgoing connections have an ephemeral port.
        return row.local[1] not in self._snapshot.ephemeral

    def _is_listening(self, end: End) -> bool:
        return any(
            port == end[1] and (address == end[0] or address.is_unspecified)
            for address, port in self._snapshot.listening
        )

    def _problem_of_caller(self, row: TcpConnection, steps: int) -> str:
        if not row.remote[0].is_loopback:
            return "from another machine"
        self._listens = True
        peer = self._snapshot.by_ends.get((row.remote, row.local))
        if peer is None or not peer.inode:
            # The remains of an outgoing call to a server that has ended look the same: only a port
            # that still listens shows that the other side opened the connection.
            return HAS_GONE if self._is_listening(row.local) else ""
        if peer.uid != self._snapshot.uid:
            return "another user of this machine"
        return self._problem_of_socket(peer.inode, steps - 1)


def _named(process: PeerProcess) -> str:
    return process.comm.strip() or "the calling program"
