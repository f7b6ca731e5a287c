"""Prompts of all kinds to every fake agent with every fault, compared with the fakes' own logs.

Shared by test_runner.py and `make soak-delivery`.
"""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from agents.delivery.receipts import DeliveryOutcome
from agents.delivery.runner import deliver
from agents.delivery.settings import CheckedPrompt
from agents.registry import Agent
from agents.runtimes import loader
from agents.runtimes.loader import Rules
from terminals.tmux.driver import Tmux
from tests.agents.fakes.launch import Fake, launch

RUNTIMES = ("claude", "codex", "gemini", "copilot", "opencode", "amp")
FAULTS = (
    "none",
    "slow-paint",
    "enter-once",
    "enter-never",
    "split-paste",
    "dialog",
    "draft",
    "busy",
    "meta-enter",
    "copy-mode",
    "resize-storm",
)
HOPELESS = ("enter-never", "dialog")  # nothing can be delivered, and that is reported
CONCURRENT = 6  # fakes that run at the same time, on two cores
WORDS = (
    "please", "review", "the", "change", "naïve", "Straße", "漢字", "日本語", "😀", "Ω", "й",
    "e\u0301", "#(touch hacked)", "#{pane_id}", "$HOME", "`id`", "$(id)", ";", "a;b", "--help",
    "-t", "'", '"', "\\n", "%1", "{}", "|", "&&", "C-c", "Enter", "[y/N]", "(esc)", "…", "> quoted",
)  # fmt: skip  # a word list


def random_prompt(chance: random.Random, *, lines: bool) -> str:
    """A prompt of a kind that has failed somewhere before. Each is unique."""
    shape = chance.choice(("short", "dash", "semicolon", "line", "kilobyte", "long", "tabs"))
    if lines and chance.random() < 0.4:
        shape = "lines"
    text = " ".join(chance.choices(WORDS, k=chance.randint(1, 12)))
    if shape == "dash":
        text = "-" * chance.randint(1, 3) + text
    elif shape == "lines":
        rows = (" ".join(chance.choices(WORDS, k=5)) for _ in range(chance.randint(1, 30)))
        text += "\n" + "\n".join(row + chance.choice(("", "\n", "  ")) for row in rows)
    elif shape == "kilobyte":
        text = _of_size(chance, chance.choice((1022, 1023, 1024, 1025, 2047, 2048)))
    elif shape == "long":
        text = _of_size(chance, chance.randint(1023, 5000))
    elif shape == "tabs":
        text = text.replace(" ", "\t")
    end = ";" if shape == "semicolon" else ""
    return f"{text} {chance.getrandbits(40):x}{end}"


def _of_size(chance: random.Random, size: int) -> str:
    text = ""
    while len(text.encode()) < size:
        text += chance.choice(WORDS) + " "
    return text.encode()[:size].decode("utf-8", "ignore")


@dataclass(slots=True)
class Tally:
    """The results of the prompts to one fake with one fault."""

    ok: int = 0
    failed: int = 0
    lost: int = 0  # reported as submitted, and not in the log
    twice: int = 0
    altered: int = 0  # in the log, but not as it was sent
    denied: int = 0  # reported as not submitted, but in the log
    stray: int = 0  # answered questions and cancelled turns, which no delivery may cause
    ms: list[int] = field(default_factory=list)
    errors: Counter[str] = field(default_factory=Counter)

    @property
    def wrong(self) -> int:
        return self.lost + self.twice + self.altered + self.stray


def count(outcomes: Mapping[str, DeliveryOutcome], fake: Fake) -> Tally:
    """Compares the outcomes with the fake's log."""
    logged = Counter(fake.prompts)
    tally = Tally(stray=len(fake.answers) + len(fake.events("cancelled")))
    for prompt, outcome in outcomes.items():
        settings = loader.load(agent_of(fake).runtime).delivery
        times = logged.pop(settings.received(CheckedPrompt(prompt)).rstrip(" ").encode(), 0)
        tally.ok += outcome.ok
        tally.failed += not outcome.ok
        tally.lost += outcome.ok and times == 0
        tally.twice += times > 1
        tally.denied += not outcome.ok and times > 0
        tally.ms += [outcome.ms] if outcome.ok else []
        tally.errors[outcome.error] += not outcome.ok
    tally.altered = sum(logged.values())
    return tally


def agent_of(fake: Fake) -> Agent:
    """The fake amp has a plain prompt, so the generic rules apply to it."""
    return Agent(
        name=fake.name,
        runtime="generic" if fake.runtime == "amp" else fake.runtime,
        work_dir=fake.work_dir,
        attached=False,
        pane_id=fake.pane_id,
        window_id=fake.window_id,
        session=fake.name,
        pid=fake.pid,
    )


def rules_of(agent: Agent, fault: str) -> Rules:
    """No rules file sends Escape; the fault "meta-enter" needs rules that do."""
    rules = loader.load(agent.runtime)
    if fault != "meta-enter":
        return rules
    return replace(rules, delivery=replace(rules.delivery, escape="idle"))


async def send(tmux: Tmux, fake: Fake, prompt: str, *, fault: str = "") -> DeliveryOutcome:
    """Checks and delivers a prompt as services.send_prompt does, without the database."""
    agent = agent_of(fake)
    rules = rules_of(agent, fault)
    checked = rules.delivery.check(prompt)
    return await deliver(tmux=tmux, agent=agent, rules=rules, prompt=checked)


async def soak(
    tmux: Tmux, directory: Path, runtime: str, fault: str, *, prompts: int, seed: int
) -> Tally:
    """`prompts` deliveries to one fake with one fault."""
    chance = random.Random(f"{runtime} {fault} {seed}")
    fake = await launch(tmux, directory, runtime, faults=(fault,), name=f"{runtime}-{fault}-{seed}")
    outcomes: dict[str, DeliveryOutcome] = {}
    async with disturbance(tmux, fake, fault, chance):
        for _ in range(prompts):
            if fault == "copy-mode":
                await tmux.monitor.run(("copy-mode", "-t", fake.pane_id))
            prompt = random_prompt(chance, lines=runtime != "amp")
            outcomes[prompt] = await send(tmux, fake, prompt, fault=fault)
    # A prompt is logged when its Enter is read; a second Enter would be read before the sync.
    await fake.read_everything(tmux)
    tally = count(outcomes, fake)
    await tmux.kill(fake.session_id)
    return tally


@asynccontextmanager
async def disturbance(
    tmux: Tmux, fake: Fake, fault: str, chance: random.Random
) -> AsyncIterator[None]:
    """With the fault "resize-storm": a user who keeps resizing the window."""
    if fault != "resize-storm":
        yield
        return

    async def storm() -> None:
        while True:
            await tmux.request_size(fake.window_id, chance.randint(60, 130), chance.randint(20, 45))
            await asyncio.sleep(chance.uniform(0.02, 0.25))

    task = asyncio.create_task(storm())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def combinations() -> Iterator[tuple[str, str]]:
    return ((runtime, fault) for fault in FAULTS for runtime in RUNTIMES)


async def soak_all(
    tmux: Tmux, directory: Path, *, prompts: int, seed: int = 1
) -> dict[tuple[str, str], Tally]:
    limit = asyncio.Semaphore(CONCURRENT)

    async def limited(runtime: str, fault: str) -> Tally:
        async with limit:
            return await soak(tmux, directory, runtime, fault, prompts=prompts, seed=seed)

    pairs = list(combinations())
    tallies = await asyncio.gather(*(limited(*pair) for pair in pairs))
    return dict(zip(pairs, tallies, strict=True))


def table(tallies: Mapping[tuple[str, str], Tally]) -> list[str]:
    """One line for each fault and fake."""
    lines = [
        f"{'fault':13}{'fake':8}{'ok':>6}{'false':>6}{'lost':>6}{'twice':>6}{'altered':>8}"
        f"{'denied':>7}{'stray':>6}{'p50 ms':>8}{'max ms':>8}"
    ]
    for (runtime, fault), tally in tallies.items():
        times = sorted(tally.ms) or [0]
        lines.append(
            f"{fault:13}{runtime:8}{tally.ok:6}{tally.failed:6}{tally.lost:6}{tally.twice:6}"
            f"{tally.altered:8}{tally.denied:7}{tally.stray:6}"
            f"{times[len(times) // 2]:8}{times[-1]:8}"
            + "".join(f"  {error} ({n})" for error, n in tally.errors.items() if error)
        )
    return lines
