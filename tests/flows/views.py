"""Every view of the page with the sample workspace, and how to tell that it is loaded."""

from dataclasses import dataclass

from playwright.sync_api import Page, expect

from tests.flows.sample_workspace import SampleWorkspace
from tests.waiting import LONGEST_MS

BOUND = LONGEST_MS


@dataclass(frozen=True)
class View:
    name: str
    fragment: str  # `{window}`, `{agent}`, `{chat}`: keys of windows
    shown: str  # a selector that matches once the view is loaded
    action: str = ""  # an action to run first
    ready: str = "body[data-ready]"
    click: str = ""  # then an element to click


VIEWS = (
    View("deck", "#/", "agent-deck"),
    View("terminal", "#/window/{window}", "tmux-adapter-web .xterm-rows > div:has-text('INFO')"),
    View(
        "agent",
        "#/window/{agent}",
        "tmux-adapter-web .xterm-rows > div:has-text('proceed'), reader-view article > *",
    ),
    View("board", "#/project/webshop/board", "board-screen .task-text"),
    View("boards", "#/board", "board-screen .task-text"),
    View("notes", "#/project/webshop/notes", "notes-screen textarea"),
    View("card", "#/project/webshop/board", "card-dialog dialog[open]", click=".task-text"),
    View("chat", "#/window/{chat}/chat", "chat-screen article"),
    View("conversation", "#/window/{agent}/chat", "chat-screen .chat-markdown"),
    View("timeline", "#/project/webshop/timeline", "timeline-screen article"),
    View("recordings", "#/recordings", "recordings-screen .recording"),
    View("reader", "#/window/{chat}", "reader-view article > *", "reader"),
    View("palette", "#/window/{window}", "command-palette dialog[open]", "open-palette"),
    View("dialog", "#/window/{window}", "confirm-dialog dialog[open]", "create-session"),
    View("start-agent", "#/", "start-agent dialog[open] input[type=radio]", "start-agent"),
    View("keys", "#/", "keys-help dialog[open]", "show-keys"),
    View("settings", "#/settings", "settings-screen fieldset, settings-screen section"),
    View("connect", "connect", "section.phone", ready="section.phone"),
    View("sign-in", "login?code=K7QM-4XWD-9HTR-2VBN", "#code", ready="#code"),
)


def window_keys(workspace: SampleWorkspace) -> dict[str, str]:
    return {
        "window": workspace.window("webshop", "server"),
        "agent": workspace.window("webshop", "claude"),
        "chat": workspace.window("data-pipeline", "gemini"),
    }


def open_view(page: Page, workspace: SampleWorkspace, view: View, keys: dict[str, str]) -> None:
    """Opens the view and waits until it is loaded."""
    if page.locator("dialog[open]").count():
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0, timeout=BOUND)
    elif page.locator("reader-view").count():
        page.goto("about:blank")  # otherwise only the fragment changes, and the reader stays open
    page.goto(f"{workspace.address}/{view.fragment.format(**keys)}")
    page.wait_for_selector(view.ready, state="attached", timeout=BOUND)
    if view.action:
        element = "tmux-adapter-web, reader-view" if "{" in view.fragment else "agent-deck"
        expect(page.locator(element).filter(visible=True).first).to_be_visible(timeout=BOUND)
        # A phone shows the reader without it; `shown` keeps the action from closing it.
        page.evaluate(
            "(name) => document.dispatchEvent("
            "new CustomEvent('action', {detail: {name, shown: true}}))",
            view.action,
        )
    if view.click:
        page.locator(view.click).first.click(timeout=BOUND)
    expect(page.locator(view.shown).first).to_be_attached(timeout=BOUND)
    page.wait_for_load_state("networkidle")
