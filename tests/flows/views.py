"""Every view of the page on the stage, and how one knows that it is there."""

from dataclasses import dataclass

from playwright.sync_api import Page, expect

from tests.flows.stage import Stage

BOUND = 30_000.0


@dataclass(frozen=True)
class Looked:
    name: str
    fragment: str  # `{window}`, `{agent}`: keys of two windows
    seen: str
    action: str = ""  # what is asked for there
    ready: str = "body[data-ready]"


VIEWS = (
    Looked("deck", "#/", "agent-deck"),
    Looked("terminal", "#/window/{window}", "tmux-adapter-web .xterm-rows"),
    Looked("agent", "#/window/{agent}", "tmux-adapter-web .xterm-rows"),
    Looked("board", "#/project/webshop/board", "board-screen"),
    Looked("boards", "#/board", "board-screen"),
    Looked("notes", "#/project/webshop/notes", "notes-screen"),
    Looked("chat", "#/window/{chat}/chat", "chat-screen article"),
    Looked("timeline", "#/project/webshop/timeline", "timeline-screen article"),
    Looked("recordings", "#/recordings", "recordings-screen .recording"),
    Looked("reader", "#/window/{chat}", "reader-view article > *", "reader"),
    Looked("palette", "#/window/{window}", "command-palette dialog[open]", "open-palette"),
    Looked("dialog", "#/window/{window}", "confirm-dialog dialog[open]", "create-session"),
    Looked("keys", "#/", "keys-help dialog[open]", "show-keys"),
    Looked("sign-in", "login?code=K7QM-4XWD-9HTR-2VBN", "#code", ready="#code"),
)


def keys_of(stage: Stage) -> dict[str, str]:
    return {
        "window": stage.window("webshop", "server"),
        "agent": stage.window("webshop", "claude"),
        "chat": stage.window("data-pipeline", "gemini"),
    }


def look_at(page: Page, stage: Stage, looked: Looked, keys: dict[str, str]) -> None:
    """The view, once it is there and has loaded what it shows."""
    if page.evaluate("document.querySelector('dialog[open], reader-view') !== null"):
        page.goto("about:blank")  # else only the fragment changes, and what is open stays
    page.goto(f"{stage.address}/{looked.fragment.format(**keys)}")
    page.wait_for_selector(looked.ready, state="attached", timeout=BOUND)
    if looked.action:
        place = "tmux-adapter-web" if "{" in looked.fragment else "agent-deck"
        expect(page.locator(place).first).to_be_visible(timeout=BOUND)
        page.evaluate(
            "(name) => document.dispatchEvent(new CustomEvent('action', {detail: {name}}))",
            looked.action,
        )
    expect(page.locator(looked.seen).first).to_be_attached(timeout=BOUND)
    page.wait_for_load_state("networkidle")
