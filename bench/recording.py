"""`make soak-recording`: 50 MB of flood, recorded and compared byte for byte.

With what the program printed (line feeds as the terminal driver makes them), and with the file that
a plain `pipe-pane 'cat >file'` writes of the same program in another pane.
"""

import hashlib
import json
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import httpx

from bench.stream import feed
from tests.terminals.served import Served, served_tmux

MEGABYTES = 50
SECONDS = 300.0


def main() -> None:
    with served_tmux(WEBTMUX_RECORDINGS_FREE_MB="0") as served:
        command, text = feed(served, MEGABYTES)
        printed = text.replace(b"\n", b"\r\n") * MEGABYTES + b"the end"
        raw, raw_seconds = piped(served, command)
        events, seconds, row = recorded(served, command)
    print(f"{MEGABYTES} MB of mixed ANSI text, {len(printed) / 1e6:.1f} MB as printed")
    print(f"  pipe-pane cat  {raw_seconds:6.1f} s   {same(raw, printed)}")
    print(f"  recording      {seconds:6.1f} s   {same(events, printed)}; pipe: {same(events, raw)}")
    size = float(str(row["size"])) / 1e6
    print(f"  its file has {size:.1f} MB and says {row['duration']:.1f} s, {row['state']}")
    if not events == raw == printed:
        raise SystemExit("NOT exact")


def same(data: bytes, other: bytes) -> str:
    digest = hashlib.sha256(data).hexdigest()[:12]
    return f"every byte ({digest})" if data == other else f"DIFFERENT ({len(data)} of {len(other)})"


def flood(served: Served, command: str, ready: Callable[[str], object]) -> tuple[str, float]:
    """The pane, and the seconds until its screen showed the end."""
    pane = served.new_pane(command)
    wait(lambda: "ready" in served.tmux("capture-pane", "-p", "-t", pane))
    ready(pane)
    began = time.perf_counter()
    served.tmux("send-keys", "-t", pane, "Enter")
    wait(lambda: "the end" in served.tmux("capture-pane", "-p", "-t", pane))
    return pane, time.perf_counter() - began


def piped(served: Served, command: str) -> tuple[bytes, float]:
    file = Path(served.directory / "piped")
    _, seconds = flood(
        served, command, lambda pane: served.tmux("pipe-pane", "-t", pane, f"exec cat >{file}")
    )
    wait(lambda: file.read_bytes().endswith(b"the end"))
    return file.read_bytes(), seconds


def recorded(served: Served, command: str) -> tuple[bytes, float, dict[str, object]]:
    api = f"{served.running.address}/api"

    def start(pane: str) -> None:
        httpx.post(f"{api}/panes/{pane[1:]}/recording", json={}, timeout=SECONDS).raise_for_status()

    pane, seconds = flood(served, command, start)
    row = httpx.delete(f"{api}/panes/{pane[1:]}/recording", timeout=SECONDS).json()
    cast = httpx.get(f"{api}/recordings/{row['key']}/cast", timeout=SECONDS).text
    return output(cast.split("\n")[1:-1]), seconds, row


def output(lines: Iterable[str]) -> bytes:
    """The output after the first capture."""
    events = [json.loads(line) for line in lines]
    return "".join(data for _, code, data in events[1:] if code == "o").encode()


def wait(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not done():
        if time.monotonic() > deadline:
            raise SystemExit("it took too long")
        time.sleep(0.05)


if __name__ == "__main__":
    main()
