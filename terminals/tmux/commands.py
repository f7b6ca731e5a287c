"""tmux commands as argument lists, and the one place where they are quoted.

Nothing here runs a command. A target is always an id; a caller's text is always data: its `#` is
doubled where tmux would expand it, and a line break, which would end the command, is refused.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from terminals.errors import Invalid

Command = tuple[str, ...]
Direction = Literal["up", "down", "left", "right"]

HIDDEN_SESSION = "_webtmux"  # the session our monitor is attached to; no list shows it
NAME_LIMIT = 128
_ID = re.compile(r"[$@%]\d{1,9}", re.ASCII)
_PLAIN = re.compile(r"[A-Za-z0-9_./-]+", re.ASCII)
_FORBIDDEN = re.compile(r"[\n\r\0]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_ESCAPED = re.compile(r"\\|\$(?=[A-Za-z_{])")  # tmux would put a backslash before these
_SIZE = re.compile(r"\d{1,4}%?", re.ASCII)
_KEY = re.compile(
    r"(?:[CMS]-)*(?:Enter|Escape|Tab|BTab|BSpace|Space|Up|Down|Left|Right|Home|End|NPage|PageDown"
    r"|PgDn|PPage|PageUp|PgUp|IC|Insert|DC|Delete|F(?:[1-9]|1[0-2])|KP[0-9*/+.-]|KPEnter)"
    r"|(?:[CMS]-)+[\x21-\x3a\x3c-\x7e]|\^[\x21-\x3a\x3c-\x7e]",
    re.ASCII,
)
_FLAG_OF: Mapping[str, str] = {"up": "-U", "down": "-D", "left": "-L", "right": "-R"}


def line(commands: Iterable[Command]) -> bytes:
    """One line of control mode: the commands run back to back, with nothing in between."""
    return " ; ".join(" ".join(map(quote, command)) for command in commands).encode() + b"\n"


def quote(argument: str) -> str:
    if _FORBIDDEN.search(argument):
        raise Invalid("a line break or NUL cannot be part of a tmux argument; send it as text")
    if _PLAIN.fullmatch(argument):
        return argument
    return "'" + argument.replace("'", "'\\''") + "'"


def data(text: str) -> str:
    """A caller's text where tmux expands formats: `#(cmd)` must stay text, not run."""
    return text.replace("#", "##")


def target(identifier: str, sigil: str = "$@%") -> str:
    """An id of tmux's own; a name would match by prefix, or be taken for an index."""
    if _ID.fullmatch(identifier) and identifier[0] in sigil:
        return identifier
    raise Invalid(f"{identifier!r} is not a tmux id such as {' or '.join(s + '1' for s in sigil)}")


def name(text: str, *, of: Literal["session", "window"]) -> str:
    """A name that tmux will keep as it is; some characters it would change in silence."""
    if not text or len(text) > NAME_LIMIT:
        raise Invalid(f"a {of} name has 1 to {NAME_LIMIT} characters")
    if _CONTROL.search(text):
        raise Invalid(f"a {of} name cannot contain control characters")
    if _ESCAPED.search(text):
        raise Invalid(f"a {of} name cannot contain a backslash, or a '$' before a letter")
    if of == "session" and (":" in text or "." in text):
        raise Invalid("a session name cannot contain ':' or '.'")
    if of == "session" and text == HIDDEN_SESSION:
        raise Invalid(f"the name {HIDDEN_SESSION} is kept for webtmux itself")
    return text


def is_key(word: str) -> bool:
    """Whether `word` names a key, such as Enter, C-c or M-Left, rather than being text."""
    return _KEY.fullmatch(word) is not None


# --- sessions, windows, panes ---------------------------------------------------------------


def new_session(
    session: str,
    *,
    form: str,
    cwd: str = "",
    command: str = "",
    window: str = "",
    env: Mapping[str, str] | None = None,
) -> Command:
    named = ("-n", data(name(window, of="window"))) if window else ()
    return (
        "new-session",
        "-d",
        "-E",
        "-P",
        "-F",
        form,
        "-x",
        "120",
        "-y",
        "40",
        "-s",
        data(name(session, of="session")),
        *named,
        *_place(cwd, env),
        *_shell(command),
    )


def new_window(
    session_id: str,
    *,
    form: str,
    window: str = "",
    cwd: str = "",
    command: str = "",
    env: Mapping[str, str] | None = None,
    background: bool = False,
) -> Command:
    named = ("-n", data(name(window, of="window"))) if window else ()
    return (
        "new-window",
        "-P",
        "-F",
        form,
        *(("-d",) if background else ()),
        "-t",
        target(session_id, "$") + ":",
        *named,
        *_place(cwd, env),
        *_shell(command),
    )


def split_window(
    pane_id: str, *, form: str, stacked: bool, size: str = "", cwd: str = "", command: str = ""
) -> Command:
    if size and not _SIZE.fullmatch(size):
        raise Invalid(f"size {size!r} is neither a number of cells nor a percentage such as 50%")
    return (
        "split-window",
        "-P",
        "-F",
        form,
        "-t",
        target(pane_id, "%"),
        "-v" if stacked else "-h",
        *(("-l", size) if size else ()),
        *_place(cwd, None),
        *_shell(command),
    )


def rename_session(session_id: str, to: str) -> Command:
    to = data(name(to, of="session"))
    return ("rename-session", "-t", target(session_id, "$") + ":", "--", to)


def rename_window(window_id: str, to: str) -> Command:
    return ("rename-window", "-t", target(window_id, "@"), "--", data(name(to, of="window")))


def kill(identifier: str) -> Command:
    verb = {"$": "kill-session", "@": "kill-window", "%": "kill-pane"}[target(identifier)[0]]
    return (verb, "-t", identifier)


def select_window(session_id: str, window_id: str) -> Command:
    return ("select-window", "-t", f"{target(session_id, '$')}:{target(window_id, '@')}")


def select_pane(pane_id: str) -> Command:
    return ("select-pane", "-t", target(pane_id, "%"))


def zoom_pane(pane_id: str) -> Command:
    return ("resize-pane", "-Z", "-t", target(pane_id, "%"))


def switch_client(client: str, session_id: str) -> Command:
    return ("switch-client", "-c", client, "-t", target(session_id, "$"))


def resize_pane(
    pane_id: str,
    *,
    width: int | None = None,
    height: int | None = None,
    direction: Direction | None = None,
    amount: int = 5,
) -> Command:
    head = ("resize-pane", "-t", target(pane_id, "%"))
    wide = ("-x", str(int(width))) if width is not None else ()
    high = ("-y", str(int(height))) if height is not None else ()
    if wide or high:
        return (*head, *wide, *high)
    if direction is None or direction not in _FLAG_OF:
        raise Invalid("direction must be 'up', 'down', 'left', or 'right'.")
    return (*head, _FLAG_OF[direction], str(int(amount)))


def _place(cwd: str, env: Mapping[str, str] | None) -> Command:
    pairs = [part for key, value in (env or {}).items() for part in ("-e", f"{key}={value}")]
    return (*(("-c", data(cwd)) if cwd else ()), *pairs)


def _shell(command: str) -> Command:
    return ("--", command) if command else ()


# --- reading --------------------------------------------------------------------------------


def rows(verb: str, form: str, *scope: str) -> Command:
    return (verb, *scope, "-F", form)


def display(form: str, identifier: str = "") -> Command:
    at = ("-t", target(identifier)) if identifier else ()
    return ("display-message", "-p", *at, form)


def capture(
    pane_id: str,
    *,
    buffer: str,
    start: str = "",
    end: str = "",
    escapes: bool = False,
    join: bool = False,
    keep_blanks: bool = False,
    saved: bool = False,
) -> Command:
    """Into a buffer: what `-p` prints stays in tmux's memory for ever, up to 3.5."""
    flags = [
        flag
        for flag, on in (("-e", escapes), ("-J", join), ("-N", keep_blanks), ("-aq", saved))
        if on
    ]
    bounds = (*(("-S", start) if start else ()), *(("-E", end) if end else ()))
    return ("capture-pane", "-b", buffer, *flags, *bounds, "-t", target(pane_id, "%"))


def capture_pending(pane_id: str) -> Command:
    """The bytes of an escape sequence that is not complete yet, as octal escapes."""
    return ("capture-pane", "-p", "-P", "-C", "-t", target(pane_id, "%"))


def take_buffer(buffer: str, path: Path) -> tuple[Command, Command]:
    """Write a buffer to a file and forget it."""
    return ("save-buffer", "-b", buffer, data(str(path))), ("delete-buffer", "-b", buffer)


def show_option(option: str, *scope: str) -> Command:
    return ("show-options", "-qv", *scope, option)


def set_option(option: str, value: str, *scope: str) -> Command:
    return ("set-option", *scope, "--", option, value)


# --- writing --------------------------------------------------------------------------------


def leave_mode(pane_id: str) -> Command:
    """Copy mode swallows keys; this does nothing where there is no mode."""
    return ("copy-mode", "-q", "-t", target(pane_id, "%"))


def send_bytes(pane_id: str, content: bytes) -> Command:
    """Byte-exact for all 256 values; quadratic in their number, so for short ones only."""
    return ("send-keys", "-t", target(pane_id, "%"), "-H", *(f"{byte:02x}" for byte in content))


def send_keys(pane_id: str, keys: Sequence[str]) -> Command:
    for key in keys:
        if not is_key(key):
            raise Invalid(f"{key!r} is not a key name such as Enter, Escape, C-c or M-Left")
    return ("send-keys", "-t", target(pane_id, "%"), "--", *keys)


def load_buffer(buffer: str, path: Path) -> Command:
    return ("load-buffer", "-b", buffer, data(str(path)))


def paste_buffer(buffer: str, pane_id: str, *, bracketed: bool, raw: bool) -> Command:
    """Line feeds stay as they are. `raw`: since 3.7 text passes through vis() otherwise."""
    flags = ("-r", "-d", *(("-p",) if bracketed else ()), *(("-S",) if raw else ()))
    return ("paste-buffer", *flags, "-b", buffer, "-t", target(pane_id, "%"))


def pipe_pane(pane_id: str, shell_command: str) -> Command:
    """`-O`: the pane's output. Never `-o`, which closes a pipe that is open.

    tmux reads formats in it, and after them `%H` and its like as a time.
    """
    return ("pipe-pane", "-O", "-t", target(pane_id, "%"), data(shell_command).replace("%", "%%"))


def close_pipe(pane_id: str) -> Command:
    return ("pipe-pane", "-t", target(pane_id, "%"))


# --- our own clients ------------------------------------------------------------------------


def window_size(window_id: str, width: int, height: int) -> Command:
    """Our wish for a window's size; a person's client wins while attached. Never resize-window."""
    return ("refresh-client", "-C", f"{target(window_id, '@')}:{int(width)}x{int(height)}")


def client_size(width: int, height: int) -> Command:
    """Our client's own size: that of every window for which it has told no wish."""
    return ("refresh-client", "-C", f"{int(width)}x{int(height)}")


def keep_sizes(sizes: Mapping[str, tuple[int, int]], fallback: tuple[int, int]) -> list[Command]:
    """Before the first wish of a client: what the other windows of its session are to stay at.

    With a wish for one window tmux takes the client's own size, else 80x24, for all the others.
    """
    usual = Counter(sizes.values()).most_common(1)[0][0] if sizes else fallback
    wishes = [window_size(window, *size) for window, size in sizes.items() if size != usual]
    return [client_size(*usual), *wishes]


def flow(pane_id: str, state: Literal["pause", "continue"]) -> Command:
    """Never `off`: it kills the server up to 3.6."""
    return ("refresh-client", "-A", f"{target(pane_id, '%')}:{state}")
