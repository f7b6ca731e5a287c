"""The page itself: what it loads, and its content policy."""

import pytest

from tests.flows.page_driver import PageDriver

pytestmark = pytest.mark.separate_context


def test_the_page_loads_without_policy_violations(desktop: PageDriver) -> None:
    desktop.session()
    desktop.open()
    assert desktop.page.title().endswith("webtmux")
    assert desktop.violations() == []


def test_nothing_is_loaded_from_other_hosts(desktop: PageDriver) -> None:
    requested: list[str] = []
    desktop.page.on("request", lambda request: requested.append(request.url))
    desktop.open()
    assert [
        url for url in requested if not url.startswith((desktop.address, "data:", "blob:"))
    ] == []
