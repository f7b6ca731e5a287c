"""Shows hostile output in the page and records its side effects: there must be none."""

from contextlib import suppress
from dataclasses import dataclass, field

from playwright.sync_api import Dialog, Frame, Page, WebSocket

from terminals.socket.frames import FrameType
from tests.flows.hostile_output import command, mutants
from tests.flows.page_driver import PageDriver
from tests.flows.terminal_driver import size_of

INPUT_FRAMES = {FrameType.INPUT, FrameType.UPLOAD}


@dataclass
class SideEffects:
    frames: list[bytes] = field(default_factory=list)  # typed or uploaded by the page
    pane_input: bytes = b""  # input of the watched pane, if it differs from that of the other
    clipboard: str = "mine"
    scripts: int = 0
    dialogs: list[str] = field(default_factory=list)
    navigations: list[str] = field(default_factory=list)
    tabs: int = 0


def side_effects_of(driver: PageDriver, count: int, *, seconds: float) -> SideEffects:
    """Prints the same bytes in two panes, of which the page shows one."""
    outputs, effects, context = mutants(count), SideEffects(), driver.page.context
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=driver.address)
    record(driver.page, effects)
    line, watched, stop_watched = command(driver.directory, outputs, "watched")
    # The page is opened first, so that it gets every byte and not only the last capture.
    pane = driver.session("watched", f"read go; {line}")
    driver.open_window(pane)
    driver.wait_for("() => document.activeElement?.localName === 'tmux-adapter-web'")
    driver.page.bring_to_front()
    driver.page.evaluate("() => navigator.clipboard.writeText('mine')")
    driver.page.evaluate(
        "() => { document.querySelector('toast-stack').show = () => {}; window.hostile = 0 }"
    )
    effects.navigations.clear()
    # Both have the same size, because tmux reports the cursor position to programs.
    driver.wait_until(lambda: size_of(driver, pane) != "100x30")
    line, unwatched, stop = command(driver.directory, outputs, "unwatched")
    driver.session("unwatched", line, size=size_of(driver, pane))
    driver.tmux("send-keys", "-t", pane, "Enter")
    driver.wait_for_text(pane, "the end", seconds=seconds)
    driver.wait_until(
        lambda: "the end" in driver.screen(f"{driver.prefix}-unwatched"), seconds=seconds
    )
    driver.page.evaluate(
        "() => document.querySelector('terminal-area').services.socket.request('ping')"
    )
    frames = list(effects.frames)  # before the terminals close and lose the focus
    # Both programs read the answers of tmux in their own time.
    with suppress(AssertionError):
        driver.wait_until(lambda: watched.read_bytes() == unwatched.read_bytes())
    answers = watched.read_bytes()
    effects.pane_input = b"" if answers == unwatched.read_bytes() else answers
    for path in (stop, stop_watched):
        path.touch()
    effects.clipboard = driver.page.evaluate("() => navigator.clipboard.readText()")
    effects.scripts = driver.page.evaluate("window.hostile")
    effects.tabs = len(context.pages) - 1
    driver.wait_until(lambda: f"{driver.prefix}-" not in driver.tmux("list-sessions"))
    effects.frames = frames
    return effects


def record(page: Page, effects: SideEffects) -> None:
    def on_dialog(dialog: Dialog) -> None:
        effects.dialogs.append(dialog.message)
        dialog.dismiss()

    def on_frame(payload: str | bytes) -> None:
        if isinstance(payload, bytes) and payload[0] in INPUT_FRAMES:
            effects.frames.append(payload)

    def on_socket(socket: WebSocket) -> None:
        socket.on("framesent", on_frame)

    def on_navigation(frame: Frame) -> None:
        effects.navigations.append(frame.url)

    page.on("dialog", on_dialog)
    page.on("websocket", on_socket)
    page.on("framenavigated", on_navigation)
