"""How each fake agent looks and what its keys do: the real ones' manners as a table.

Not a running program: a picture is a pure function of what stands there and the size.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tests.agents.fakes.composer import pad, wrap

POINTER, ANGLE = "\N{HEAVY RIGHT-POINTING ANGLE QUOTATION MARK ORNAMENT}", "\u203a"
SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
STARS = "·✢✳✶✻✽"


@dataclass(frozen=True, slots=True)
class Scene:
    """What there is to paint."""

    composer: str
    transcript: Sequence[str]
    queued: Sequence[str]
    seconds: float | None  # since the turn began; None: no turn
    question: str
    options: Sequence[str]
    chosen: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Kind:
    name: str
    paint: Callable[[Scene], list[str]]
    fold: Callable[[bytes, int], str]
    mark: str  # before a prompt in the transcript
    question: str
    options: tuple[str, ...]
    bracketed: bool = True
    full_screen: bool = True
    queues: bool = True  # Enter during a turn keeps the prompt for later; else it does nothing
    escape_clears: bool = False
    reads_at_work: bool = True
    says: str = "●"  # before what it says


def _spent(scene: Scene) -> tuple[int, int]:
    seconds = scene.seconds or 0.0
    return int(seconds), int(seconds * 90) + 12


def _picture(scene: Scene, below: list[str]) -> list[str]:
    """The end of the transcript, as much as there is room for, above what is always shown."""
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


def _marked(rows: Sequence[str], mark: str) -> list[str]:
    return [(mark if number == 0 else " ") + " " + row for number, row in enumerate(rows)]


# --- claude -----------------------------------------------------------------------------------


def _claude(scene: Scene) -> list[str]:
    seconds, tokens = _spent(scene)
    if scene.question:
        rows = ["Bash command", "", "  make build", "", scene.question, *_options(scene, POINTER)]
        return _picture(scene, ["", *_box(scene, rows)])
    star = STARS[int((scene.seconds or 0) * 10) % len(STARS)]
    spinner = f"{star} Cogitating… ({seconds}s · ↑ {tokens} tokens · esc to interrupt)"
    turn = ["", spinner] if scene.seconds is not None else []
    queued = [f"  > {text}" for text in scene.queued]
    inner = scene.width - 6
    most = max(1, scene.height - 6 - len(turn))
    rows = wrap(scene.composer, inner)[-most:]
    return _picture(
        scene, [*turn, *queued, "", *_box(scene, _marked(rows, ">")), "  ? for shortcuts"]
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
        return _picture(
            scene,
            [
                "",
                f"  {scene.question}",
                "",
                "  $ make build",
                "",
                *_options(scene, ANGLE),
                "",
                "  Press enter to confirm or esc to cancel",
            ],
        )
    working = f"• Working ({seconds}s • Esc to interrupt)"
    turn = ["", working] if scene.seconds is not None else []
    queued = [f"  ↳ {text}" for text in scene.queued]
    shown = scene.composer or "Ask Codex to do anything"
    rows = wrap(shown, scene.width - 3)[-max(1, scene.height - 6) :]
    return _picture(
        scene,
        [*turn, *queued, "", *_marked(rows, ANGLE), "", "  100% context left · ? for shortcuts"],
    )


def _codex_fold(data: bytes, number: int) -> str:
    count = len(data.decode("utf-8", "replace"))
    return f"[Pasted Content {count} chars]" if count > 1000 else ""


# --- gemini -----------------------------------------------------------------------------------


def _gemini(scene: Scene) -> list[str]:
    seconds, _ = _spent(scene)
    if scene.question:
        rows = ["?  Shell make build", "", scene.question, "", *_options(scene, "●")]
        return _picture(scene, ["", *_box(scene, rows)])
    wheel = SPINNER[int((scene.seconds or 0) * 10) % len(SPINNER)]
    spinner = f"{wheel} Thinking about it… (esc to cancel, {seconds}s)"
    turn = ["", spinner] if scene.seconds is not None else []
    rows = wrap(scene.composer or "  Type your message or @path/to/file", scene.width - 6)[-10:]
    return _picture(
        scene,
        [
            *turn,
            "",
            *_box(scene, _marked(rows, ">")),
            "~/work      no sandbox      gemini-2.5-pro (99% context left)"[: scene.width],
        ],
    )


def _gemini_fold(data: bytes, number: int) -> str:
    lines = data.count(b"\n") + 1
    if lines > 5:
        return f"[Pasted Text: {lines} lines]"
    count = len(data.decode("utf-8", "replace"))
    return f"[Pasted Text: {count} chars]" if count > 500 else ""


# --- amp: a plain prompt that scrolls ------------------------------------------------------------


def _plain(scene: Scene) -> list[str]:
    raise NotImplementedError("it prints as it goes, see plain.py")


KINDS = {
    kind.name: kind
    for kind in (
        Kind(
            "claude", _claude, _claude_fold, ">", "Do you want to proceed?",
            ("Yes", "Yes, and don't ask again for make commands",
             "No, and tell Claude what to do differently (esc)"),
        ),
        Kind(
            "codex", _codex, _codex_fold, ANGLE, "Would you like to run the following command?",
            ("Yes, proceed (y)", "Yes, and don't ask again for this command (a)",
             "No, and tell Codex what to do differently (esc)"),
            says="•",
        ),
        Kind(
            "gemini", _gemini, _gemini_fold, ">", "Allow execution of: 'make'?",
            ("Yes, allow once", "Yes, allow always", "No, suggest changes (esc)"),
            queues=False, escape_clears=True, says="✦",
        ),
        Kind(
            "amp", _plain, lambda data, number: "", ">", "Continue? [y/N]", ("yes", "no"),
            bracketed=False, full_screen=False, queues=False, reads_at_work=False,
        ),
    )
}  # fmt: skip
