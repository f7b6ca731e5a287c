"""The palette, the keys, the theme."""

from playwright.sync_api import expect

from tests.flows.desk import Desk
from tests.flows.shell import MS, head, palette, rail, row


def test_the_palette_opens_a_window_by_a_part_of_its_name_and_carries_out_actions(
    desk: Desk,
) -> None:
    pane = desk.session("alpha")
    desk.session("omega")
    page = desk.page
    desk.open(f"#/window/{desk.window_of(pane)}")
    expect(row(page, f"{desk.prefix}-omega", "omega")).to_be_visible(timeout=MS)
    palette(page, f"{desk.prefix}omega")
    expect(page.get_by_role("option", selected=True)).to_contain_text("omega")
    page.keyboard.press("Enter")
    expect(head(page)).to_contain_text("omega", timeout=MS)

    palette(page, "hide the rail")
    expect(page.get_by_role("option", selected=True)).to_contain_text("Hide the rail")
    page.keyboard.press("Enter")
    expect(rail(page)).to_be_hidden()

    palette(page, "")
    first = page.get_by_role("option").first
    expect(first).to_contain_text("Show the rail")  # what was used last
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("option").nth(1)).to_have_attribute("aria-selected", "true")
    page.keyboard.type("zzzz")
    expect(page.get_by_text("Nothing is called “zzzz”.")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("combobox")).to_be_hidden()


def test_ctrl_k_opens_the_palette_from_inside_a_terminal_and_gives_the_focus_back(
    desk: Desk,
) -> None:
    pane = desk.session("a")
    page = desk.page
    desk.open(f"#/window/{desk.window_of(pane)}")
    # A terminal as any page may hold one: it takes every key that reaches it.
    page.evaluate("""async () => {
      window.typed = []
      await import('/tmux-adapter-web/index.js')
      const terminal = document.createElement('tmux-adapter-web')
      terminal.name = 'mine'
      const ready = new Promise((done) => terminal.addEventListener('terminal-ready', done))
      terminal.addEventListener('terminal-input', ({ detail }) => {
        typed.push(new TextDecoder().decode(detail.data))
      })
      document.querySelector('#stage').append(terminal)
      await ready
      terminal.focus()
    }""")
    page.keyboard.press("?")
    palette(page, "keyboard")
    page.keyboard.press("Escape")
    expect(page.get_by_role("combobox")).to_be_hidden()
    page.keyboard.press("h")
    desk.wait_for("() => typed.join('') === '?h'")
    assert page.locator("dialog[open]").count() == 0


def test_a_question_mark_shows_the_keys(desk: Desk) -> None:
    pane = desk.session("a")
    desk.open(f"#/window/{desk.window_of(pane)}/notes")
    expect(head(desk.page)).to_contain_text(f"{desk.prefix}-a", timeout=MS)
    desk.page.keyboard.press("?")
    dialog = desk.page.get_by_role("dialog", name="Keyboard")
    expect(dialog).to_be_visible()
    expect(dialog.get_by_role("row", name="F2 Rename the window")).to_be_visible()
    expect(dialog.get_by_role("row", name="Ctrl K Command palette")).to_be_visible()
    desk.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_keys_that_somebody_writes_with_are_not_taken(desk: Desk) -> None:
    pane = desk.session("a")
    desk.open(f"#/window/{desk.window_of(pane)}")
    box = rail(desk.page).get_by_role("searchbox")
    box.focus()
    desk.page.keyboard.type('?/h[]\\%"SWX')
    expect(box).to_have_value('?/h[]\\%"SWX')
    desk.page.keyboard.press("F2")
    assert desk.page.locator("dialog[open]").count() == 0
    assert desk.tmux("display-message", "-p", "-t", pane, "#{window_panes}") == "1"
    assert desk.page.url.endswith(desk.window_of(pane))


def test_the_theme_is_the_systems_until_one_is_chosen(desk: Desk) -> None:
    page = desk.page
    page.emulate_media(color_scheme="dark")
    desk.open()
    ground = "() => getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    palette(page, "theme light")
    page.keyboard.press("Enter")
    desk.wait_for(f"dark => ({ground})() !== dark", dark)
    light = page.evaluate(ground)
    page.reload()
    desk.wait_for(f"light => ({ground})() === light", light)
    palette(page, "theme system")
    page.keyboard.press("Enter")
    desk.wait_for(f"dark => ({ground})() === dark", dark)
