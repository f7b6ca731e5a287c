"""Shows hostile output in the page and counts what it achieved there: all of it must be nothing."""

from dataclasses import dataclass, field

from playwright.sync_api import Dialog, Frame, Page, WebSocket

from terminals.frames import FrameType
from tests.flows.desk import Desk
from tests.flows.hostile import command, mutants
from tests.flows.terminals import size_of, until

SENT = {FrameType.INPUT, FrameType.UPLOAD}


@dataclass
class Harm:
    frames: list[bytes] = field(default_factory=list)  # typed or uploaded by the page
    back: bytes = b""  # what reached the pane, if it is not the same as tmux's own answers
    clipboard: str = "mine"
    scripts: int = 0
    dialogs: list[str] = field(default_factory=list)
    navigations: list[str] = field(default_factory=list)
    tabs: int = 0


def harm_of(desk: Desk, count: int, *, seconds: float) -> Harm:
    """The same bytes go to two panes, of which the page shows one."""
    found, harm, context = mutants(count), Harm(), desk.page.context
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=desk.address)
    watch(desk.page, harm)
    line, watched, stop_watched = command(desk.directory, found, "watched")
    # The page first: every byte is to pass it, not only the last picture.
    pane = desk.session("watched", f"read go; {line}")
    desk.open_window(pane)
    desk.wait_for("() => document.activeElement?.localName === 'tmux-adapter-web'")
    desk.page.bring_to_front()
    desk.page.evaluate("() => navigator.clipboard.writeText('mine')")
    desk.page.evaluate(
        "() => { document.querySelector('toast-stack').show = () => {}; window.hostile = 0 }"
    )
    harm.navigations.clear()
    # Of the same size: tmux tells a program that asks where its cursor is.
    until(desk, lambda: size_of(desk, pane) != "100x30")
    line, unwatched, stop = command(desk.directory, found, "unwatched")
    desk.session("unwatched", line, size=size_of(desk, pane))
    desk.tmux("send-keys", "-t", pane, "Enter")
    desk.wait_for_text(pane, "the end", seconds=seconds)
    until(desk, lambda: "the end" in desk.screen(f"{desk.prefix}-unwatched"), seconds=seconds)
    desk.page.evaluate(
        "() => document.querySelector('terminal-area').services.socket.request('ping')"
    )
    frames = list(harm.frames)  # before the terminals go, and with them the focus
    for path in (stop, stop_watched):
        path.touch()
    answers = watched.read_bytes()
    harm.back = b"" if answers == unwatched.read_bytes() else answers
    harm.clipboard = desk.page.evaluate("() => navigator.clipboard.readText()")
    harm.scripts = desk.page.evaluate("window.hostile")
    harm.tabs = len(context.pages) - 1
    until(desk, lambda: f"{desk.prefix}-" not in desk.tmux("list-sessions"))  # both have ended
    harm.frames = frames
    return harm


def watch(page: Page, harm: Harm) -> None:
    def dialog(told: Dialog) -> None:
        harm.dialogs.append(told.message)
        told.dismiss()

    def sent(payload: str | bytes) -> None:
        if isinstance(payload, bytes) and payload[0] in SENT:
            harm.frames.append(payload)

    def socket(told: WebSocket) -> None:
        told.on("framesent", sent)

    def navigated(frame: Frame) -> None:
        harm.navigations.append(frame.url)

    page.on("dialog", dialog)
    page.on("websocket", socket)
    page.on("framenavigated", navigated)
