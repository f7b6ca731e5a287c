"""The admin's actions and buttons with Notion behind them, and what every trouble looks like."""

import html
import re
from collections.abc import AsyncIterator, Callable

import httpx
import pytest
from django.contrib.auth.models import User
from django.test import AsyncClient
from django.urls import reverse

from notes import linking, runtime, selectors, services
from notes.admin_notion import for_each, sync_now
from notes.models import NoteSheet, Source
from notes.notion import Limits, Notion
from notes.selectors import Notes, Owner
from terminals.db import in_db
from terminals.errors import Refused
from tests.config.test_serve import SIGN_IN, sign_in
from tests.factories import ProjectFactory
from tests.notes.fake_notion import FakeNotion
from tests.terminals.served import served_tmux

pytestmark = pytest.mark.django_db(transaction=True)

QUICK = Limits(timeout=0.2, rate=1000, tries=2, pause=0.01, total=5)
LIST = "admin:notes_notesheet_changelist"


@pytest.fixture
async def notion(fake_notion: FakeNotion) -> AsyncIterator[Notion]:
    notion = Notion(token=fake_notion.token, url=fake_notion.url, limits=QUICK)
    runtime._current = notion
    yield notion
    runtime._current = None
    await notion.close()


@pytest.fixture
async def admin(notion: Notion) -> AsyncClient:
    """Its requests run on this loop, as a server's do, which holds the connection to Notion."""
    client = AsyncClient()
    await client.aforce_login(await in_db(User.objects.create_superuser)("ada", password="x"))
    return client


async def noted(name: str, body: str, page: str = "", *, notion: Notion) -> NoteSheet:
    owner: Owner = await in_db(ProjectFactory.create)(name=name)
    notes = await in_db(services.write_notes)(owner=owner, notes=body, by="tester")
    if page:
        await linking.link_notion_page(owner=owner, notion=notion, page=page, by="tester")
    return notes.sheet


async def switched(name: str, page: str, *, notion: Notion) -> NoteSheet:
    sheet = await noted(name, "", page, notion=notion)
    await linking.set_source(owner=sheet.owner, notion=notion, source=Source.NOTION, by="tester")
    return sheet


async def now(sheet: NoteSheet) -> NoteSheet:
    return (await in_db(selectors.read_notes)(owner=sheet.owner)).sheet


async def act(admin: AsyncClient, action: str, *sheets: NoteSheet) -> str:
    fields = {"action": action, "_selected_action": [str(sheet.pk) for sheet in sheets]}
    answer = await admin.post(reverse(LIST), fields, follow=True)
    assert answer.status_code == 200
    return html.unescape(answer.content.decode())


async def press(admin: AsyncClient, sheet: NoteSheet, **fields: str) -> str:
    url = reverse("admin:notes_notion", args=[sheet.pk])
    answer = await admin.post(url, fields, follow=True)
    assert answer.status_code == 200
    return html.unescape(answer.content.decode())


async def listed(admin: AsyncClient) -> str:
    return html.unescape((await admin.get(reverse(LIST))).content.decode())


# --- the actions ----------------------------------------------------------------------------------


async def test_successes_are_counted_and_each_failure_names_its_sheet_and_reason(
    admin: AsyncClient, notion: Notion, fake_notion: FakeNotion
) -> None:
    linked = [
        await noted(name, "mine", fake_notion.add_page("theirs"), notion=notion)
        for name in ("one", "two")
    ]
    alone = await noted("alone", "mine", notion=notion)
    page = await act(admin, "use_notion", *linked, alone)
    assert "Switched to Notion: 2." in page
    assert "Project alone: no page is linked: link or create a Notion page first" in page
    for sheet in linked:
        row = await now(sheet)
        assert (row.source, row.body) == (Source.NOTION, "theirs\nmine")
        newest = await row.changes.afirst()
        assert newest is not None
        assert newest.by == "ada"
    assert (await now(alone)).source == Source.LOCAL


async def test_switching_to_local_keeps_the_text_and_needs_no_notion(
    admin: AsyncClient, notion: Notion, fake_notion: FakeNotion
) -> None:
    sheet = await switched("one", fake_notion.add_page("theirs"), notion=notion)
    fake_notion.revoke()
    assert "Switched to local: 1." in await act(admin, "use_local", sheet)
    row = await now(sheet)
    assert (row.source, row.body) == (Source.LOCAL, "theirs")


async def test_sync_now_reads_the_page(
    admin: AsyncClient, notion: Notion, fake_notion: FakeNotion
) -> None:
    page = fake_notion.add_page("before")
    sheet = await switched("one", page, notion=notion)
    await notion.write(page, "[WIP] after")
    assert "Synced with Notion: 1." in await act(admin, "sync_now", sheet)
    assert (await now(sheet)).body == "[WIP] after"


async def test_past_the_limit_no_other_sheet_is_begun(
    notion: Notion, fake_notion: FakeNotion
) -> None:
    sheets = [await switched(name, fake_notion.add_page(), notion=notion) for name in "ab"]
    before = fake_notion.count()
    outcome = await for_each(sheets, sync_now, by="ada", seconds=-1)
    assert (outcome.done, fake_notion.count()) == (0, before)
    assert all("not tried" in failure for failure in outcome.failures)


async def test_a_bug_is_not_taken_for_a_failure(notion: Notion) -> None:
    sheet = await noted("one", "a", notion=notion)

    async def broken(owner: Owner, by: str) -> Notes:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await for_each([sheet], broken, by="ada")

    async def refusing(owner: Owner, by: str) -> Notes:
        raise Refused("no")

    assert (await for_each([sheet], refusing, by="ada")).failures == ["project one: no"]


# --- every trouble, as the admin tells it -----------------------------------------------------


Trouble = Callable[[FakeNotion, str], None]
TROUBLES: dict[str, tuple[Trouble, str]] = {
    "429": (lambda fake, page: fake.fail("rate", "rate"), "Notion is away (429)"),
    "500": (lambda fake, page: fake.fail("error", "error"), "Notion is away (500)"),
    "time-out": (lambda fake, page: fake.fail("hang", "hang"), "Notion is away (no answer in time"),
    "deleted": (lambda fake, page: fake.forget(page), "Notion does not show this page"),
    "trash": (lambda fake, page: fake.trash(page), "the page is in Notion's trash"),
    "revoked": (lambda fake, page: fake.revoke(), "Notion refuses the token"),
}


@pytest.mark.parametrize("name", TROUBLES)
async def test_a_trouble_is_a_clear_state_and_the_last_copy_stays(
    admin: AsyncClient, notion: Notion, fake_notion: FakeNotion, name: str
) -> None:
    page = fake_notion.add_page("theirs")
    sheet = await switched("one", page, notion=notion)
    assert "in step with Notion, reached" in await listed(admin)
    trouble, words = TROUBLES[name]
    trouble(fake_notion, page)
    assert f"Project one: {words}" in await press(admin, sheet, do="sync_now")
    assert f"not in step: {words}" in await listed(admin)
    url = reverse("admin:notes_notesheet_change", args=[sheet.pk])
    told = html.unescape((await admin.get(url)).content.decode())
    assert f"not in step: {words}" in told
    assert "theirs" in told
    assert (await now(sheet)).body == "theirs"


async def test_a_trouble_that_is_over_is_no_longer_told(
    admin: AsyncClient, notion: Notion, fake_notion: FakeNotion
) -> None:
    sheet = await switched("one", fake_notion.add_page("theirs"), notion=notion)
    fake_notion.fail("error", "error")
    await act(admin, "sync_now", sheet)
    assert "not in step: Notion" in await listed(admin)
    await act(admin, "sync_now", sheet)
    assert "in step with Notion, reached" in await listed(admin)


# --- the buttons ----------------------------------------------------------------------------------


async def test_a_page_is_linked_then_used_then_left(
    admin: AsyncClient, notion: Notion, fake_notion: FakeNotion
) -> None:
    sheet = await noted("one", "mine", notion=notion)
    page = fake_notion.add_page("theirs", title="The plan")
    told = await press(admin, sheet, do="link", page=page)
    assert "The page is linked." in told
    assert "The plan (opens in Notion)" in told
    assert "These notes come from Notion now." in await press(admin, sheet, do="use_notion")
    assert (await now(sheet)).body == "theirs\nmine"
    assert "These notes are local now" in await press(admin, sheet, do="use_local")


async def test_a_page_that_is_not_shared_is_not_linked(
    admin: AsyncClient, notion: Notion, fake_notion: FakeNotion
) -> None:
    sheet = await noted("one", "mine", notion=notion)
    told = await press(admin, sheet, do="link", page="0123456789abcdef0123456789abcdef")
    assert "share it with the integration" in told
    assert "Project one: " in await press(admin, sheet, do="link", page="no page at all")
    assert (await now(sheet)).notion_page_id == ""


async def test_a_page_is_created_where_a_parent_is_set(
    admin: AsyncClient, notion: Notion, fake_notion: FakeNotion
) -> None:
    sheet = await noted("one", "mine", notion=notion)
    assert "WEBTMUX_NOTION_PARENT" in await press(admin, sheet, do="create")
    assert 'value="create"' not in await press(admin, sheet, do="use_local")


async def test_a_button_that_is_none_does_nothing(admin: AsyncClient, notion: Notion) -> None:
    sheet = await noted("one", "mine", notion=notion)
    url = reverse("admin:notes_notion", args=[sheet.pk])
    assert (await admin.post(url, {"do": "delete"})).status_code == 400
    assert (await admin.get(url)).status_code == 405
    gone = reverse("admin:notes_notion", args=[sheet.pk + 1])
    assert (await admin.post(gone, {"do": "use_local"})).status_code == 404


# --- a real server --------------------------------------------------------------------------------


class Browser:
    """Signed in, as a person is: every form with its token."""

    def __init__(self, client: httpx.Client, address: str, password: str) -> None:
        self.client, self.address = client, address
        assert sign_in(client, address, password).headers["location"] == "/admin/"

    def post(self, path: str, **fields: str) -> str:
        port = self.address.rpartition(":")[2]
        fields["csrfmiddlewaretoken"] = self.client.cookies[f"webtmux_csrf_{port}"]
        url, origin = f"{self.address}{path}", {"Origin": self.address}
        answer = self.client.post(url, data=fields, headers=origin, follow_redirects=True)
        assert answer.status_code == 200, answer.text
        return html.unescape(answer.text)

    def get(self, path: str) -> str:
        return html.unescape(self.client.get(f"{self.address}{path}").text)


def test_a_signed_in_person_links_switches_syncs_and_edits(fake_notion: FakeNotion) -> None:
    page = fake_notion.add_page("theirs")
    parent = fake_notion.add_page(title="Parent")
    settings = {
        "WEBTMUX_NOTION_TOKEN": fake_notion.token,
        "WEBTMUX_NOTION_URL": fake_notion.url,
        "WEBTMUX_NOTION_PARENT": parent,
    }
    with served_tmux(**settings) as served, httpx.Client(timeout=30) as client:
        browser = Browser(client, served.running.address, served.running.read_until(SIGN_IN)[1])
        notes = f"{browser.address}/api/projects/work/notes"
        assert httpx.put(notes, json={"notes": "mine"}).status_code == 200
        found = re.search(r"/admin/notes/notesheet/\d+/", browser.get("/admin/notes/notesheet/"))
        assert found is not None
        sheet = found[0]
        assert "was made in Notion" in browser.post(f"{sheet}notion/", do="create")
        assert "The page is linked" in browser.post(f"{sheet}notion/", do="link", page=page)
        chosen = {"_selected_action": sheet.split("/")[-2]}
        switch = browser.post("/admin/notes/notesheet/", action="use_notion", **chosen)
        assert "Switched to Notion: 1." in switch
        assert httpx.get(notes).json()["notes"] == "theirs\nmine"
        fake_notion.revoke()
        told = browser.post("/admin/notes/notesheet/", action="sync_now", **chosen)
        assert "Project work: Notion refuses the token" in told
        assert "not in step: Notion refuses the token" in told
        assert "local now" in browser.post(f"{sheet}notion/", do="use_local")
        version = str(httpx.get(notes).json()["version"])
        none = {"tasks-TOTAL_FORMS": "0", "tasks-INITIAL_FORMS": "0"}
        browser.post(f"{sheet}change/", body="edited", read_version=version, **none)
        assert httpx.get(notes).json()["notes"] == "edited"
