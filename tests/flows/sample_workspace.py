"""A sample workspace: projects, agents in every state, notes and a recording.

For screenshots and for checks of every view.
"""

import json
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.agents.fakes import launch
from tests.flows.chat_driver import write_messages
from tests.flows.page_driver import HTTP, LONG_TURN
from tests.terminals.served import Served
from tests.waiting import wait_until

# About the size that a page of 1440x900 requests, so that nothing is redrawn.
SIZE = ("-x", "146", "-y", "46")
SERVER = r"""
\033[32m➜\033[0m  webshop \033[36mmake dev\033[0m
\033[2m10:41:02\033[0m \033[32mINFO\033[0m  listening on http://localhost:3000
\033[2m10:41:09\033[0m \033[32mINFO\033[0m  GET  /            200   12 ms
\033[2m10:41:10\033[0m \033[32mINFO\033[0m  GET  /cart        200    8 ms
\033[2m10:41:14\033[0m \033[33mWARN\033[0m  price of SKU-1042 came from the cache
\033[2m10:41:21\033[0m \033[32mINFO\033[0m  POST /checkout    201   64 ms
\033[2m10:41:30\033[0m \033[32mINFO\033[0m  GET  /orders/731  200   11 ms
"""
CHECKS = r"""
\033[32m➜\033[0m  webshop \033[36mmake test\033[0m
tests/test_cart.py \033[32m............\033[0m       [ 38%]
tests/test_checkout.py \033[32m........\033[31mF\033[32m.\033[0m     [ 70%]
tests/test_orders.py \033[32m.........\033[0m        [100%]

\033[31mFAILED\033[0m test_checkout.py::test_two_vouchers
\033[31m1 failed\033[0m, \033[32m30 passed\033[0m in 4.12s
"""
DOCS = r"""
\033[32m➜\033[0m  handbook \033[36mgit log --oneline -5\033[0m
\033[33m9c1f0ab\033[0m How to deploy on a Friday: do not
\033[33m41d77e2\033[0m The on-call page names the people again
\033[33me02b913\033[0m Screenshots of the new checkout
\033[33m7aa6d50\033[0m Glossary: voucher, coupon, gift card
\033[33m1be3c88\033[0m Links to the runbooks
\033[32m➜\033[0m  handbook
"""
WEBSHOP = """# This week
- [WIP] Two vouchers on one order are counted twice
- [WIP] Show shipping costs before the address is complete
- [BL] Refunds: waits for the bank's test account
- Ask for the invoice address only when it differs
- Search: forgive typing errors in brand names
- [CM] Cart keeps its contents after sign-in
- [CM] Receipts as PDF
"""
GATEWAY = """# Rate limits
- [WIP] Answer 429 with Retry-After
- Count by key, not by address
- [CM] Measure what a limit costs per request
"""
NOTES: Mapping[str, str] = {"webshop": WEBSHOP, "api-gateway": GATEWAY}
TOOL = {"name": "Bash", "input": "make test", "outcome": "30 passed, 1 failed", "status": "done"}
ANSWER = """\
## Two vouchers

`apply()` runs **once per voucher** and adds the discount of *all* vouchers each time:

| order | expected | now |
|---|---:|---:|
| one voucher | 45.00 | 45.00 |
| two vouchers | 40.00 | 30.00 |

```python
def apply(order: Order, voucher: Voucher) -> Money:
    return order.total - sum(each.amount for each in order.vouchers)
```

1. Pass the amount of this voucher only.
2. Add the case to `tests/test_checkout.py`.
"""
# What the journal of the agent in `webshop` says: role, kind, text, tool.
CONVERSATION = (
    ("user", "text", "Two vouchers on one order are counted twice. Find out why.", None),
    ("assistant", "tool", "Read: shop/checkout.py", json.dumps({**TOOL, "name": "Read",
     "input": "shop/checkout.py", "outcome": "214 lines"})),
    ("assistant", "tool", "Bash: make test", json.dumps(TOOL)),
    ("assistant", "text", ANSWER, None),
)  # fmt: skip
REPLIES: Mapping[str, Sequence[Sequence[str]]] = {
    "data-pipeline": [
        [
            "The nightly import is slow because every row asks for its country.",
            "I read all countries once, before the loop. 1.2 million rows now take",
            "41 s instead of 9 min. Tests pass; nothing else was changed.",
        ]
    ],
}


@dataclass
class SampleWorkspace:
    served: Served
    directory: Path

    @property
    def address(self) -> str:
        return self.served.running.address

    def rest(self, method: str, path: str, **options: Any) -> Any:
        response = HTTP.request(method, f"{self.address}/api{path}", **options)
        assert response.is_success, f"{method} {path}: {response.text}"
        return response.json()

    def window(self, session: str, name: str) -> str:
        """The key of a window; waits until the server knows it."""
        return wait_until(lambda: self._window(session, name))

    def wait_for_agent(self, name: str, state: str) -> None:
        wait_until(lambda: any(
            agent["name"] == name and agent["state"] == state
            for agent in self.rest("GET", "/agents")["items"]
        ))  # fmt: skip

    def show(self, session: str, name: str, program: str, text: str) -> str:
        """Opens a window in which `program` shows `text` and waits; returns the id of its pane."""
        exists = session in self.served.tmux("list-sessions", "-F", "#{session_name}").splitlines()
        command = (
            ["new-window", "-t", f"={session}:"]
            if exists
            else ["new-session", "-s", session, *SIZE]
        )
        return self.served.tmux(
            *command, "-dP", "-F", "#{pane_id}", "-n", name, "-c", str(self.home(session)),
            self.showing(program, text),
        )  # fmt: skip

    def showing(self, program: str, text: str) -> str:
        """A command that prints `text` and then waits, known to tmux as `program`."""
        shown = self.directory / f"{program}.txt"
        shown.write_text(text.strip("\n"))
        executable = shlex.quote(str(launch.install(self.directory / "bin", program)))
        wait = shlex.quote("import time; time.sleep(86400)")
        return f"printf '%b' \"$(cat {shlex.quote(str(shown))})\"; exec {executable} -S -c {wait}"

    def agent(self, session: str, runtime: str, *, turn: float = 0.2) -> str:
        """Starts a fake agent in its own session; returns the id of its pane."""
        home, log = self.home(session), self.directory / f"{session}.log"
        settings = dict(launch.environment(runtime, log, (), turn))
        if session in REPLIES:
            replies = self.directory / f"{session}.json"
            replies.write_text(json.dumps(REPLIES[session]))
            settings["FAKE_REPLIES"] = str(replies)
        pairs = [part for key, value in settings.items() for part in ("-e", f"{key}={value}")]
        program = launch.install(self.directory / "bin", runtime)
        return self.served.tmux(
            "new-session", "-dP", "-F", "#{pane_id}", "-s", session, "-n", runtime,
            *SIZE, "-c", str(home), *pairs, launch.command(program),
        )  # fmt: skip

    def send(self, session: str, prompt: str) -> None:
        """Sends a prompt as the page does, so that it appears in the chat."""
        self.wait_for_agent(session, "idle")
        self.rest("POST", f"/agents/{session}/prompt", json={"prompt": prompt})

    def home(self, session: str) -> Path:
        directory = self.directory / session
        directory.mkdir(exist_ok=True)
        return directory

    def _window(self, session: str, name: str) -> str:
        for window in self.rest("GET", "/windows", params={"limit": 200})["items"]:
            if (window["session"], window["windowName"]) == (session, name):
                return str(window["key"])
        return ""


def create_sample_workspace(served: Served, directory: Path) -> SampleWorkspace:
    workspace = SampleWorkspace(served, directory)
    workspace.agent("webshop", "claude")
    workspace.agent("api-gateway", "codex", turn=LONG_TURN)
    workspace.agent("data-pipeline", "gemini")
    server = workspace.show("webshop", "server", "node", SERVER)
    beside = ["-h", "-l", "46%", "-c", str(workspace.home("webshop")), "-t", server]
    served.tmux("split-window", "-d", *beside, workspace.showing("pytest", CHECKS))
    workspace.show("handbook", "shell", "zsh", DOCS)
    workspace.send("data-pipeline", "Why does the nightly import take nine minutes? Make it fast.")
    workspace.send("api-gateway", "Answer 429 with Retry-After once a key is over its limit.")
    workspace.send("webshop", "ask: run the build again before fixing the vouchers")
    for project, text in NOTES.items():
        workspace.rest("PUT", f"/projects/{project}/notes", json={"notes": text})
    workspace.rest(
        "POST", f"/panes/{server[1:]}/recording", json={"title": "Checkout, slow on Monday"}
    )
    write_messages(served, workspace.window("webshop", "claude"), CONVERSATION)
    workspace.wait_for_agent("webshop", "waiting")
    workspace.wait_for_agent("api-gateway", "working")
    workspace.wait_for_agent("data-pipeline", "idle")
    return workspace


def kill_default_session(served: Served) -> None:
    """The session `work`, which every tmux of the tests starts with, is not part of the sample."""
    subprocess.run(
        ["tmux", "-S", served.env["WEBTMUX_TMUX_SOCKET"], "kill-session", "-t", "=work"],
        check=False,
    )
