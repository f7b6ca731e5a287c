"""Widths of text against a real tmux, which is the judge of them."""

import json
import sys
from pathlib import Path

import pytest

from agents.screen import cells
from tests.conftest import RunTmux
from tests.waiting import wait_until

# Writes each text after an `A` and asks tmux for the cursor's column behind it.
PROBE = """
import json, os, re, sys, tty
tty.setraw(0)
samples, answers = json.load(open(sys.argv[1])), []
for text in samples:
    os.write(1, f"\\x1b[2J\\x1b[HA{text}\\x1b[6n".encode())
    reply = b""
    while not (found := re.search(rb"\\x1b\\[\\d+;(\\d+)R", reply)):
        reply += os.read(0, 1024)
    answers.append(int(found[1]) - 2)
json.dump(answers, open(sys.argv[1] + ".new", "w"))
os.rename(sys.argv[1] + ".new", sys.argv[1] + ".answers")
"""
SAMPLES = {
    "accents": "éüñ",
    "a combining accent": "e\u0301",
    "CJK": "中文かな",
    "half-width katakana": "ｱｲｳ",
    "box drawing and bullets": "╭─│\u276f●⏺✻",
    "an emoji": "😀",
    "a skin tone": "👍🏽",
    "a family, joined": "👨\u200d👩\u200d👧",
    "joined CJK": "中\u200d文",
    "ASCII after a joiner": "x\u200dy",
    "a flag": "🇩🇪",
    "an emoji variation": "❤\ufe0f",
    "a keycap": "1\ufe0f\u20e3",
    "a joined flag": "\U0001f3f3\ufe0f\u200d\U0001f308",
    "a spacing mark": "\u0915\u093e",
    "a Hangul syllable in parts": "\u1100\u1161\u11a8",
    "a soft hyphen": "a\u00adb",
    "a zero width space": "a\u200bb",
    "hexagrams": "\u4dc0\u4dff",
}


@pytest.fixture
def measured(run_tmux: RunTmux, tmp_path: Path) -> list[int]:
    samples, probe = tmp_path / "samples", tmp_path / "probe.py"
    samples.write_text(json.dumps(list(SAMPLES.values())))
    probe.write_text(PROBE)
    run_tmux("new-session", "-d", "-x", "80", "-y", "24", sys.executable, str(probe), str(samples))
    answers = tmp_path / "samples.answers"
    wait_until(answers.exists)
    widths: list[int] = json.loads(answers.read_text())
    return widths


def test_widths_are_those_of_tmux(measured: list[int]) -> None:
    ours = {name: cells.width(text) for name, text in SAMPLES.items()}
    assert ours == dict(zip(SAMPLES, measured, strict=True))


def test_text_is_cut_by_columns() -> None:
    assert cells.cut("中文ab", 2) == "文ab"
    assert cells.cut("中文ab", 0, 2) == "中"
    assert cells.cut("👨\u200d👩ab", 2, 3) == "a"
    assert cells.cut("e\u0301e\u0301e", 1, 2) == "e\u0301"


def test_a_line_is_padded_to_the_end_of_its_last_row() -> None:
    assert cells.rows("中文ab", 4) == 2
    assert cells.pad("中文ab", 4) == "中文ab  "
    assert (cells.rows("", 4), cells.pad("", 4)) == (1, "    ")
