"""The page as an app of the phone: what makes it one, and what it shows without a network."""

from playwright.sync_api import expect

from tests.flows.desk import SECONDS, Desk

BOUND = 2 * SECONDS * 1000
# Its worker rules this page: it was loaded while one did, or a worker has taken it over.
RULED = (
    "() => navigator.serviceWorker.ready.then(() => Boolean(navigator.serviceWorker.controller))"
)


def test_a_browser_finds_everything_that_makes_the_page_an_app(phone: Desk) -> None:
    phone.open()
    phone.page.wait_for_function(RULED, timeout=BOUND)
    devtools = phone.page.context.new_cdp_session(phone.page)
    told = devtools.send("Page.getAppManifest")
    assert told["errors"] == []
    assert told["url"].endswith("/manifest.webmanifest")
    problems = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # A browser of tests keeps nothing, like a private window; every other reason would be ours.
    assert [p for p in problems if p["errorId"] != "in-incognito"] == []


def test_without_a_network_the_page_says_so_and_returns_by_itself(phone: Desk) -> None:
    phone.open()
    phone.page.wait_for_function(RULED, timeout=BOUND)
    phone.page.context.set_offline(True)
    phone.page.reload()
    expect(phone.page.get_by_role("heading")).to_have_text("webtmux cannot be reached")
    expect(phone.page.get_by_role("status")).to_contain_text("Next look", timeout=BOUND)
    assert phone.violations() == []
    phone.page.context.set_offline(False)
    phone.page.wait_for_selector("body[data-ready]", state="attached", timeout=BOUND)


def test_what_the_server_says_now_is_never_answered_from_a_cache(phone: Desk) -> None:
    phone.open()
    phone.page.wait_for_function(RULED, timeout=BOUND)
    phone.page.reload()
    phone.page.wait_for_selector("body[data-ready]", state="attached", timeout=BOUND)
    phone.page.evaluate("fetch('/api/projects').then((answer) => answer.json())")
    kept: list[str] = phone.page.evaluate(
        """async () => {
          const kept = await Promise.all((await caches.keys()).map((name) => caches.open(name)))
          const lists = await Promise.all(kept.map((cache) => cache.keys()))
          return lists.flat().map(({ url }) => new URL(url).pathname)
        }"""
    )
    assert "/offline" in kept
    assert [path for path in kept if not path.startswith("/static/") and path != "/offline"] == []
