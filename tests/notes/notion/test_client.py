"""The client against a fake Notion server: rich pages, long pages, every fault."""

import asyncio
import logging
import time
from dataclasses import replace

import pytest

from core.errors import Invalid
from notes.notion import (
    Notion,
    NotionFailed,
    NotionGone,
    NotionRefused,
    NotionTooLarge,
    page_id,
)
from notes.notion.calls import PAUSE_LIMIT, Pacer
from tests.notes.notion.fake_notion import LIMITS, FakeNotion, Fault
from tests.notes.notion.fake_pages import Object, text

ERRORS: list[Fault] = ["error"] * 10


def plain(kind: str, *texts: Object, **more: object) -> Object:
    return {"type": kind, kind: {"rich_text": list(texts), **more}}


IMAGE: Object = {
    "type": "image",
    "image": {"type": "external", "external": {"url": "https://a.b/c.png"},
              "caption": [text("a sunset")]},
}  # fmt: skip
TABLE: Object = {
    "type": "table",
    "table": {"table_width": 1, "children": [
        {"type": "table_row", "table_row": {"cells": [[text("cell")]]}}]},
}  # fmt: skip
RICH: list[Object] = [
    plain("heading_1", text("Release "), text("1.0", italic=True)),
    plain("paragraph", text("[WIP] wire up "), text("SSE ", bold=True, color="red"), text("now")),
    plain("paragraph"),
    plain("paragraph", text("# no heading, 2 * 3 and *stars*")),
    plain("paragraph", text("two\nlines, "), text("Ann", underline=True), text(" x_y ~ [a] \\d")),
    plain("to_do", text("ask"), checked=False),
    plain("to_do", text("done", strikethrough=True), checked=True),
    plain(
        "bulleted_list_item",
        text("one"),
        children=[
            plain("bulleted_list_item", text("two"), children=[
                plain("numbered_list_item", text("three"), children=[
                    plain("paragraph", text("deep"))]),
                plain("numbered_list_item", text("four"))]),
            IMAGE,
        ],
    ),
    plain("numbered_list_item", text("see "), text("here", link="https://a.b/c(d)")),
    plain("numbered_list_item", text("run "), text("make `x`", code=True)),
    plain("quote", text("quoted")),
    {"type": "divider", "divider": {}},
    plain("code", text("ls\n\n  # no heading\n```"), language="shell"),
    TABLE,
    plain("callout", text("careful")),
    plain("paragraph", {"type": "mention", "mention": {"type": "user"}, "plain_text": "@Ann",
                        "annotations": {}, "href": None}),
    plain("heading_2", text("folds"), is_toggleable=True, children=[
        plain("paragraph", text("inside"))]),
]  # fmt: skip


# --- pages --------------------------------------------------------------------------------------


async def test_the_metadata_of_a_page_takes_one_request(
    notion: Notion, fake_notion: FakeNotion
) -> None:
    created = fake_notion.add_page("a", title="Notes of work")
    page = await notion.page(created)
    assert (page.id, page.title) == (created, "Notes of work")
    assert page.edited_at == fake_notion.node(created).edited
    assert fake_notion.requests == [f"GET /v1/pages/{created}"]


async def test_a_rich_page_is_read_as_markdown(notion: Notion, fake_notion: FakeNotion) -> None:
    page = fake_notion.add_page(RICH)
    lines = (await notion.read(page)).split("\n")
    image = fake_notion.node(page).children[7].children[1].id.replace("-", "")
    assert lines[:8] == [
        "# Release *1.0*",
        "[WIP] wire up **SSE** now",
        "",
        "\\# no heading, 2 \\* 3 and \\*stars\\*",
        "two<br>lines, Ann x_y ~ [a] \\d",
        "- [ ] ask",
        "- [x] ~~done~~",
        "- one",
    ]
    assert lines[8:18] == [
        "  - two",
        "    1. three",
        "       deep",
        "    2. four",
        f"  <!-- notion:image {image} a sunset -->",
        "1. see [here](https://a.b/c%28d%29)",
        "2. run `` make `x` ``",
        "> quoted",
        "---",
        "````shell",
    ]


async def test_pull_push_pull_of_a_rich_page_changes_nothing(
    notion: Notion, fake_notion: FakeNotion
) -> None:
    page = fake_notion.add_page(RICH)
    pulled = await notion.read(page)
    await notion.write(page, pulled)
    assert fake_notion.count("PATCH") == fake_notion.count("DELETE") == 0
    assert await notion.read(page) == pulled


async def test_a_rich_page_pushed_to_another_reads_the_same(
    notion: Notion, fake_notion: FakeNotion
) -> None:
    pulled = await notion.read(fake_notion.add_page(RICH))
    other = fake_notion.add_page()
    await notion.write(other, pulled)
    assert await notion.read(other) == pulled


async def test_unchanged_blocks_keep_their_ids(notion: Notion, fake_notion: FakeNotion) -> None:
    page = fake_notion.add_page("a\nb\nc\nd")
    before = fake_notion.ids(page)
    await notion.write(page, "new\na\nb, edited\nd\nlast")
    after = fake_notion.ids(page)
    assert await notion.read(page) == "new\na\nb, edited\nd\nlast"
    assert (after[1], after[2], after[3]) == (before[0], before[1], before[3])


async def test_formatting_that_markdown_cannot_show_survives_a_push(
    notion: Notion, fake_notion: FakeNotion
) -> None:
    page = fake_notion.add_page(RICH)
    pulled = await notion.read(page)
    await notion.write(page, pulled.replace("> quoted", "> said").replace("- [ ] ask", "- [x] ask"))
    colours = fake_notion.node(page).children[1].body["rich_text"]
    assert colours[1]["annotations"]["color"] == "red"


async def test_a_block_that_cannot_be_written_is_never_lost(
    notion: Notion, fake_notion: FakeNotion
) -> None:
    page = fake_notion.add_page(RICH)
    image = fake_notion.node(page).children[7].children[1]
    table = fake_notion.node(page).children[13]
    await notion.write(page, "only this")
    assert not image.is_gone()
    assert not table.is_gone()
    assert "only this" in (await notion.read(page)).split("\n")


async def test_text_moves_around_a_kept_block(notion: Notion, fake_notion: FakeNotion) -> None:
    page = fake_notion.add_page([plain("paragraph", text("a")), IMAGE, plain("quote", text("b"))])
    a, image, b = (await notion.read(page)).split("\n")
    await notion.write(page, f"{image}\n{b}\n{a}\nc")
    assert await notion.read(page) == f"{image}\n{b}\n{a}\nc"


async def test_a_line_for_a_block_of_another_page_is_plain_text(
    notion: Notion, fake_notion: FakeNotion
) -> None:
    line = await notion.read(fake_notion.add_page([IMAGE]))
    page = fake_notion.add_page()
    await notion.write(page, f"{line}\n- a\n  {line}")
    assert await notion.read(page) == f"{line}\n- a\n  {line}"


async def test_twelve_hundred_blocks_are_written_and_read_in_pages(
    notion: Notion, fake_notion: FakeNotion
) -> None:
    lines = "\n".join(f"[WIP] task {number}" for number in range(1200))
    page = fake_notion.add_page()
    await notion.write(page, lines)
    assert fake_notion.count("PATCH") == 12
    fake_notion.requests.clear()
    assert await notion.read(page) == lines
    assert fake_notion.count() == 12


async def test_a_long_page_with_one_new_line_is_one_edit(
    notion: Notion, fake_notion: FakeNotion
) -> None:
    lines = [f"task {number}" for number in range(1200)]
    page = fake_notion.add_page("\n".join(lines))
    lines[600:600] = ["a new one"]
    await notion.write(page, "\n".join(lines))
    assert fake_notion.count("PATCH") == 1
    assert fake_notion.count("DELETE") == 0
    assert await notion.read(page) == "\n".join(lines)


async def test_deep_and_wide_lists_are_written_completely(
    notion: Notion, fake_notion: FakeNotion
) -> None:
    deep = "\n".join("  " * depth + f"- level {depth}" for depth in range(9))
    wide = "\n".join(["- wide", *(f"  - {number}" for number in range(250))])
    page = fake_notion.add_page()
    await notion.write(page, f"{deep}\n{wide}\nlast")
    assert await notion.read(page) == f"{deep}\n{wide}\nlast"


@pytest.mark.parametrize("letter", ["a", "𝄞", "é"])
async def test_a_line_longer_than_a_text_object_round_trips(
    notion: Notion, fake_notion: FakeNotion, letter: str
) -> None:
    page = fake_notion.add_page()
    line = letter * 4500
    await notion.write(page, f"{line}\n```\n{line}\n```")
    assert await notion.read(page) == f"{line}\n```\n{line}\n```"


async def test_a_language_with_another_name_in_notion_round_trips(
    notion: Notion, fake_notion: FakeNotion
) -> None:
    page = fake_notion.add_page()
    for info in ("py", "python", "made-up", "", "c++"):
        await notion.write(page, f"```{info}\na\n```")
        assert await notion.read(page) == f"```{info}\na\n```"
    assert len(fake_notion.ids(page)) == 1
    assert fake_notion.node(fake_notion.ids(page)[0]).body["language"] == "c++"


async def test_text_that_notion_cannot_hold_is_refused_before_any_request(
    notion: Notion, fake_notion: FakeNotion
) -> None:
    page = fake_notion.add_page("a")
    for line in ("x" * 200_001, "**a** `b` " * 51, "\ud800"):
        with pytest.raises(Invalid):
            await notion.write(page, f"new\n- b\n  {line}")
    assert fake_notion.requests == []


async def test_a_page_beyond_the_limit_is_neither_read_nor_written(
    notion: Notion, fake_notion: FakeNotion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("notes.notion.payloads.BLOCKS_LIMIT", 250)
    page = fake_notion.add_page("\n".join("a" for _ in range(251)))
    with pytest.raises(NotionTooLarge, match="over 250 blocks"):
        await notion.read(page)
    assert fake_notion.count() == 3
    with pytest.raises(Invalid, match="over 250 lines"):
        await notion.write(page, "a\n" * 250)


async def test_a_page_is_created_with_its_text(notion: Notion, fake_notion: FakeNotion) -> None:
    parent = fake_notion.add_page("above")
    lines = "\n".join(f"- {number}" for number in range(130))
    page = await notion.create(parent_id=parent, title="Notes", text=lines)
    assert page.title == "Notes"
    assert await notion.read(page.id) == lines
    assert "notion:child_page" in await notion.read(parent)


# --- faults -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fault", ["rate", "error", "unavailable", "conflict", "hang", "close", "lost", "garbage"]
)
async def test_reading_survives_a_fault(
    notion: Notion, fake_notion: FakeNotion, fault: Fault
) -> None:
    page = fake_notion.add_page("a\nb")
    fake_notion.fail(fault, fault)
    assert await notion.read(page) == "a\nb"


@pytest.mark.parametrize(
    "fault", ["rate", "error", "unavailable", "conflict", "hang", "close", "lost", "garbage"]
)
async def test_a_fault_never_duplicates_written_text(
    notion: Notion, fake_notion: FakeNotion, fault: Fault
) -> None:
    page = fake_notion.add_page("a\nold\nb")
    fake_notion.fail(fault, on="PATCH")
    fake_notion.fail(fault, on="PATCH")
    fake_notion.fail(fault, on="DELETE")
    wanted = "\n".join(["a", *(f"- {number}" for number in range(150)), "b", "b"])
    await notion.write(page, wanted)
    assert await notion.read(page) == wanted


@pytest.mark.parametrize(
    ("fault", "problem"),
    [
        ("rate", "429"),
        ("error", "500"),
        ("hang", "no response in time"),
        ("close", "no connection"),
    ],
)
async def test_a_lasting_failure_is_reported(
    notion: Notion, fake_notion: FakeNotion, fault: Fault, problem: str
) -> None:
    page = fake_notion.add_page("a")
    fake_notion.fail(*[fault] * 10)
    with pytest.raises(NotionFailed, match=rf"Notion cannot be reached \({problem}\)") as failed:
        await notion.page(page)
    assert failed.value.code == "notion_failed"
    assert fake_notion.count() == LIMITS.tries


async def test_a_failure_half_way_leaves_the_old_text(
    notion: Notion, fake_notion: FakeNotion
) -> None:
    old = [f"old {number}" for number in range(5)]
    page = fake_notion.add_page("\n".join(["# t", *old]))
    fake_notion.fail(*ERRORS, on="DELETE")
    with pytest.raises(NotionFailed):
        await notion.write(page, "\n".join(["# t", *(f"- new {number}" for number in range(5))]))
    lines = (await notion.read(page)).split("\n")
    assert set(old) <= set(lines)
    assert {f"- new {number}" for number in range(5)} <= set(lines)


@pytest.mark.parametrize("fault", ["lost", "close", "error", "hang"])
async def test_creating_never_makes_two_pages(
    notion: Notion, fake_notion: FakeNotion, fault: Fault
) -> None:
    parent = fake_notion.add_page()
    namesake = fake_notion.pages.add("Notes", (), fake_notion.node(parent)).id
    fake_notion.fail(fault, on="POST")
    if fault == "lost":
        page = await notion.create(parent_id=parent, title="Notes", text="a")
        assert await notion.read(page.id) == "a"
        assert fake_notion.ids(parent) == [namesake, page.id]
        return
    with pytest.raises(NotionFailed, match="created no page"):
        await notion.create(parent_id=parent, title="Notes", text="a")
    assert fake_notion.ids(parent) == [namesake]


async def test_an_incomplete_new_page_is_named_in_the_error(
    notion: Notion, fake_notion: FakeNotion
) -> None:
    parent = fake_notion.add_page()
    fake_notion.fail(*ERRORS, on="PATCH")
    with pytest.raises(NotionFailed, match="the new page is incomplete: link https"):
        await notion.create(parent_id=parent, title="Notes", text="a")


async def test_a_revoked_token_is_reported_and_not_retried(
    notion: Notion, fake_notion: FakeNotion
) -> None:
    page = fake_notion.add_page("a")
    fake_notion.revoke()
    with pytest.raises(NotionRefused, match="set WEBTMUX_NOTION_TOKEN"):
        await notion.read(page)
    assert fake_notion.count() == 1


@pytest.mark.parametrize("token", ["", "with space", "line\nbreak", "ünïcode"])
async def test_an_invalid_token_is_never_sent(fake_notion: FakeNotion, token: str) -> None:
    notion = Notion(token=token, url=fake_notion.url, limits=LIMITS)
    with pytest.raises(NotionRefused, match="WEBTMUX_NOTION_TOKEN") as refused:
        await notion.page(fake_notion.add_page())
    assert token == "" or token not in refused.value.message
    assert fake_notion.count() == 0
    await notion.close()


async def test_a_deleted_page_is_gone(notion: Notion, fake_notion: FakeNotion) -> None:
    page = fake_notion.add_page("a")
    fake_notion.trash(page)
    with pytest.raises(NotionGone, match="trash"):
        await notion.page(page)
    with pytest.raises(NotionGone, match="trash"):
        await notion.write(page, "b")
    fake_notion.forget(page)
    with pytest.raises(NotionGone, match="share it with the integration"):
        await notion.page(page)


async def test_neither_page_text_nor_token_is_logged(
    notion: Notion, fake_notion: FakeNotion, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    page = fake_notion.add_page("my secret diary")
    fake_notion.fail("invalid", on="PATCH")
    with pytest.raises(NotionFailed, match="400 validation_error") as invalid:
        await notion.write(page, "my secret diary, continued")
    fake_notion.revoke()
    with pytest.raises(NotionRefused) as refused:
        await notion.read(page)
    logged = caplog.text + repr(invalid.value) + repr(refused.value)
    assert "ntn_secret" not in logged
    assert "diary" not in logged


# --- pace ---------------------------------------------------------------------------------------


async def test_requests_are_spaced_after_a_burst(monkeypatch: pytest.MonkeyPatch) -> None:
    """Requests are only scheduled, so that their times do not depend on the machine's speed."""
    starts: list[float] = []
    time_now = asyncio.get_running_loop().time

    async def sleep(seconds: float) -> None:
        starts.append(time_now() + seconds)

    monkeypatch.setattr("notes.notion.calls.asyncio.sleep", sleep)
    pacer, begin = Pacer(rate=0.5), time_now()
    for _ in range(13):
        await pacer.wait()
    assert all(start - begin < 2 for start in starts[:3])
    assert 20 <= starts[-1] - begin < 22


async def test_a_hold_delays_all_requests() -> None:
    pacer = Pacer(rate=1000)
    pacer.hold(0.2)
    start = time.monotonic()
    await asyncio.gather(*(pacer.wait() for _ in range(3)))
    assert time.monotonic() - start >= 0.19


async def test_retry_after_is_respected(notion: Notion, fake_notion: FakeNotion) -> None:
    page = fake_notion.add_page("a")
    fake_notion.retry_after = "1"
    fake_notion.fail("rate")
    start = time.monotonic()
    await notion.page(page)
    assert 0.95 <= time.monotonic() - start < PAUSE_LIMIT


async def test_an_endless_retry_after_is_cut_off(fake_notion: FakeNotion) -> None:
    limits = replace(LIMITS, total=0.3)
    notion = Notion(token=fake_notion.token, url=fake_notion.url, limits=limits)
    fake_notion.retry_after = "86400"
    fake_notion.fail("rate")
    with pytest.raises(NotionFailed, match="took over"):
        await notion.page(fake_notion.add_page())
    await notion.close()


# --- addresses ----------------------------------------------------------------------------------

ID = "1f2e3d4c-5b6a-7988-1f2e-3d4c5b6a7988"
BARE = ID.replace("-", "")


@pytest.mark.parametrize(
    "address",
    [
        ID,
        BARE,
        f"  {BARE.upper()} ",
        f"https://www.notion.so/{BARE}",
        f"https://www.notion.so/team/My-Page-{BARE}?pvs=4#{'ab' * 16}",
        f"https://team.notion.site/Page-{BARE}",
        f"notion.so/{ID}",
        f"https://www.notion.so/team/{'ab' * 16}?v={'cd' * 16}&p={BARE}&pm=s",
    ],
)
def test_an_address_or_id_is_accepted(address: str) -> None:
    assert page_id(address) == ID


@pytest.mark.parametrize(
    "address",
    ["", "x", BARE[1:], f"https://example.org/{BARE}", "https://www.notion.so/team", "https://[",
     f"{BARE}0", f"https://notion.so.evil.org/{BARE}"],
)  # fmt: skip
def test_anything_else_is_refused_with_the_accepted_forms(address: str) -> None:
    with pytest.raises(Invalid, match="pass its address"):
        page_id(address)
