"""The pictures of the README, with real agents: `make pictures`.

Claude Code asks for a command and for an edit; Codex asks for a command. The prompts say what the
model server does (script.py), so they are visible in the pictures.
"""

import contextlib
import json
import shlex
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from lab import agents
from lab.agents import KINDS, AgentProgram, Launch
from lab.harness import Bench, start_bench
from lab.suites.common import ready
from lab.suites.dialogs import dialogs
from tests.browser.launch import FLAGS, browser_program
from tests.flows.sample_workspace import WEBSHOP
from tests.waiting import wait_until

IMAGES = Path(__file__).parents[1] / "docs/images"
DESKTOP: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
SIZE = "146x44"
COMMAND = "SAY I will reserve the order number first. ;; RUN touch orders/1042.lock"
BEFORE = "def total(cart):\n    return cart.sum() - cart.voucher - cart.voucher\n"
AFTER = ("cart.sum() - cart.voucher - cart.voucher", "max(0, cart.sum() - cart.voucher)")
START_SECONDS = 120.0


def main() -> None:
    """Takes the pictures and prints their names."""
    agents.install()
    with start_bench(KINDS["claude"], size=SIZE) as bench, _second_agent(bench):
        _until(bench, "idle")
        bench.pane.tmux("rename-window", "-t", "=claude:", "checkout")
        bench.pane.tmux("rename-window", "-t", "=api-gateway:", "limits")
        bench.pane.tmux("rename-session", "-t", "=claude:", "webshop")
        wait_until(lambda: _agent(bench, "claude").get("session") == "webshop")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=browser_program(),
                args=[*FLAGS, "--font-render-hinting=none"],
            )
            _take(bench, browser)
            browser.close()


def approvals(kind: AgentProgram, directory: Path) -> None:
    """Pictures of a command and an edit that wait for approval, on a desktop and on a phone."""
    directory.mkdir(parents=True, exist_ok=True)
    with ready(kind, SIZE) as bench, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_program(), args=[*FLAGS])
        work = bench.pane.place.work
        (work / "notes.txt").write_text("some words\n")
        for dialog in dialogs(kind.name, str(work)):
            if dialog.name not in ("long command", "edit"):
                continue
            _prompt(bench, kind.name, dialog.prompt)
            waiting = bench.until("waiting")
            for device, options in (("desktop", DESKTOP), ("phone", PHONE)):
                name = f"{kind.name}-{dialog.name.replace(' ', '-')}-{device}"
                _picture(browser, bench, options, "dark", directory / name, waiting)
            bench.tour.close(tries=6)
        browser.close()


def _take(bench: Bench, browser: Browser) -> None:
    name = _agent(bench, "claude")["name"]
    bench.call("PUT", "/projects/webshop/notes", {"notes": WEBSHOP})
    _prompt(bench, name, COMMAND)
    waiting = _until(bench, "waiting")
    _picture(browser, bench, DESKTOP, "dark", "approval-command-desk-dark", waiting)
    _picture(browser, bench, PHONE, "light", "approval-command-phone-light", waiting)
    _picture(browser, bench, PHONE, "light", "deck-phone-light", None)
    _picture(browser, bench, DESKTOP, "light", "board-desk-light", "project/webshop/board")
    _answer(bench, name, waiting)
    _until(bench, "idle")
    _picture(browser, bench, DESKTOP, "dark", "terminal-desk-dark", _agent(bench, "claude"))
    _prompt(bench, name, _edit(bench.pane.place.work / "voucher.py"))
    waiting = _until(bench, "waiting")
    _picture(browser, bench, DESKTOP, "light", "approval-edit-desk-light", waiting)
    _picture(browser, bench, PHONE, "dark", "approval-edit-phone-dark", waiting)


def _edit(path: Path) -> str:
    """A prompt that makes the model read and edit a file: Claude Code edits only what it read."""
    path.write_text(BEFORE)
    old, new = AFTER
    edit = {"file_path": str(path), "old_string": old, "new_string": new}
    return f"TOOL Read {json.dumps({'file_path': str(path)})} ;; TOOL Edit {json.dumps(edit)}"


@contextlib.contextmanager
def _second_agent(bench: Bench) -> Any:
    """Codex in another session of the same tmux server."""
    kind = KINDS["codex"]
    root = Path(tempfile.mkdtemp(prefix="lab-codex-"))
    launch = Launch(root / "home", root / "api-gateway", bench.model.address)
    argv, environment = agents.command(kind, launch)
    pairs = [f"{name}={value}" for name, value in environment.items()]
    line = shlex.join(["env", "-i", "TERM=tmux-256color", *pairs, *argv])
    width, _, height = SIZE.partition("x")
    bench.pane.tmux(
        *("new-session", "-d", "-s", "api-gateway", "-x", width, "-y", height),
        *("-c", str(launch.work), f"{line}; true"),
    )
    try:
        yield
    finally:
        with contextlib.suppress(RuntimeError):
            bench.pane.tmux("kill-session", "-t", "=api-gateway")
        shutil.rmtree(root, ignore_errors=True)


def _agent(bench: Bench, runtime: str) -> dict[str, Any]:
    items: list[dict[str, Any]] = bench.call("GET", "/agents").body["items"]
    return next((item for item in items if item["runtime"] == runtime), {})


def _until(bench: Bench, state: str) -> dict[str, Any]:
    """Claude Code, once it has this state."""

    def in_state() -> dict[str, Any] | None:
        agent = _agent(bench, "claude")
        return agent if agent.get("state") == state else None

    return wait_until(in_state, START_SECONDS) or {}


def _prompt(bench: Bench, name: str, text: str) -> None:
    reply = bench.call("POST", f"/agents/{name}/prompt", {"prompt": text})
    assert reply.ok, reply.error


def _answer(bench: Bench, name: str, agent: dict[str, Any]) -> None:
    body = {"answer": "1", "question": agent["question"]["id"]}
    reply = bench.call("POST", f"/agents/{name}/answer", body)
    assert reply.ok, reply.error


def _picture(
    browser: Browser,
    bench: Bench,
    options: dict[str, Any],
    theme: Any,
    name: str | Path,
    place: dict[str, Any] | str | None,
) -> None:
    """`place`: an agent, whose window is opened, or an address of the page; None: its home."""
    context = browser.new_context(**options, color_scheme=theme, reduced_motion="reduce")
    page = context.new_page()
    address = place if isinstance(place, str) else ""
    if isinstance(place, dict):
        address = f"window/{place['windowId']}"
    page.goto(f"{bench.server.address}/#/{address}")
    _settle(page)
    page.screenshot(path=IMAGES / f"{name}.png")  # an absolute name is used as it is
    print(f"{name}.png", flush=True)
    context.close()


def _settle(page: Page) -> None:
    page.wait_for_selector("body[data-ready]", state="attached")
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(2_000)  # a picture, not a check: fonts and the first paint


if __name__ == "__main__":
    if len(sys.argv) > 1:  # python -m lab.pictures AGENT
        approvals(KINDS[sys.argv[1]], agents.directory() / "pictures")
    else:
        main()
