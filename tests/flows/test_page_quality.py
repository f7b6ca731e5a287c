"""Limits for the page on every view: size of the first load, content policy, accessibility."""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Page, Response, expect

from tests.flows.conftest import PHONE, WIDE
from tests.flows.page_driver import PageDriver
from tests.flows.sample_workspace import SampleWorkspace, create_sample_workspace
from tests.flows.views import VIEWS, open_view, window_keys
from tests.terminals.served import Served
from tests.waiting import LONGEST_MS

FIRST_LOAD = 200_000  # bytes, compressed
REQUESTS = 15
SMALL = 1500
MONO = Path(__file__).parents[2] / "frontend/terminals/fonts/mono.woff2"
AXE = Path(__file__).parents[2] / "node_modules/axe-core/axe.min.js"
# The contents of a terminal have the colours of its program.
RUN_AXE = """async (theme) => {
  const context = { exclude: [{ fromShadowDom: ['tmux-adapter-web', '.xterm-rows'] }] }
  // Only these rules depend on the theme.
  const colours = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] }
  const runOnly = theme === 'dark' ? colours : undefined
  const { violations } = await axe.run(context, { resultTypes: ['violations'], runOnly })
  return violations.filter(({ impact }) => ['serious', 'critical'].includes(impact))
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}"""
SIZES = {"desktop": WIDE, "phone": PHONE}
Theme = Literal["light", "dark"]
THEMES: tuple[Theme, ...] = ("light", "dark")
TERMINAL_BACKGROUNDS = {"light": "#ffffff", "dark": "#0b1112"}
TERMINALS_FOLLOW = """(background) => [...document.querySelectorAll('tmux-adapter-web')]
  .every((terminal) => terminal.getAttribute('theme-background') === background)"""


@pytest.fixture(scope="module")
def workspace(
    served_page: Served, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[SampleWorkspace]:
    workspace = create_sample_workspace(served_page, tmp_path_factory.mktemp("workspace"))
    yield workspace
    for session in ("webshop", "api-gateway", "data-pipeline", "handbook"):
        served_page.tmux("kill-session", "-t", f"={session}")


@pytest.mark.separate_context
def test_the_first_load_is_small_compressed_and_cacheable(desktop: PageDriver) -> None:
    responses: list[Response] = []
    desktop.page.on("response", lambda response: responses.append(response))
    desktop.open(f"#/window/{desktop.key_of(desktop.session())}")
    expect(desktop.page.locator("tmux-adapter-web[font-family*=webtmux]")).to_be_attached()
    desktop.page.wait_for_load_state("networkidle")
    sizes = sorted(((weight(response), response.url) for response in responses), reverse=True)
    # A device without a monospaced font loads one.
    if not any("/mono-" in url for _, url in sizes):
        sizes.append((MONO.stat().st_size, MONO.name))
    assert sum(size for size, _ in sizes) <= FIRST_LOAD, sizes[:12]
    static = [response for response in responses if response.url.endswith((".js", ".mjs", ".css"))]
    assert 3 <= len(static) <= len(responses) <= REQUESTS, [response.url for response in responses]
    assert [
        response.url for response in static if "immutable" not in response.headers["cache-control"]
    ] == []
    # Compressing a file of a few hundred bytes gains nothing.
    plain = [response for response in static if "content-encoding" not in response.headers]
    assert [response.url for response in plain if weight(response) > SMALL] == []


def weight(response: Response) -> int:
    """The size of the body on the network."""
    return response.request.sizes()["responseBodySize"]


@pytest.mark.separate_context
def test_no_view_violates_the_policy_or_loads_from_other_hosts(
    desktop: PageDriver, workspace: SampleWorkspace
) -> None:
    requested: list[str] = []
    desktop.page.on("request", lambda request: requested.append(request.url))
    keys = window_keys(workspace)
    violations: dict[str, list[str]] = {}
    for view in VIEWS:
        open_view(desktop.page, workspace, view, keys)
        violations[view.name] = desktop.violations()
    assert {name: each for name, each in violations.items() if each} == {}
    own = (
        f"{workspace.address}/",
        workspace.address.replace("http", "ws"),
        "data:",
        "blob:",
        "about:",
    )
    assert [url for url in requested if not url.startswith(own)] == []


@pytest.mark.parametrize("size", SIZES)
def test_axe_finds_no_serious_problem_on_any_view_in_either_theme(
    browser: Browser, workspace: SampleWorkspace, size: str
) -> None:
    # The policy of the page blocks axe too, so it runs without the policy.
    context = browser.new_context(**SIZES[size], reduced_motion="reduce", bypass_csp=True)
    context.add_init_script(path=AXE)
    page = context.new_page()
    keys = window_keys(workspace)
    problems: dict[tuple[str, str], list[str]] = {}
    for view in VIEWS:
        open_view(page, workspace, view, keys)
        for theme in THEMES:
            set_theme(page, theme)
            problems[view.name, theme] = page.evaluate(RUN_AXE, theme)
    context.close()
    assert {place: each for place, each in problems.items() if each} == {}


def set_theme(page: Page, theme: Theme) -> None:
    """Sets the theme of the system, and waits until the terminals of the page follow it."""
    page.emulate_media(color_scheme=theme)
    page.wait_for_function(TERMINALS_FOLLOW, arg=TERMINAL_BACKGROUNDS[theme], timeout=LONGEST_MS)
