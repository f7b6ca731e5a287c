"""Converts the inline Markdown of one line to spans and back: bold, italic, struck, code, links.

Pure. Lines and lists are in blocks.py. Supported are `**`, `*`, `~~`, backticks, `[text](url)`,
`<br>` for a line break, and a backslash before one of these. Every line comes back as it was: a
line that we would write differently (`~~**a**~~`, an unnecessary backslash) is treated as plain
text, including its marks.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import IntFlag
from functools import reduce
from itertools import groupby
from operator import and_

URL_LIMIT = 2000  # a limit of Notion
READS_LIMIT = 40  # reads of one line before its marks are treated as unbalanced

_SPECIAL = re.compile(r"[\\*~`\[<]")
_TOKEN = re.compile(
    r"""\\(?P<escaped>[\\*~`\[\]<])
    | (?P<break><br>)
    | (?P<ticks>`+)(?!`)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)
    | \[(?P<label>(?:\\.|`[^`]*`|[^\[\]\\`])+)\]\((?P<url>(?:https?://|mailto:)[^\s()<>\\]+)\)
    | (?P<stars>\*+)
    | (?P<struck>~~+)
    | (?P<ticked>`+)
    | (?P<other>[^\\*~`\[<]+|.)""",
    re.VERBOSE,
)
# Which characters get a backslash: none, or all that need one somewhere.
_BARE = re.compile(r"(?!)")
_BARE_LABEL = re.compile(r"[\[\]]")
_FULL = re.compile(r"\\(?=[\\*~`\[\]<\n]|$)|\*|~(?=~)|`|\[(?=[^\]]*\]\()|<(?=br>)")
_FULL_LABEL = re.compile(r"[\\*~`\[\]]|<(?=br>)")


class Mark(IntFlag):
    NONE = 0
    ITALIC = 1  # the value is the number of asterisks
    BOLD = 2
    STRUCK = 4


@dataclass(frozen=True, slots=True)
class Span:
    text: str
    marks: Mark = Mark.NONE
    code: bool = False
    link: str = ""

    @property
    def is_plain(self) -> bool:
        return not (self.marks or self.code or self.link)


def spans(text: str) -> list[Span]:
    if not _SPECIAL.search(text):
        return _plain(text)
    parts = _read(text)
    return parts if _is_canonical(text, parts) else _plain(text)


def inline(parts: Iterable[Span]) -> str:
    """The spans as Markdown. Marks that Markdown cannot express, such as bold between asterisks,
    are left out."""
    wanted = tidy(parts)
    if _is_plain(wanted) and not any(_SPECIAL.search(part.text) for part in wanted):
        return _broken("".join(part.text for part in wanted))
    for candidate in (wanted, _unmarked(wanted)):
        written = _write(candidate)
        if not _is_plain(candidate) and spans(written) == candidate:
            return written
    text = "".join(part.text for part in wanted)
    needs_escapes = "\n" in text or _is_canonical(text, _read(text))
    return _write(_plain(text)) if needs_escapes else text


# --- canonical lines ----------------------------------------------------------------------------


def _plain(text: str) -> list[Span]:
    return [Span(text)] if text else []


def _is_plain(parts: Sequence[Span]) -> bool:
    return all(part.is_plain for part in parts)


def _unmarked(parts: Iterable[Span]) -> list[Span]:
    return tidy(replace(part, marks=Mark.NONE) for part in parts)


def _broken(text: str) -> str:
    return text.replace("\n", "<br>")


def _is_canonical(text: str, parts: Sequence[Span]) -> bool:
    """Whether we would write these spans exactly as `text`. Other lines are plain text."""
    if _write(parts) != text:
        return False
    content = "".join(part.text for part in parts)
    if content == text or "\n" in content or not _is_plain(parts):
        return True
    return _is_canonical(content, _read(content))  # ends: one backslash less each time


# --- reading ------------------------------------------------------------------------------------


def _read(text: str, *, in_label: bool = False) -> list[Span]:
    tokens = list(_TOKEN.finditer(text))
    idle: set[int] = set()
    for _ in range(READS_LIMIT):
        parts, unclosed = _marked(text, tokens, idle, in_label=in_label)
        if not unclosed:
            return tidy(parts)
        idle |= unclosed
    return _plain(text)


def _marked(
    text: str, tokens: Sequence[re.Match[str]], idle: set[int], *, in_label: bool
) -> tuple[list[Span], set[int]]:
    """The spans, and the indexes of the tokens that open a mark which nothing closes."""
    closers = _last_closers(text, tokens)
    state, opened, parts = Mark.NONE, dict[Mark, int](), list[Span]()
    for index, token in enumerate(tokens):
        marks = _toggles(token)
        if not marks or index in idle or not _turns(text, token, marks, state, closers):
            parts += _leaf(token, state, in_label=in_label)
            continue
        opened = {mark: start for mark, start in opened.items() if not mark & marks}
        opened |= dict.fromkeys(marks & ~state, index)
        state ^= marks
    return parts, set(opened.values())


def _toggles(token: re.Match[str]) -> Mark:
    if token["stars"]:
        return Mark(len(token["stars"])) if len(token["stars"]) <= 3 else Mark.NONE
    return Mark.STRUCK if token["struck"] == "~~" else Mark.NONE


def _opens(text: str, token: re.Match[str]) -> bool:
    return token.end() < len(text) and not text[token.end()].isspace()


def _closes(text: str, token: re.Match[str]) -> bool:
    return token.start() > 0 and not text[token.start() - 1].isspace()


def _last_closers(text: str, tokens: Iterable[re.Match[str]]) -> dict[Mark, int]:
    return {
        mark: token.start() for token in tokens if _closes(text, token) for mark in _toggles(token)
    }


def _turns(
    text: str, token: re.Match[str], marks: Mark, state: Mark, closers: dict[Mark, int]
) -> bool:
    ends, begins = marks & state, marks & ~state
    if ends and not _closes(text, token):
        return False
    return not begins or (
        _opens(text, token) and all(closers.get(mark, -1) > token.start() for mark in begins)
    )


def _leaf(token: re.Match[str], marks: Mark, *, in_label: bool) -> list[Span]:
    if token["escaped"]:
        return [Span(token["escaped"], marks)]
    if token["break"]:
        return [Span("\n", marks)]
    if token["code"]:
        return [Span(_unpadded(token["code"]), marks, code=True)]
    url = token["url"]
    if url and not in_label and len(url) <= URL_LIMIT:
        inner = _read(token["label"], in_label=True)
        return [replace(part, marks=part.marks | marks, link=url) for part in inner]
    return [Span(token[0], marks)]


def _unpadded(code: str) -> str:
    inner = code[1:-1]
    padded = code[0] == code[-1] == " " and len(code) > 2
    return inner if padded and "`" in (inner[0], inner[-1]) else code


# --- writing ------------------------------------------------------------------------------------


def _write(parts: Sequence[Span]) -> str:
    """Writes no unnecessary backslash."""
    bare = _emit(parts, _BARE, _BARE_LABEL)
    return bare if _read(bare) == tidy(parts) else _emit(parts, _FULL, _FULL_LABEL)


def _emit(parts: Sequence[Span], needs: re.Pattern[str], in_label: re.Pattern[str]) -> str:
    """`needs` and `in_label` match what gets a backslash, outside and inside of a link's label."""
    written, state = "", Mark.NONE
    for link, grouped in groupby(parts, key=lambda part: part.link):
        many = list(grouped)
        for around, text in [_linked(many, in_label)] if link else _leaves(many, needs):
            written += _turn(state, around) + text
            state = around
    return written + _turn(state, Mark.NONE)


def _leaves(parts: Iterable[Span], needs: re.Pattern[str]) -> Iterator[tuple[Mark, str]]:
    for part in parts:
        text = needs.sub(lambda match: "\\" + match[0], part.text)
        yield part.marks, _ticked(part.text) if part.code else _broken(text)


def _linked(parts: Sequence[Span], in_label: re.Pattern[str]) -> tuple[Mark, str]:
    """Marks that the whole label has are written around the link."""
    shared = reduce(and_, (part.marks for part in parts))
    label = [replace(part, marks=part.marks & ~shared, link="") for part in parts]
    return shared, f"[{_emit(label, in_label, in_label)}]({parts[0].link})"


def _turn(before: Mark, after: Mark) -> str:
    """The marks between two spans. `~~` is written inside of asterisks."""
    ends, begins = before & ~after, after & ~before
    stars = "*" * ((ends | begins) & (Mark.BOLD | Mark.ITALIC))
    return f"{'~~' if ends & Mark.STRUCK else ''}{stars}{'~~' if begins & Mark.STRUCK else ''}"


def _ticked(code: str) -> str:
    longest = max((len(run) for run in re.findall("`+", code)), default=0)
    pad = " " if code.startswith("`") or code.endswith("`") else ""
    fence = "`" * (longest + 1)
    return f"{fence}{pad}{code}{pad}{fence}"


# --- joining and trimming spans -----------------------------------------------------------------


def tidy(parts: Iterable[Span]) -> list[Span]:
    """Lets marks start and end at a letter, as Markdown requires, and joins equal neighbours."""
    spans = [piece for part in parts for piece in _unbroken(part)]
    for mark in (Mark.ITALIC, Mark.BOLD, Mark.STRUCK):
        if any(part.marks & mark for part in spans):
            spans = _trimmed(_trimmed(spans, mark, str.lstrip), mark, str.rstrip)
    grouped = groupby(spans, key=lambda part: (part.marks, part.code, part.link))
    return [Span("".join(part.text for part in many), *kind) for kind, many in grouped]


def _unbroken(part: Span) -> list[Span]:
    """Splits code at line breaks, which inline code cannot contain in Markdown."""
    if not part.code or "\n" not in part.text:
        return [part] if part.text else []
    pieces = filter(None, re.split("(\n)", part.text))
    return [replace(part, text=piece, code=piece != "\n") for piece in pieces]


def _trimmed(parts: Sequence[Span], mark: Mark, strip: Callable[[str], str]) -> list[Span]:
    """Removes the mark from spaces at one end of the marked text: with `lstrip` at its start."""
    step = 1 if strip is str.lstrip else -1
    trimmed, inside = list[Span](), False
    for part in parts[::step]:
        begins = part.marks & mark and not inside and not part.code
        rest = strip(part.text) if begins else part.text
        blank = part.text[::step][: len(part.text) - len(rest)][::step]
        if blank:
            trimmed.append(replace(part, text=blank, marks=part.marks & ~mark))
        if rest:
            trimmed.append(replace(part, text=rest))
            inside = bool(part.marks & mark)
    return trimmed[::step]
