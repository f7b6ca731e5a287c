"""Every tmux command that webtmux sends, as an argument list, and the only place that quotes them.

Nothing here runs a command: client.py does. A target is always an id. Text of a caller is always
data: its `#` is doubled where tmux would expand it, and a line break, which would end the command,
is refused. Pure.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from core.errors import Invalid

Command = tuple[str, ...]
Direction = Literal["up", "down", "left", "right"]

HIDDEN_SESSION = "_webtmux"  # the session that our monitor is attached to; our lists omit it
# Idle, so that the hidden session costs nothing; ends with its terminal.
HIDDEN_PROGRAM = "exec cat >/dev/null 2>&1"
IDLE_PROGRAM = HIDDEN_PROGRAM  # of a new pane, until its own program is started
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
    """One line of control mode. tmux runs its commands back to back and reads no output between."""
    return " ; ".join(" ".join(map(quote, command)) for command in commands).encode() + b"\n"


def quote(argument: str) -> str:
    if _FORBIDDEN.search(argument):
        raise Invalid("a tmux argument cannot contain a line break or NUL: send it as text")
    if _PLAIN.fullmatch(argument):
        return argument
    return "'" + argument.replace("'", "'\\''") + "'"


def data(text: str) -> str:
    """Text of a caller where tmux expands formats: `#(command)` must not run."""
    return text.replace("#", "##")


def target(identifier: str, sigil: str = "$@%") -> str:
    """A tmux id, unchanged. Names are refused: tmux matches them by prefix, or reads an index."""
    if _ID.fullmatch(identifier) and identifier[0] in sigil:
        return identifier
    raise Invalid(f"{identifier!r} is not a tmux id such as {' or '.join(s + '1' for s in sigil)}")


def name(text: str, *, of: Literal["session", "window"], verbatim: bool = False) -> str:
    """A name that tmux stores unchanged. It silently changes some characters: those are refused.

    `verbatim`: of a window that is created. There tmux 3.3a keeps what `rename-window` changes, and
    the caller checks that it did.
    """
    if not text or len(text) > NAME_LIMIT:
        raise Invalid(f"a {of} name has 1 to {NAME_LIMIT} characters", field="name")
    if _CONTROL.search(text):
        raise Invalid(f"a {of} name cannot contain control characters", field="name")
    if not verbatim and _ESCAPED.search(text):
        raise Invalid(f"a {of} name cannot contain a backslash, or a '$' before a letter")
    if of == "session" and (":" in text or "." in text):
        raise Invalid("a session name cannot contain ':' or '.'", field="name")
    if of == "session" and text == HIDDEN_SESSION:
        raise Invalid(f"the name {HIDDEN_SESSION} is reserved for webtmux")
    return text


def is_key(word: str) -> bool:
    """Whether `word` is the name of a key, such as Enter, C-c or M-Left."""
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
    verbatim: bool = False,
) -> Command:
    """`verbatim`: see `name`."""
    named = ("-n", data(name(window, of="window", verbatim=verbatim))) if window else ()
    return (
        "new-session", "-d", "-E", "-P", "-F", form, "-x", "120", "-y", "40",
        "-s", data(name(session, of="session")), *named,
        *_start_options(cwd, env), *_shell(command),
    )  # fmt: skip  # flags next to their values


def new_window(
    session_id: str,
    *,
    form: str,
    window: str = "",
    cwd: str = "",
    command: str = "",
    env: Mapping[str, str] | None = None,
    background: bool = False,
    verbatim: bool = False,
) -> Command:
    """`verbatim`: see `name`."""
    named = ("-n", data(name(window, of="window", verbatim=verbatim))) if window else ()
    return (
        "new-window", "-P", "-F", form, *(("-d",) if background else ()),
        "-t", target(session_id, "$") + ":", *named,
        *_start_options(cwd, env), *_shell(command),
    )  # fmt: skip  # flags next to their values


def split_window(
    pane_id: str, *, form: str, stacked: bool, size: str = "", cwd: str = "", command: str = ""
) -> Command:
    if size and not _SIZE.fullmatch(size):
        raise Invalid(f"size {size!r} is neither a number of cells nor a percentage such as 50%")
    return (
        "split-window", "-P", "-F", form, "-t", target(pane_id, "%"), "-v" if stacked else "-h",
        *(("-l", size) if size else ()), *_start_options(cwd, None), *_shell(command),
    )  # fmt: skip  # flags next to their values


def respawn_pane(
    pane_id: str, *, argv: Sequence[str] = (), cwd: str = "", env: Mapping[str, str] | None = None
) -> Command:
    """Start a program in a pane again, or another one; `-k` ends what still runs there.

    Several arguments are executed as they are. A single one would be a line for a shell.
    """
    if len(argv) == 1:
        raise Invalid("tmux would pass a single argument to a shell: add another")
    return (
        "respawn-pane", "-k", "-t", target(pane_id, "%"), *_start_options(cwd, env),
        *(("--", *argv) if argv else ()),
    )  # fmt: skip  # flags next to their values


def reap() -> Command:
    """Make tmux look for programs that have ended, by ending a job of its own.

    tmux 3.3a misses some programs that end right after they were started in an existing pane: they
    stay zombies, and their status is unknown, until the next one ends.
    """
    return ("run-shell", "-b", "true")


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


def swap_windows(session_id: str, window_id: str, other_id: str) -> Command:
    """Exchange the indexes of two windows of a session. The session goes on to show the same index.

    Never `-d`: despite its name, it selects one of the windows.
    """
    session = target(session_id, "$")
    source, destination = (
        f"{session}:{target(window_id, '@')}",
        f"{session}:{target(other_id, '@')}",
    )
    return ("swap-window", "-s", source, "-t", destination)


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


def _start_options(cwd: str, env: Mapping[str, str] | None) -> Command:
    pairs = [part for key, value in (env or {}).items() for part in ("-e", f"{key}={value}")]
    return (*(("-c", data(cwd)) if cwd else ()), *pairs)


def _shell(command: str) -> Command:
    return ("--", command) if command else ()


# --- reading --------------------------------------------------------------------------------


def list_sessions(form: str) -> Command:
    return ("list-sessions", "-F", form)


def list_windows(form: str, session_id: str = "") -> Command:
    """Of one session, or of all."""
    scope = ("-t", target(session_id, "$")) if session_id else ("-a",)
    return ("list-windows", *scope, "-F", form)


def list_panes(form: str, identifier: str = "") -> Command:
    """Of a session ($1), of a window (@1), or of all."""
    flag = ("-s",) if identifier.startswith("$") else ()
    scope = (*flag, "-t", target(identifier, "$@")) if identifier else ("-a",)
    return ("list-panes", *scope, "-F", form)


def list_clients(form: str) -> Command:
    return ("list-clients", "-F", form)


def display(form: str, identifier: str = "") -> Command:
    """Print a format. An empty one makes a barrier: its reply follows all output read before."""
    scope = ("-t", target(identifier)) if identifier else ()
    return ("display-message", "-p", *scope, form)


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
    """Into a buffer: what `-p` prints stays in the memory of the tmux server, up to 3.5."""
    flags = [
        flag
        for flag, on in (("-e", escapes), ("-J", join), ("-N", keep_blanks), ("-aq", saved))
        if on
    ]
    bounds = (*(("-S", start) if start else ()), *(("-E", end) if end else ()))
    return ("capture-pane", "-b", buffer, *flags, *bounds, "-t", target(pane_id, "%"))


def capture_pending(pane_id: str) -> Command:
    """Print the bytes of an escape sequence that is not complete yet, as octal escapes."""
    return ("capture-pane", "-p", "-P", "-C", "-t", target(pane_id, "%"))


def take_buffer(buffer: str, path: Path) -> tuple[Command, Command]:
    """Write a buffer to a file, then delete the buffer."""
    return ("save-buffer", "-b", buffer, data(str(path))), ("delete-buffer", "-b", buffer)


def show_option(option: str, pane_id: str = "") -> Command:
    """Of a pane, or the global one."""
    return ("show-options", "-qv", *_option_scope(pane_id), option)


def show_session_option(option: str, session_id: str) -> Command:
    """With what the session inherits."""
    return ("show-options", "-qv", "-At", target(session_id, "$"), option)


def set_option(option: str, value: str, pane_id: str = "") -> Command:
    return ("set-option", *_option_scope(pane_id), "--", option, value)


def _option_scope(pane_id: str) -> Command:
    return ("-p", "-t", target(pane_id, "%")) if pane_id else ("-g",)


# --- writing --------------------------------------------------------------------------------


def leave_mode(pane_id: str) -> Command:
    """Copy mode swallows keys. Does nothing in a pane without a mode."""
    return ("copy-mode", "-q", "-t", target(pane_id, "%"))


def send_bytes(pane_id: str, content: bytes) -> Command:
    """Byte-exact for all 256 values. tmux takes quadratic time: only for short input."""
    return ("send-keys", "-t", target(pane_id, "%"), "-H", *(f"{byte:02x}" for byte in content))


def send_keys(pane_id: str, keys: Sequence[str]) -> Command:
    for key in keys:
        if not is_key(key):
            raise Invalid(f"{key!r} is not a key name such as Enter, Escape, C-c or M-Left")
    return ("send-keys", "-t", target(pane_id, "%"), "--", *keys)


def load_buffer(buffer: str, path: Path) -> Command:
    return ("load-buffer", "-b", buffer, data(str(path)))


def paste_buffer(buffer: str, pane_id: str, *, bracketed: bool, raw: bool) -> Command:
    """Line feeds stay unchanged. `raw`: since 3.7 tmux filters the text with vis() otherwise."""
    flags = ("-r", "-d", *(("-p",) if bracketed else ()), *(("-S",) if raw else ()))
    return ("paste-buffer", *flags, "-b", buffer, "-t", target(pane_id, "%"))


def pipe_pane(pane_id: str, shell_command: str) -> Command:
    """`-O`: the pane's output. Never `-o`, which closes a pipe that is open.

    tmux expands formats in the command and then passes it through strftime, so `%` is doubled too.
    """
    return ("pipe-pane", "-O", "-t", target(pane_id, "%"), data(shell_command).replace("%", "%%"))


def close_pipe(pane_id: str) -> Command:
    return ("pipe-pane", "-t", target(pane_id, "%"))


# --- our own clients ------------------------------------------------------------------------


def server_argv(path: Path, config: Path | None) -> list[str]:
    """How every tmux process of ours begins. `-u`: UTF-8 whatever the locale is."""
    return ["tmux", "-u", "-S", str(path), *(["-f", str(config)] if config else [])]


def start_hidden_session() -> Command:
    """Starts the server. `-E`: tmux copies no variables of our environment into the session."""
    return ("new-session", "-d", "-E", "-s", HIDDEN_SESSION, "-c", "/", HIDDEN_PROGRAM)


def attach_monitor() -> Command:
    """A control client in the hidden session. `-N`: it must not start a server.

    `no-output` is set for good: tmux dies when it is toggled.
    """
    return (
        "-N", "-C", "new-session", "-A", "-E", "-s", HIDDEN_SESSION, "-c", "/",
        "-x", "80", "-y", "24", "-f", "ignore-size,no-output", HIDDEN_PROGRAM,
    )  # fmt: skip  # flags next to their values


def attach_stream(session_id: str) -> Command:
    """A control client that gets the output of a session. tmux pauses a pane it is 2 s behind in.

    `ignore-size`: it never changes the size of the user's windows.
    """
    flags = "ignore-size,pause-after=2"
    return ("-N", "-C", "attach-session", "-E", "-t", target(session_id, "$"), "-f", flags)


def kill_hidden_session() -> Command:
    return ("kill-session", "-t", f"={HIDDEN_SESSION}:")


def window_size(window_id: str, width: int, height: int) -> Command:
    """The size that our client requests for a window; a client of the user wins while attached.

    Never resize-window: it sets `window-size manual` for good.
    """
    return ("refresh-client", "-C", f"{target(window_id, '@')}:{int(width)}x{int(height)}")


def client_size(width: int, height: int) -> Command:
    """The size of our client: of every window for which it has requested none."""
    return ("refresh-client", "-C", f"{int(width)}x{int(height)}")


def keep_sizes(sizes: Mapping[str, tuple[int, int]], fallback: tuple[int, int]) -> list[Command]:
    """Before a client requests its first size: keep the other windows of its session as they are.

    Once a client has requested a size for one window, tmux gives all others the size of the client,
    80x24 by default.
    """
    usual = Counter(sizes.values()).most_common(1)[0][0] if sizes else fallback
    requests = [window_size(window, *size) for window, size in sizes.items() if size != usual]
    return [client_size(*usual), *requests]


def flow(pane_id: str, state: Literal["pause", "continue"]) -> Command:
    """Never `off`: it kills the server up to 3.6."""
    return ("refresh-client", "-A", f"{target(pane_id, '%')}:{state}")
