"""What an agent asks, with an identity: a dialog keeps its id, the next one has another. Pure.

The id is what an answer refers to. So it must change whenever another dialog is shown, also if that
one looks the same; delivery/answers.py refuses an answer with an id that is not the current one.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from agents.delivery import composer
from agents.delivery.answer_keys import identity
from agents.screen.menus import Menu, Option
from agents.screen.subjects import QuestionKind, Subject
from agents.witnesses.evidence import AgentEvent
from agents.witnesses.requests import subject_of

SHORTEST_LETTERS, LONGEST_LETTERS = 8, 60  # of a command that is compared with a dialog's text
_ID = re.compile(r"q[0-9a-f]{16}")
_NO_BOXES = dict.fromkeys(map(ord, "│┃║─━═╌╭╮╰╯┌┐└┘"))


@dataclass(frozen=True, slots=True)
class Question:
    id: str
    kind: QuestionKind
    title: str
    subject: str = ""
    path: str = ""
    diff: str = ""
    reason: str = ""
    cut: bool = False
    options: tuple[Option, ...] = ()
    dialog: str = field(default="", compare=False)  # `digest` of the dialog, if it is visible


def is_id(text: str) -> bool:
    """Whether a caller means a question by its id, not by its title."""
    return bool(_ID.fullmatch(text))


def digest(menu: Menu) -> str:
    """Identifies a dialog by its text, wherever its pointer is and however it wraps."""
    return hashlib.sha256(repr(identity(menu)).encode()).hexdigest()


class QuestionTracker:
    """The questions of one run of one agent."""

    def __init__(self, place: str) -> None:
        self._place = place  # the pane, the run of tmux, and the process
        self._count = 0
        self._id = self._dialog = self._request = ""

    @property
    def id(self) -> str:
        """Of the question that is asked now; empty if nothing is asked."""
        return self._id

    def update(
        self, menu: Menu | None, subject: Subject | None, requests: Sequence[AgentEvent]
    ) -> Question:
        """The agent waits, with this dialog on its screen and these requests of its hook."""
        request = matching(requests, menu, subject)
        dialog = digest(menu) if menu else ""
        key = f"{request.request_id} {request.timestamp}" if request else ""
        if not self._id or _differs(dialog, self._dialog) or _differs(key, self._request):
            self._count += 1
            self._id = _hash(self._place, self._count, dialog or key)
            self._dialog, self._request = dialog, key
        self._dialog, self._request = dialog or self._dialog, key or self._request
        return _question(self._id, menu, subject, request, dialog)

    def close(self) -> None:
        """The question was answered, or has gone. The next one has another id."""
        self._id = self._dialog = self._request = ""


def _differs(new: str, old: str) -> bool:
    return bool(new and old) and new != old


def _hash(*parts: object) -> str:
    return "q" + hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def _question(
    id_: str, menu: Menu | None, subject: Subject | None, request: AgentEvent | None, dialog: str
) -> Question:
    options = menu.options if menu else ()
    exact = subject_of(request) if request else None
    if exact and subject:
        # The title as the person would read it in the terminal. Where the request says less than
        # the dialog, for example only the path of a file, the dialog completes it.
        exact = replace(
            exact,
            title=subject.title or exact.title,
            path=exact.path or subject.path,
            diff=exact.diff or subject.diff,
        )
    shown = exact or subject or Subject(QuestionKind.OTHER, "")
    return Question(
        id=id_,
        kind=shown.kind,
        title=shown.title,
        subject=shown.subject,
        path=shown.path,
        diff=shown.diff,
        reason=shown.reason,
        cut=shown.cut,
        options=options,
        dialog=dialog,
    )


def matching(
    requests: Sequence[AgentEvent], menu: Menu | None, shown: Subject | None
) -> AgentEvent | None:
    """The request that the dialog is about. Without a dialog, the oldest.

    Several tools may ask at the same time while one dialog is visible. So the dialog must show what
    the request names; otherwise the screen's own words are used.
    """
    if menu is None:
        return requests[0] if requests else None
    text = _letters("".join(menu.body))
    return next((request for request in requests if _is_shown(request, shown, text)), None)


def _is_shown(request: AgentEvent, shown: Subject | None, text: str) -> bool:
    exact = subject_of(request)
    if not exact.subject:
        name = exact.path.rpartition("/")[2]
        return bool(name) and _letters(name) in text
    wanted = _letters(exact.subject)
    if shown is None or not shown.subject:
        return len(wanted) >= SHORTEST_LETTERS and wanted[:LONGEST_LETTERS] in text
    visible_letters = _letters(shown.subject).removesuffix("…")
    if wanted == visible_letters or visible_letters == wanted + _letters(exact.reason):
        return True
    return len(visible_letters) >= LONGEST_LETTERS and wanted.startswith(
        visible_letters
    )  # dialogs cut long commands


def _letters(text: str) -> str:
    return composer.letters(text.translate(_NO_BOXES))
