"""The processes at the other end of a loopback connection, read from /proc.

Not a decision: config/relays.py decides, config/identity.py asks. Reading takes milliseconds, up
to a hundred on a busy workstation, so it happens in a thread and once per connection.
"""

import asyncio
import os
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from config.peers import Address, Socket, peer_socket, read_connections
from config.relays import Process, Snapshot, Verdict

PROC = Path("/proc")
SOCKET_LINK = "socket:["
ARGUMENTS_LIMIT = 4096  # bytes of a command line that are read
# A connection is judged again after this time: its program may have begun to relay.
VERDICT_SECONDS = 30.0
VERDICTS_LIMIT = 1024
# Judging reads the whole of /proc: two at a time leave the cores to others.
THREADS = 2
GONE = Verdict("the connection was closed while it was looked up")


class Relays:
    """Judges connections, and remembers each for as long as it is the same connection."""

    def __init__(
        self,
        more_forwarders: Collection[str] = (),
        *,
        find: Callable[[Address, Address], Socket | None] = peer_socket,
    ) -> None:
        self._more, self._find = more_forwarders, find
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="relays")
        self._known: OrderedDict[tuple[Address, Address, int], tuple[float, Verdict]]
        self._known = OrderedDict()

    async def judge(self, client: Address, server: Address, found: Socket) -> Verdict:
        key = (client, server, found.inode)
        until, verdict = self._known.get(key, (0.0, GONE))
        if until > time.monotonic():
            return verdict
        loop = asyncio.get_running_loop()
        verdict = await loop.run_in_executor(self._threads, self._read, client, server, found)
        # What listens may get another caller at any time and use the same connection for it.
        if not verdict.problem and not verdict.listens:
            self._known[key] = time.monotonic() + VERDICT_SECONDS, verdict
            self._known.move_to_end(key)
            if len(self._known) > VERDICTS_LIMIT:
                self._known.popitem(last=False)
        return verdict

    def _read(self, client: Address, server: Address, found: Socket) -> Verdict:
        verdict = take_snapshot(self._more).judge(found.inode)
        # Whoever hung up meanwhile may have been a relay that is gone now.
        return verdict if self._find(client, server) == found else GONE


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


def _ephemeral() -> range:
    try:
        first, last = (PROC / "sys/net/ipv4/ip_local_port_range").read_text().split()
    except (OSError, ValueError):
        return range(32768, 61000)
    return range(int(first), int(last) + 1)
