"""How a prompt gets into an agent, and how that is known: a decision after each look at the screen.

Pure: it presses no key and reads no screen. prompts.py does both and asks here what comes next.
"""

from enum import StrEnum

from agents import composer
from agents.plans import Plan
from agents.steps import Look, Step

CLEARS = 4  # tries at a draft
UNSEEN_MS = 1000  # without a composer to look at, the prompt must have moved for so long


_UNREAD = (
    "Enter was sent, but the agent has not read it yet: look at the terminal before you send again"
)
_UNCONFIRMED = (
    "Enter was sent once, but the command was not seen to start: look at the terminal before you"
    " send again"
)


class Phase(StrEnum):
    READY = "ready"
    CLEARING = "clearing"
    PASTED = "pasted"
    ESCAPED = "escaped"
    ENTERED = "entered"
    SUBMITTED = "submitted"


class Course:
    """One delivery under way. Ask `next` after each look, do what it says, look again."""

    def __init__(self, plan: Plan, prompt: str) -> None:
        self.plan, self.prompt = plan, prompt
        self.phase = Phase.READY
        self.attempts = 0  # at Enter
        self.submitted = self.turn_started = False
        self.error = self.detail = ""  # why it failed, and the words on the screen that show it
        self._folds = composer.fold_pattern(plan.folds)
        self._tail = composer.tail(prompt)
        self._since = -1.0  # when the phase began
        self._shown, self._shown_at = "", 0.0
        self._draft, self._clears = "", 0
        self._hint = ""  # what an empty composer shows, where no key takes it away
        self._once = plan.became(prompt) != "prompt"  # a command may open a menu that takes Enter
        self._woken, self._escapes = False, plan.escape == "idle"
        self._before = Look(0, None)  # when Enter was pressed
        self._was_working, self._seen = False, 0
        self._gone_at: float | None = None

    def next(self, look: Look) -> Step:
        if self._since < 0:
            self._since = look.at
        if look.composer is not None and look.composer != self._shown:
            self._shown, self._shown_at = look.composer, look.at
        return {
            Phase.READY: self._ready,
            Phase.CLEARING: self._clearing,
            Phase.PASTED: self._pasted,
            Phase.ESCAPED: self._escaped,
            Phase.ENTERED: self._entered,
            Phase.SUBMITTED: self._submitted,
        }[self.phase](look)

    # --- before the text ---

    def _ready(self, look: Look) -> Step:
        if look.waiting:
            return self._fail(
                "nothing was typed, because it waits for an answer: answer first", look.question
            )
        if look.working and self.plan.working != "queue":
            return self._busy(look)
        if look.composer is None:
            return self._unseen(look)
        if self._empty(look.composer):
            return self._paste(look)
        if self.plan.draft == "refuse":
            return self._fail(
                "nothing was typed, because a draft stands on its composer: send or clear it first",
                look.composer,
            )
        return self._clear(look)

    def _busy(self, look: Look) -> Step:
        if self.plan.working == "refuse" or self._spent(look) > self.plan.busy_ms:
            return self._fail("it is working: wait until its turn has ended", look.composer)
        return Step.LOOK

    def _unseen(self, look: Look) -> Step:
        if self._spent(look) > self.plan.ready_ms:
            return self._fail(_unseen(look))
        if look.blocked:
            return Step.LOOK  # no key: whatever is open would get it
        if self.plan.scrolls and not self._clears and self._spent(look) > self.plan.ready_ms / 2:
            return self._clear(look)  # the beginning of a long draft has scrolled away
        return self._wake(look, after=self.plan.ready_ms / 2)

    def _clear(self, look: Look) -> Step:
        if self._clears >= CLEARS:
            return self._fail(
                "a draft on its composer could not be cleared: clear it in the terminal",
                look.composer,
            )
        self._draft, self._clears = look.composer or "", self._clears + 1
        return self._go(Phase.CLEARING, look, Step.CLEAR)

    def _clearing(self, look: Look) -> Step:
        if look.waiting or look.composer is None:
            return self._go(Phase.READY, look, Step.LOOK)
        if self._empty(look.composer):
            return self._paste(look)
        if self._spent(look) < self.plan.clear_ms:
            return Step.LOOK
        if look.composer == self._draft and self._clears > 1:
            self._hint = look.composer  # it cannot be edited, so it is not text
            return self._paste(look)
        return self._clear(look)

    # --- the text ---

    def _paste(self, look: Look) -> Step:
        return self._go(Phase.PASTED, look, Step.PASTE)

    def _pasted(self, look: Look) -> Step:
        if look.waiting:
            return self._fail(
                "a question came up before Enter: answer it, and send again", look.question
            )
        if self._stands(look):
            return self._on(look)
        if self._spent(look) < self.plan.paste_ms:
            return self._wake(look, after=self.plan.paste_ms / 2)
        if composer.nearly_stands(look.composer or "", self.prompt):
            return self._on(look)
        return self._fail(
            "Enter was not pressed: its composer shows something else; look at the terminal",
            look.composer,
        )

    def _on(self, look: Look) -> Step:
        """The text is there: Enter, unless something speaks against it."""
        folded = composer.is_folded(look.composer or "", self._folds)
        still = look.at - self._shown_at if folded else self._spent(look)
        if min(still, self._spent(look)) < self.plan.paste_settle_ms:
            return Step.LOOK
        if look.working and self.plan.working != "queue":
            return self._busy(look)
        if self._escapes and not look.working:
            self._escapes = False
            return self._go(Phase.ESCAPED, look, Step.ESCAPE)
        return self._press(look)

    def _escaped(self, look: Look) -> Step:
        if self._spent(look) < self.plan.escape_ms:
            return Step.LOOK
        if look.composer is not None and self._empty(look.composer):
            return self._paste(look)  # its Escape clears: once more, without
        return self._go(Phase.PASTED, look, Step.LOOK)

    # --- Enter ---

    def _press(self, look: Look) -> Step:
        if self.attempts == 0:
            self._was_working = look.working
            self._seen = self._count(look) - (look.composer is None)
        self.attempts += 1
        self._before, self._gone_at = look, None
        return self._go(Phase.ENTERED, look, Step.ENTER)

    def _entered(self, look: Look) -> Step:
        if (needed := self._evidence(look)) is None:
            self._gone_at = None
            return self._again(look)
        self._gone_at = look.at if self._gone_at is None else self._gone_at
        if look.at - self._gone_at < needed:
            return Step.LOOK
        self.submitted = True
        self._go(Phase.SUBMITTED, look, Step.LOOK)
        return self._submitted(look)

    def _again(self, look: Look) -> Step:
        """The prompt has not left: in time press Enter once more, at last give up."""
        if look.working and self.plan.working != "queue":
            return self._busy(look)
        patience = self.plan.enter_settle_ms * self.attempts
        if self._spent(look) < (patience if self._stands(look) else self.plan.paste_ms):
            return Step.LOOK
        if look.waiting:
            return self._fail(
                "a question came up after Enter: look at the terminal before you send again",
                look.question,
            )
        if look.unread and self._spent(look) < self.plan.paste_ms:
            return Step.LOOK  # it has not read the Enter: another one would answer what comes next
        if look.unread or self._once:
            return self._fail(_UNREAD if look.unread else _UNCONFIRMED, look.composer)
        if self.attempts >= self.plan.attempts or not self._stands(look):
            return self._fail("the prompt was not seen to leave its composer", look.composer)
        if self._broke_the_line(look):
            return self._go(Phase.PASTED, look, Step.ERASE)
        if self.attempts == self.plan.attempts - 1 and not self._woken:
            self._woken = True
            return Step.WAKE
        return self._press(look)

    def _submitted(self, look: Look) -> Step:
        self.turn_started = self._began(look)
        late = self._spent(look) >= self.plan.start_ms
        return Step.DONE if self.turn_started or self._was_working or late else Step.LOOK

    # --- what a look shows ---

    def _empty(self, text: str) -> bool:
        return not composer.letters(text) or text == self._hint

    def _stands(self, look: Look) -> bool:
        if look.composer is None:
            # A plain prompt whose text wraps has no box to be seen. Other agents have one, and
            # where it is not seen a menu or dialog may be open that Enter would answer.
            plain = self.plan.scrolls and not (look.waiting or look.blocked)
            return plain and composer.ends_with(look.above, self.prompt)
        # What could not be cleared may be a draft after all: then it must not hide above the edge.
        whole = self._hint != ""
        return composer.stands(look.composer, self.prompt, self._folds, whole=whole)

    def _evidence(self, look: Look) -> float | None:
        """For how long (ms) what is seen must last to show that Enter worked; None: it does not."""
        empty = look.composer is not None and self._empty(look.composer)
        if self._stands(look) and not empty:
            return None
        moved, began = self._count(look) > self._seen, self._began(look)
        if look.composer is None:
            return self._unboxed(look, moved, began)
        if empty and (moved or began):
            return 0
        return self.plan.confirm_ms if empty or moved or began else None

    def _unboxed(self, look: Look, moved: bool, began: bool) -> float | None:
        """No composer is seen: it may be hidden, or drawn by half with the prompt still in it."""
        if moved and (look.waiting or (began and self.plan.scrolls)):
            return 0
        if self._once and (look.waiting or look.blocked):
            return self.plan.confirm_ms  # the command opened a menu in place of the composer
        return UNSEEN_MS if moved and (began or self.plan.scrolls) else None

    def _began(self, look: Look) -> bool:
        return (look.working or look.waiting) and not self._was_working

    def _count(self, look: Look) -> int:
        """How often the conversation shows the prompt."""
        return composer.letters(look.above).count(self._tail)

    def _broke_the_line(self, look: Look) -> bool:
        """Enter was read as a line break: the composer is one row higher."""
        return (look.depth, look.width) == (self._before.depth + 1, self._before.width)

    # --- inside ---

    def _spent(self, look: Look) -> float:
        return look.at - self._since

    def _go(self, phase: Phase, look: Look, step: Step) -> Step:
        self.phase, self._since = phase, look.at
        return step

    def _wake(self, look: Look, *, after: float) -> Step:
        if self._woken or self._spent(look) < after:
            return Step.LOOK
        self._woken = True
        return Step.WAKE

    def _fail(self, why: str, detail: str | None = "") -> Step:
        self.error, self.detail = why, composer.excerpt(detail or "")
        return Step.FAILED


def _unseen(look: Look) -> str:
    if look.blocked:
        return (
            f"nothing was typed, because {look.blocked}: close it in the terminal, and send again"
        )
    return "nothing was typed, because its input box is not seen: look at the terminal"
