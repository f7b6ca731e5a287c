"""Starting agents: installed ones, their directory and session, the first prompt, early ends."""

import asyncio
import os
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from django.core.asgi import get_asgi_application

from agents import registry, services, starting, workers
from agents.delivery import readiness
from agents.delivery.settings import CheckedPrompt
from agents.registry import Agent
from agents.runtimes.loader import AgentState, load
from agents.starting import StartedAgent, list_runtimes, session_name, start_agent
from core import callers
from core.callers import Caller, CallerKind, Principal, Scope
from core.errors import Invalid, NotFound, Refused
from terminals.runtime import Runtime
from terminals.tmux.driver import Tmux
from terminals.windows import login_path
from tests.agents.fakes.launch import ENDLESS, Fake, arguments_of, install_command
from tests.agents.fakes.program import END_TURN
from tests.conftest import RunTmux
from tests.waiting import LONGEST_SECONDS, eventually

pytestmark = pytest.mark.django_db(transaction=True)


@dataclass(frozen=True, slots=True)
class Machine:
    """A user's machine: a home whose login shell has `path` on its PATH, and a scanned tmux."""

    home: Path
    path: Path
    runtime: Runtime

    @property
    def tmux(self) -> Tmux:
        return self.runtime.main

    def install(self, runtime: str = "claude", **options: Any) -> Path:
        """Installs a fake agent; returns its log."""
        log = self.home / f"{runtime}.log"
        install_command(self.path, runtime, log, **options)
        return log

    def install_script(self, runtime: str, script: str) -> None:
        self.path.mkdir(exist_ok=True)
        (self.path / runtime).write_text(f"#!/bin/sh\n{script}\n")
        (self.path / runtime).chmod(0o755)

    async def start(self, runtime: str = "claude", **options: Any) -> StartedAgent:
        return await start_agent(
            tmux=self.tmux, data_dir=self.runtime.data_dir, runtime=runtime, **options
        )


@pytest.fixture
async def machine(
    runtime: Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Machine]:
    home = tmp_path / "home"
    (home / "shop").mkdir(parents=True)
    (home / ".profile").write_text(f'PATH="{home}/tools:/usr/bin:/bin"\n')
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setattr(login_path, "_paths", {})
    monkeypatch.setattr(login_path, "SHELL_SECONDS", LONGEST_SECONDS)
    monkeypatch.setattr(starting, "DETECTED_SECONDS", LONGEST_SECONDS)
    monkeypatch.setattr(readiness, "STARTING_SECONDS", LONGEST_SECONDS)
    monkeypatch.setattr(starting, "SETTLED_SECONDS", LONGEST_SECONDS)
    monkeypatch.setattr(workers, "POLL_SECONDS", 0.1)
    stop = asyncio.Event()
    task = asyncio.create_task(workers.scan_agents(runtime, stop=stop))
    with callers.calling(Caller(Principal(CallerKind.PEER, "me", Scope.WRITE))):
        yield Machine(home, home / "tools", runtime)
    stop.set()
    await asyncio.wait_for(task, LONGEST_SECONDS)


def fake_of(started: StartedAgent, log: Path) -> Fake:
    agent = started.agent
    assert agent is not None, started.error
    return Fake(agent.session, agent.runtime, agent.pane_id, "", "", agent.pid, log, "")


async def late_agent(log: Path) -> Agent:
    """The agent with the fault "late", once it can be made to paint."""
    await eventually(log.with_suffix(".late").exists)
    await eventually(lambda: registry.current().agents)
    [agent] = registry.current().agents.values()
    assert agent.state is AgentState.UNKNOWN
    return agent


def structure(run_tmux: RunTmux) -> str:
    return run_tmux("list-panes", "-a", "-F", "#{session_name} #{window_name} #{pane_id}")


# --- which agents are installed -----------------------------------------------------------------


async def test_installed_agents_come_first_with_their_program(machine: Machine) -> None:
    machine.install("codex")
    programs = await list_runtimes(tmux=machine.tmux)
    assert (programs[0].rules.runtime, programs[0].path) == ("codex", f"{machine.path}/codex")
    assert {program.path for program in programs[1:]} == {""}
    assert len(programs) == len({program.rules.runtime for program in programs}) > 5


async def test_only_callers_that_may_start_agents_learn_what_is_installed(
    machine: Machine,
) -> None:
    with (
        callers.calling(Caller(Principal(CallerKind.TOKEN, "a token", Scope.READ))),
        pytest.raises(Refused, match="scope `write`"),
    ):
        await list_runtimes(tmux=machine.tmux)


async def test_an_agent_that_is_not_installed_is_refused_with_what_to_do(
    machine: Machine, run_tmux: RunTmux
) -> None:
    machine.install("claude")
    before = structure(run_tmux)
    with pytest.raises(Invalid) as refused:
        await machine.start("codex")
    assert refused.value.field == "runtime"
    assert "npm install -g @openai/codex" in refused.value.message
    assert refused.value.message.endswith("Installed: claude")
    with pytest.raises(Invalid, match="there is no agent 'vim': use claude, "):
        await machine.start("vim")
    assert structure(run_tmux) == before


async def test_an_agent_that_was_installed_a_moment_ago_is_found(machine: Machine) -> None:
    await list_runtimes(tmux=machine.tmux)
    machine.install("claude")
    assert (await machine.start("claude")).ok


# --- where it starts ----------------------------------------------------------------------------


async def test_it_starts_in_its_directory_with_hooks_for_this_launch_only(
    machine: Machine,
) -> None:
    log = machine.install()
    started = await machine.start(cwd="~/shop", args=["--model", "a b"])
    assert (started.ok, started.error) == (True, "")
    assert started.agent is not None
    assert started.agent.work_dir == str(machine.home / "shop")
    assert (started.agent.session, started.window.name) == ("shop", "claude")
    option, hooks, *rest = arguments_of(log).read_text().splitlines()
    assert option == "--settings"
    assert f"{machine.runtime.data_dir}/hooks/report claude Stop" in hooks
    assert rest == ["--model", "a b"]
    written = {str(path.relative_to(machine.home)) for path in machine.home.rglob("*")}
    assert not {name for name in written if name.startswith((".claude", ".local"))}


async def test_another_agent_of_the_same_directory_gets_a_window_in_its_session(
    machine: Machine, run_tmux: RunTmux
) -> None:
    machine.install()
    machine.install("codex")
    first = await machine.start(cwd="~/shop")
    second = await machine.start("codex", cwd="~/shop", name="second")
    assert (first.ok, second.ok) == (True, True)
    windows = run_tmux("list-windows", "-t", "=shop", "-F", "#{window_name} #{window_active}")
    assert windows.splitlines() == ["claude 1", "second 0"]  # no view has changed


async def test_a_session_is_named_or_created(machine: Machine) -> None:
    machine.install()
    for session in ("work", "new one"):
        started = await machine.start(cwd="~/shop", session=session)
        assert started.agent is not None
        assert started.agent.session == session
    with pytest.raises(NotFound):
        await machine.start(session="$99")


@pytest.mark.parametrize(
    ("refused", "field"),
    [
        ({"cwd": "~/nowhere"}, "cwd"),
        ({"cwd": "/etc/passwd"}, "cwd"),
        ({"session": "a.b"}, "name"),
        ({"args": ["a\nb"]}, "command"),
        ({"args": ["x"] * 51}, "args"),
        ({"prompt": "! rm -rf /"}, ""),
    ],
)
async def test_what_is_refused_creates_nothing(
    machine: Machine, run_tmux: RunTmux, refused: dict[str, Any], field: str
) -> None:
    machine.install()
    before = structure(run_tmux)
    with pytest.raises(Invalid) as error:
        await machine.start(**refused)
    assert error.value.field == field
    assert structure(run_tmux) == before


@pytest.mark.parametrize(
    ("directory", "name"),
    [("/srv/web.app", "web-app"), ("/srv/a: b", "a-b"), ("/", "agents"), ("/x/日本", "日本")],
)
def test_a_session_is_named_after_its_directory(directory: str, name: str) -> None:
    assert session_name(directory) == name


# --- a program that ends ------------------------------------------------------------------------


async def test_a_program_that_ends_at_once_keeps_its_pane_and_its_output(
    machine: Machine,
) -> None:
    machine.install_script("claude", "echo 'invalid API key'; exit 3")
    started = await machine.start(cwd="~/shop", prompt="hello")
    assert started.ok is False
    assert started.error == "Claude Code ended with status 3: its output is in its window"
    assert started.ended is not None
    assert "invalid API key" in started.ended.output
    assert (await machine.tmux.pane(started.pane_id)).dead


async def test_a_program_that_is_not_detected_is_reported(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(starting, "DETECTED_SECONDS", 0.2)
    machine.install_script("claude", "exec sleep 1000")
    started = await machine.start(prompt="hello")
    assert (started.ok, started.agent) == (False, None)
    assert "not detected" in started.error
    assert started.error.endswith("The prompt was not sent.")


# --- the first prompt ---------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["claude", "codex", "opencode"])
async def test_the_first_prompt_arrives_when_the_agent_is_ready(
    machine: Machine, kind: str
) -> None:
    log = machine.install(kind, faults=["late"])
    prompt = "build it\n\twith care: 'ünï' 日本"
    task = asyncio.create_task(machine.start(kind, cwd="~/shop", prompt=prompt))
    agent = await late_agent(log)
    assert not task.done()
    os.kill(agent.pid, END_TURN)
    started = await task
    assert started.ok, started.error
    assert started.receipt is not None
    assert started.receipt.outcome.submitted
    received = load(kind).delivery.received(CheckedPrompt(prompt))  # it may replace tabs
    assert fake_of(started, log).prompts == [received.encode()]


async def test_nothing_is_pressed_if_it_asks_something_first(machine: Machine) -> None:
    log = machine.install(faults=["dialog:touch trust"])
    started = await machine.start(cwd="~/shop", prompt="hello")
    assert started.ok is False
    assert "waits for an answer" in started.error
    assert started.agent is not None
    assert started.agent.question is not None
    fake = fake_of(started, log)
    await fake.read_everything(machine.tmux)
    assert (fake.prompts, fake.answers) == ([], [])
    assert started.agent.name in registry.current().agents


async def test_a_plain_prompt_waits_for_an_agent_that_is_starting(machine: Machine) -> None:
    log = machine.install(faults=["late"], turn=ENDLESS)
    started = await machine.start(cwd="~/shop")
    agent = await late_agent(log)
    assert agent == started.agent
    sending = asyncio.create_task(
        services.send_prompt(tmux=machine.tmux, agent=agent, prompt="hello")
    )
    # The wait does not lock the pane: the user can type into it during the wait.
    await machine.tmux.type(started.pane_id, b"")
    assert not sending.done()
    os.kill(agent.pid, END_TURN)
    assert (await sending).ok
    assert fake_of(started, log).prompts == [b"hello"]


async def test_the_wait_ends_if_the_screen_shows_something_else(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readiness, "STILL_SECONDS", 0.3)
    monkeypatch.setattr(readiness, "STARTING_SECONDS", 3600.0)
    monkeypatch.setattr(starting, "SETTLED_SECONDS", 0.1)
    machine.install(faults=["menu:Log in"])
    async with asyncio.timeout(LONGEST_SECONDS):
        started = await machine.start(cwd="~/shop", prompt="hello")
    assert started.ok is False
    assert "nothing was typed" in started.error


async def test_the_start_continues_when_its_caller_disconnects(machine: Machine) -> None:
    log = machine.install(faults=["late"])
    task = asyncio.create_task(machine.start(cwd="~/shop", prompt="hello"))
    agent = await late_agent(log)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    os.kill(agent.pid, END_TURN)
    fake = Fake("shop", "claude", agent.pane_id, "", "", agent.pid, log, "")
    await eventually(lambda: fake.prompts == [b"hello"])
    await eventually(lambda: not starting._tasks)


# --- REST ---------------------------------------------------------------------------------------


@pytest.fixture
async def http() -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=cast(Any, get_asgi_application()))
    async with httpx.AsyncClient(
        transport=transport, base_url="http://localhost/api", timeout=LONGEST_SECONDS
    ) as client:
        yield client


async def test_rest_lists_and_starts_agents(machine: Machine, http: httpx.AsyncClient) -> None:
    log = machine.install()
    first, *others = (await http.get("/runtimes")).json()
    assert first == {
        "runtime": "claude",
        "title": "Claude Code",
        "program": f"{machine.path}/claude",
        "install": "npm install -g @anthropic-ai/claude-code",
    }
    assert all(other["program"] == "" and other["install"] for other in others)
    answer = await http.post(
        "/agents/start", json={"runtime": "claude", "cwd": "~/shop", "prompt": "hello"}
    )
    started = answer.json()
    assert (answer.status_code, started["ok"], started["error"]) == (201, True, "")
    assert started["window"]["session"] == "shop"
    assert (started["agent"]["name"], started["agent"]["paneId"]) == ("shop", started["paneId"])
    assert started["receipt"]["submitted"] is True
    assert started["receipt"]["turn"]
    pid = registry.current().agents["shop"].pid
    fake = Fake("shop", "claude", started["paneId"], "", "", pid, log, "")
    assert fake.prompts == [b"hello"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"runtime": "claude", "cwd": "~/nowhere"}, "cwd"),
        ({"runtime": "codex"}, "runtime"),
        ({"runtime": "claude", "command": "rm"}, None),
        ({}, None),
    ],
)
async def test_rest_refuses_with_the_field(
    machine: Machine, http: httpx.AsyncClient, body: dict[str, str], field: str | None
) -> None:
    machine.install()
    answer = await http.post("/agents/start", json=body)
    assert answer.status_code == 422
    assert answer.json()["error"].get("field") == field
