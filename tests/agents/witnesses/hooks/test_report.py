"""The reporting script, in both languages: an agent never fails or waits because of it."""

import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from agents.witnesses.hooks import files
from agents.witnesses.hooks.message import PAYLOAD_LIMIT, parse
from tests.waiting import LONGEST_SECONDS

PAYLOAD = b'{"session_id": "s", "prompt": "a \xc3\xa4 \\u0000 \\n b"}\n'
needs_perl = pytest.mark.skipif(not shutil.which("perl"), reason="needs perl")


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    path = tmp_path / "h"
    assert files.write_scripts(path) == ""
    return path


@pytest.fixture(params=[pytest.param("perl", marks=needs_perl), "python"])
def arguments(request: pytest.FixtureRequest, directory: Path) -> list[str]:
    if request.param == "perl":
        return [str(directory / "report")]
    return [sys.executable, "-I", "-S", str(directory / "report.py"), str(directory)]


def report(
    arguments: list[str], payload: bytes = PAYLOAD, **env: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*arguments, "claude", "Stop"],
        input=payload,
        capture_output=True,
        timeout=LONGEST_SECONDS,
        check=False,
        env={"PATH": os.environ["PATH"], **env},
    )


def assert_silent(done: subprocess.CompletedProcess[bytes]) -> None:
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


class Listener:
    """Accepts connections in a thread, and keeps what it receives."""

    def __init__(self, path: Path) -> None:
        self.messages: list[bytes] = []
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind(str(path))
        self.socket.listen(8)
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            with connection:
                pieces = []
                while piece := connection.recv(65536):
                    pieces.append(piece)
            self.messages.append(b"".join(pieces))

    def first(self) -> bytes:
        deadline = time.monotonic() + LONGEST_SECONDS
        while not self.messages:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        return self.messages[0]


@pytest.fixture
def listener(directory: Path) -> Iterator[Listener]:
    opened = Listener(directory / "1.sock")
    yield opened
    opened.socket.shutdown(socket.SHUT_RDWR)
    opened.socket.close()


def test_an_event_arrives_as_it_was_given(arguments: list[str], listener: Listener) -> None:
    done = report(arguments, TMUX_PANE="%7", TMUX="/tmp/t,1,0")
    assert_silent(done)
    message = listener.first()
    assert message.endswith(PAYLOAD)
    parsed = parse(message)
    assert (parsed.runtime, parsed.event) == ("claude", "Stop")
    assert (parsed.pane_id, parsed.tmux_socket) == ("%7", "/tmp/t")
    assert parsed.payload["prompt"] == "a ä \0 \n b"
    assert os.getpid() in parsed.pids


def test_a_large_payload_arrives_whole(arguments: list[str], listener: Listener) -> None:
    payload = b'{"prompt": "' + b"x" * 150_000 + b'"}'
    assert_silent(report(arguments, payload))
    assert listener.first().endswith(payload)


def test_a_payload_that_is_too_large_leaves_the_event(
    arguments: list[str], listener: Listener
) -> None:
    assert_silent(report(arguments, b"x" * (PAYLOAD_LIMIT + 200_000)))
    assert parse(listener.first()).payload == {}


def test_it_works_below_a_long_path(tmp_path: Path) -> None:
    directory = tmp_path / ("long" * 30) / "hooks"
    directory.parent.mkdir()
    assert files.write_scripts(directory) == ""
    listener = Listener(tmp_path / "s")
    (directory / "1.sock").symlink_to(tmp_path / "s")
    assert_silent(report([str(directory / "report")]))
    assert parse(listener.first()).event == "Stop"
    listener.socket.shutdown(socket.SHUT_RDWR)
    listener.socket.close()


def test_the_agent_gets_no_error_without_webtmux(arguments: list[str]) -> None:
    assert_silent(report(arguments, b"x" * 500_000))


def test_a_server_that_was_killed_is_ignored(arguments: list[str], directory: Path) -> None:
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(directory / "1.sock"))
    (directory / "2.sock").write_text("not a socket")
    (directory / "3.sock").symlink_to(directory / "missing")
    assert_silent(report(arguments))


def seconds_of(arguments: list[str], payload: bytes) -> float:
    started = time.monotonic()
    assert_silent(report(arguments, payload))
    return time.monotonic() - started


def test_a_server_that_does_not_read_is_not_waited_for(
    arguments: list[str], directory: Path
) -> None:
    """It listens, but never accepts: small messages fit into buffers, large ones are dropped."""
    payload = b"x" * 900_000
    alone = min(seconds_of(arguments, payload) for _ in range(3))
    listeners = []
    for number in range(4):
        stuck = socket.socket(socket.AF_UNIX)
        stuck.bind(str(directory / f"{number}.sock"))
        stuck.listen(1)
        listeners.append(stuck)
    beside = min(seconds_of(arguments, payload) for _ in range(3))
    # The bound of the script is 20 ms for all servers together.
    assert beside < 2 * alone + 0.5
    for stuck in listeners:
        stuck.close()


def test_a_full_backlog_is_not_waited_for(arguments: list[str], directory: Path) -> None:
    with socket.socket(socket.AF_UNIX) as stuck:
        path = directory / "1.sock"
        stuck.bind(str(path))
        stuck.listen(0)
        waiting = []
        for _ in range(4):
            peer = socket.socket(socket.AF_UNIX)
            peer.setblocking(False)
            try:
                peer.connect(str(path))
            except BlockingIOError:
                peer.close()
                break
            waiting.append(peer)
        started = time.monotonic()
        assert_silent(report(arguments))
        assert time.monotonic() - started < LONGEST_SECONDS / 4
        for peer in waiting:
            peer.close()


def test_stdin_that_stays_open_is_not_waited_for_long(arguments: list[str]) -> None:
    started = time.monotonic()
    with subprocess.Popen(
        [*arguments, "claude", "Stop"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.wait(LONGEST_SECONDS) == 0
    assert time.monotonic() - started < LONGEST_SECONDS / 4


def test_python_is_used_where_perl_is_missing(directory: Path, tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "python3").symlink_to(sys.executable)
    listener = Listener(directory / "1.sock")
    done = report([str(directory / "report")], PATH=str(programs))
    assert_silent(done)
    assert parse(listener.first()).event == "Stop"
    listener.socket.shutdown(socket.SHUT_RDWR)
    listener.socket.close()


def test_it_succeeds_without_perl_and_python(directory: Path, tmp_path: Path) -> None:
    assert_silent(report([str(directory / "report")], PATH=str(tmp_path)))
