"""The command palette, keyboard shortcuts, and the theme."""

from playwright.sync_api import expect

from tests.flows.page_driver import MS, PageDriver
from tests.flows.page_elements import heading, open_palette, row, sidebar


def test_the_palette_opens_windows_and_runs_actions(
    desktop: PageDriver,
) -> None:
    pane = desktop.session("alpha")
    desktop.session("omega")
    page = desktop.page
    desktop.open(f"#/window/{desktop.window_of(pane)}")
    expect(row(page, f"{desktop.prefix}-omega", "omega")).to_be_visible(timeout=MS)
    open_palette(page, f"{desktop.prefix}omega")
    expect(page.get_by_role("option", selected=True)).to_contain_text("omega")
    page.keyboard.press("Enter")
    expect(heading(page)).to_contain_text("omega", timeout=MS)

    open_palette(page, "hide sidebar")
    expect(page.get_by_role("option", selected=True)).to_contain_text("Hide sidebar")
    page.keyboard.press("Enter")
    expect(sidebar(page)).to_be_hidden()

    open_palette(page, "")
    first = page.get_by_role("option").first
    expect(first).to_contain_text("Show sidebar")  # the most recently used action
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("option").nth(1)).to_have_attribute("aria-selected", "true")
    page.keyboard.type("zzzz")
    expect(page.get_by_text("No results for “zzzz”.")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("combobox")).to_be_hidden()


def test_ctrl_k_opens_the_palette_from_a_terminal_and_restores_the_focus(
    desktop: PageDriver,
) -> None:
    pane = desktop.session("a")
    page = desktop.page
    desktop.open(f"#/window/{desktop.window_of(pane)}")
    # A terminal receives every key that reaches it.
    page.evaluate("""async () => {
      window.typed = []
      await import('/tmux-adapter-web/index.js')
      const terminal = document.createElement('tmux-adapter-web')
      terminal.name = 'mine'
      const ready = new Promise((resolve) => terminal.addEventListener('terminal-ready', resolve))
      terminal.addEventListener('terminal-input', ({ detail }) => {
        typed.push(new TextDecoder().decode(detail.data))
      })
      document.querySelector('#stage').append(terminal)
      await ready
      terminal.focus()
    }""")
    page.keyboard.press("?")
    open_palette(page, "keyboard")
    page.keyboard.press("Escape")
    expect(page.get_by_role("combobox")).to_be_hidden()
    page.keyboard.press("h")
    desktop.wait_for("() => typed.join('') === '?h'")
    assert page.locator("dialog[open]").count() == 0


def test_a_question_mark_shows_the_shortcuts(desktop: PageDriver) -> None:
    pane = desktop.session("a")
    desktop.open(f"#/window/{desktop.window_of(pane)}/notes")
    expect(heading(desktop.page)).to_contain_text(f"{desktop.prefix}-a", timeout=MS)
    desktop.page.keyboard.press("?")
    dialog = desktop.page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(dialog).to_be_visible()
    expect(dialog.get_by_role("row", name="F2 Rename window")).to_be_visible()
    expect(dialog.get_by_role("row", name="Ctrl K Command palette")).to_be_visible()
    desktop.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_shortcuts_are_off_while_typing(desktop: PageDriver) -> None:
    pane = desktop.session("a")
    desktop.open(f"#/window/{desktop.window_of(pane)}")
    box = sidebar(desktop.page).get_by_role("searchbox")
    box.focus()
    desktop.page.keyboard.type('?/h[]\\%"SWX')
    expect(box).to_have_value('?/h[]\\%"SWX')
    desktop.page.keyboard.press("F2")
    assert desktop.page.locator("dialog[open]").count() == 0
    assert desktop.tmux("display-message", "-p", "-t", pane, "#{window_panes}") == "1"
    assert desktop.page.url.endswith(desktop.window_of(pane))


def test_the_theme_follows_the_system_until_one_is_chosen(desktop: PageDriver) -> None:
    page = desktop.page
    page.emulate_media(color_scheme="dark")
    desktop.open()
    background = "() => getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(background)
    open_palette(page, "theme light")
    page.keyboard.press("Enter")
    desktop.wait_for(f"dark => ({background})() !== dark", dark)
    light = page.evaluate(background)
    page.reload()
    desktop.wait_for(f"light => ({background})() === light", light)
    open_palette(page, "theme system")
    page.keyboard.press("Enter")
    desktop.wait_for(f"dark => ({background})() === dark", dark)
