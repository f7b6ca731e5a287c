"""A person before the workspace page: a real browser, a real server, a real tmux.

One server for all flows of a process; each flow has sessions of its own, and ends them.
"""

import json
import shlex
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Locator, Page, expect

from tests.agents.fakes import launch
from tests.agents.fakes.launch import Fake
from tests.config.servers import manage
from tests.terminals.served import Served

SECONDS = 15.0
# Kept by the page itself, from before its first script.
WATCH = """
  window.violations = []
  document.addEventListener('securitypolicyviolation', (event) => {
    violations.push([event.violatedDirective, event.blockedURI, event.sourceFile].join(' '))
  })
"""
# The text of a terminal, row by row, as xterm.js holds it.
TEXT = "(el) => el.text()"


@dataclass
class Desk:
    page: Page
    served: Served
    directory: Path
    prefix: str  # of every session of this flow
    errors: list[str] = field(default_factory=list)

    @property
    def address(self) -> str:
        return self.served.running.address

    def open(self, fragment: str = "") -> None:
        """The page, once it knows what tmux shows."""
        self.page.goto(f"{self.address}/{fragment}")
        self.page.wait_for_selector("body[data-ready]", state="attached")

    def sign_in(self, address: str) -> None:
        """By a one-time code: through a relay nobody is trusted without."""
        done = manage(self.served.env, "sign_in_link", "--address", address)
        assert done.returncode == 0, done.stderr
        self.page.goto(done.stdout.strip())
        self.page.get_by_role("button", name="Sign in").click()
        self.page.wait_for_selector("body[data-ready]", state="attached")

    # --- tmux ---

    def tmux(self, *arguments: str) -> str:
        return self.served.tmux(*arguments)

    def session(self, name: str = "a", command: str = "exec sh", *, size: str = "100x30") -> str:
        """The id of the first pane of a new session `<prefix>-<name>`, which shows a plain sh."""
        width, height = size.split("x")
        return self.tmux(
            "new-session", "-dP", "-F", "#{pane_id}", "-s", f"{self.prefix}-{name}", "-n", name,
            "-x", width, "-y", height, "-c", str(self.directory), "-e", "PS1=$ ", command,
        )  # fmt: skip

    def fake(
        self,
        runtime: str = "claude",
        name: str = "",
        *,
        faults: Iterable[str] = (),
        turn: float = 0.15,
    ) -> Fake:
        """A fake agent in a session of its own; `fake.prompts` tells what it got."""
        name = f"{self.prefix}-{name or runtime}"
        log = self.directory / f"{name}.log"
        settings = launch.environment(runtime, log, faults, turn)
        pairs = [part for key, value in settings.items() for part in ("-e", f"{key}={value}")]
        program = launch.install(self.directory / "bin", runtime)
        told = self.tmux(
            "new-session", "-dP", "-F", "#{pane_id} #{window_id} #{session_id} #{pane_pid}",
            "-s", name, "-x", "100", "-y", "30", "-c", str(self.directory), *pairs,
            launch.command(program),
        )  # fmt: skip
        pane, window, session, pid = told.split()
        return Fake(name, runtime, pane, window, session, int(pid), log, str(self.directory))

    def window_of(self, pane: str) -> str:
        return self.served.window_of(pane)

    def screen(self, pane: str) -> str:
        """What tmux itself shows."""
        return self.tmux("capture-pane", "-p", "-t", pane)

    def type(self, pane: str, text: str) -> None:
        """Into a pane, past the page: what another person does."""
        self.tmux("send-keys", "-t", pane, "-l", text)
        self.tmux("send-keys", "-t", pane, "Enter")

    # --- the server, past the page ---

    def rest(self, method: str, path: str, **options: Any) -> Any:
        answer = httpx.request(method, f"{self.address}/api{path}", timeout=SECONDS, **options)
        assert answer.is_success, answer.text
        return answer.json()

    def key_of(self, pane: str) -> str:
        """The key of a pane's window, once the server has seen it."""
        path = f"/windows/{self.window_of(pane)}"
        key: str = self.rest("GET", path)["key"]
        return key

    # --- the page ---

    def open_window(self, pane: str) -> Locator:
        """The page at this pane's window; returns the pane's terminal once it shows something."""
        self.open(f"#/window/{self.window_of(pane)}")
        return self.terminal(pane)

    def terminal(self, pane: str) -> Locator:
        found = self.page.locator(f'tmux-adapter-web[name="{pane}"]')
        expect(found).to_be_visible(timeout=SECONDS * 1000)
        return found

    def text(self, pane: str) -> str:
        told: str = self.terminal(pane).evaluate(TEXT)
        return told

    def wait_for_text(self, pane: str, text: str, *, seconds: float = SECONDS) -> None:
        """Until the terminal on the page shows this."""
        self.page.wait_for_function(
            "([name, text]) => document.querySelector(`tmux-adapter-web[name='${name}']`)"
            "?.text?.().includes(text)",
            arg=[pane, text],
            timeout=seconds * 1000,
        )

    def wait_for(self, expression: str, argument: Any = None, *, seconds: float = SECONDS) -> None:
        """Until a JavaScript function of `argument` is true in the page."""
        self.page.wait_for_function(expression, arg=argument, timeout=seconds * 1000)

    def violations(self) -> list[str]:
        found: list[str] = self.page.evaluate("window.violations")
        return found


def quoted(value: Any) -> str:
    """A value as a word of a shell command."""
    return shlex.quote(value if isinstance(value, str) else json.dumps(value))
