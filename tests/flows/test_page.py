"""The page itself: what it loads, and under which policy."""

from tests.flows.desk import Desk


def test_the_page_comes_up_and_breaks_no_rule_of_its_own_policy(desk: Desk) -> None:
    desk.session()
    desk.open()
    assert desk.page.title().endswith("webtmux")
    assert desk.violations() == []


def test_nothing_is_loaded_from_elsewhere(desk: Desk) -> None:
    asked: list[str] = []
    desk.page.on("request", lambda request: asked.append(request.url))
    desk.open()
    assert [url for url in asked if not url.startswith((desk.address, "data:", "blob:"))] == []
