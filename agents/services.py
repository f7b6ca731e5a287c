"""What can be done with an agent: send it a prompt, answer its question. For every door.

How keys reach it is prompts.py and answers.py; which key was used before is claims.py.
"""

import asyncio
import logging

from agents import answers, claims, prompts, rules
from agents.models import Delivery
from agents.plans import Plan
from agents.receipts import Outcome, Receipt
from agents.registry import Agent
from terminals.db import in_db
from terminals.models import new_key
from terminals.tmux.driver import Tmux

log = logging.getLogger(__name__)

WAIT_SECONDS = 15.0  # for a delivery of another process with the same key
POLL_SECONDS = 0.2
CUT_OFF = (
    "an earlier try with this key has not ended or was cut off, and may have been submitted:"
    " look at the agent, or send with another key"
)

# A delivery goes on when its caller leaves: half a prompt on a composer helps nobody. The tasks
# end by themselves (prompts.LONGEST_SECONDS), or with the event loop.
_under_way: dict[int, "asyncio.Task[Outcome]"] = {}


async def send_prompt(*, tmux: Tmux, agent: Agent, prompt: str, key: str = "") -> Receipt:
    """A retry with the same key, within ten minutes, answers what became of the first."""
    found = rules.load(agent.runtime)
    text = prompts.check(prompt, Plan.of(found.delivery))
    row, ours = await in_db(claims.claim)(agent=agent.name, key=key, prompt=text)
    if not ours:
        return Receipt(row.receipt_id, await _first(row))
    task = asyncio.create_task(_deliver(tmux, agent, found, text, row), name="delivery")
    _under_way[row.pk] = task
    task.add_done_callback(lambda _: _under_way.pop(row.pk, None))
    return Receipt(row.receipt_id, await asyncio.shield(task))


async def answer_agent(*, tmux: Tmux, agent: Agent, answer: str, question: str = "") -> Receipt:
    """By the number or the words of an option. `question`: refuse if it asks another by now."""
    outcome = await answers.give(
        tmux=tmux, agent=agent, rules=rules.load(agent.runtime), answer=answer, question=question
    )
    log.info("answer to %s: %s, %d ms", agent.name, outcome.submitted, outcome.ms)
    return Receipt(new_key(), outcome)


async def _deliver(
    tmux: Tmux, agent: Agent, found: rules.Rules, text: str, row: Delivery
) -> Outcome:
    outcome = await prompts.deliver(tmux=tmux, agent=agent, rules=found, prompt=text)
    await in_db(claims.finish)(row=row, outcome=outcome)
    log.info(
        "prompt %s to %s: %d bytes, submitted %s, %d tries, %d ms",
        row.receipt_id, agent.name, row.length, outcome.submitted, outcome.attempts, outcome.ms,
    )  # fmt: skip
    return outcome


async def _first(row: Delivery) -> Outcome:
    """What became of the first delivery with this key; it is never sent again."""
    if (task := _under_way.get(row.pk)) is not None:
        return await asyncio.shield(task)
    deadline = asyncio.get_running_loop().time() + WAIT_SECONDS
    while (outcome := await in_db(claims.outcome_of)(row=row)) is None:
        if asyncio.get_running_loop().time() >= deadline:
            return Outcome(error=CUT_OFF)
        await asyncio.sleep(POLL_SECONDS)
    return outcome
