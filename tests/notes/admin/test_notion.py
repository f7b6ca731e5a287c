"""The Notion actions and buttons of the admin, and how it shows each failure."""

import html
import re
from collections.abc import Callable

import httpx
import pytest
from django.contrib.auth.models import User
from django.test import AsyncClient
from django.urls import reverse

from core.database import in_db
from core.errors import Refused
from notes import selectors, services
from notes.admin.notion import for_each, sync_now
from notes.models import NoteSheet, NoteSource
from notes.notion import Notion, sync
from notes.selectors import Notes, Owner
from tests.config.server.test_serve import sign_in
from tests.config.servers import ADMIN_PASSWORD
from tests.factories import ProjectFactory
from tests.notes.notion.fake_notion import LIMITS, FakeNotion, Fault
from tests.terminals.served import served_tmux
from tests.waiting import LONGEST_SECONDS

pytestmark = pytest.mark.django_db(transaction=True)

LIST = "admin:notes_notesheet_changelist"


@pytest.fixture
async def admin(notion: Notion) -> AsyncClient:
    """Its requests run on the event loop that has the connection to Notion, as in a server."""
    client = AsyncClient()
    await client.aforce_login(await in_db(User.objects.create_superuser)("ada", password="x"))
    return client


async def write_sheet(name: str, body: str, page: str = "", *, notion: Notion) -> NoteSheet:
    owner: Owner = await in_db(ProjectFactory.create)(name=name)
    notes = await in_db(services.write_notes)(owner=owner, notes=body, actor="tester")
    if page:
        await sync.link_notion_page(owner=owner, notion=notion, page=page, actor="tester")
    return notes.sheet


async def from_notion(name: str, page: str, *, notion: Notion) -> NoteSheet:
    sheet = await write_sheet(name, "", page, notion=notion)
    await sync.set_source(
        owner=sheet.owner, notion=notion, source=NoteSource.NOTION, actor="tester"
    )
    return sheet


async def reload(sheet: NoteSheet) -> NoteSheet:
    return (await in_db(selectors.read_notes)(owner=sheet.owner)).sheet


async def act(admin: AsyncClient, action: str, *sheets: NoteSheet) -> str:
    fields = {"action": action, "_selected_action": [str(sheet.pk) for sheet in sheets]}
    response = await admin.post(reverse(LIST), fields, follow=True)
    assert response.status_code == 200
    return html.unescape(response.content.decode())


async def press(admin: AsyncClient, sheet: NoteSheet, **fields: str) -> str:
    url = reverse("admin:notes_notion", args=[sheet.pk])
    response = await admin.post(url, fields, follow=True)
    assert response.status_code == 200
    return html.unescape(response.content.decode())


async def list_page(admin: AsyncClient) -> str:
    return html.unescape((await admin.get(reverse(LIST))).content.decode())


# --- the actions --------------------------------------------------------------------------------


async def test_an_action_counts_successes_and_explains_each_failure(
    admin: AsyncClient, notion: Notion, fake_notion: FakeNotion
) -> None:
    linked = [
        await write_sheet(name, "mine", fake_notion.add_page("theirs"), notion=notion)
        for name in ("one", "two")
    ]
    alone = await write_sheet("alone", "mine", notion=notion)
    page = await act(admin, "use_notion", *linked, alone)
    assert "Switched to Notion: 2." in page
    assert "Project alone: no page is linked: link or create a Notion page first" in page
    for sheet in linked:
        row = await reload(sheet)
        assert (row.source, row.body) == (NoteSource.NOTION, "theirs\nmine")
        newest = await row.changes.afirst()
        assert newest is not None
        assert newest.by == "ada"
    assert (await reload(alone)).source == NoteSource.LOCAL


async def test_switching_to_local_keeps_the_text_without_notion(
    admin: AsyncClient, notion: Notion, fake_notion: FakeNotion
) -> None:
    sheet = await from_notion("one", fake_notion.add_page("theirs"), notion=notion)
    fake_notion.revoke()
    assert "Switched to local: 1." in await act(admin, "use_local", sheet)
    row = await reload(sheet)
    assert (row.source, row.body) == (NoteSource.LOCAL, "theirs")


async def test_sync_now_reads_the_page(
    admin: AsyncClient, notion: Notion, fake_notion: FakeNotion
) -> None:
    page = fake_notion.add_page("before")
    sheet = await from_notion("one", page, notion=notion)
    await notion.write(page, "[WIP] after")
    assert "Synced with Notion: 1." in await act(admin, "sync_now", sheet)
    assert (await reload(sheet)).body == "[WIP] after"


async def test_no_further_sheet_is_started_after_the_time_limit(
    notion: Notion, fake_notion: FakeNotion
) -> None:
    sheets = [await from_notion(name, fake_notion.add_page(), notion=notion) for name in "ab"]
    before = fake_notion.count()
    result = await for_each(sheets, sync_now, actor="ada", seconds=-1)
    assert (result.succeeded, fake_notion.count()) == (0, before)
    assert all("not tried" in failure for failure in result.failures)


async def test_an_unexpected_exception_is_not_reported_as_a_failure(notion: Notion) -> None:
    sheet = await write_sheet("one", "a", notion=notion)

    async def broken(owner: Owner, actor: str) -> Notes:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await for_each([sheet], broken, actor="ada")

    async def refusing(owner: Owner, actor: str) -> Notes:
        raise Refused("no")

    assert (await for_each([sheet], refusing, actor="ada")).failures == ["project one: no"]


# --- failures, as the admin shows them ----------------------------------------------------------


def every_try(fault: Fault) -> Callable[[FakeNotion, str], None]:
    return lambda fake, page: fake.fail(*[fault] * LIMITS.tries)


FAILURES: dict[str, tuple[Callable[[FakeNotion, str], None], str]] = {
    "429": (every_try("rate"), "Notion cannot be reached (429)"),
    "500": (every_try("error"), "Notion cannot be reached (500)"),
    "closed": (every_try("close"), "Notion cannot be reached (no connection"),
    "deleted": (lambda fake, page: fake.forget(page), "Notion does not show this page"),
    "trash": (lambda fake, page: fake.trash(page), "the page is in Notion's trash"),
    "revoked": (lambda fake, page: fake.revoke(), "Notion refuses the token"),
}


@pytest.mark.parametrize("name", FAILURES)
async def test_a_failure_is_shown_and_the_last_copy_is_kept(
    admin: AsyncClient, notion: Notion, fake_notion: FakeNotion, name: str
) -> None:
    page_id = fake_notion.add_page("theirs")
    sheet = await from_notion("one", page_id, notion=notion)
    assert "in sync with Notion, last reached" in await list_page(admin)
    cause, message = FAILURES[name]
    cause(fake_notion, page_id)
    assert f"Project one: {message}" in await press(admin, sheet, do="sync_now")
    assert f"not in sync: {message}" in await list_page(admin)
    url = reverse("admin:notes_notesheet_change", args=[sheet.pk])
    page = html.unescape((await admin.get(url)).content.decode())
    assert f"not in sync: {message}" in page
    assert "theirs" in page
    assert (await reload(sheet)).body == "theirs"


async def test_a_failure_is_no_longer_shown_after_a_successful_sync(
    admin: AsyncClient, notion: Notion, fake_notion: FakeNotion
) -> None:
    sheet = await from_notion("one", fake_notion.add_page("theirs"), notion=notion)
    every_try("error")(fake_notion, "")
    await act(admin, "sync_now", sheet)
    assert "not in sync: Notion" in await list_page(admin)
    await act(admin, "sync_now", sheet)
    assert "in sync with Notion, last reached" in await list_page(admin)


# --- the buttons --------------------------------------------------------------------------------


async def test_a_page_is_linked_used_and_left(
    admin: AsyncClient, notion: Notion, fake_notion: FakeNotion
) -> None:
    sheet = await write_sheet("one", "mine", notion=notion)
    page = fake_notion.add_page("theirs", title="The plan")
    page_text = await press(admin, sheet, do="link", page=page)
    assert "The page is linked." in page_text
    assert "The plan (opens in Notion)" in page_text
    assert "These notes now come from Notion." in await press(admin, sheet, do="use_notion")
    assert (await reload(sheet)).body == "theirs\nmine"
    assert "These notes are now local" in await press(admin, sheet, do="use_local")


async def test_a_page_that_is_not_shared_is_not_linked(
    admin: AsyncClient, notion: Notion, fake_notion: FakeNotion
) -> None:
    sheet = await write_sheet("one", "mine", notion=notion)
    page_text = await press(admin, sheet, do="link", page="0123456789abcdef0123456789abcdef")
    assert "share it with the integration" in page_text
    assert "Project one: " in await press(admin, sheet, do="link", page="no page at all")
    assert (await reload(sheet)).notion_page_id == ""


async def test_creating_a_page_requires_a_parent(
    admin: AsyncClient, notion: Notion, fake_notion: FakeNotion
) -> None:
    sheet = await write_sheet("one", "mine", notion=notion)
    assert "WEBTMUX_NOTION_PARENT" in await press(admin, sheet, do="create")
    assert 'value="create"' not in await press(admin, sheet, do="use_local")


async def test_an_unknown_button_is_rejected(admin: AsyncClient, notion: Notion) -> None:
    sheet = await write_sheet("one", "mine", notion=notion)
    url = reverse("admin:notes_notion", args=[sheet.pk])
    assert (await admin.post(url, {"do": "delete"})).status_code == 400
    assert (await admin.get(url)).status_code == 405
    gone = reverse("admin:notes_notion", args=[sheet.pk + 1])
    assert (await admin.post(gone, {"do": "use_local"})).status_code == 404


# --- a real server ------------------------------------------------------------------------------


class Browser:
    """A signed-in browser: sends every form with its CSRF token."""

    def __init__(self, client: httpx.Client, address: str, password: str) -> None:
        self.client, self.address = client, address
        assert sign_in(client, address, password).headers["location"] == "/admin/"

    def post(self, path: str, **fields: str) -> str:
        port = self.address.rpartition(":")[2]
        fields["csrfmiddlewaretoken"] = self.client.cookies[f"webtmux_csrf_{port}"]
        url, origin = f"{self.address}{path}", {"Origin": self.address}
        response = self.client.post(url, data=fields, headers=origin, follow_redirects=True)
        assert response.status_code == 200, response.text
        return html.unescape(response.text)

    def get(self, path: str) -> str:
        return html.unescape(self.client.get(f"{self.address}{path}").text)


def test_a_signed_in_user_links_switches_syncs_and_edits(fake_notion: FakeNotion) -> None:
    page = fake_notion.add_page("theirs")
    parent = fake_notion.add_page(title="Parent")
    settings = {
        "WEBTMUX_NOTION_TOKEN": fake_notion.token,
        "WEBTMUX_NOTION_URL": fake_notion.url,
        "WEBTMUX_NOTION_PARENT": parent,
    }
    with served_tmux(**settings) as served, httpx.Client(timeout=LONGEST_SECONDS) as client:
        browser = Browser(client, served.running.address, ADMIN_PASSWORD)
        notes = f"{browser.address}/api/projects/work/notes"
        assert httpx.put(notes, json={"notes": "mine"}).status_code == 200
        match = re.search(r"/admin/notes/notesheet/\d+/", browser.get("/admin/notes/notesheet/"))
        assert match is not None
        sheet = match[0]
        assert "was created in Notion" in browser.post(f"{sheet}notion/", do="create")
        assert "The page is linked" in browser.post(f"{sheet}notion/", do="link", page=page)
        chosen = {"_selected_action": sheet.split("/")[-2]}
        switch = browser.post("/admin/notes/notesheet/", action="use_notion", **chosen)
        assert "Switched to Notion: 1." in switch
        assert httpx.get(notes).json()["notes"] == "theirs\nmine"
        fake_notion.revoke()
        page_text = browser.post("/admin/notes/notesheet/", action="sync_now", **chosen)
        assert "Project work: Notion refuses the token" in page_text
        assert "not in sync: Notion refuses the token" in page_text
        assert "are now local" in browser.post(f"{sheet}notion/", do="use_local")
        version = str(httpx.get(notes).json()["version"])
        none = {"tasks-TOTAL_FORMS": "0", "tasks-INITIAL_FORMS": "0"}
        browser.post(f"{sheet}change/", body="edited", read_version=version, **none)
        assert httpx.get(notes).json()["notes"] == "edited"
