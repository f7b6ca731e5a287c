"""The fonts that the page ships: they contain what agents print, in cells of the right size."""

import pytest

from tests.flows.page_driver import PageDriver
from tests.flows.terminal_driver import expect_same_screen, open_terminal, size_of, type_line

PROMPT = "\N{HEAVY RIGHT-POINTING ANGLE QUOTATION MARK ORNAMENT}"
RARE = "\N{BLACK CHESS KNIGHT}\N{CIRCLED WHITE STAR}"
SYMBOLS = f"⏺✻✽✶✢✳⎿{PROMPT}◎●◉○▌█┃│╭╮╰╯─←→↑↓⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏✔✓✗☐☑⏵⏸"
# The symbols that come from another font. The fonts are added twice without the fonts of the
# device, once in twice the size: a symbol of another font has the same width then. A symbol that no
# font has looks like the unassigned U+E123.
MISSING = """async (symbols) => {
  const isShipped = (rule) => rule instanceof CSSFontFaceRule && rule.cssText.includes('webtmux')
  const rules = [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules]).filter(isShipped)
  const copies = (name, factor) => rules.map((rule) => {
    const size = parseFloat(rule.style.getPropertyValue('size-adjust')) || 100
    const text = rule.cssText.replace('webtmux', name).replace(/size-adjust:[^;]*;/, '')
      .replaceAll(/local\\([^)]*\\),?/g, '')
    return text.replace(/}\\s*$/, `; size-adjust: ${size * factor}% }`)
  })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync([...copies('shipped', 1), ...copies('doubled', 2)].join(' '))
  document.adoptedStyleSheets.push(sheet)
  const context = new OffscreenCanvas(1, 1).getContext('2d')
  const width = async (text, name) => {
    const families = [`"${name} Symbols"`, `"${name} Mono"`]
    for (const family of families) await document.fonts.load(`40px ${family}`, text)
    context.font = `40px ${families.join()}, monospace`
    return context.measureText(text).width
  }
  const drawn = (text) => {
    const context = new OffscreenCanvas(60, 60).getContext('2d', { willReadFrequently: true })
    context.font = '40px "shipped Symbols", "shipped Mono", monospace'
    context.fillText(text, 5, 45)
    return context.getImageData(0, 0, 60, 60).data.join()
  }
  const missing = []
  for (const symbol of symbols) {
    const widths = [await width(symbol, 'shipped'), await width(symbol, 'doubled')]
    const isOther = widths[1] < widths[0] * 1.9 || drawn(symbol) === drawn('\\ue123')
    if (isOther) missing.push(symbol)
  }
  return missing.join('')
}"""
FAMILY = "() => document.querySelector('tmux-adapter-web')?.getAttribute('font-family') ?? ''"


@pytest.mark.separate_context
def test_the_fonts_have_the_symbols_of_agents(desktop: PageDriver) -> None:
    requested: list[str] = []
    desktop.page.on("request", lambda request: requested.append(request.url))
    pane = desktop.session()
    open_terminal(desktop, pane)
    desktop.wait_for(f"() => ({FAMILY})().includes('webtmux Symbols')")
    # `mono` only if the device has no such font; files with rare characters are not loaded.
    assert font_files(requested) - {"mono"} == {"dingbats", "symbols", "technical"}
    assert desktop.page.evaluate(MISSING, f"{SYMBOLS}\ue123") == "\ue123"
    # tmux was asked for one size, and the page shows what tmux has.
    desktop.wait_until(lambda: size_of(desktop, pane) != "100x30")
    type_line(desktop, f"printf '%s\\n' '{SYMBOLS}' done'1'")
    desktop.wait_for_text(pane, "\ndone1")
    expect_same_screen(desktop, pane)


@pytest.mark.separate_context
def test_rare_symbols_are_loaded_when_they_are_printed(desktop: PageDriver) -> None:
    requested: list[str] = []
    desktop.page.on("request", lambda request: requested.append(request.url))
    pane = desktop.session()
    open_terminal(desktop, pane)
    desktop.wait_for(f"() => ({FAMILY})().includes('webtmux Symbols')")
    family = desktop.page.evaluate(FAMILY)
    assert "dingbats-more" not in font_files(requested)
    type_line(desktop, f"printf '%s\\n' '{RARE}' done'1'")
    desktop.wait_for_text(pane, "\ndone1")
    desktop.wait_until(lambda: "dingbats-more" in font_files(requested))
    # Another name for the same fonts: xterm.js measures the characters again.
    desktop.wait_for(f"(before) => ({FAMILY})() !== before", family)
    assert desktop.page.evaluate(FAMILY).strip() == family.strip()
    expect_same_screen(desktop, pane)


def font_files(urls: list[str]) -> set[str]:
    """The names without their hashes."""
    names = (url.rpartition("/")[2] for url in urls if url.endswith(".woff2"))
    return {name[: -len("-12345678.woff2")] for name in names}


@pytest.mark.separate_context
def test_the_page_works_without_its_fonts(desktop: PageDriver) -> None:
    desktop.page.route("**/*.woff2", lambda route: route.abort())
    pane = desktop.session()
    open_terminal(desktop, pane)
    desktop.wait_until(lambda: size_of(desktop, pane) != "100x30")
    assert "webtmux" not in desktop.page.evaluate(FAMILY)
    type_line(desktop, "echo wor''ks")
    desktop.wait_for_text(pane, "\nworks")
