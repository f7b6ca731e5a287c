"""What the page may cost and may never do, on every view of it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Response

from tests.flows.conftest import PHONE, WIDE
from tests.flows.desk import Desk
from tests.flows.stage import Stage, set_stage
from tests.flows.views import VIEWS, Looked, keys_of, look_at
from tests.terminals.served import Served

FIRST_LOAD = 200_000  # bytes, compressed
SMALL = 1500
AXE = Path(__file__).parents[2] / "node_modules/axe-core/axe.min.js"
# What a program paints into a terminal has the program's colours.
RUN_AXE = """async () => {
  const place = { exclude: [{ fromShadowDom: ['tmux-adapter-web', '.xterm-rows'] }] }
  const { violations } = await axe.run(place, { resultTypes: ['violations'] })
  return violations.filter(({ impact }) => ['serious', 'critical'].includes(impact))
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}"""
SIZES = {"desk": WIDE, "phone": PHONE}


@pytest.fixture(scope="module")
def stage(served_page: Served, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    stage = set_stage(served_page, tmp_path_factory.mktemp("stage"))
    yield stage
    for session in ("webshop", "api-gateway", "data-pipeline", "handbook"):
        served_page.tmux("kill-session", "-t", f"={session}")


def test_the_first_load_is_small_compressed_and_kept_for_ever(desk: Desk) -> None:
    answers: list[Response] = []
    desk.page.on("response", lambda answer: answers.append(answer))
    desk.open()
    desk.page.wait_for_load_state("networkidle")
    sizes = sorted(((weight(answer), answer.url) for answer in answers), reverse=True)
    assert sum(size for size, _ in sizes) <= FIRST_LOAD, sizes[:12]
    static = [answer for answer in answers if answer.url.endswith((".js", ".mjs", ".css"))]
    assert len(static) > 20
    assert [
        answer.url for answer in static if "immutable" not in answer.headers["cache-control"]
    ] == []
    # A file of a few hundred bytes gains nothing, and is left as it is.
    plain = [answer for answer in static if "content-encoding" not in answer.headers]
    assert [answer.url for answer in plain if weight(answer) > SMALL] == []


def weight(answer: Response) -> int:
    """As it came over the network, without its headers."""
    return answer.request.sizes()["responseBodySize"]


def test_no_view_breaks_the_policy_or_asks_a_stranger(desk: Desk, stage: Stage) -> None:
    asked: list[str] = []
    desk.page.on("request", lambda request: asked.append(request.url))
    keys = keys_of(stage)
    broken: dict[str, list[str]] = {}
    for looked in VIEWS:
        look_at(desk.page, stage, looked, keys)
        broken[looked.name] = desk.violations()
    assert {name: found for name, found in broken.items() if found} == {}
    ours = (f"{stage.address}/", stage.address.replace("http", "ws"), "data:", "blob:", "about:")
    assert [url for url in asked if not url.startswith(ours)] == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_axe_finds_nothing_serious_on_any_view(
    browser: Browser, stage: Stage, size: str, theme: Any
) -> None:
    # Our policy lets no script in, axe neither: it is asked without the policy.
    context = browser.new_context(
        **SIZES[size], color_scheme=theme, reduced_motion="reduce", bypass_csp=True
    )
    page = context.new_page()
    keys = keys_of(stage)
    found = {looked.name: axe(page, stage, looked, keys) for looked in VIEWS}
    context.close()
    assert {name: problems for name, problems in found.items() if problems} == {}


def axe(page: Page, stage: Stage, looked: Looked, keys: dict[str, str]) -> list[str]:
    look_at(page, stage, looked, keys)
    if not page.evaluate("'axe' in window"):
        page.add_script_tag(path=AXE)
    told: list[str] = page.evaluate(RUN_AXE)
    return told
