"""Other sites can link to our pages, and to nothing else on this server.

The first tests check the gate with every kind of request that a browser can make. The last ones use
a real browser.
"""

from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, Response

from config.env import Env
from config.gate.gate import Gate, Policy
from config.gate.identity import Identity
from core.callers import PRINCIPAL, CallerKind, Principal
from tests.config.gate.callers import (
    OUR_UID,
    Direct,
    FakeRecords,
    Outcome,
    knock,
    owned_by,
    scope_of,
)
from tests.flows.conftest import module_browser as browser  # noqa: F401  # a fixture
from tests.flows.conftest import served_page  # noqa: F401  # a fixture
from tests.terminals.served import Served
from tests.waiting import wait_until

HOST = ("host", "localhost:8080")
MOZILLA = ("user-agent", "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0")
HTML = ("accept", "text/html,application/xhtml+xml")
PAGES = (
    "/", "/login", "/connect", "/offline", "/api/docs", "/admin/", "/admin/auth/user/",
    "/recordings/h4wq8znx2p", "/shared/h4wq8znx2p",
)  # fmt: skip
NO_PAGES = (
    "/api/windows", "/api/windows/@1/screen", "/api/docs/x", "/api/openapi.json", "/mcp",
    "/static/build/main.js", "/shared/h4wq8znx2p/cast", "/shared/h4wq8znx2p/detail", "/sw.js",
    "/manifest.webmanifest", "/unknown", "/recordings/../api/windows", "/admin/../api/windows",
)  # fmt: skip
OPEN = ("/healthz", "/readyz", "/tmux-adapter-web/index.js")


async def door(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "test.inside", "caller": scope[PRINCIPAL], "root": ""})


async def request(path: str, *headers: tuple[str, str], method: str = "GET", **env: Any) -> Outcome:
    policy = Policy.of(Env(**env))
    identity = Identity("", True, FakeRecords(), owned_by(OUR_UID), relays=Direct())
    gate = Gate(door, policy, identity=identity)
    return await knock(gate, scope_of("http", method, path, [HOST, *headers]))


def metadata(site: str, mode: str, dest: str) -> list[tuple[str, str]]:
    return [("sec-fetch-site", site), ("sec-fetch-mode", mode), ("sec-fetch-dest", dest), MOZILLA]


FOREIGN_SITES = ("cross-site", "same-site")  # another port of this machine is "same-site"
# What a page can make a browser request, other than by a link.
EMBEDDED = (
    ("navigate", "iframe"), ("navigate", "frame"), ("navigate", "embed"), ("navigate", "object"),
    ("no-cors", "image"), ("no-cors", "script"), ("no-cors", "style"), ("no-cors", "video"),
    ("no-cors", "empty"), ("cors", "empty"), ("no-cors", "document"), ("navigate", "empty"),
    ("navigate", ""), ("same-origin", "worker"),
)  # fmt: skip


@pytest.mark.parametrize("site", FOREIGN_SITES)
async def test_other_sites_open_pages_as_documents(site: str) -> None:
    for path in PAGES:
        outcome = await request(path, *metadata(site, "navigate", "document"))
        assert isinstance(outcome, Principal), path


@pytest.mark.parametrize("site", [*FOREIGN_SITES, "rubbish", ""])
async def test_other_sites_embed_nothing_of_ours(site: str) -> None:
    for mode, dest in EMBEDDED:
        for path in (*PAGES, *NO_PAGES):
            assert await request(path, *metadata(site, mode, dest)) == 403, (mode, dest, path)


@pytest.mark.parametrize("site", FOREIGN_SITES)
async def test_other_sites_open_nothing_but_pages(site: str) -> None:
    for path in NO_PAGES:
        assert await request(path, *metadata(site, "navigate", "document"), HTML) == 403, path


@pytest.mark.parametrize("method", ["POST", "HEAD", "PUT", "DELETE", "OPTIONS"])
async def test_other_sites_open_pages_by_get_only(method: str) -> None:
    for path in ("/", "/login", "/connect", "/admin/"):
        headers = metadata("cross-site", "navigate", "document")
        assert await request(path, *headers, method=method) == 403, path


async def test_a_repeated_header_is_not_taken_for_a_missing_one() -> None:
    twice = [("sec-fetch-site", "cross-site"), *metadata("same-origin", "cors", "empty")]
    assert await request("/api/windows", *twice) == 403


async def test_public_paths_are_open_to_all_pages() -> None:
    for path in OPEN:
        for mode, dest in EMBEDDED:
            outcome = await request(path, *metadata("cross-site", mode, dest))
            assert isinstance(outcome, Principal)
            assert outcome.kind is CallerKind.PUBLIC


async def test_our_own_pages_and_the_address_bar_reach_everything() -> None:
    for path in (*PAGES, "/api/windows", "/static/build/main.js", "/manifest.webmanifest"):
        for site, mode, dest in (
            ("same-origin", "cors", "empty"),
            ("same-origin", "navigate", "document"),
            ("none", "navigate", "document"),
        ):
            assert isinstance(await request(path, *metadata(site, mode, dest)), Principal), path


async def test_an_allowed_origin_is_admitted() -> None:
    headers = [("origin", "https://page.example"), *metadata("cross-site", "cors", "empty")]
    outcome = await request("/api/windows", *headers, allowed_origins=("https://page.example",))
    assert isinstance(outcome, Principal)
    assert await request("/api/windows", *headers) == 403


async def test_without_metadata_the_referer_decides() -> None:
    """Old browsers, and all browsers over plain HTTP with a host other than localhost."""
    ours, other = ("referer", "http://localhost:8080/x?y"), ("referer", "http://localhost:3000/")
    assert isinstance(await request("/api/windows", MOZILLA, ours), Principal)
    for foreign in (other, ("referer", "http://localhost:8080.evil.example/"), ("referer", "")):
        assert await request("/api/windows", MOZILLA, foreign) == 403
        assert await request("/api/windows", MOZILLA, HTML, foreign) == 403
        assert await request("/", MOZILLA, foreign) == 403  # an image or a script
        assert isinstance(await request("/", MOZILLA, HTML, foreign), Principal)


async def test_a_browser_without_metadata_and_referer_opens_pages_only() -> None:
    """A frame with `referrerpolicy="no-referrer"` sends no Referer."""
    assert await request("/api/windows", MOZILLA, HTML) == 403
    assert isinstance(await request("/api/windows", MOZILLA), Principal)
    assert isinstance(await request("/", MOZILLA, HTML), Principal)
    assert isinstance(await request("/static/build/main.js", MOZILLA), Principal)


async def test_programs_need_no_metadata() -> None:
    for agent in ("curl/8.5.0", "python-httpx/0.28", "node", "undici"):
        assert isinstance(await request("/api/windows", ("user-agent", agent)), Principal)
    assert isinstance(await request("/api/windows"), Principal)


# ---- a real browser on a page of another origin ----

ATTEMPTS = """async (target) => {
  const image = new Promise((done) => {
    const made = new Image()
    made.onload = made.onerror = done
    made.src = `${target}/api/windows?image`
  })
  const frame = new Promise((done) => {
    const made = document.createElement('iframe')
    made.onload = done
    made.src = `${target}/connect?frame`
    document.body.append(made)
  })
  const script = new Promise((done) => {
    const made = document.createElement('script')
    made.onload = made.onerror = done
    made.src = `${target}/api/windows?script`
    document.body.append(made)
  })
  const quiet = new Promise((done) => {
    const made = new Image()
    made.referrerPolicy = 'no-referrer'
    made.onload = made.onerror = done
    made.src = `${target}/api/windows?quiet`
  })
  await Promise.all([image, frame, script, quiet,
    fetch(`${target}/api/windows?fetch`, { mode: 'no-cors' }).catch(() => {}),
    fetch(`${target}/api/windows?cors`).catch(() => {}),
    fetch(`${target}/api/sessions`, { method: 'POST', mode: 'no-cors', body: '{"name": "evil"}' })
      .catch(() => {}),
  ])
}"""


class OtherOrigin(BaseHTTPRequestHandler):
    """A page on another port of this machine, which is the same site for browsers."""

    def do_GET(self) -> None:
        body = b"<!doctype html><title>other origin</title><body></body>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing on the terminal."""


@pytest.fixture
def other_origin() -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), OtherOrigin) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"])  # same-site and cross-site
def test_a_page_of_another_origin_gets_nothing(
    browser: Browser,  # noqa: F811
    served_page: Served,  # noqa: F811
    other_origin: str,
    name: str,
) -> None:
    target = served_page.running.address.replace("127.0.0.1", name)
    context = browser.new_context()
    page = context.new_page()
    statuses: dict[str, int] = {}

    def note(response: Response) -> None:
        if response.url.startswith(target):
            statuses[response.url.removeprefix(target)] = response.status

    page.on("response", note)
    page.goto(other_origin)
    page.evaluate(ATTEMPTS, target)
    # Playwright reports the response of the frame, but not those of images and scripts.
    wait_until(
        lambda: "/connect?frame" in statuses, pause=lambda s: page.wait_for_timeout(s * 1000)
    )
    assert set(statuses.values()) == {403}, statuses
    sessions = served_page.tmux("list-sessions", "-F", "#{session_name}").splitlines()
    assert "evil" not in sessions
    # A link opens a page, and nothing else.
    go = partial(page.evaluate, "(url) => { location.href = url }")
    with page.expect_navigation() as navigation:
        go(f"{target}/connect")
    assert navigation.value is not None
    assert navigation.value.status == 200
    page.goto(other_origin)
    with page.expect_navigation() as navigation:
        go(f"{target}/api/windows")
    assert navigation.value is not None
    assert navigation.value.status == 403
    context.close()
