"""Looks up the other end of a loopback connection: its socket and the user who owns it.

config/gate/identity.py decides what follows from it. None means that it cannot be known.

By hand: one netlink message. psutil reads the kernel's whole table, up to 10 ms against 25 µs.
"""

import socket
import struct
import sys
from collections.abc import Iterator
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from pathlib import Path
from typing import NamedTuple

from config.gate.relays import IP, LISTEN, TcpConnection
from config.gate.request import Address

# A closed or not yet accepted socket has no owner and is listed with uid 0, so only an established
# socket with an inode is reliable.
ESTABLISHED = 1
PROC_NET = Path("/proc/net")

# The kernel's sock_diag(7) finds one socket by its two ends in 25 µs. Reading the whole table from
# /proc takes up to 10 ms and is the fallback for systems that do not permit sock_diag.
SOCK_DIAG_BY_FAMILY = 20
NETLINK_SOCK_DIAG = 4
NLMSG_ERROR = 2
NLM_F_REQUEST = 1
NETLINK_WAIT_SECONDS = 1
ANY_STATE = ANY_COOKIE = 0xFFFFFFFF
HEADER = struct.Struct("=IHHII")
REQUEST = struct.Struct("=BBBxI")
ENDS = struct.Struct("!HH16s16s")
INTERFACE_AND_COOKIE = struct.Struct("=III")
# After family, state and the two ends: expiry, queues, then uid and inode.
OWNER = struct.Struct("=12xII")


class PeerSocket(NamedTuple):
    state: int
    uid: int
    inode: int


def peer_socket(client: Address, server: Address) -> PeerSocket | None:
    """The client's socket, if both ends are on loopback and it is still connected."""
    local, remote = _loopback(client), _loopback(server)
    if local is None or remote is None or local.version != remote.version:
        return None
    try:
        peer = ask_kernel(local, client[1], remote, server[1])
    except OSError:
        peer = read_tables(local, client[1], remote, server[1])
    if peer is None or peer.state != ESTABLISHED or not peer.inode:
        return None
    return peer


def _loopback(address: Address) -> IP | None:
    try:
        ip = ip_address(address[0])
    except ValueError:
        return None
    ip = (ip.ipv4_mapped or ip) if isinstance(ip, IPv6Address) else ip
    return ip if ip.is_loopback else None


def ask_kernel(local: IP, local_port: int, remote: IP, remote_port: int) -> PeerSocket | None:
    """Raises OSError if this system does not permit sock_diag."""
    family = socket.AF_INET if local.version == 4 else socket.AF_INET6
    body = (
        REQUEST.pack(family, socket.IPPROTO_TCP, 0, ANY_STATE)
        + ENDS.pack(local_port, remote_port, local.packed, remote.packed)
        + INTERFACE_AND_COOKIE.pack(0, ANY_COOKIE, ANY_COOKIE)
    )
    header = HEADER.pack(HEADER.size + len(body), SOCK_DIAG_BY_FAMILY, NLM_F_REQUEST, 1, 0)
    with socket.socket(socket.AF_NETLINK, socket.SOCK_DGRAM, NETLINK_SOCK_DIAG) as kernel:
        kernel.settimeout(NETLINK_WAIT_SECONDS)
        kernel.send(header + body)
        return _reply(kernel.recv(8192))


def _reply(data: bytes) -> PeerSocket | None:
    kind = HEADER.unpack_from(data)[1]
    if kind == NLMSG_ERROR:
        error = -struct.unpack_from("=i", data, HEADER.size)[0]
        if error == 2:  # ENOENT: there is no such connection
            return None
        raise OSError(error, "sock_diag refused")
    owner = HEADER.size + 4 + ENDS.size + INTERFACE_AND_COOKIE.size
    return PeerSocket(data[HEADER.size + 1], *OWNER.unpack_from(data, owner))


def read_tables(
    local: IP, local_port: int, remote: IP, remote_port: int, *, proc_net: Path = PROC_NET
) -> PeerSocket | None:
    wanted = (local, local_port), (remote, remote_port)
    rows = read_connections(proc_net)
    return next(
        (
            PeerSocket(row.state, row.uid, row.inode)
            for row in rows
            if (row.local, row.remote) == wanted
        ),
        None,
    )


def listeners(port: int) -> set[int]:
    """The users who listen on a TCP port of this machine."""
    return {row.uid for row in read_connections() if row.state == LISTEN and row.local[1] == port}


def read_connections(proc_net: Path = PROC_NET) -> Iterator[TcpConnection]:
    """Every TCP socket of this network namespace, of all users."""
    for table in ("tcp", "tcp6"):
        try:
            lines = (proc_net / table).read_text().splitlines()[1:]
        except OSError:
            continue
        for line in lines:
            cells = line.split()
            yield TcpConnection(
                local=_end(cells[1]),
                remote=_end(cells[2]),
                state=int(cells[3], 16),
                uid=int(cells[7]),
                inode=int(cells[9]),
            )


def _end(text: str) -> tuple[IP, int]:
    address, port = text.split(":")
    return _ip(address), int(port, 16)


@lru_cache(maxsize=4096)
def _ip(text: str) -> IP:
    """Words of four bytes, each in the byte order of this machine. Mapped IPv4 becomes IPv4."""
    words = (int(text[start : start + 8], 16) for start in range(0, len(text), 8))
    ip = ip_address(b"".join(word.to_bytes(4, sys.byteorder) for word in words))
    return (ip.ipv4_mapped or ip) if isinstance(ip, IPv6Address) else ip
