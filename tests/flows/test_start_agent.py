"""Starting an agent from the page: the dialog, its progress and errors, and the card of a task."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.agents.fakes.launch import Fake, install_command
from tests.flows.board_driver import new_board
from tests.flows.conftest import PHONE, WIDE, OpenPage
from tests.flows.page_driver import LONG_TURN, MS, PageDriver
from tests.flows.page_elements import choose_menu_item, heading, open_palette, toast
from tests.terminals.served import Served

LANDSCAPE: dict[str, Any] = {**PHONE, "viewport": {"width": 844, "height": 390}}
SCREENS = pytest.mark.parametrize(
    "screen", [WIDE, PHONE, LANDSCAPE], ids=["desktop", "phone", "landscape"]
)
Install = Callable[..., Path]


@pytest.fixture
def install(served_page: Served, tmp_path: Path) -> Iterator[Install]:
    """Puts fake agents on the PATH of the login shell of the server's user."""
    home, path = served_page.directory / "home-of-server", served_page.directory / "tools"
    for name in (".profile", ".bash_profile", ".zprofile"):
        (home / name).write_text(f'export PATH="{path}:/usr/bin:/bin"\n')

    def install(
        runtime: str = "claude", *, faults: Iterable[str] = (), turn: float = LONG_TURN
    ) -> Path:
        log = tmp_path / f"{runtime}.log"
        install_command(path, runtime, log, faults=faults, turn=turn)
        return log

    yield install
    for command in path.glob("*"):
        if command.is_file():
            command.unlink()


def dialog_of(driver: PageDriver, name: str = "Start an agent") -> Locator:
    dialog = driver.page.get_by_role("dialog", name=name)
    expect(dialog.get_by_role("radio", name="Claude Code")).to_be_checked(timeout=MS)
    return dialog


def open_dialog(driver: PageDriver) -> Locator:
    driver.open("#/")
    driver.page.get_by_role("button", name="Start agent", exact=True).click()
    return dialog_of(driver)


def fake(driver: PageDriver, log: Path) -> Fake:
    return Fake("", "claude", "", "", "", 0, log, str(driver.directory))


def sessions(driver: PageDriver) -> list[str]:
    return driver.tmux("list-sessions", "-F", "#{session_name}").splitlines()


def folder_of(driver: PageDriver, name: str) -> Path:
    """A folder whose session belongs to this test."""
    folder = driver.directory / f"{driver.prefix}-{name}"
    folder.mkdir()
    return folder


@SCREENS
def test_an_agent_is_started_in_a_folder_with_its_first_prompt(
    open_page: OpenPage, served_page: Served, install: Install, screen: dict[str, Any]
) -> None:
    driver = open_page(served_page, **screen)
    log = install()
    shop = folder_of(driver, "shop")
    dialog = open_dialog(driver)
    folder = dialog.get_by_label("Folder", exact=True)
    prompt = dialog.get_by_label("Prompt")
    prompt.fill("build it\nwith care")
    folder.fill(f"{shop}-nowhere")
    start = dialog.get_by_role("button", name="Start", exact=True)
    start.click()
    expect(folder).to_have_attribute("aria-invalid", "true", timeout=MS)
    expect(dialog.get_by_role("alert").filter(has_text="There is no directory")).to_be_visible()
    assert not [name for name in sessions(driver) if name.startswith(driver.prefix)]

    folder.fill(str(shop)[:-2])
    option = dialog.get_by_role("option").filter(has_text=f"{shop.name}/")
    option.click(timeout=MS)
    expect(folder).to_have_value(f"{shop}/")
    start.click()
    expect(dialog).to_be_hidden(timeout=MS)
    expect(heading(driver.page)).to_contain_text(f"{shop.name} · claude", timeout=MS)
    assert fake(driver, log).prompts == [b"build it\nwith care"]


def test_what_is_not_installed_is_listed_with_the_reason(
    desktop: PageDriver, install: Install
) -> None:
    install()
    install("codex")
    dialog = open_dialog(desktop)
    expect(dialog.get_by_role("radio", name="Codex")).to_be_enabled()
    dialog.get_by_text("Not installed (").click()
    gemini = dialog.get_by_role("radio", name="Gemini CLI")
    expect(gemini).to_be_disabled()
    expect(dialog.get_by_text("npm install -g @google/gemini-cli")).to_be_visible()


def test_a_click_counts_while_suggestions_are_shown(desktop: PageDriver, install: Install) -> None:
    """The list closes when its field loses the focus, and what is below it moves."""
    install()
    dialog = open_dialog(desktop)
    shop = folder_of(desktop, "shop")
    dialog.get_by_label("Folder", exact=True).fill(str(shop))
    expect(dialog.get_by_role("option").first).to_be_visible(timeout=MS)
    dialog.get_by_role("button", name="Start", exact=True).click()
    expect(heading(desktop.page)).to_contain_text("· claude", timeout=MS)


@SCREENS
def test_a_question_of_a_new_agent_is_answered_by_the_user_only(
    open_page: OpenPage, served_page: Served, install: Install, screen: dict[str, Any]
) -> None:
    driver = open_page(served_page, **screen)
    log = install(faults=["dialog:touch trust"])
    dialog = open_dialog(driver)
    dialog.get_by_label("Folder", exact=True).fill(str(folder_of(driver, "trust")))
    dialog.get_by_label("Prompt").fill("hello")
    dialog.get_by_role("button", name="Start", exact=True).click()
    expect(dialog.get_by_role("alert")).to_contain_text("waits for an answer", timeout=MS)
    assert (fake(driver, log).prompts, fake(driver, log).answers) == ([], [])
    answer = dialog.get_by_role("button", name="1", exact=False).first
    answer.scroll_into_view_if_needed()
    answer.click()
    driver.wait_until(lambda: fake(driver, log).answers)
    expect(dialog.locator("answer-bar")).to_have_count(0, timeout=MS)
    send = dialog.get_by_role("button", name="Send prompt")
    send.click()
    expect(dialog).to_be_hidden(timeout=MS)
    assert fake(driver, log).prompts == [b"hello"]


def test_a_program_that_ends_at_once_shows_its_output_and_keeps_the_prompt(
    desktop: PageDriver, install: Install
) -> None:
    install()
    path = desktop.served.directory / "tools" / "claude"
    path.write_text("#!/bin/sh\necho 'invalid API key'; exit 3\n")
    desktop.open("#/")
    open_palette(desktop.page, "start agent")
    desktop.page.keyboard.press("Enter")
    dialog = dialog_of(desktop)
    dialog.get_by_label("Folder", exact=True).fill(str(folder_of(desktop, "ended")))
    dialog.get_by_label("Prompt").fill("hello")
    dialog.get_by_role("button", name="Start", exact=True).click()
    expect(dialog.get_by_role("alert")).to_contain_text("ended with status 3", timeout=MS)
    expect(dialog.get_by_label("Output")).to_contain_text("invalid API key")
    dialog.get_by_role("button", name="Open terminal").click()
    expect(desktop.page.locator("ended-bar")).to_contain_text("status 3", timeout=MS)
    expect(desktop.page.locator("prompt-composer textarea")).to_have_value("hello")


@SCREENS
def test_an_agent_is_started_on_a_card_which_is_linked_to_it(
    open_page: OpenPage, served_page: Served, install: Install, screen: dict[str, Any]
) -> None:
    driver = open_page(served_page, **screen)
    log = install()
    board = new_board(driver, "- one\n- two")
    board.open()
    board.card("two").focus()
    driver.page.keyboard.press("a")
    dialog = dialog_of(driver, "Start an agent on this task")
    expect(dialog.get_by_label("Prompt")).to_have_value("two")
    dialog.get_by_role("button", name="Start", exact=True).click()
    expect(dialog).to_be_hidden(timeout=MS)
    toast(driver.page, "Claude Code works in")
    board.shows(NS=["one"], WIP=["two"], BL=[], CM=[])
    expect(board.card("two")).to_contain_text("claude", timeout=MS)
    assert fake(driver, log).prompts == [b"two"]


def test_the_sidebar_starts_an_agent_in_a_session(desktop: PageDriver, install: Install) -> None:
    log = install()
    pane = desktop.session("home")
    desktop.open_window(pane)
    name = f"{desktop.prefix}-home"
    choose_menu_item(desktop.page, name, "Start agent")
    dialog = dialog_of(desktop, f"Start an agent in {name}")
    expect(dialog.get_by_label("Folder", exact=True)).to_have_value(str(desktop.directory))
    dialog.get_by_role("button", name="Start", exact=True).click()
    expect(heading(desktop.page)).to_have_text(f"{name} · claude", timeout=MS)
    assert fake(desktop, log).prompts == []
