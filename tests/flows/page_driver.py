"""Drives the workspace page in a real browser, with a real server and a real tmux.

All flow tests of a process share one server; each test has its own sessions and kills them.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest
from playwright.sync_api import Locator, Page, TimeoutError, expect

from tests.agents.fakes import launch
from tests.agents.fakes.launch import Fake
from tests.config.servers import manage
from tests.terminals.served import Served
from tests.waiting import LONGEST_MS, LONGEST_SECONDS, wait_until

T = TypeVar("T")
# Only matters for a test that fails: a loaded machine may be ten times slower than an idle one.
SECONDS = LONGEST_SECONDS
MS = LONGEST_MS
LONG_TURN = 3600.0  # seconds of a turn of a fake agent that ends by `end_turn`
# `httpx.request` loads the certificates of all authorities each time, which takes 20 ms.
# Connections are not reused, because servers of tests stop.
HTTP = httpx.Client(timeout=SECONDS, limits=httpx.Limits(max_keepalive_connections=0))
# Runs in the page before its first script.
RECORD_VIOLATIONS = """
  window.violations = []
  document.addEventListener('securitypolicyviolation', (event) => {
    violations.push([event.violatedDirective, event.blockedURI, event.sourceFile].join(' '))
  })
"""
# The text of a terminal, row by row.
TEXT = "(el) => el.text()"


@dataclass
class PageDriver:
    page: Page
    served: Served
    directory: Path
    prefix: str  # of the names of all sessions of this test
    errors: list[str] = field(default_factory=list)

    @property
    def address(self) -> str:
        return self.served.running.address

    def open(self, fragment: str = "") -> None:
        """Opens the page and waits until it has the state of tmux."""
        self.page.goto(f"{self.address}/{fragment}")
        self.page.wait_for_selector("body[data-ready]", state="attached")

    def sign_in(self, address: str) -> None:
        """Signs in with a one-time code, as required through a relay."""
        done = manage(self.served.env, "sign_in_link", "--address", address)
        assert done.returncode == 0, done.stderr
        self.page.goto(done.stdout.strip())
        self.page.get_by_role("button", name="Sign in").click()
        self.page.wait_for_selector("body[data-ready]", state="attached")

    # --- tmux ---

    def tmux(self, *arguments: str) -> str:
        return self.served.tmux(*arguments)

    def session(self, name: str = "a", command: str = "exec sh", *, size: str = "100x30") -> str:
        """Starts a session `<prefix>-<name>` with a plain sh; returns the id of its pane."""
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
        """Starts a fake agent in its own session; `fake.prompts` has the prompts that it got."""
        name = f"{self.prefix}-{name or runtime}"
        log = self.directory / f"{name}.log"
        settings = launch.environment(runtime, log, faults, turn)
        pairs = [part for key, value in settings.items() for part in ("-e", f"{key}={value}")]
        program = launch.install(self.directory / "bin", runtime)
        output = self.tmux(
            "new-session", "-dP", "-F", "#{pane_id} #{window_id} #{session_id} #{pane_pid}",
            "-s", name, "-x", "100", "-y", "30", "-c", str(self.directory), *pairs,
            launch.command(program),
        )  # fmt: skip
        pane, window, session, pid = output.split()
        return Fake(name, runtime, pane, window, session, int(pid), log, str(self.directory))

    def end_turn(self, fake: Fake) -> None:
        """Interrupts a fake agent, which is idle then."""
        self.tmux("send-keys", "-t", fake.pane_id, "Escape")

    def window_of(self, pane: str) -> str:
        return self.served.window_of(pane)

    def screen(self, pane: str) -> str:
        """The screen of a pane, captured by tmux."""
        return self.tmux("capture-pane", "-p", "-t", pane)

    def type(self, pane: str, text: str) -> None:
        """Types into a pane with tmux, bypassing the page."""
        self.tmux("send-keys", "-t", pane, "-l", text)
        self.tmux("send-keys", "-t", pane, "Enter")

    # --- REST ---

    def rest(self, method: str, path: str, **options: Any) -> Any:
        response = HTTP.request(method, f"{self.address}/api{path}", **options)
        assert response.is_success, response.text
        return response.json()

    def key_of(self, pane: str) -> str:
        """The key of the window of a pane."""
        path = f"/windows/{self.window_of(pane)}"
        key: str = self.rest("GET", path)["key"]
        return key

    # --- the page ---

    def open_window(self, pane: str) -> Locator:
        """Opens the window of a pane; returns the terminal of the pane once it is visible."""
        self.open(f"#/window/{self.window_of(pane)}")
        return self.terminal(pane)

    def terminal(self, pane: str) -> Locator:
        terminal = self.page.locator(f'tmux-adapter-web[name="{pane}"]')
        expect(terminal).to_be_visible(timeout=SECONDS * 1000)
        return terminal

    def text(self, pane: str) -> str:
        text: str = self.terminal(pane).evaluate(TEXT)
        return text

    def wait_for_text(self, pane: str, text: str, *, seconds: float = SECONDS) -> None:
        """Waits until the terminal on the page shows the text."""
        try:
            self.page.wait_for_function(
                "([name, text]) => document.querySelector(`tmux-adapter-web[name='${name}']`)"
                "?.text?.().includes(text)",
                arg=[pane, text],
                timeout=seconds * 1000,
            )
        except TimeoutError:
            in_tmux = self.tmux("capture-pane", "-p", "-t", pane)
            pytest.fail(f"{text!r} is not on the page: {self.text(pane)!r}; in tmux: {in_tmux!r}")

    def wait_for(self, expression: str, argument: Any = None, *, seconds: float = SECONDS) -> None:
        """Waits until a JavaScript function of `argument` returns a true value in the page."""
        self.page.wait_for_function(expression, arg=argument, timeout=seconds * 1000)

    def wait_until(self, check: Callable[[], T], *, seconds: float = LONGEST_SECONDS) -> T:
        """Waits for something outside of the page, while the browser keeps running."""
        return wait_until(
            check, seconds, pause=lambda pause: self.page.wait_for_timeout(pause * 1000)
        )

    def violations(self) -> list[str]:
        violations: list[str] = self.page.evaluate("window.violations")
        return violations
