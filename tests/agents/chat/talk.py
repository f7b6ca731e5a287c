"""The scripts of the recorded conversations: prompts, and replies line by line."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Turn:
    prompt: str
    reply: list[str]


@dataclass(frozen=True)
class Script:
    name: str
    turns: tuple[Turn, ...]


TABLE = [
    "Three services answered:", "",
    "┌─────────┬────────┬──────┐",
    "│ service │ status │   ms │",
    "├─────────┼────────┼──────┤",
    "│ api     │ ok     │   12 │",
    "│ worker  │ down   │    - │",
    "└─────────┴────────┴──────┘", "",
    "| name | share |", "|------|-------|", "| a    | 40 %  |", "", "The worker is down.",
]  # fmt: skip
CODE = [
    "The fix is one line:", "",
    "    def read(path: str) -> str:", "        with open(path) as file:",
    "            return file.read()", "",
    "    # > not a prompt", "    # $ neither is this", "", "It is tested.",
]  # fmt: skip
UNICODE = ["Grüße — 日本語 ✓ 🎉 naïve café", "", "Δx ≤ ½ · “quoted” … done"]
PROSE = [
    "The test failed because the fixture opened the database first.", "",
    "1. I moved the import.", "2. All 41 tests pass.", "", "Shall I commit it?",
]  # fmt: skip
LONG_LINE = ["One long line: " + " ".join(f"word{number}" for number in range(40)) + "."]
REPEATED = ["ok", "done", "ok"]

DIALOGUE = Script("dialogue", (
    Turn("fix the failing test", PROSE), Turn("show me the code", CODE),
))  # fmt: skip
DATA = Script("data", (
    Turn("which services are up?", TABLE), Turn("grüß mich auf 日本語", UNICODE),
))  # fmt: skip
REPEATS = Script("repeats", (
    Turn("go on", REPEATED), Turn("go on", REPEATED), Turn("go on", REPEATED),
))  # fmt: skip
WIDE = Script("wide", (Turn("a long line please", LONG_LINE), Turn("thanks", ["Welcome."])))
QUICK = Script("quick", (
    Turn("first", ["The first reply.", "It has two lines."]), Turn("second", ["The second reply."]),
    Turn("third", ["The third reply."]),
))  # fmt: skip

SIZES = ("60x20", "80x24", "120x40")
TUIS = ("claude", "codex", "gemini")
AGENTS = [
    *((kind, size, script, False) for kind in TUIS for size in SIZES
      for script in (DIALOGUE, DATA)),
    *((kind, "80x24", REPEATS, False) for kind in TUIS),
    *((kind, "80x24", QUICK, True) for kind in ("claude", "codex")),
    ("claude", "80x24", WIDE, False),
    ("amp", "80x24", DIALOGUE, False),
    ("amp", "60x20", QUICK, False),
]  # fmt: skip

FILES = Script("files", (
    Turn("cat {file}", TABLE), Turn("cat {file}", CODE), Turn("cat {file}", UNICODE),
    Turn("true {file}", []), Turn("cat {file}", PROSE),
))  # fmt: skip
SAME = Script("same", (
    Turn("echo ok", ["ok"]), Turn("echo ok", ["ok"]), Turn("echo ok; echo ok", ["ok", "ok"]),
    Turn("echo ok", ["ok"]),
))  # fmt: skip
AT_ONCE = Script("at-once", tuple(
    Turn(f"echo reply {number}; echo end", [f"reply {number}", "end"]) for number in range(6)
))  # fmt: skip
MANY = Script("many", (
    Turn("cat {file}", [f"line {number} of many" for number in range(300)]),
    Turn("echo after", ["after"]),
    Turn("cat {file}", [f"again {number}" for number in range(150)]),
))  # fmt: skip
SCROLLED = Script("scrolled", (
    Turn(
        "while read -r line; do echo $line; n=$((n+1)); [ $((n%100)) = 0 ] && sleep 0.1;"
        " done < {file}",
        [f"row {number}" for number in range(3600)],
    ),
    Turn("echo after", ["after"]),
))  # fmt: skip
LINES = Script("long-lines", (
    Turn("cat {file}", LONG_LINE), Turn("echo " + "x" * 150, ["x" * 150]),
    Turn("cat {file}", ["a", "", "", "b"]),
))  # fmt: skip
BASH, ZSH = "bash --norc --noprofile", "zsh -f"
SHELLS = [
    *((shell, size, script, False) for shell, size in
      (("sh", "60x20"), (BASH, "80x24"), (ZSH, "120x40")) for script in (FILES, SAME, LINES)),
    *((shell, "80x24", MANY, False) for shell in ("sh", BASH)),
    *((shell, "80x24", AT_ONCE, True) for shell in ("sh", BASH, ZSH)),
    ("sh", "80x24", SCROLLED, False),
    (BASH, "100x30", SCROLLED, False),
]  # fmt: skip
