"""The relay between a control client and its server: no connection can crash the server."""

import asyncio
import os
import socket as sockets
import struct
import subprocess
from pathlib import Path

import pytest

from terminals.tmux import commands
from terminals.tmux.client import ControlClient
from terminals.tmux.handshake import HandshakeRelay, Introduction, Part
from tests.conftest import RunTmux
from tests.waiting import LONGEST_SECONDS

FLAGS, TERM, STDIN, ENVIRON, DONE, STDOUT, LONG_FLAGS, COMMAND = (
    100, 101, 104, 105, 106, 110, 111, 200,
)  # fmt: skip  # as in tmux-protocol.h
JOINS = 40
# Sessions that come and go: the server also reports that to clients without a session.
STORM = "while tmux -S '{path}' new-session -d -s brief cat \\; kill-session -t brief; do :; done"


def message(kind: int, content: bytes = b"", mark: int = 0) -> bytes:
    return struct.pack("=IIII", kind, (16 + len(content)) | mark, 8, 0) + content


def sent(parts: list[Part]) -> list[tuple[list[int], tuple[int, ...]]]:
    """The types of the messages in each write, and its descriptors."""
    result = []
    for part in parts:
        kinds, position = [], 0
        while position < len(part.data):
            kind, length = struct.unpack_from("=II", part.data, position)
            kinds.append(kind)
            position += length & 0xFFFF
        result.append((kinds, part.descriptors))
    return result


@pytest.mark.parametrize("mark", [0, 1 << 16, 1 << 31], ids=["plain", "3.3", "3.6"])
def test_the_flags_are_sent_with_the_last_message(mark: int) -> None:
    """`mark`: how versions mark a message with a descriptor, in the upper half of its length."""
    first = message(FLAGS, b"1234") + message(LONG_FLAGS, b"12345678") + message(TERM, b"xterm\0")
    rest = message(ENVIRON, b"A=1\0") + message(DONE) + message(COMMAND, b"attach\0")
    introduction = Introduction(
        [Part(first), Part(message(STDIN, mark=mark), (7,)), Part(message(STDOUT, mark=mark), (8,))]
    )
    assert not introduction.is_complete()
    introduction.parts.append(Part(rest))
    assert introduction.is_complete()
    assert sent(introduction.ordered()) == [
        ([TERM, STDIN], (7,)),
        ([STDOUT], (8,)),
        ([ENVIRON, FLAGS, LONG_FLAGS, DONE, COMMAND], ()),
    ]


def test_messages_may_be_cut_anywhere() -> None:
    whole = message(FLAGS, b"1234") + message(TERM, b"xterm\0") + message(DONE)
    for cut in range(1, len(whole)):
        introduction = Introduction([Part(whole[:cut])])
        assert not introduction.is_complete()
        introduction.parts.append(Part(whole[cut:]))
        assert introduction.is_complete()
        assert sent(introduction.ordered()) == [([TERM, FLAGS, DONE], ())]


@pytest.mark.parametrize("unknown", [message(999), b"\0" * 16, b"GET / HTTP/1.1\r\n\r\n"])
def test_an_unknown_protocol_is_passed_on_as_it_came(unknown: bytes) -> None:
    parts = [Part(message(FLAGS, b"1234")), Part(unknown, (9,)), Part(message(DONE))]
    introduction = Introduction(parts)
    assert introduction.is_complete()
    assert introduction.ordered() == parts


async def test_the_relay_ends_with_either_side(tmp_path: Path) -> None:
    path = tmp_path / "server"
    with sockets.socket(sockets.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()
        relay = HandshakeRelay(path)
        async with relay.listening() as place:
            assert place.parent.stat().st_mode & 0o077 == 0
            _, client = await asyncio.open_unix_connection(str(place))
            client.write(message(DONE))
            accepted, _ = await asyncio.to_thread(server.accept)
            assert await asyncio.to_thread(accepted.recv, 100) == message(DONE)
        assert not place.exists()
        client.close()
        assert await asyncio.to_thread(accepted.recv, 100) == b""
        accepted.close()
        await asyncio.wait_for(relay.close(), LONGEST_SECONDS)


async def test_a_relay_without_a_client_ends_with_its_context(tmp_path: Path) -> None:
    before = set(os.listdir("/proc/self/fd"))
    async with HandshakeRelay(tmp_path / "none").listening() as place:
        pass
    assert not place.exists()
    assert set(os.listdir("/proc/self/fd")) == before


async def test_connecting_in_a_storm_of_notices_does_not_end_the_server(
    socket: str, run_tmux: RunTmux
) -> None:
    """Without the relay, the server of tmux 3.3a ended in most runs of this test."""
    run_tmux("new-session", "-d", "-s", "work", "exec cat")
    pid = run_tmux("display-message", "-p", "#{pid}")
    storm = subprocess.Popen(
        ["sh", "-c", STORM.format(path=socket)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        for _ in range(JOINS):
            client = ControlClient(lambda pane, data: None, lambda notice: None)
            await client.open(Path(socket), attach)
            await client.close()
    finally:
        storm.kill()
        storm.wait()
    assert run_tmux("display-message", "-p", "#{pid}") == pid


def attach(path: Path) -> list[str]:
    return [*commands.server_argv(path, None), *commands.attach_stream("$0")]
