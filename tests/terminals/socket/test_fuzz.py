"""Thousands of mutated frames and messages: no exception, closed connection or injected command."""

import asyncio
import base64
import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from tests.terminals.served import Served, client, served_tmux
from tests.waiting import LONGEST_SECONDS

MESSAGES = 8_000
BATCH = 500  # between two checks that the server still answers
SEED = 20261116
GOLDEN: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "golden" / "frames.json").read_text()
)
TYPES = ["hello", "ping", "subscribe-output", "unsubscribe-output", "list-windows",
         "subscribe-windows", "unsubscribe-windows", "list-agents", "send-prompt",
         "subscribe-agents", "unsubscribe-agents", "answer-agent", "", None, 5]  # fmt: skip
# Raw mode: whatever arrives is read, and no byte of it is a signal or an end of file.
SINK = "stty raw -echo; exec cat >/dev/null"


@pytest.fixture
def served() -> Iterator[Served]:
    with served_tmux() as served:
        yield served


class Fuzzer:
    def __init__(self, canary: Path, panes: list[str]) -> None:
        self.chance = random.Random(SEED)
        self.names = [
            *panes,
            f"#(touch {canary})", f"$(touch {canary})", f"`touch {canary}`", "#{pane_id}",
            f"%0;run-shell 'touch {canary}'", f"%0\nrun-shell 'touch {canary}'\n",
            f"; new-session -d 'touch {canary}'", "\nnew-window\n", "-t", "-t%0", "--", "%0 -X",
            "work", "work:", "=work", "_webtmux", "{last}", "~", "!", "%", "@", "$0", "*",
            "\x1b]0;x\x07", "ü😀", "a" * 5000, "%00", "%0000000000000", "@0.0", "%0\r", " %0",
        ]  # fmt: skip

    def message(self) -> str | bytes:
        kinds: list[Callable[[], str | bytes]] = [
            self.request, self.frame, self.mutated, self.noise
        ]  # fmt: skip
        return self.chance.choice(kinds)()

    def request(self) -> str:
        fields = {
            "id": self.value(),
            "type": self.chance.choice(TYPES),
            "agent": self.chance.choice([*self.names, self.value()]),
            "stream": self.value(),
            "features": self.chance.choice([["credit", "reset"], self.value()]),
            "prompt": self.chance.choice([*self.names, self.value()]),
            "includeSessionFilter": self.chance.choice(["(", ".*", self.value()]),
        }
        kept = {key: value for key, value in fields.items() if self.chance.random() < 0.8}
        text = json.dumps(kept)
        return text if self.chance.random() < 0.8 else text[: self.chance.randrange(len(text) + 1)]

    def value(self) -> Any:
        return self.chance.choice(
            [None, True, False, 0, -1, 10**30, 1.5, "", "x", "\ud800", [], {}, [[]], {"a": {}}]
        )

    def frame(self) -> bytes:
        name = self.chance.choice(self.names).encode("utf-8", "surrogatepass")
        payload = self.chance.choice(
            [b"x", b"\x1b[A", b"80:24", b"100:30", b"-1:0", b"a.txt\0text/plain\0x", b"\0\0\0\1",
             b"../../x\0image/png\0y", self.chance.randbytes(self.chance.randrange(200))]
        )  # fmt: skip
        return bytes((self.chance.choice([1, 2, 2, 3, 4, 5, 6, 9]),)) + name + b"\0" + payload

    def mutated(self) -> bytes:
        data = bytearray(base64.b64decode(self.chance.choice(GOLDEN)["frameBase64"]))
        for _ in range(self.chance.randrange(4)):
            index = self.chance.randrange(len(data) + 1)
            if self.chance.random() < 0.5:
                data[index:index] = self.chance.randbytes(self.chance.randrange(1, 4))
            else:
                del data[index : index + self.chance.randrange(1, 4)]
        return bytes(data)

    def noise(self) -> str | bytes:
        data = self.chance.randbytes(self.chance.randrange(60))
        return data if self.chance.random() < 0.5 else data.decode("latin-1")


async def test_hostile_messages_do_no_harm(served: Served) -> None:
    directory, canary = served.directory / "sink", served.directory / "canary"
    directory.mkdir()
    panes = [
        served.tmux(
            "new-window", "-dP", "-F", "#{pane_id}", "-c", str(directory), "-t", "work:", SINK
        )
        for _ in range(2)
    ]
    names = [*panes, *(served.window_of(pane) for pane in panes)]
    form = "#{session_name} #{window_id} #{pane_id} #{pane_dead}"
    before = served.tmux("list-panes", "-a", "-F", form)
    fuzzer = Fuzzer(canary, names)
    async with client(served) as other, client(served) as ws:
        for _ in range(MESSAGES // BATCH):
            await send_all(ws.socket, [fuzzer.message() for _ in range(BATCH)])
            assert (await other.ask("ping"))["ok"]
        assert (await ws.ask("ping"))["ok"]
    assert served.tmux("list-panes", "-a", "-F", form) == before
    assert not canary.exists()
    served.stop()


async def send_all(socket: Any, messages: list[str | bytes]) -> None:
    """Sends them and reads until the server has answered the last."""
    last = json.dumps({"id": "the last", "type": "ping"})

    async def send() -> None:
        for message in [*messages, last]:
            await socket.send(message)

    sending = asyncio.ensure_future(send())
    try:
        async with asyncio.timeout(LONGEST_SECONDS):
            while '"the last"' not in str(await socket.recv()):
                pass
        await sending
    except ConnectionClosed as closed:
        pytest.fail(f"the server closed with {closed.rcvd}")
    finally:
        sending.cancel()
