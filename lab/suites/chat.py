"""Messages as `read_chat_messages` returns them, compared with what the model received and said.

The truth is the script of the suite and the model server's log: what was typed, and what the model
answered. After the last turn the whole conversation is compared twice: as it is returned, from the
journal (exact text, nothing more, nothing less, in this order), and with `screen`, as the screen
alone shows it (the same words in the same order). `confirmed` must never be true for another text.

The records of the screen and the expected texts are saved, so that the reading of screens can be
repeated without the agent: `python -m lab replay FILE` (lab/replay.py).
"""

import contextlib
import json
import shutil
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from lab import agents
from lab.agents import AgentProgram
from lab.harness import Bench
from lab.panes import Pane
from lab.quotes import QUOTES
from lab.replay import Expected, compare
from lab.screens import ASKS
from lab.suites.common import Table, end_turn, option_for, ready

SAYS = (
    "A short reply.", "=prose", "=lines", "=spinners", "Accents: café, emoji 🚀, 日本語.", "=code",
    "1. one", "=yes-no", "=table", "=markdown", "=long", "yes", "=nested", "=unicode", "2. No",
    "=wide-table", "=diff", "=program", "=hint", "> quoted", "`code`", "$ ls -la /tmp",
    "=last-spinner", "=claude-dialog", "=composer",
    f"https://example.org/?{'&'.join(f'q{n}={n}' for n in range(30))}",
    "=longest", "=gemini-dialog", "**bold** and *italic* and ~~struck~~", "=opencode-dialog",
    "=codex-dialog", "• a bullet of the model", "OK", "=last-star", "=copilot-dialog",
    "The end? [y/N]",
)  # fmt: skip  # several per row
SETTLE_SECONDS = 20.0  # for the last message of a turn to be stored, on a loaded machine
TURN_SECONDS = 60.0
POLL_SECONDS = 0.3
INTERRUPT_SECONDS = 3.0
QUEUE_SECONDS = 2.0
REFUSED_SECONDS = 6.0  # after which a prompt that was said to be refused has not reached the model
ESCAPES = {"opencode": 2, "copilot": 2}
CLEARS = {"codex": "/new", "opencode": "/new", "pi": "/new"}
COMPACTS = {"gemini": "/compress"}
QUITS = {"claude": "/exit", "opencode": "/exit", "copilot": "/exit"}
RESUMES = {
    "codex": ("resume", "--last"),
    "gemini": ("--resume", "latest"),
}
JOURNALS = {
    "claude": ".claude/projects",
    "codex": ".codex/sessions",
    "copilot": ".copilot/session-state",
    "gemini": ".gemini/tmp",
    "opencode": ".local/share/opencode",
    "pi": ".pi/agent/sessions",
}

Kind = Literal["said", "approved", "refused", "rejected", "typed", "interrupted", "queued", "slash"]


@dataclass(frozen=True)
class Turn:
    kind: Kind
    steps: str  # "slash": the words
    then: str = ""  # "queued": the prompt that is sent while the agent works


def script(name: str, work: Path) -> Iterator[Turn]:
    """The turns before the agent is started again."""
    asks: Kind = "said" if name == "pi" else "approved"
    says = _says(name)
    yield from (Turn("said", f"SAY {text}") for text in says[:12])
    yield Turn("said", "THINK Let me see. ;; SAY The **answer** is `42`.")
    yield Turn("said", "RUN echo hello ;; SAY The tool has run.")
    yield Turn("said", "SAY Before. ;; RUN echo again ;; SAY After.")
    yield Turn(asks, "RUN touch marker-a ;; SAY It is there.")
    yield Turn("typed", "SAY Typed in the terminal.")
    yield Turn(asks, f"SAY I write it. ;; WRITE {work}/notes.txt some words ;; SAY Written.")
    if name != "pi":
        yield Turn("refused", "SAY I try. ;; RUN touch marker-b ;; SAY never")
        yield Turn("rejected", "RUN touch marker-c ;; SAY never")
    yield Turn("said", "SAY After the refusals.")
    yield Turn("interrupted", "STREAM 20 =lines")
    yield Turn("said", "SAY After the interrupt.")
    yield Turn("interrupted", "SLEEP 20 ;; SAY late")
    yield Turn("queued", "SLEEP 6 ;; SAY Slept.", "SAY Queued in the terminal.")
    yield from (Turn("said", f"SAY {text}") for text in says[12:24])
    yield Turn("typed", "SAY =table")
    yield Turn(asks, "RUN touch marker-d ;; RUN touch marker-e ;; SAY Both are there.")
    yield Turn("queued", "SLEEP 4 ;; SAY Slept again.", "SAY Queued once more.")
    yield Turn("said", f"SAY {' '.join(f'long{n}' for n in range(60))}")
    yield Turn("slash", COMPACTS.get(name, "/compact"))
    yield Turn("said", "SAY After the compaction.")
    yield from (Turn("said", f"SAY {text}") for text in says[24:32])
    yield Turn("slash", CLEARS.get(name, "/clear"))
    yield Turn("said", "SAY After it was cleared.")
    yield Turn("typed", "SAY Typed after it was cleared.")


def _says(name: str) -> list[str]:
    """Without what looks like its own dialog, which this suite would answer (suite "states")."""
    return ["=yes-no" if ASKS[name].search(_quote(text)) else text for text in SAYS]


def later(name: str) -> Iterator[Turn]:
    """The turns after the session was resumed."""
    yield Turn("said", "SAY After it was resumed.")
    yield from (Turn("said", f"SAY {text}") for text in _says(name)[32:])
    yield Turn("typed", "SAY =markdown")
    yield Turn("said", "RUN echo resumed ;; SAY The tool has run again.")


@dataclass
class Conversation:
    """A run of the script, and what must be returned."""

    table: Table
    bench: Bench
    window: str
    expected: list[Expected] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)  # what webtmux was told to answer
    number: int = 0

    def take(self, turn: Turn) -> None:
        self.number += 1
        pane, prompt = self.bench.pane, f"Turn {self.number}\n{turn.steps}"
        if turn.kind == "slash":
            _submit(pane, turn.steps)
            self.expected.append(Expected("user", turn.steps, "optional"))
            time.sleep(4.0)
            return end_turn(self.bench)
        if turn.kind == "typed":
            # One line: where a line break is a key, agents do not agree on which.
            prompt = turn.steps
            _submit(pane, prompt)
        elif not (reply := self.bench.prompt(prompt)).ok:
            self.table.add("prompts", "refused", f"{prompt!r:.100}: {reply.error}\n{pane.screen()}")
            time.sleep(REFUSED_SECONDS)
            if not any(prompt == each.prompt for each in self.bench.model.requests()):
                return _clear(pane)
        since = time.time() - 30
        if turn.kind in {"interrupted", "queued"}:
            self._until(lambda: any(prompt == each.prompt for each in self.bench.model.requests()))
        if turn.kind == "interrupted":
            time.sleep(INTERRUPT_SECONDS)
            for _ in range(ESCAPES.get(pane.kind.name, 1)):
                pane.press("Escape")
                time.sleep(0.4)
            _clear(pane)
        elif turn.kind == "queued":
            time.sleep(QUEUE_SECONDS)
            _submit(pane, turn.then)
        elif turn.kind in {"approved", "refused", "rejected"}:
            self._answer(turn, prompt)
        if turn.kind in {"said", "typed", "approved", "queued"}:
            last = turn.then or prompt
            self._until(lambda: any(not each.calls for each in self._replies(last, since)))
        self._expect(turn, prompt, since)
        end_turn(self.bench)
        if turn.kind in {"refused", "rejected"}:
            _clear(pane)
        return self._check(prompt)

    def _answer(self, turn: Turn, prompt: str) -> None:
        """Until the turn has ended, or after one refusal."""
        deadline = time.monotonic() + TURN_SECONDS
        while time.monotonic() < deadline:
            if any(not each.calls for each in self._replies(prompt, 0)):
                return
            agent = self.bench.agent()
            if agent.get("state") != "waiting" or not agent.get("options"):
                time.sleep(POLL_SECONDS)
                continue
            if turn.kind == "rejected":  # with a key, in the terminal
                self.bench.pane.press("Escape")
                return
            choice = "once" if turn.kind == "approved" else "reject"
            label = option_for(agent, choice)["label"]
            if self.bench.answer(label).ok:
                self.answers.append("rejected" if choice == "reject" else "approved")
                if choice == "reject":
                    return

    def _replies(self, prompt: str, since: float) -> list[Any]:
        return [
            reply
            for reply in self.bench.model.replies()
            if reply.tools and reply.prompt == prompt and reply.timestamp > since
        ]

    def _expect(self, turn: Turn, prompt: str, since: float) -> None:
        """What the model said to the end, and the beginning of a reply that was interrupted."""
        for sent in (prompt, turn.then):
            if not sent:
                continue
            self.expected.append(Expected("user", sent))
            for reply in self._replies(sent, since):
                if reply.said.strip():
                    self.expected.append(Expected("assistant", reply.said))
        if turn.kind == "interrupted":
            spoken = turn.steps.partition(" ")[2].partition(" ")[2]
            text = _quote(spoken) if turn.steps.startswith("STREAM") else ""
            self.expected.append(Expected("assistant", text, "beginning"))

    def _until(self, condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + TURN_SECONDS
        while not condition() and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)

    def _check(self, prompt: str) -> None:
        """Waits until this turn is there; only for progress: the end of the suite compares all."""
        start = max(index for index, each in enumerate(self.expected) if each.text == prompt)
        wanted = self.expected[start:]
        deadline = time.monotonic() + SETTLE_SECONDS
        while True:
            texts = read(self.bench, self.window)
            places = [index for index, each in enumerate(texts) if each["text"].strip() == prompt]
            result = compare(wanted, texts[places[-1] :] if places else [])
            if result.exact == result.total or time.monotonic() > deadline:
                break
            time.sleep(POLL_SECONDS)
        outcome = "exact" if result.exact == result.total else "NOT EXACT"
        self.table.add("turns", outcome, "" if outcome == "exact" else result.note)


def _quote(text: str) -> str:
    return QUOTES.get(text.removeprefix("="), text) if text.startswith("=") else text


def _clear(pane: Pane) -> None:
    """Some agents put a prompt that was interrupted back into the composer."""
    time.sleep(0.6)
    for _ in range(3):
        pane.press("C-e", "C-u", "BSpace")


def _submit(pane: Pane, text: str) -> None:
    pane.type(text)
    pane.settle(0.5, 5)
    pane.press("Enter")


def read(bench: Bench, window: str, query: str = "") -> list[dict[str, Any]]:
    """All messages of a window, oldest first."""
    messages: list[dict[str, Any]] = []
    before = ""
    while True:
        path = f"/windows/{window.replace('@', '%40')}/messages?limit=500{query}{before}"
        page = bench.call("GET", path).body
        messages = [*page.get("messages", []), *messages]
        if not page.get("hasMore") or not page["messages"]:
            return messages
        before = f"&before={page['messages'][0]['ts']}"


def measure(kind: AgentProgram, size: str, rounds: int | None = None) -> Table:
    table = Table("chat")
    with ready(kind, size) as bench:
        window = bench.agent()["windowId"]
        chat = Conversation(table, bench, window)
        chat.expected += [Expected("user", "SAY ready"), Expected("assistant", "ready")]
        for turn in list(script(kind.name, bench.pane.place.work))[:rounds]:
            _try(chat, turn)
        if rounds is None:
            with contextlib.suppress(TimeoutError):
                _resume(chat)
                for turn in later(kind.name):
                    _try(chat, turn)
                _beside(chat, size)
        time.sleep(3.0)
        _finish(chat, size)
    return table


def _try(chat: Conversation, turn: Turn) -> None:
    try:
        chat.take(turn)
    except (TimeoutError, LookupError) as failure:
        chat.table.add("turns", "stuck", f"{turn}: {failure}")
        chat.bench.tour.close()


def _resume(chat: Conversation) -> None:
    """Ends the agent with its own command, and continues the session in the same pane."""
    pane, name = chat.bench.pane, chat.bench.pane.kind.name
    quit_command = QUITS.get(name, "/quit")
    _submit(pane, quit_command)
    chat.expected.append(Expected("user", quit_command, "optional"))
    time.sleep(5.0)
    pane.restart(*RESUMES.get(name, ("--continue",)))
    chat.bench.tour.idle()
    time.sleep(3.0)
    chat.bench.until("idle")


def _beside(chat: Conversation, size: str) -> None:
    """A second agent in the same directory; both answer in turn."""
    first = chat.bench.pane
    second = Pane(first.kind, first.place, first.socket, size, first.adapt, session="second")
    second.start()
    bench = replace(chat.bench, pane=second)
    bench.tour.idle()
    time.sleep(3.0)
    bench.until("idle")
    other = Conversation(chat.table, bench, bench.agent()["windowId"], number=900)
    for number in range(3):
        _try(other, Turn("said", f"SAY The second agent says {number}."))
        _try(chat, Turn("said", f"SAY The first agent says {number}."))
    time.sleep(3.0)
    result = compare(other.expected, read(bench, other.window))
    table = chat.table
    table.add("second agent", "exact" if result.is_exact else "WRONG", result.note)
    shown = compare(other.expected, read(bench, other.window, "&screen=true"))
    table.figures.append(f"second agent, by the screen alone: {shown.words_line()}")


def _finish(chat: Conversation, size: str) -> None:
    table, name = chat.table, chat.bench.pane.kind.name
    messages = read(chat.bench, chat.window)
    result = compare(chat.expected, messages)
    table.add("conversation", "exact" if result.is_exact else "WRONG", result.note)
    table.figures.append(f"from the journal: {result.words_line()}")
    sources = Counter(f"{each['kind']} {each['source']}" for each in messages)
    table.figures.append(f"messages: {dict(sources)}")
    for text in result.wrong_confirmed:
        table.add("confirmed", "WRONG", f"{text!r:.200}")
    verdicts = [each["text"].partition(":")[0] for each in messages if each["kind"] == "answer"]
    same = verdicts == chat.answers
    table.add("answers", "as sent" if same else "WRONG", f"{chat.answers} read as {verdicts}")
    shown = compare(chat.expected, read(chat.bench, chat.window, "&screen=true"))
    table.figures.append(f"by the screen alone: {shown.words_line()}")
    for text in shown.wrong_confirmed:
        table.add("confirmed", "WRONG", f"by the screen: {text!r:.200}")
    table.notes.append(f"by the screen alone:\n{shown.note}")
    _save(chat, name, size)


def _save(chat: Conversation, name: str, size: str) -> None:
    """The records, the expected texts, and the journals."""
    target = agents.directory() / "conversations" / f"{name}-{size}"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    home = chat.bench.pane.place.home
    database = sqlite3.connect(f"file:{home.parent}/data/webtmux.sqlite3?mode=ro", uri=True)
    with contextlib.closing(database):
        database.row_factory = sqlite3.Row
        rows = database.execute(
            'SELECT r.ts, r.role, r.text, r.pane, r.runtime, r.columns, r.top, r."full", r.answer'
            " FROM agents_chatrecord r JOIN terminals_window w ON w.id = r.window_id"
            " WHERE w.tmux_id = ? ORDER BY r.ts",
            (chat.window,),
        ).fetchall()
    content = {
        "expected": [asdict(each) for each in chat.expected],
        "records": list(map(dict, rows)),
    }
    (target / "chat.json").write_text(json.dumps(content, ensure_ascii=False, indent=1))
    with contextlib.suppress(OSError, shutil.Error):
        shutil.copytree(home / JOURNALS[name], target / "journals")
