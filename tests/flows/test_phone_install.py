"""The page as an installed app: installability, offline page, caching."""

import pytest
from playwright.sync_api import expect

from tests.flows.page_driver import MS, PageDriver

pytestmark = pytest.mark.separate_context
# The service worker controls this page.
CONTROLLED = (
    "() => navigator.serviceWorker.ready.then(() => Boolean(navigator.serviceWorker.controller))"
)


def test_the_page_is_installable(phone: PageDriver) -> None:
    phone.open()
    phone.page.wait_for_function(CONTROLLED, timeout=MS)
    devtools = phone.page.context.new_cdp_session(phone.page)
    manifest = devtools.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert manifest["url"].endswith("/manifest.webmanifest")
    problems = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # The browser of the tests is like a private window; any other reason would be our fault.
    assert [p for p in problems if p["errorId"] != "in-incognito"] == []


def test_the_offline_page_appears_and_reloads_automatically(phone: PageDriver) -> None:
    phone.open()
    phone.page.wait_for_function(CONTROLLED, timeout=MS)
    phone.page.context.set_offline(True)
    phone.page.reload()
    expect(phone.page.get_by_role("heading")).to_have_text("Cannot reach webtmux")
    expect(phone.page.get_by_role("status")).to_contain_text("Retrying in", timeout=MS)
    assert phone.violations() == []
    phone.page.context.set_offline(False)
    phone.page.wait_for_selector("body[data-ready]", state="attached", timeout=MS)


def test_live_data_is_never_served_from_the_cache(phone: PageDriver) -> None:
    phone.open()
    phone.page.wait_for_function(CONTROLLED, timeout=MS)
    phone.page.reload()
    phone.page.wait_for_selector("body[data-ready]", state="attached", timeout=MS)
    phone.page.evaluate("fetch('/api/projects').then((response) => response.json())")
    cached: list[str] = phone.page.evaluate(
        """async () => {
          const opened = await Promise.all((await caches.keys()).map((name) => caches.open(name)))
          const lists = await Promise.all(opened.map((cache) => cache.keys()))
          return lists.flat().map(({ url }) => new URL(url).pathname)
        }"""
    )
    assert "/offline" in cached
    assert [path for path in cached if not path.startswith("/static/") and path != "/offline"] == []
