"""Promise 5: no byte from a terminal, no pattern and no request holds the event loop over 50 ms.

A real server beside a real tmux. The watchdog (tests/watchdog) measures the loop of the server in
processor time, and its autouse fixture fails a test in which the server held its loop. Here every
attack also shows that it took place, and that the server answers afterwards.
"""

import asyncio
import shlex
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.agents.programs import picture_show
from tests.terminals.served import Client, Served, client, served_tmux
from tests.terminals.tmux.waiting import eventually

WIDE, HIGH = 1000, 500
EVIL = [
    "(){30000000}",
    "(a+)+$",
    "(?:(?:a?){10}){99}b",
    "(?:.{1,100}){1,10}x",
    r"(?:\pL{30}){30}x",
    "(" * 250 + "a" + ")*" * 125,
    "(?i)" + "[k-\u017f]?" * 80,
    ".*" * 250,
]


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with served_tmux() as found:
        found.tmux("set-option", "-g", "history-limit", "200000")
        yield found


@pytest.fixture
async def socket(served: Served) -> AsyncIterator[Client]:
    async with client(served) as found:
        yield found
        assert (await found.ask("ping"))["type"] == "ping"


@pytest.fixture
async def http(served: Served) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(base_url=served.running.address, timeout=120) as found:
        yield found


async def call(http: httpx.AsyncClient, tool: str, **arguments: Any) -> dict[str, Any]:
    """The result of an MCP tool."""
    body = {
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": tool, "arguments": arguments},
    }  # fmt: skip
    headers = {"accept": "application/json, text/event-stream"}
    answer = await http.post("/mcp", json=body, headers=headers)
    assert answer.status_code == 200, answer.text
    result: dict[str, Any] = answer.json()["result"]
    return result


def text_of(result: dict[str, Any]) -> str:
    return str(result["content"][0]["text"])


async def new_shell(served: Served, http: httpx.AsyncClient) -> str:
    """A window with a plain sh at its prompt."""
    pane = served.new_pane("exec sh")
    window = served.window_of(pane)

    async def ready() -> bool:
        told = await call(http, "run_and_wait", mode="execute", windowId=window, command="true")
        return not told.get("isError")

    await eventually(ready, seconds=30)
    return pane


async def run(
    served: Served, http: httpx.AsyncClient, pane: str, program: str, directory: Path
) -> dict[str, Any]:
    """A Python program that writes to the terminal, run and read to its end."""
    path = directory / "program.py"
    path.write_text(f"import sys\nout = sys.stdout\n{program}\n")
    window = served.window_of(pane)
    command = shlex.join([sys.executable, str(path)])
    told = await call(
        http, "run_and_wait", mode="execute", windowId=window, command=command, seconds=100
    )
    assert not told.get("isError"), told
    found: dict[str, Any] = told["structuredContent"]
    return found


# --- patterns ---------------------------------------------------------------------------------


@pytest.mark.parametrize("pattern", EVIL)
async def test_hostile_filters_at_every_door(
    socket: Client, http: httpx.AsyncClient, pattern: str
) -> None:
    for name in ("includeSessionFilter", "excludePathFilter"):
        told = await socket.ask("list-agents", **{name: pattern})
        assert "agents" in told or told["error"].startswith("invalid ")
        answer = await http.get("/api/agents", params={name: pattern})
        assert answer.status_code in {200, 422, 400}
    told = await socket.ask("subscribe-agents", includeSessionFilter=pattern)
    assert told["ok"] or told["error"].startswith("invalid session include filter: ")
    assert text_of(await call(http, "list_agents", session=pattern))


async def test_hostile_patterns_over_a_long_history(
    served: Served, http: httpx.AsyncClient, tmp_path: Path
) -> None:
    pane = await new_shell(served, http)
    await run(served, http, pane, "out.write(('a' * 79 + '\\n') * 20000)", tmp_path)
    window = served.window_of(pane)
    for pattern in EVIL:
        told = await call(http, "search_history", query=pattern, regex=True, windowId=window)
        assert text_of(told)
    served.tmux("kill-pane", "-t", pane)


@pytest.mark.parametrize("pattern", ["(?:(?:a?){10}){99}b", "(?:.{1,100}){1,10}zz", "(a+)+$"])
async def test_a_hostile_pattern_waits_in_a_flood(
    served: Served, http: httpx.AsyncClient, pattern: str
) -> None:
    pane = served.new_pane(f"exec yes {'a' * 500}")
    window = served.window_of(pane)
    told = await call(http, "wait_for", windowId=window, pattern=pattern, seconds=4)
    assert not told.get("isError"), told
    served.tmux("kill-pane", "-t", pane)


# --- output of programs -----------------------------------------------------------------------

OUTPUTS = {
    "backspaces": "out.write('a' * 40000 + '\\b' * 40000 + 'end')",
    "letters and backspaces": "out.write('a\\b' * 500000 + 'end')",
    "a long line": "out.write('x' * 1000000 + 'end')",
    "escapes": "out.write('\\x1b' * 1000000 + '\\x18end')",
    "open sequences": "out.write('\\x1b[' * 500000 + '\\x18end')",
    "parameters": "out.write('\\x1b[' + '1;' * 500000 + 'mend')",
    "an endless title": "out.write('\\x1b]0;' + 't' * 2000000 + '\\x07end')",
    "many titles": "out.write('\\x1b]0;t\\x07' * 100000 + 'end')",
    "a device string": "out.write('\\x1bP' + 'q' * 2000000 + '\\x1b\\\\end')",
    "bells": "out.write('\\x07a' * 300000 + 'end')",
    "modes": "out.write('\\x1b[?2004h\\x1b[?2004l' * 100000 + 'end')",
    "combining marks": "out.write('a' + '\\u0301' * 300000 + 'end')",
    "colours": "out.write('\\x1b[38;2;1;2;3mx\\x1b[0m' * 100000 + 'end')",
    "carriage returns": "out.write('x\\r' * 500000 + 'end')",
    "false markers": "out.write('\\x1b]7717;E;0;' * 100000 + '\\x07end')",
    "not UTF-8": "out.buffer.write(b'\\xe2\\xff\\xf0' * 300000 + b'end')",
}


@pytest.mark.parametrize("name", OUTPUTS)
async def test_hostile_output_of_a_watched_pane(
    served: Served, socket: Client, http: httpx.AsyncClient, tmp_path: Path, name: str
) -> None:
    """Executed, so that its output is searched for markers and stripped; watched; logged."""
    pane = await new_shell(served, http)
    await socket.ask("subscribe-output", agent=pane)
    started = await http.post(f"/api/panes/{pane.replace('%', '%25')}/log")
    assert started.status_code == 200, started.text
    told = await run(served, http, pane, OUTPUTS[name], tmp_path)
    assert "end" in told["output"][-200:]
    path = f"/api/panes/{pane.replace('%', '%25')}/log"
    for query in ("?lines=100000&strip_ansi=true", "/bytes?max_bytes=1048576&strip_ansi=true"):
        answer = await http.get(path + query)
        assert answer.status_code == 200, answer.text
    for tool in ("read_screen", "search_history"):
        asked = {"query": "end"} if tool == "search_history" else {}
        assert text_of(await call(http, tool, windowId=served.window_of(pane), **asked))
    served.tmux("kill-pane", "-t", pane)


async def test_fifty_megabytes_on_one_line(
    served: Served, http: httpx.AsyncClient, tmp_path: Path
) -> None:
    pane = await new_shell(served, http)
    program = "for _ in range(50): out.write('\\x1b[1m' * 10000 + 'x' * 960000)\nout.write('end')"
    told = await run(served, http, pane, program, tmp_path)
    assert "end" in told["output"][-200:]
    assert told["truncated"]
    served.tmux("kill-pane", "-t", pane)


async def test_a_history_of_a_hundred_thousand_wide_lines(
    served: Served, http: httpx.AsyncClient, tmp_path: Path
) -> None:
    pane = await new_shell(served, http)
    await run(served, http, pane, "out.write(('é' * 79 + '\\n') * 100000)", tmp_path)
    window = served.window_of(pane)
    first = await call(http, "read_screen", windowId=window)
    cursor = first["structuredContent"]["cursor"]
    served.tmux("clear-history", "-t", pane)  # the cursor fits no more: all is searched
    await run(served, http, pane, "out.write(('é' * 79 + '\\n') * 50000)", tmp_path)
    assert text_of(await call(http, "read_screen", windowId=window, cursor=cursor))
    answer = await http.get(f"/api/panes/{pane.replace('%', '%25')}/capture?history=true")
    assert answer.status_code == 200
    served.tmux("kill-pane", "-t", pane)


# --- screens of agents ------------------------------------------------------------------------

SCREENS = {
    "blanks": " " * (WIDE - 1) + "x",
    "numbers": "1. " * (WIDE // 3),
    "options": "\u276f 1. " + "(y) " * (WIDE // 4 - 2),
    "yes or no": "[y " * (WIDE // 3),
    "a border": "╭" + "─" * (WIDE - 3) + "x",
    "brackets": "* (" + "(" * (WIDE - 4),
    "colours": "\x1b[7mb\x1b[0;2mc" * (WIDE // 2),
    "wide characters": "漢" * (WIDE // 2),
}


@pytest.mark.parametrize("name", SCREENS)
async def test_hostile_screens_of_agents(
    served: Served, socket: Client, http: httpx.AsyncClient, tmp_path: Path, name: str
) -> None:
    """As large as a screen may be, read by the rules of an agent, with a long prompt for it."""
    program, picture = picture_show(tmp_path, "claude"), tmp_path / "picture"
    picture.write_text("\n".join([SCREENS[name]] * (HIGH - 1)))
    session = f"hostile-{name.replace(' ', '-')}"
    served.tmux(
        "new-session", "-d", "-s", session, "-x", str(WIDE), "-y", str(HIGH), f"exec {program}"
    )
    served.tmux("send-keys", "-t", f"={session}:", str(picture), "Enter")

    async def found() -> bool:
        told = await socket.ask("list-agents", includeSessionFilter=session)
        return bool(told["agents"])

    await eventually(found, seconds=30)
    explained = await http.get(f"/api/agents/{session}/explain")
    assert explained.status_code == 200, explained.text
    told = await call(http, "send_prompt", mode="execute", agent=session, prompt="a b " * 5000)
    assert text_of(told)
    await asyncio.sleep(1.5)  # two looks of the workers
    served.tmux("kill-session", "-t", f"={session}")


# --- requests ---------------------------------------------------------------------------------

MIB = 1024 * 1024
SMALL_VALUES = {
    "deep": "[",
    "deep objects": '{"a":',
    "many lists": "[],",
    "many numbers": "1.5,",
    "many keys": None,
    "many strings": '"é",',
    "a long string": "\\\\\\u00e9",
    "a long number": "9",
}


def hostile_json(name: str, size: int) -> str:
    """A request of about so many bytes that takes as long to read as can be."""
    unit = SMALL_VALUES[name]
    if name.startswith("deep"):
        return str(unit) * min(100_000, size // 5)
    if name == "many keys":
        return '{"type": "ping"' + "".join(f',"k{n:07}":0' for n in range(size // 13)) + "}"
    units = str(unit) * (size // len(str(unit).encode()) - 20)
    if name == "a long string":
        return f'{{"type": "ping", "x": "{units}"}}'
    if name == "a long number":
        return f'{{"type": "ping", "x": {units}}}'
    return f'{{"type": "ping", "x": [{units}0]}}'


@pytest.mark.parametrize("size", [100 * 1024, 8 * MIB])
@pytest.mark.parametrize("name", SMALL_VALUES)
async def test_hostile_json_on_the_socket(socket: Client, name: str, size: int) -> None:
    await socket.socket.send(hostile_json(name, size))
    assert (await socket.receive()) is not None


@pytest.mark.parametrize("size", [100 * 1024, 2400 * 1024, 3 * MIB])
@pytest.mark.parametrize("name", SMALL_VALUES)
async def test_hostile_json_over_http(http: httpx.AsyncClient, name: str, size: int) -> None:
    headers = {"content-type": "application/json", "accept": "application/json, text/event-stream"}
    content = hostile_json(name, size)
    for path in ("/api/sessions", "/mcp", "/api/agents/none/prompt"):
        answer = await http.post(path, content=content, headers=headers)
        if name.startswith("deep") and path == "/mcp":
            continue  # its status is another promise's
        assert 400 <= answer.status_code < 500, (path, answer.status_code, answer.text[:200])


INPUTS = {
    "home and a letter": b"\x01x" * (2 * MIB),
    "marks of pastes": b"\x1b[200~\x1b[201~" * (MIB // 2),
    "escapes": b"\x1b" * (4 * MIB),
    "backspaces": b"a\x7f" * (2 * MIB),
    "text": b"x" * (8 * MIB),
    "line breaks": b"\r" * (4 * MIB),
}


@pytest.mark.parametrize("name", INPUTS)
async def test_hostile_keys(served: Served, socket: Client, name: str) -> None:
    pane = served.new_pane("stty raw -echo; exec cat > /dev/null")
    await socket.type(pane, INPUTS[name])
    await socket.ask("ping")
    await asyncio.sleep(1)
    served.tmux("kill-pane", "-t", pane)


async def test_an_upload_of_eight_mebibytes(served: Served, socket: Client) -> None:
    pane = served.new_pane("exec cat")
    payload = b"n" * 5000 + b"\0text/plain\0" + b"x\n" * (4 * MIB)
    await socket.put(0x04, pane, payload)
    await socket.ask("ping")
    served.tmux("kill-pane", "-t", pane)


NOTES = {
    "one line": "x" * 1_000_000,
    "tasks": "- [ ] x\n" * 10_000,
    "too many tasks": "- [ ] x\n" * 100_000,
    "blank lines": "\n" * 1_000_000,
    "fences": "```\n" * 200_000,
    "rules": "- " * 499_999,
    "indents": " " * 999_999 + "x",
    "comments": "<!--" * 200_000,
    "statuses": "[WIP] " * 160_000,
    "emphasis": "*a_`[(" * 160_000,
    "backslashes": "\\" * 1_000_000,
}


@pytest.mark.parametrize("name", NOTES)
async def test_hostile_notes(served: Served, http: httpx.AsyncClient, name: str) -> None:
    async with client(served) as other:
        assert (await other.ask("subscribe-notes", session="work"))["ok"]
        body = {"notes": NOTES[name]}
        answer = await http.put("/api/projects/work/notes", json=body)
        assert answer.status_code in {200, 422}, answer.text[:300]
        assert (await http.get("/api/projects/work/notes")).status_code == 200
        assert (await http.get("/api/projects/work/tasks")).status_code == 200
        task = {"action": "add", "text": "x" * 100_000}
        await http.post("/api/projects/work/tasks", json=task)
        told = await call(http, "read_notes", project="work")
        assert text_of(told)


QUERIES = ['"' * 4000, "a" * 4000, "* " * 2000, "NEAR(" * 800, "a AND " * 600, "\u0301" * 2000]


@pytest.mark.parametrize("query", QUERIES)
async def test_hostile_searches_of_the_chat(http: httpx.AsyncClient, query: str) -> None:
    answer = await http.get("/api/chat", params={"q": query})
    assert answer.status_code in {200, 400, 422}
    assert (await http.get("/api/tasks", params={"q": query})).status_code in {200, 400, 422}


async def test_giant_names(served: Served, http: httpx.AsyncClient) -> None:
    """What a program calls its window, itself and its title; and what a caller asks for."""
    pane = served.new_pane("exec cat")
    served.tmux("set-option", "-g", "allow-rename", "on")
    served.tmux("rename-window", "-t", pane, "w" * 10_000)
    served.tmux("select-pane", "-t", pane, "-T", "t" * 10_000)
    for path in ("/api/windows", "/api/panes", "/api/sessions"):
        assert (await http.get(path)).status_code == 200
    long = "x" * 7000
    for path in (f"/api/windows/{long}", f"/api/agents/{long}", f"/api/panes/%25{long}/capture"):
        assert (await http.get(path)).status_code in {400, 404, 414, 422}
    assert (await http.get("/api/windows?" + "a=b&" * 1500)).status_code in {400, 413, 414}
    assert (await http.get("/mcp?tools=" + "x," * 3000)).status_code in {400, 404, 405, 406, 414}
    served.tmux("kill-pane", "-t", pane)


async def test_a_hundred_requests_at_once(served: Served, http: httpx.AsyncClient) -> None:
    paths = ("/api/windows", "/api/agents", "/api/panes", "/api/notes", "/api/openapi.json")
    answers = await asyncio.gather(*(http.get(path) for path in paths * 20))
    assert {answer.status_code for answer in answers} == {200}
