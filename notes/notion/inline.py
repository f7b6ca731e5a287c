"""Inline Markdown of one line ⇄ spans of text with their marks: bold, italic, struck, code, links.

Not lines and lists: that is blocks.py. Known are `**`, `*`, `~~`, backticks, `[text](url)`, `<br>`
for a line break, and a backslash before one of these. Every line comes back as it was: one that we
would write otherwise (`~~**a**~~`, an idle backslash) is taken for plain text, marks and all.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import reduce
from itertools import groupby
from operator import and_

from notes.notion.marks import Mark, Span, tidy

URL_LIMIT = 2000  # of Notion
RUNS_LIMIT = 40  # readings of one line before its marks are given up as unbalanced


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
_BARE = re.compile(r"(?!)")  # what gets a backslash: nothing
_BARE_LABEL = re.compile(r"[\[\]]")
_FULL = re.compile(r"\\(?=[\\*~`\[\]<\n]|$)|\*|~(?=~)|`|\[(?=[^\]]*\]\()|<(?=br>)")
_FULL_LABEL = re.compile(r"[\\*~`\[\]]|<(?=br>)")


def spans(text: str) -> list[Span]:
    if not _SPECIAL.search(text):
        return _plain(text)
    found = _read(text)
    return found if _is_ours(text, found) else _plain(text)


def inline(parts: Iterable[Span]) -> str:
    """Marks that Markdown cannot show, such as bold in the middle of stars, are left out."""
    wanted = tidy(parts)
    if _is_plain(wanted) and not any(_SPECIAL.search(part.text) for part in wanted):
        return _broken("".join(part.text for part in wanted))
    for candidate in (wanted, _unmarked(wanted)):
        written = _write(candidate)
        if not _is_plain(candidate) and spans(written) == candidate:
            return written
    text = "".join(part.text for part in wanted)
    ours = "\n" in text or _is_ours(text, _read(text))
    return _write(_plain(text)) if ours else text


# --- what is ours -----------------------------------------------------------------------------


def _plain(text: str) -> list[Span]:
    return [Span(text)] if text else []


def _is_plain(parts: Sequence[Span]) -> bool:
    return all(part.is_plain for part in parts)


def _unmarked(parts: Iterable[Span]) -> list[Span]:
    return tidy(replace(part, marks=Mark.NONE) for part in parts)


def _broken(text: str) -> str:
    return text.replace("\n", "<br>")


def _is_ours(text: str, found: Sequence[Span]) -> bool:
    """Whether we would write it as it stands; what is not ours is plain text, as it stands."""
    if _write(found) != text:
        return False
    meant = "".join(part.text for part in found)
    if meant == text or "\n" in meant or not _is_plain(found):
        return True
    return _is_ours(meant, _read(meant))  # shorter: a backslash less


# --- reading ----------------------------------------------------------------------------------


def _read(text: str, *, in_label: bool = False) -> list[Span]:
    tokens = list(_TOKEN.finditer(text))
    idle: set[int] = set()
    for _ in range(RUNS_LIMIT):
        found, opened = _marked(text, tokens, idle, in_label=in_label)
        if not opened:
            return tidy(found)
        idle |= opened
    return _plain(text)


def _marked(
    text: str, tokens: Sequence[re.Match[str]], idle: set[int], *, in_label: bool
) -> tuple[list[Span], set[int]]:
    """The spans, and the tokens that opened what nothing closes."""
    closers = _last_closers(text, tokens)
    state, opened, found = Mark.NONE, dict[Mark, int](), list[Span]()
    for index, token in enumerate(tokens):
        marks = _toggles(token)
        if not marks or index in idle or not _turns(text, token, marks, state, closers):
            found += _leaf(token, state, in_label=in_label)
            continue
        opened = {mark: at for mark, at in opened.items() if not mark & marks}
        opened |= dict.fromkeys(marks & ~state, index)
        state ^= marks
    return found, set(opened.values())


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


# --- writing ----------------------------------------------------------------------------------


def _write(parts: Sequence[Span]) -> str:
    """Without a backslash where none is needed."""
    bare = _emit(parts, _BARE, _BARE_LABEL)
    return bare if _read(bare) == tidy(parts) else _emit(parts, _FULL, _FULL_LABEL)


def _emit(parts: Sequence[Span], needs: re.Pattern[str], in_label: re.Pattern[str]) -> str:
    """`needs` and `in_label` find what gets a backslash, outside of a link's label and in it."""
    written, state = "", Mark.NONE
    for link, grouped in groupby(parts, key=lambda part: part.link):
        many = list(grouped)
        for around, text in [_linked(many, in_label)] if link else _leaves(many, needs):
            written += _turn(state, around) + text
            state = around
    return written + _turn(state, Mark.NONE)


def _leaves(parts: Iterable[Span], needs: re.Pattern[str]) -> Iterator[tuple[Mark, str]]:
    for part in parts:
        text = needs.sub(lambda found: "\\" + found[0], part.text)
        yield part.marks, _ticked(part.text) if part.code else _broken(text)


def _linked(parts: Sequence[Span], in_label: re.Pattern[str]) -> tuple[Mark, str]:
    """What the whole label is marked with stands around the link."""
    shared = reduce(and_, (part.marks for part in parts))
    label = [replace(part, marks=part.marks & ~shared, link="") for part in parts]
    return shared, f"[{_emit(label, in_label, in_label)}]({parts[0].link})"


def _turn(before: Mark, after: Mark) -> str:
    """The signs between two spans: `~~` stands inside of stars."""
    ends, begins = before & ~after, after & ~before
    stars = "*" * ((ends | begins) & (Mark.BOLD | Mark.ITALIC))
    return f"{'~~' if ends & Mark.STRUCK else ''}{stars}{'~~' if begins & Mark.STRUCK else ''}"


def _ticked(code: str) -> str:
    longest = max((len(run) for run in re.findall("`+", code)), default=0)
    pad = " " if code.startswith("`") or code.endswith("`") else ""
    fence = "`" * (longest + 1)
    return f"{fence}{pad}{code}{pad}{fence}"
