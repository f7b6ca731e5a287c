"""Switching the source over REST as documented, against a fake Notion server."""

from collections.abc import Iterator

import httpx
import pytest

from tests.config.servers import environment, prepare, serving
from tests.notes.notion.fake_notion import FakeNotion
from tests.terminals.served import cli
from tests.waiting import LONGEST_SECONDS


@pytest.fixture
def rest(
    tmp_path_factory: pytest.TempPathFactory, socket: str, fake_notion: FakeNotion
) -> Iterator[httpx.Client]:
    cli(socket, "new-session", "-d", "-s", "main", "exec sh")
    env = environment(
        tmp_path_factory.mktemp("switching") / "data",
        WEBTMUX_TMUX_SOCKET=socket,
        WEBTMUX_NOTION_TOKEN=fake_notion.token,
        WEBTMUX_NOTION_URL=fake_notion.url,
        WEBTMUX_NOTION_SECONDS="1",
    )
    prepare(env)
    with (
        serving(["manage.py", "serve", "--port", "0"], env) as running,
        httpx.Client(base_url=f"{running.address}/api", timeout=LONGEST_SECONDS) as rest,
    ):
        yield rest


def test_a_source_is_switched_to_notion_and_back(
    rest: httpx.Client, fake_notion: FakeNotion
) -> None:
    source = "local/projects/main/source"
    refused = rest.patch(source, json={"source": "notion"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "refused")

    page = fake_notion.add_page("[WIP] theirs", title="Plan")
    linked = rest.post("projects/main/notion/link", json={"page": page}).json()["record"]
    assert (linked["source"], linked["notionPageId"]) == ("local", page)
    assert linked["notion"]["title"] == "Plan"

    record = rest.patch(source, json={"source": "notion"}).json()["record"]
    assert (record["source"], record["notes"]) == ("notion", "[WIP] theirs")
    refused = rest.put("projects/main/notes", json={"notes": "mine"})
    assert refused.status_code == 403
    assert source in refused.json()["error"]["message"]

    fake_notion.revoke()
    failed = rest.post("projects/main/notion/sync")
    assert (failed.status_code, failed.json()["error"]["code"]) == (502, "notion_refused")
    kept = rest.get("projects/main/notes").json()
    assert kept["notes"] == "[WIP] theirs"
    assert "WEBTMUX_NOTION_TOKEN" in kept["notion"]["error"]

    record = rest.patch(source, json={"source": "local"}).json()["record"]
    assert (record["source"], record["notes"]) == ("local", "[WIP] theirs")
    assert rest.put("projects/main/notes", json={"notes": "mine"}).status_code == 200


def test_a_page_is_created_for_a_window(rest: httpx.Client, fake_notion: FakeNotion) -> None:
    parent = fake_notion.add_page(title="Parent")
    rest.put("windows/@0/notes", json={"notes": "- [ ] a\n- [x] b"})
    response = rest.post("windows/@0/notion/page", json={"parent": parent, "title": "Window"})
    record = response.json()["record"]
    assert record["notion"]["title"] == "Window"
    record = rest.patch("local/windows/@0/source", json={"source": "notion"}).json()["record"]
    assert (record["scope"], record["source"], record["notes"]) == (
        "window", "notion", "- [ ] a\n- [x] b",
    )  # fmt: skip
    assert rest.patch("local/windows/@0/source", json={"source": "paper"}).status_code == 422
