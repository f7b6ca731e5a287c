"""Actions on agents, for every door: send a prompt, answer a question.

A prompt is checked and claimed here, then carried out by delivery/runner.py, which asks
delivery/state_machine.py what to do after each capture of the screen and sends keys through the
tmux driver. Answers take the same path through delivery/answers.py and delivery/answer_keys.py.
"""

import asyncio
import logging
import time
from dataclasses import replace

from django.conf import settings

from agents import registry
from agents.chat import selectors as chat
from agents.chat.answer_text import answer_text
from agents.chat.journals.entries import MessageKind
from agents.chat.store import NewRecord, add_record
from agents.delivery import answers, idempotency, runner
from agents.delivery.composer import letters
from agents.delivery.readiness import wait_until_ready
from agents.delivery.receipts import DeliveryOutcome, Receipt
from agents.delivery.settings import CheckedPrompt
from agents.models import Delivery, Role
from agents.registry import Agent
from agents.runtimes import loader
from agents.runtimes.loader import AgentState, Rules
from agents.waiting import turns
from agents.waiting.turn_status import SubmittedPrompt, TurnEnd, TurnResult
from agents.waiting.turns import Progress, PromptRunResult, Turn, TurnReply
from agents.witnesses.evidence import EventSource
from core.callers import caller_name
from core.database import in_db
from core.errors import WebtmuxError
from terminals.models import Window, new_key
from terminals.services import get_live_window
from terminals.tmux.driver import Tmux

log = logging.getLogger(__name__)

WAIT_SECONDS = 15.0  # for a delivery of another process with the same key
POLL_SECONDS = 0.2
REPLY_MESSAGES = 50  # of the chat, read to find the reply of one turn
CUT_OFF = (
    "an earlier attempt with this key has not ended or was cut off, and may have been submitted:"
    " check the agent, or send with another key"
)

# A delivery continues when its caller disconnects, from the claim of its key on: a claim without a
# delivery would refuse every retry, and half a prompt on a composer helps no one. The tasks end by
# themselves (runner.DELIVERY_LIMIT_SECONDS), or with the event loop.
_tasks: set["asyncio.Task[Receipt]"] = set()
_running: dict[int, "asyncio.Task[Receipt]"] = {}  # by key of the claimed row


async def send_prompt(*, tmux: Tmux, agent: Agent, prompt: str, key: str = "") -> Receipt:
    """A retry with the same key within ten minutes returns the receipt of the first attempt."""
    rules = loader.load(agent.runtime)
    checked = rules.delivery.check(prompt)
    task = asyncio.create_task(_send_once(tmux, agent, rules, checked, key), name="delivery")
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)
    return await asyncio.shield(task)


async def _send_once(
    tmux: Tmux, agent: Agent, rules: Rules, prompt: CheckedPrompt, key: str
) -> Receipt:
    row, is_ours = await in_db(idempotency.claim)(agent=agent.name, key=key, prompt=prompt)
    if not is_ours:
        return await _receipt_of_first(row)
    if (task := asyncio.current_task()) is not None:
        _running[row.pk] = task
    try:
        return Receipt(row.receipt_id, await _deliver(tmux, agent, rules, prompt, row))
    finally:
        _running.pop(row.pk, None)


async def _deliver(
    tmux: Tmux, agent: Agent, rules: Rules, prompt: CheckedPrompt, row: Delivery
) -> DeliveryOutcome:
    await wait_until_ready(tmux=tmux, agent=agent, rules=rules)
    queued, began = _is_working(agent), time.time()
    outcome = await runner.deliver(tmux=tmux, agent=agent, rules=rules, prompt=prompt)
    if Receipt(row.receipt_id, outcome).turn:
        submitted = SubmittedPrompt(prompt, began, time.time(), queued)
        turns.current().begin(row.receipt_id, agent, submitted)
    await in_db(idempotency.finish)(row=row, outcome=outcome)
    log.info(
        "prompt %s to %s: %d bytes, submitted %s, %d attempts, %d ms",
        row.receipt_id,
        agent.name,
        row.length,
        outcome.submitted,
        outcome.attempts,
        outcome.ms,
    )
    return outcome


def _is_working(agent: Agent) -> bool:
    current = registry.current().agents.get(agent.name, agent)
    return current.state is AgentState.WORKING


async def _receipt_of_first(row: Delivery) -> Receipt:
    """The receipt of the first delivery with this key. Nothing is sent again."""
    if (task := _running.get(row.pk)) is not None:
        return await asyncio.shield(task)
    deadline = asyncio.get_running_loop().time() + WAIT_SECONDS
    while (outcome := await in_db(idempotency.outcome_of)(row=row)) is None:
        if asyncio.get_running_loop().time() >= deadline:
            return Receipt(row.receipt_id, DeliveryOutcome(error=CUT_OFF))
        await asyncio.sleep(POLL_SECONDS)
    return Receipt(row.receipt_id, outcome)


async def run_prompt(
    *,
    tmux: Tmux,
    agent: Agent,
    prompt: str,
    key: str = "",
    seconds: float,
    progress: Progress | None = None,
) -> PromptRunResult:
    """Sends a prompt, waits until its turn has ended or asks something, and returns the reply."""
    began = time.monotonic()
    receipt = await send_prompt(tmux=tmux, agent=agent, prompt=prompt, key=key)
    if not receipt.turn:
        return PromptRunResult(receipt)
    turn = turns.current().find(receipt.turn)
    result = await turns.wait(turn, seconds=seconds, progress=progress)
    reply = await _reply(tmux, turn, result)
    return PromptRunResult(receipt, result, reply, time.monotonic() - began)


async def _reply(tmux: Tmux, turn: Turn, result: TurnResult | None) -> TurnReply:
    """As the agent reported it by hook or journal, else as the terminal showed it."""
    if result is not None and result.text:
        return TurnReply(result.text, result.source)
    if result is not None and result.end is TurnEnd.ENDED:
        text = await turns.journal_text(turn)
        if text:
            return TurnReply(text, EventSource.JOURNAL.value)
    window = await get_live_window(tmux, turn.agent.window_id)
    # The journal of an agent without hooks is read a moment after its turn has ended.
    has_ended = result is not None and result.end is TurnEnd.ENDED
    deadline = time.monotonic() + (turns.JOURNAL_SECONDS if has_ended else 0)
    while True:
        reply = await _shown_reply(window, turn)
        if reply.text or time.monotonic() >= deadline:
            return reply
        await asyncio.sleep(POLL_SECONDS)


async def _shown_reply(window: Window, turn: Turn) -> TurnReply:
    page = await chat.read_chat_messages(
        window=window, limit=REPLY_MESSAGES, since=int(turn.prompt.began * 1000)
    )
    # Its time may be that of its journal's record: the prompt says where the turn begins.
    wanted = letters(turn.prompt.text)
    begins = [
        index
        for index, message in enumerate(page.messages)
        if message.role == "user" and letters(message.text) == wanted
    ]
    replies = [
        message
        for message in page.messages[begins[-1] if begins else 0 :]
        if message.role == "assistant" and message.kind is MessageKind.TEXT
    ]
    if not replies:
        return TurnReply()
    return TurnReply("\n\n".join(reply.text for reply in replies), replies[-1].source)


async def answer_agent(
    *, tmux: Tmux, agent: Agent, answer: str, question: str = "", reason: str = ""
) -> Receipt:
    """`answer` is the number or the words of an option. `question` is the id of the question, or
    its title: the answer is refused if the agent asks something else by now. `reason`: words for
    the agent, sent as a prompt after the dialog was seen to close."""
    rules = loader.load(agent.runtime)
    words = rules.delivery.check(reason) if reason else None
    outcome = await answers.give(
        tmux=tmux, agent=agent, rules=rules, answer=answer, question=question, words=bool(reason)
    )
    if outcome.submitted and settings.WEBTMUX.record_chat:
        await record_answer(tmux=tmux, agent=agent, answer=answer)
    if outcome.submitted and words is not None:
        sent = await runner.deliver(tmux=tmux, agent=agent, rules=rules, prompt=words)
        outcome = _with_words(outcome, sent)
    log.info("answer to %s: submitted %s, %d ms", agent.name, outcome.submitted, outcome.ms)
    return Receipt(new_key(), outcome)


async def record_answer(*, tmux: Tmux, agent: Agent, answer: str) -> None:
    """The keys of an answer are no line of text, so the recorder of input does not record it."""
    question = agent.question
    subject = (question.subject or question.path or question.title) if question else ""
    try:
        label = answers.choose(agent.options, answer).label
    except WebtmuxError:  # the dialog was not known yet when the answer came
        label = answer
    try:
        window = await get_live_window(tmux, agent.window_id)
    except WebtmuxError:
        return
    new = NewRecord(
        role=Role.USER,
        text=answer_text(label, subject),
        ts=int(time.time() * 1000),
        pane=agent.pane_id,
        by=caller_name(),
        answer=True,
    )
    await in_db(add_record)(window=window, new=new)


def _with_words(answered: DeliveryOutcome, words: DeliveryOutcome) -> DeliveryOutcome:
    if words.submitted:
        return replace(answered, turn_started=words.turn_started, ms=answered.ms + words.ms)
    return replace(
        answered,
        submitted=False,
        ms=answered.ms + words.ms,
        error=f"the option was chosen, but your words were not sent ({words.error}):"
        " send them as a prompt",
        detail=words.detail,
    )
