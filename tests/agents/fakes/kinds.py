"""How each fake agent looks and what its keys do, as measured with the real ones.

A screen is a pure function of the scene and the size; program.py paints it. Measured with
Claude Code 2.1.197, Codex 0.169, Copilot 1.0.102, opencode 1.18.33 and Gemini CLI 0.61.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tests.agents.fakes.composer import pad, wrap

POINTER, ANGLE = "\N{HEAVY RIGHT-POINTING ANGLE QUOTATION MARK ORNAMENT}", "\u203a"
SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
STARS = "·✢✳✶✻✽"
# The change in a dialog about the command "edit PATH".
EDIT = (
    "-import settings",
    "+from app import settings",
    " ",
    " def connect():",
    "+    return settings.database.connect(timeout=30, retries=3, application_name='webtmux')",
)
COMMANDS = ("/help", "/model", "/permissions", "/status")
MENU = ("Ask for approval", "Approve for me", "Full Access", "Read Only")


@dataclass(frozen=True, slots=True)
class Scene:
    """What a fake agent has to paint."""

    composer: str
    transcript: Sequence[str]
    queued: Sequence[str]
    seconds: float | None  # since the turn began; None: no turn
    question: str
    options: Sequence[str]
    chosen: int
    width: int
    height: int
    command: str = "make build"  # what the dialog is about
    menu: str = ""  # the title of the menu that a slash command opened
    shell: bool = False  # the composer is in shell mode
    suggestions: Sequence[str] = ()  # commands that complete what is typed; Enter takes the first


class Unknown(StrEnum):
    """What becomes of a command that an agent does not have."""

    KEPT = "kept"  # it says so, and leaves it on the composer
    DROPPED = "dropped"  # it says so
    PROMPT = "prompt"


@dataclass(frozen=True, slots=True)
class FakeKind:
    name: str
    paint: Callable[[Scene], list[str]]
    fold: Callable[[bytes, int], str]
    mark: str  # before a prompt in the transcript
    question: str
    options: tuple[str, ...]
    bracketed: bool = True
    full_screen: bool = True
    queues: bool = True  # Enter during a turn queues the prompt; otherwise it does nothing
    escape_clears: bool = False
    reads_at_work: bool = True
    reply_mark: str = "●"  # before a reply
    inline: bool = False  # options on one line: Left and Right move, digits do nothing
    words: int = -1  # the option that expects words: its digit only moves the pointer there
    below: int = 2  # lines below the last row of the composer
    tab: bytes = b"\t"  # what a pasted tab becomes
    composes: bool = False  # accents
    unknown: Unknown = Unknown.DROPPED
    blank_closes: bool = True  # the list of suggestions
    commands_end: bool = True  # a command with a blank after it is a command; else a prompt
    cursor: bool = False  # shown in the composer, hidden in dialogs; otherwise always hidden


def _spent(scene: Scene) -> tuple[int, int]:
    seconds = scene.seconds or 0.0
    return int(seconds), int(seconds * 90) + 12


def _screen(scene: Scene, below: list[str]) -> list[str]:
    """The end of the transcript, as far as there is room, above what is always shown."""
    below = below[-scene.height :]
    rows = [row for line in scene.transcript for row in wrap(line, scene.width)]
    room = scene.height - len(below)
    return (rows[-room:] if room > 0 else []) + below


def _box(scene: Scene, rows: Sequence[str]) -> list[str]:
    inner = scene.width - 4
    return [
        "╭" + "─" * (scene.width - 2) + "╮",
        *(f"│ {pad(row, inner)} │" for row in rows),
        "╰" + "─" * (scene.width - 2) + "╯",
    ]


def _options(scene: Scene, mark: str) -> list[str]:
    return [
        f"{mark if number == scene.chosen else ' '} {number + 1}. {label}"
        for number, label in enumerate(scene.options)
    ]


def _menu(scene: Scene, mark: str) -> list[str]:
    return [
        f"{mark if number == scene.chosen else ' '} {number + 1}. {label}"
        for number, label in enumerate(MENU)
    ]


def _marked(rows: Sequence[str], mark: str) -> list[str]:
    return [(mark if number == 0 else " ") + " " + row for number, row in enumerate(rows)]


# --- claude -----------------------------------------------------------------------------------


def _claude(scene: Scene) -> list[str]:
    seconds, tokens = _spent(scene)
    if scene.question:
        rows = ["Bash command", "", f"  {scene.command}", "", scene.question]
        if scene.command.startswith("edit "):
            change = [f"{number:3} {line}" for number, line in enumerate(EDIT, 12)]
            rows = ["Edit file", scene.command[5:], *change, scene.question]
        rows += [*_options(scene, POINTER), "", "Esc to cancel · Tab to amend"]
        return _screen(scene, ["", *_box(scene, rows)])
    if scene.menu:
        rows = [scene.menu, "", *_menu(scene, POINTER), "", "Enter to confirm · Esc to exit"]
        return _screen(scene, ["", "─" * scene.width, *(f"  {row}" for row in rows)])
    star = STARS[int((scene.seconds or 0) * 10) % len(STARS)]
    spinner = f"{star} Cogitating… ({seconds}s · ↑ {tokens} tokens · esc to interrupt)"
    turn = ["", spinner] if scene.seconds is not None else []
    queued = [f"  > {text}" for text in scene.queued]
    inner = scene.width - 6
    most = max(1, scene.height - 6 - len(turn))
    rows = wrap(scene.composer, inner)[-most:]
    return _screen(
        scene,
        [
            *turn,
            *queued,
            "",
            *_box(scene, _marked(rows, "!" if scene.shell else ">")),
            *(scene.suggestions or ["  ! for shell mode" if scene.shell else "  ? for shortcuts"]),
        ],
    )


def _claude_fold(data: bytes, number: int) -> str:
    text, lines = data.decode("utf-8", "replace"), data.count(b"\n")
    long = len(text) > 800 or lines > 2
    more = f" +{lines} lines" if lines else ""
    return f"[Pasted text #{number}{more}]" if long else ""


# --- codex ------------------------------------------------------------------------------------


def _codex(scene: Scene) -> list[str]:
    seconds, _ = _spent(scene)
    if scene.question:
        return _screen(
            scene,
            [
                "",
                f"  {scene.question}",
                "",
                "  Reason: May I run this command?",
                "",
                f"  $ {scene.command}",
                "",
                *_options(scene, ANGLE),
                "",
                "  Press enter to confirm or esc to cancel",
            ],
        )
    if scene.menu:
        rows = ["", f"  {scene.menu}", "", *_menu(scene, ANGLE), "", "  enter select · esc back"]
        return _screen(scene, rows)
    working = f"• Working ({seconds}s • Esc to interrupt)"
    turn = ["", working] if scene.seconds is not None else []
    queued = [f"  ↳ {text}" for text in scene.queued]
    shown = scene.composer or "Ask Codex to do anything"
    rows = wrap(shown, scene.width - 3)[-max(1, scene.height - 6) :]
    return _screen(
        scene,
        [
            *turn,
            *queued,
            "",
            *_marked(rows, "!" if scene.shell else ANGLE),
            "",
            "  100% context left · " + ("Shell mode" if scene.shell else "? for shortcuts"),
        ],
    )


def _codex_fold(data: bytes, number: int) -> str:
    count = len(data.decode("utf-8", "replace"))
    return f"[Pasted Content {count} chars]" if count > 1000 else ""


# --- gemini -----------------------------------------------------------------------------------


def _gemini(scene: Scene) -> list[str]:
    seconds, _ = _spent(scene)
    if scene.question:
        rows = [f"?  Shell {scene.command}", "", scene.question, "", *_options(scene, "●")]
        return _screen(scene, ["", *_box(scene, rows)])
    if scene.menu:
        rows = [scene.menu, "", *_menu(scene, "●"), "", "(Press Esc to close)"]
        return _screen(scene, ["", *_box(scene, rows)])
    wheel = SPINNER[int((scene.seconds or 0) * 10) % len(SPINNER)]
    spinner = f"{wheel} Thinking about it… (esc to cancel, {seconds}s)"
    turn = ["", spinner] if scene.seconds is not None else []
    rows = wrap(scene.composer or "  Type your message or @path/to/file", scene.width - 6)[-10:]
    return _screen(
        scene,
        [
            *turn,
            "",
            *_box(scene, _marked(rows, "!" if scene.shell else ">")),
            "~/work      no sandbox      gemini-2.5-pro (99% context left)"[: scene.width],
        ],
    )


def _gemini_fold(data: bytes, number: int) -> str:
    lines = data.count(b"\n") + 1
    if lines > 5:
        return f"[Pasted Text: {lines} lines]"
    count = len(data.decode("utf-8", "replace"))
    return f"[Pasted Text: {count} chars]" if count > 500 else ""


# --- copilot ----------------------------------------------------------------------------------


def _copilot(scene: Scene) -> list[str]:
    if scene.question:
        inner = scene.width - 8
        rows = [
            "Run the command",
            "─" * (scene.width - 4),
            "╭" + "─" * (inner + 2) + "╮",
            f"│ {pad(scene.command[:inner], inner)} │",
            "╰" + "─" * (inner + 2) + "╯",
            "",
            scene.question,
            "",
            *_options(scene, POINTER),
            "",
            "↑/↓ to navigate · enter to select · esc to cancel",
        ]
        return _screen(scene, ["", *_box(scene, rows)])
    if scene.menu:
        rows = [
            scene.menu,
            "",
            *_menu(scene, POINTER),
            "",
            "1-4 to select · ↑/↓ to navigate · enter to confirm · esc to cancel",
        ]
        return _screen(scene, ["", *rows])
    rows = wrap(scene.composer, scene.width - 3)[-max(1, scene.height - 6) :]
    line = "─" * scene.width
    if scene.shell:
        hints = " Shell · Manual Approval"
    elif scene.seconds is not None:
        hints = " ○ Working esc esc edit prompt"
    else:
        hints = " ← open sidebar · Interactive · Manual Approval · / commands · ? help"
    marked = _marked(rows, "!" if scene.shell else POINTER)
    return _screen(scene, ["", " ~/work", line, *marked, line, hints[: scene.width]])


# --- opencode ---------------------------------------------------------------------------------

GROUND, CHOSEN, PLAIN = "\x1b[48;5;234m", "\x1b[48;5;215m\x1b[38;5;232m", "\x1b[0m"


def _opencode(scene: Scene) -> list[str]:
    if scene.question:
        shown = [
            (CHOSEN if number == scene.chosen else GROUND) + f" {label} " + GROUND
            for number, label in enumerate(scene.options)
        ]
        rows = [
            "",
            f"  △ {scene.question}",
            "    # Shell command",
            "",
            f"  $ {scene.command}",
            "",
            "",
            f"{GROUND}  {' '.join(shown)}{' ' * 20}⇆ select  enter confirm{PLAIN}",
            "",
        ]
        return _screen(scene, ["", *(f"  ┃{row}" for row in rows)])
    if scene.menu:  # above the composer, which stays visible
        wide = max(30, scene.width - 40)
        dialog = [pad(f"            {scene.menu}", wide) + "esc", "", "            Search", ""]
        dialog += [
            f"          {'●' if n == scene.chosen else ' '} {label}" for n, label in enumerate(MENU)
        ]
    else:
        wide = scene.width - 6
        dialog = [f"  ┃ {pad(f'{word}     Do it', wide)}┃" for word in scene.suggestions]
    rows = wrap(scene.composer or ("" if scene.shell else "Ask anything…"), scene.width - 8)
    mode = "Shell" if scene.shell else "Build · lab lab"
    box = [f"  ┃{row}" for row in ("", *(f"  {row}" for row in rows[-10:]), "", f"  {mode}")]
    turn = "■■■⬝⬝⬝⬝⬝  esc interrupt" if scene.seconds is not None else "~/work  ctrl+p commands"
    hints = "esc exit shell mode" if scene.shell else turn
    gap = [] if scene.suggestions else [""]
    return _screen(scene, [*dialog, *gap, *box, "  ╹" + "▀" * (scene.width - 5), f"   {hints}"])


def _opencode_fold(data: bytes, number: int) -> str:
    lines = data.count(b"\n") + 1
    return f"[Pasted ~{lines} lines]" if lines >= 3 or len(data) > 700 else ""


def _copilot_fold(data: bytes, number: int) -> str:
    lines = data.count(b"\n") + 1
    return f"[Paste #{number} - {lines} lines]" if lines > 10 else ""


# --- amp: a plain prompt that scrolls ------------------------------------------------------------


def _plain(scene: Scene) -> list[str]:
    raise NotImplementedError("this one prints line by line, see plain.py")


KINDS = {
    kind.name: kind
    for kind in (
        FakeKind(
            "claude", _claude, _claude_fold, ">", "Do you want to proceed?",
            ("Yes", "Yes, and don't ask again for make commands",
             "No, and tell Claude what to do differently (esc)"),
            tab=b"    ", composes=True, blank_closes=False,
        ),
        FakeKind(
            "codex", _codex, _codex_fold, ANGLE, "Would you like to run the following command?",
            ("Yes, proceed (y)", "Yes, and don't ask again for this command (a)",
             "No, and tell Codex what to do differently (esc)"),
            reply_mark="•", cursor=True, unknown=Unknown.KEPT,
        ),
        FakeKind(
            "copilot", _copilot, _copilot_fold, POINTER, "Do you want to run this command?",
            ("Yes", "Yes, and don't ask again for `make` in this directory",
             "No, and tell Copilot what to do differently (Esc to stop)"),
            queues=False, words=2, cursor=True, tab=b"    ",
        ),
        FakeKind(
            "opencode", _opencode, _opencode_fold, "┃", "Permission required",
            ("Allow once", "Allow always", "Reject"),
            queues=False, inline=True, cursor=True, below=4, unknown=Unknown.PROMPT,
            commands_end=False,
        ),
        FakeKind(
            "gemini", _gemini, _gemini_fold, ">", "Allow execution of: 'make'?",
            ("Yes, allow once", "Yes, allow always", "No, suggest changes (esc)"),
            queues=False, escape_clears=True, reply_mark="✦", unknown=Unknown.PROMPT,
        ),
        FakeKind(
            "amp", _plain, lambda data, number: "", ">", "Continue? [y/N]", ("yes", "no"),
            bracketed=False, full_screen=False, queues=False, reads_at_work=False,
        ),
    )
}  # fmt: skip  # one agent per paragraph
