"""What a dialog on the screen is about: the command, the file or the change that it asks for. Pure.

Only lines of the dialog itself are read, and only the agent's own wording decides the kind. Where
text of the model cannot be distinguished from what will run, both are shown as the subject: it may
show too much, never too little. A hook knows the subject exactly: see witnesses/requests.py.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import takewhile

from agents.screen.layout import ScreenLayout
from agents.screen.menus import Menu

SUBJECT_LIMIT = 4096  # characters of a command, an address or a plan
DIFF_LIMIT = 65536
PATH_LIMIT = 1024
TITLE_LIMIT = 500
REASON_LIMIT = 1000
CUT = "…"


class QuestionKind(StrEnum):
    COMMAND = "command"
    EDIT = "edit"
    WRITE = "write"
    FETCH = "fetch"
    PLAN = "plan"
    CHOICE = "choice"
    TRUST = "trust"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Subject:
    kind: QuestionKind
    title: str  # the agent's own question
    subject: str = ""  # the command, the address, the plan
    path: str = ""  # of the file or directory
    diff: str = ""  # lines that begin with +, -, @ or a blank
    reason: str = ""  # what the model wrote about it
    cut: bool = False  # a part was left out because of its size

    def within(self, work_dir: str) -> "Subject":
        """The directory to trust in full, where the dialog names only the last parts of it."""
        named = not self.path or f"/{work_dir}".endswith(f"/{self.path}")
        return replace(self, path=work_dir) if self.kind is QuestionKind.TRUST and named else self

    def bounded(self) -> "Subject":
        """Within the limits, and with everything that a page would hide made visible."""
        texts = (
            (self.title, TITLE_LIMIT),
            (self.subject, SUBJECT_LIMIT),
            (self.path, PATH_LIMIT),
            (self.diff, DIFF_LIMIT),
            (self.reason, REASON_LIMIT),
        )
        title, subject, path, diff, reason = (_shortened(*each) for each in texts)
        cut = self.cut or any(len(text) > limit for text, limit in texts)
        return Subject(self.kind, title, subject, path, diff, reason, cut)


def _shortened(text: str, limit: int) -> str:
    return visible(text[:limit]) + (CUT if len(text) > limit else "")


# Characters that hide or reorder the text around them. Emoji need joiners and variation selectors.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b\u200c\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)


def visible(text: str) -> str:
    """Shows control characters, and characters without a width, by their number."""
    text = text.replace("\r\n", "\n")
    return _INVISIBLE.sub(lambda match: f"\\u{{{ord(match[0]):x}}}", text)


def of_dialog(screen: ScreenLayout, menu: Menu) -> Subject:
    """The subject of the dialog that `menus.find` has found on this screen."""
    runtime = screen.rules.runtime
    dialog = _DialogText.of(screen, menu)
    return _READERS.get(runtime, _generic)(dialog).bounded()


# --- the lines of a dialog ----------------------------------------------------------------------

_SIDE = re.compile(r"^(\s*)[│┃║]")
_FRAME = re.compile(r"^[\s─━═╌╍┄┅┈┉╭╮╰╯┌┐└┘├┤▔▁]+$")
_GREY = re.compile(r"\x1b\[(?:[0-9;]*;)?(?:2|90|38;5;(?:8|2[34]\d|250)|38;2;(\d+);(\d+);(\d+))m$")
_SGR = re.compile(r"\x1b\[[0-9;:]*m")
# opencode: the hints on the row of the options end just before the edge of its dialog.
_LAST_HINT = re.compile(r"  enter (?:confirm|submit|toggle)\b")
SIDEBAR_GAP = 2


@dataclass(frozen=True, slots=True)
class _Row:
    """One line of a dialog without the sides of its boxes; columns are those of the screen."""

    text: str
    edge: int  # the column after the last one that text can have
    grey: bool = False  # in the colour of remarks

    @property
    def words(self) -> str:
        return self.text.strip()

    @property
    def indent(self) -> int:
        return len(self.text) - len(self.text.lstrip())


@dataclass(frozen=True, slots=True)
class _DialogText:
    title: str
    before: tuple[_Row, ...]  # the rows above the question
    after: tuple[_Row, ...]  # the rows between the question and the options
    options: tuple[str, ...] = ()

    @classmethod
    def of(cls, screen: ScreenLayout, menu: Menu) -> "_DialogText":
        width = max(map(len, screen.lines), default=0)
        top = menu.first - len(menu.title)
        raw = screen.raw[top : menu.first]
        hint = _LAST_HINT.search(screen.lines[menu.first])
        if hint and hint.end() + SIDEBAR_GAP < width:
            width = hint.end() + SIDEBAR_GAP
        rows = [
            _row(_cut(line, width), raw[index] if index < len(raw) else "", width)
            for index, line in enumerate(menu.title)
        ]
        rows = [row for row in rows if not (row.text and _FRAME.match(row.text))]
        asks = [index for index, row in enumerate(rows) if _is_part(row, menu.question)]
        first = last = asks[-1] if asks else len(rows)
        while first - 1 in asks:  # a question of several lines
            first -= 1
        labels = tuple(option.label for option in menu.options)
        return cls(menu.question, tuple(rows[:first]), tuple(rows[last + 1 :]), labels)

    @property
    def head(self) -> _Row:
        """The first row with text, which names what the dialog is for."""
        return next((row for row in self.before if row.words), _Row("", 0))

    @property
    def below_head(self) -> tuple[_Row, ...]:
        head = self.head
        index = next((index for index, row in enumerate(self.before) if row is head), 0)
        return self.before[index + 1 :]


def _cut(line: str, width: int) -> str:
    """Without a sidebar, which begins beyond the last column of the dialog after a gap."""
    return line[:width].rstrip() if not line[width - 1 : width + SIDEBAR_GAP].strip() else line


def _row(line: str, raw: str, width: int) -> _Row:
    text, edge = line, width
    while side := _SIDE.match(text):
        text = f"{side[1]} {text[side.end() :]}".rstrip()
        if text[-1:] in {"│", "┃", "║"}:
            text = text[:-1]
            edge = len(text)
            text = text.rstrip()
    return _Row(text, edge, _is_grey(raw))


def _is_grey(raw: str) -> bool:
    """Whether the first character of a line with colours is dim or grey, as far as it shows."""
    plain = _SGR.sub(lambda match: "\0" * len(match[0]), raw)
    start = next((i for i, character in enumerate(plain) if character not in " \0│┃║"), len(raw))
    match = _GREY.search(raw[:start].rstrip(" "))
    if match is None:
        return False
    if match[1] is None:
        return True
    red, green, blue = (int(part) for part in match.groups())
    return max(red, green, blue) - min(red, green, blue) < 24 and max(red, green, blue) < 200


def _is_part(row: _Row, question: str) -> bool:
    return len(row.words.strip(" △⚠?")) > 2 and row.words.strip(" △⚠?") in question


def _text(rows: Sequence[_Row]) -> str:
    """The rows as text: dedented, and with lines joined that wrapped at the edge of the dialog."""
    rows = list(rows)
    while rows and not rows[0].words:
        rows.pop(0)
    while rows and not rows[-1].words:
        rows.pop()
    indent = min((row.indent for row in rows if row.words), default=0)
    text = ""
    for index, row in enumerate(rows):
        text += row.text[indent:]
        following = rows[index + 1] if index + 1 < len(rows) else None
        if following is None:
            break
        if not _wraps(row, following):
            text += "\n"
        elif len(row.text) < row.edge:  # otherwise a word was cut at the edge
            text += " "
            rows[index + 1] = replace(following, text=" " * indent + following.words)
    return text


def _wraps(row: _Row, following: _Row) -> bool:
    word = following.words.split(maxsplit=1)[0] if following.words else ""
    return bool(word and row.words) and len(row.text) + 1 + len(word) > row.edge - 1


_NUMBERED = re.compile(r"^\s*\d+(?: (?P<rest>.*))?$")
_GAP = re.compile(r"^\s*(?:\.\.\.|⋮|…|═+|\.{3,})\s*$")


def _diff(rows: Sequence[_Row], *, signs: bool = True, gap: int = 0) -> str:
    """Numbered lines as a diff. `gap`: blanks that the agent prints after the sign."""
    lines: list[str] = []
    for row in rows:
        match = _NUMBERED.match(row.text)
        rest = (match["rest"] or "") if match else ""
        if match and signs and rest[:1] in {"+", "-", " "}:
            body = rest[1:]
            lines.append(rest[0] + (body[gap:] if body[:gap].isspace() else body))
        elif match:
            lines.append(("" if signs and not rest else " " if signs else "+") + rest)
        elif _GAP.match(row.text):
            lines.append("@@")
        elif row.words and lines and _continues(row):
            lines[-1] += row.words
    return "\n".join(lines)


def _continues(row: _Row) -> bool:
    return row.indent > 2 and not row.words.startswith(("+ Show", "ctrl"))


# --- the runtimes -------------------------------------------------------------------------------


def _kind(text: str, patterns: Sequence[tuple[str, QuestionKind]]) -> QuestionKind | None:
    return next((kind for pattern, kind in patterns if re.search(pattern, text)), None)


_CLAUDE = (
    (r"^(?:Bash|Shell|PowerShell) command", QuestionKind.COMMAND),
    (r"^(?:Edit|Update|Overwrite) (?:file|notebook)", QuestionKind.EDIT),
    (r"^(?:Create|Write) file", QuestionKind.WRITE),
    (r"^(?:Fetch|Web ?[Ss]earch)\b", QuestionKind.FETCH),
    (r"^Ready to code\?", QuestionKind.PLAN),
    (r"^Accessing workspace:", QuestionKind.TRUST),
    (r"^(?:[☐☒✔←]|\S+ [☐☒✔])", QuestionKind.CHOICE),
)


def _claude(dialog: _DialogText) -> Subject:
    head, rows = dialog.head, dialog.below_head
    kind = _kind(head.words, _CLAUDE) or _by_question(dialog.title)
    if not head.words and not re.match(r"(?:Do you want|Would you like) to ", dialog.title):
        kind = QuestionKind.CHOICE  # the question of the model is at the left edge
    subject = Subject(kind, dialog.title)
    if kind is QuestionKind.COMMAND:
        command = [row for row in rows if row.indent > head.indent or not row.words]
        remarks = [row for row in rows if row.words and row.indent <= head.indent]
        tail = list(takewhile(lambda row: row.grey or not row.words, reversed(command)))[::-1]
        if len(tail) < len(command):  # the remark of the model is grey, its command is not
            command = command[: len(command) - len(tail)]
            remarks = [*tail, *remarks]
        return replace(subject, subject=_text(command), reason=_text(remarks))
    if kind in {QuestionKind.EDIT, QuestionKind.WRITE}:
        path = next((row.words for row in rows if row.words), "")
        signs = kind is QuestionKind.EDIT
        return replace(subject, path=path, diff=_diff(rows[1:], signs=signs))
    if kind is QuestionKind.TRUST:
        return replace(subject, path=next((row.words for row in rows if row.words), ""))
    if kind is QuestionKind.FETCH:
        first = next((index for index, row in enumerate(rows) if row.words), 0)
        return replace(subject, subject=_text(rows[: first + 1]), reason=_text(rows[first + 1 :]))
    if kind is QuestionKind.CHOICE:
        return subject
    return replace(subject, subject=_text(rows))


_CODEX = (
    (r"run the following command", QuestionKind.COMMAND),
    (r"make the following edits", QuestionKind.EDIT),
    (r"(?i)\btrust\b", QuestionKind.TRUST),
    (r"(?i)network access", QuestionKind.FETCH),
    (r"(?i)implement this plan", QuestionKind.PLAN),
)
_CHANGED_FILE = re.compile(r"^(?P<path>\S.*) \(\+\d+ -\d+\)$")


def _codex(dialog: _DialogText) -> Subject:
    """Its question comes first. A reason may have several lines, also ones that look like a
    command; the real command is below it, so everything from the first on is shown."""
    kind = _kind(dialog.title, _CODEX) or QuestionKind.CHOICE
    subject, rows = Subject(kind, dialog.title), dialog.after
    fields = _fields(rows)
    reason = fields.get("Reason") or fields.get("Description", "")
    if kind is QuestionKind.COMMAND:
        first = next((i for i, row in enumerate(rows) if row.words.startswith("$ ")), len(rows))
        command = _text(rows[first:]).removeprefix("$ ")
        return replace(subject, subject=re.sub(r"\n {2}", "\n", command), reason=reason)
    if kind is QuestionKind.EDIT:
        files = [match["path"] for row in rows if (match := _CHANGED_FILE.match(row.words))]
        path = fields.get("Destination") or ", ".join(files)
        diff = _diff(rows) or _diff(dialog.before)
        return replace(subject, path=path, diff=diff, reason=reason)
    if kind is QuestionKind.TRUST:
        named = re.search(r"(?:running Codex in |^)([/~]\S*.*)$", _text(dialog.before), re.M)
        return replace(subject, path=named[1] if named else "")
    return replace(subject, reason=reason)


def _fields(rows: Sequence[_Row]) -> dict[str, str]:
    """ "Reason: …" and the like, each until the next field or blank line."""
    fields: dict[str, list[_Row]] = {}
    name = ""
    for row in rows:
        match = re.match(r"^\s*(Environment|Reason|Description|Destination): ", row.text)
        if match and match[1] not in fields:
            name = match[1]
            fields[name] = [replace(row, text=" " * match.end() + row.text[match.end() :])]
        elif not row.words or row.words.startswith("$ "):
            name = ""
        elif name:
            fields[name].append(row)
    return {name: " ".join(row.words for row in part) for name, part in fields.items()}


_GEMINI = (
    (r"^Allow execution", QuestionKind.COMMAND),
    (r"^Apply this change", QuestionKind.EDIT),
    (r"(?i)\btrust\b", QuestionKind.TRUST),
)
_GEMINI_HEAD = re.compile(r"^[?…⊷ ]*(?P<tool>\w+) (?P<rest>.*)$")


def _gemini(dialog: _DialogText) -> Subject:
    head = _GEMINI_HEAD.match(dialog.head.words)
    tool, rest = (head["tool"], head["rest"].strip()) if head else ("", "")
    kind = _kind(dialog.title, _GEMINI) or _by_question(dialog.title)
    kind = {"WriteFile": QuestionKind.WRITE, "WebFetch": QuestionKind.FETCH}.get(tool, kind)
    subject, rows = Subject(kind, dialog.title), dialog.below_head
    if kind is QuestionKind.COMMAND:
        return replace(subject, subject=_text(rows) or rest)
    if kind in {QuestionKind.EDIT, QuestionKind.WRITE}:
        path = rest.removeprefix("Writing to ").partition(": ")[0]
        diff = _diff(rows, gap=1)
        if kind is QuestionKind.WRITE and not re.search(r"^[+-]", diff, re.M):
            diff = _diff(rows, signs=False)  # a new file has no signs
        return replace(subject, path=path, diff=diff)
    if kind is QuestionKind.FETCH:
        return replace(subject, subject=_text(rows) or rest)
    if kind is QuestionKind.TRUST:
        return replace(subject, path=_gemini_folder(dialog.options))
    return replace(subject, subject=_text([*rows, *dialog.after]))


def _gemini_folder(options: Sequence[str]) -> str:
    """It names only the last parts of the path, in its options."""
    names = [re.search(r"(?i)\btrust (parent )?folder \((.*)\)$", label) for label in options]
    folder = next((name[2] for name in names if name and not name[1]), "")
    parent = next((name[2] for name in names if name and name[1]), "")
    return f"{parent}/{folder}" if folder and parent else folder


_COPILOT = (
    (r"run this command", QuestionKind.COMMAND),
    (r"want to create ", QuestionKind.WRITE),
    (r"want to (?:edit|modify|update|make) ", QuestionKind.EDIT),
    (r"(?i)\btrust\b", QuestionKind.TRUST),
    (r"(?i)\b(?:fetch|url|web)\b", QuestionKind.FETCH),
)


def _copilot(dialog: _DialogText) -> Subject:
    """The first row of a command's dialog is the description that the model gave."""
    kind = _kind(dialog.title, _COPILOT) or _by_question(dialog.title)
    subject, rows = Subject(kind, dialog.title), dialog.below_head
    if kind is QuestionKind.COMMAND:
        command = _text(rows).removeprefix("$ ")
        return replace(subject, subject=command, reason=dialog.head.words)
    if kind in {QuestionKind.EDIT, QuestionKind.WRITE}:
        named = re.search(r"want to \w+ (\S.*)\?$", dialog.title)
        return replace(subject, path=named[1] if named else "", diff=_diff(rows, gap=3))
    if kind is QuestionKind.TRUST:
        return replace(subject, path=next((row.words for row in rows if row.words), ""))
    return replace(subject, subject=_text(rows))


def _opencode(dialog: _DialogText) -> Subject:
    """Its question comes first: a line with the tool or the model's description, then the rest."""
    rows = [row for row in dialog.after if row.words] and list(dialog.after)
    subject = Subject(QuestionKind.OTHER, dialog.title)
    first = next((index for index, row in enumerate(rows) if row.words.startswith("$ ")), None)
    if first is not None:
        reason = next((row.words[2:] for row in rows[:first] if row.words.startswith("# ")), "")
        command = re.sub(r"\n {2}", "\n", _text(rows[first:]).removeprefix("$ "))
        return replace(subject, kind=QuestionKind.COMMAND, subject=command, reason=reason)
    head = next((row.words for row in rows if row.words), "")
    if tool := re.match(r"^[→←] (?P<tool>Edit|Write|Patch) (?P<path>\S.*)$", head):
        kind = QuestionKind.WRITE if tool["tool"] == "Write" else QuestionKind.EDIT
        return replace(subject, kind=kind, path=tool["path"], diff=_diff(rows[1:], gap=1))
    if fetch := re.match(r"^[%◈→] (?:WebFetch|Web ?[Ff]etch|Fetch) (?P<address>\S.*)$", head):
        return replace(subject, kind=QuestionKind.FETCH, subject=fetch["address"])
    return replace(subject, subject=_text(rows))


_WORDS = (
    (r"(?i)\btrust\b", QuestionKind.TRUST),
    (r"(?i)\b(?:run|execut\w*|command|shell)\b", QuestionKind.COMMAND),
    (r"(?i)\b(?:write|overwrite|create)\b", QuestionKind.WRITE),
    (r"(?i)\b(?:edit|change|patch|modify)\b", QuestionKind.EDIT),
    (r"(?i)\b(?:fetch|browse|url)\b", QuestionKind.FETCH),
    (r"(?i)\bplan\b", QuestionKind.PLAN),
)


def _by_question(title: str) -> QuestionKind:
    return _kind(title, _WORDS) or QuestionKind.OTHER


def _generic(dialog: _DialogText) -> Subject:
    """Nothing is known about where its subject is, except for a line that shows a command."""
    rows = [*dialog.before[-6:], *dialog.after]
    command = [row.words[2:] for row in rows if row.words.startswith("$ ")]
    shown = "\n".join(command)
    kind = QuestionKind.COMMAND if shown else _by_question(dialog.title)
    path = ""
    if kind in {QuestionKind.WRITE, QuestionKind.EDIT}:
        path = next((row.words for row in dialog.after if row.words), "")
    return Subject(kind, dialog.title, subject=shown, path=path)


_READERS: dict[str, Callable[[_DialogText], Subject]] = {
    "claude": _claude,
    "codex": _codex,
    "gemini": _gemini,
    "copilot": _copilot,
    "opencode": _opencode,
}
