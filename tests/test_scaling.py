"""Every parser of text from terminals and requests takes time about linear in its text."""

from collections.abc import Callable

import pytest

from agents.chat import echo, extractive, line_editor, screen_filter, submitted_text
from agents.chat.line_editor import Line, Mode
from agents.chat.transcript import Message, ScreenRecord, Submitted, to_messages
from agents.delivery import composer
from agents.runtimes.loader import load
from agents.screen import cells, states
from notes import tasklist
from notes.notion import blocks, inline
from terminals.recordings import asciicast
from terminals.scrollback import ansi, cursor
from terminals.scrollback.cursor import ScreenCursor, TextCapture
from terminals.socket import keys
from terminals.tmux import key_line, repaint
from terminals.tmux.control import ControlParser
from terminals.tmux.execution.markers import Markers
from terminals.tmux.pen import OutputPen
from terminals.uploads import payload
from tests.scaling import grows_linearly

TEXTS: dict[str, Callable[[int], str]] = {
    "letters": lambda n: "x" * n,
    "blanks": lambda n: " " * n + "x",
    "erased letters": lambda n: "a" * (n // 2) + "\x08" * (n // 2),
    "letters erased one by one": lambda n: "a\x08" * (n // 2),
    "erased lines": lambda n: "a\n\x08\x08" * (n // 4),
    "escapes": lambda n: "\x1b" * n,
    "sequences": lambda n: "\x1b[" * (n // 2),
    "parameters": lambda n: "\x1b[" + "1;" * (n // 2),
    "intermediates": lambda n: "\x1b[" + " " * n + "\n",
    "strings": lambda n: "\x1b]" * (n // 2),
    "strings with ends": lambda n: "\x1b]a\x07" * (n // 4),
    "an open string": lambda n: "\x1b]0;" + "a\x1b" * (n // 2),
    "line breaks": lambda n: "\n" * n,
    "carriage returns": lambda n: "\r" * n,
    "fences": lambda n: "```\n" * (n // 4),
    "backticks": lambda n: "`" * n,
    "bullets": lambda n: "- " * (n // 2),
    "nested": lambda n: "".join("  " * (i % 40) + "- x\n" for i in range(n // 40)),
    "emphasis": lambda n: "*a**b_" * (n // 6),
    "links": lambda n: "[a](" * (n // 4),
    "brackets": lambda n: "[" * n,
    "backslashes": lambda n: "\\" * n,
    "quotes": lambda n: '"' * n,
    "wide": lambda n: "漢" * n,
    "marks": lambda n: "a" + "\u0301" * n,
    "paths": lambda n: "a/" * (n // 2),
    "dots": lambda n: "a." * (n // 2),
    "tasks": lambda n: "- [ ] a\n" * (n // 8),
    "comments": lambda n: "<!-- " * (n // 5),
}


def fold(text: str) -> object:
    return Line().type(text.encode(), Mode.AGENT)


def feed(text: str) -> object:
    parser, data = ControlParser(), text.encode()
    return [parser.feed(data[start : start + 512]) for start in range(0, len(data), 512)]


def mark(text: str) -> object:
    markers, data = Markers("0"), text.encode()
    markers.feed(b"\x1b]7717;S;0\x07")
    for start in range(0, len(data), 512):
        markers.feed(data[start : start + 512])
    return markers.result()


def read_on(text: str) -> object:
    sight = TextCapture("1_1", 0, 0, tuple(text.split("\n")))
    return cursor.find(sight, ScreenCursor.after(sight, len(sight.lines)))


def summarize(text: str) -> object:
    return extractive.summarize([Message("assistant", text, 1), Message("user", text, 2)])


def transcribe(text: str) -> object:
    lines = tuple(text.split("\n"))
    return to_messages(
        [Submitted(1, "ls"), ScreenRecord(2, lines, columns=80), ScreenRecord(3, lines, columns=80)]
    )


PARSERS: dict[str, Callable[[str], object]] = {
    "ansi.strip": ansi.strip,
    "ansi.finished": lambda text: ansi.finished(text.encode(), escapes=True),
    "cells.cut": lambda text: cells.cut(text, 10, 20),
    "composer.letters": composer.letters,
    "composer.nearly_holds": lambda text: composer.nearly_holds(text, text[::-1]),
    "composer.holds": lambda text: composer.holds(text, text + "x", None),
    "echoes.echo_end": lambda text: echo.echo_end(text.split("\n"), 0, "ls", load("claude"), 80),
    "extract.summarize": summarize,
    "typed.Line": fold,
    "keys.split": lambda text: keys.split(text.encode()),
    "words.split": key_line.split,
    "control": feed,
    "markers": mark,
    "repaint": lambda text: repaint._independent(text.encode()),
    "repaint.wraps": lambda text: repaint._wrapped(
        text.encode().split(b"\n"), text.replace("\n", "").encode()
    ),
    "pen": lambda text: OutputPen().feed(text.encode()),
    "casts.label": asciicast.label,
    "casts.search": lambda text: list(asciicast.search([asciicast.event(1.0, "o", text)], "a")),
    "uploads.safe_name": payload.safe_name,
    "tasklist.parse": lambda text: tasklist.parse.__wrapped__(text),
    "tasklist.add": lambda text: tasklist.add(text, "x"),
    "notion.blocks": blocks.blocks,
    "notion.inline": lambda text: inline.spans(text.replace("\n", " ")),
    "reading.find": read_on,
    "transcript": transcribe,
}
SIZE = 1500


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("parser", PARSERS)
def test_a_parser_takes_time_linear_in_its_text(parser: str, text: str) -> None:
    assert grows_linearly(PARSERS[parser], TEXTS[text], SIZE)


ROWS: dict[str, Callable[[int], str]] = {
    **{name: TEXTS[name] for name in ("letters", "blanks", "escapes", "wide", "brackets", "dots")},
    "numbers": lambda n: "1. " * (n // 3),
    "options": lambda n: "\u276f 1. " + "(y) " * (n // 4),
    "a yes or no": lambda n: "[y " * (n // 3),
    "a border": lambda n: "╭" + "─" * n + "x",
    "a rule": lambda n: "─" * n + "x" + "─" * n + "x",
    "a pointer": lambda n: "\u276f" + " " * n + "x",
    "colours": lambda n: "\x1b[7mb\x1b[0;2mc" * (n // 8),
    "questions": lambda n: "? " * (n // 2),
    "parentheses": lambda n: "* (" + "(" * n,
}
RUNTIMES = ("claude", "codex", "gemini", "opencode", "copilot", "generic")


@pytest.mark.parametrize("row", ROWS)
@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_screen_takes_time_linear_in_its_width_and_height(runtime: str, row: str) -> None:
    rules = load(runtime)

    def read(lines: list[str]) -> object:
        view = submitted_text.ScreenRows(lines, 0, 80, 0, 0)
        submitted_text.is_shown(view, 0, "ls", later=True)
        return states.read_screen(lines, rules), screen_filter.conversation_lines(lines, rules, 80)

    assert grows_linearly(read, lambda size: [ROWS[row](size)] * 10, 120)
    assert grows_linearly(read, lambda size: [ROWS[row](100)] * size, 12)


def test_a_line_that_is_edited_in_its_middle_stays_cheap() -> None:
    """Keys that jump to and fro in a long line, as fast as they can be sent."""
    line = Line()
    line.paste(b"x" * line_editor.LINE_LIMIT, Mode.AGENT)
    assert grows_linearly(
        lambda data: line.type(data, Mode.AGENT), lambda size: b"\x01x\x05" * size, 200
    )
