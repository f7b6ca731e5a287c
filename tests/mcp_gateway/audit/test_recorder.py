"""Every call is logged and stored, without the text and without delaying the call."""

import asyncio
import logging
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client as Browser
from django.utils import timezone

from core.database import in_db
from mcp_gateway import selectors
from mcp_gateway.audit import charts
from mcp_gateway.audit import recorder as module
from mcp_gateway.audit.charts import Hour
from mcp_gateway.audit.recorder import Audit, PendingCall
from mcp_gateway.models import ToolCall
from mcp_gateway.server import Gateway
from terminals.runtime import Runtime
from terminals.services import get_window
from tests.conftest import RunTmux
from tests.mcp_gateway.fixtures import TOOLS, call, protocol_error, someone
from tests.waiting import LONGEST_SECONDS, eventually

pytestmark = pytest.mark.django_db(transaction=True)
SOON = LONGEST_SECONDS
NOW = datetime(2026, 3, 1, 12, 34, tzinfo=UTC)


async def written(audit: Audit) -> list[ToolCall]:
    """All rows, oldest first, as a stop leaves them."""
    stop = asyncio.Event()
    stop.set()
    await asyncio.wait_for(audit.write(stop=stop), SOON)
    return await in_db(list)(ToolCall.objects.order_by("pk"))


async def test_every_call_becomes_a_row() -> None:
    audit = Audit()
    server = Gateway(TOOLS, audit=audit, local=someone())
    await call(server, "double", number=1)
    await call(server, "change", mode="plan", text="hush")
    await call(server, "miss")
    await call(server, "crash")
    await protocol_error(server, "nothing like it")
    rows = await written(audit)
    assert [(row.tool, row.outcome) for row in rows] == [
        ("double", "ok"),
        ("change", "refused"),
        ("miss", "not_found"),
        ("crash", "crashed"),
        ("nothing like it", "not_found"),
    ]
    assert {row.caller for row in rows} == {"token somebody"}
    assert [row.length for row in rows] == [0, 4, 0, 0, 0]


async def test_text_is_kept_as_length_and_keyed_hash_only(
    caplog: pytest.LogCaptureFixture,
) -> None:
    audit = Audit()
    server = Gateway(TOOLS, audit=audit)
    with caplog.at_level(logging.DEBUG):
        for text in ("my password", "my password", "another"):
            await call(server, "change", mode="execute", text=text)
    first, second, third = await written(audit)
    assert first.digest == second.digest != third.digest
    assert len(first.digest) == 64
    everything = caplog.text + str(await in_db(list)(ToolCall.objects.values()))
    assert "password" not in everything
    lines = [record for record in caplog.records if record.name == "mcp_gateway.audit.recorder"]
    assert len(lines) == 3
    assert f"text of 11 ({first.digest[:12]})" in lines[0].message


async def test_the_target_is_what_the_caller_named() -> None:
    audit = Audit()
    request = {"session": "main", "windowIndex": 2, "windowName": "", "text": "x", "current": None}
    with audit.noting("send_to_window", request, someone().principal) as row:
        pass
    assert row.target == "session=main windowIndex=2"


async def test_a_cancelled_call_is_recorded_as_cancelled() -> None:
    audit = Audit()
    with pytest.raises(asyncio.CancelledError), audit.noting("wait_for", {}, someone().principal):
        raise asyncio.CancelledError
    [row] = await written(audit)
    assert row.outcome == "cancelled"


async def test_a_full_queue_drops_rows_and_counts_them(caplog: pytest.LogCaptureFixture) -> None:
    audit = Audit(limit=2)
    for _ in range(5):
        with audit.noting("double", {}, someone().principal):
            pass
    assert audit.dropped == 3
    assert len(await written(audit)) == 2
    assert "3 calls were not recorded" in caplog.text
    assert audit.dropped == 0


async def test_rows_are_written_while_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "GATHER_SECONDS", 0.01)
    audit, stop = Audit(), asyncio.Event()
    writing = asyncio.create_task(audit.write(stop=stop))
    with audit.noting("double", {}, someone().principal):
        pass
    await eventually(ToolCall.objects.aexists)
    stop.set()
    await asyncio.wait_for(writing, SOON)


async def test_a_failing_database_loses_no_row(monkeypatch: pytest.MonkeyPatch) -> None:
    audit = Audit()
    with audit.noting("double", {}, someone().principal):
        pass

    def broken(rows: list[ToolCall]) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as trouble:
        trouble.setattr(module, "_write", broken)
        with pytest.raises(OSError, match="full"):
            await written(audit)
    assert len(await written(audit)) == 1


async def test_a_call_that_ends_during_a_write_is_written_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    audit, write = Audit(), module._write

    def slowly(waiting: list[PendingCall]) -> None:
        write(waiting)
        if len(waiting) == 1 and waiting[0].row.tool == "first":
            with audit.noting("second", {}, someone().principal):
                pass

    monkeypatch.setattr(module, "_write", slowly)
    with audit.noting("first", {}, someone().principal):
        pass
    assert [row.tool for row in await written(audit)] == ["first", "second"]


async def test_a_call_is_recorded_with_its_window_and_project(
    runtime: Runtime, run_tmux: RunTmux
) -> None:
    await runtime.workspace.refresh()
    window_id = run_tmux("display-message", "-p", "-t", "work:", "#{window_id}")
    window = await get_window(tmux=runtime.main, window=window_id)
    audit = Audit()
    for arguments in ({"windowId": window_id}, {"session": "work"}, {"session": "elsewhere"}):
        with audit.noting("look", arguments, someone().principal):
            pass
    rows = await written(audit)
    project = window.project_id
    assert [(row.window_id, row.project_id) for row in rows] == [
        (window.pk, project), (None, project), (None, None),
    ]  # fmt: skip


async def test_old_rows_are_deleted_with_the_next_write() -> None:
    audit = Audit()
    await noted("ancient", timezone.now() - module.KEPT - timedelta(days=1))
    with audit.noting("double", {}, someone().principal):
        pass
    assert [row.tool for row in await written(audit)] == ["double"]


async def noted(tool: str, moment: datetime, outcome: str = "ok") -> None:
    await ToolCall.objects.acreate(tool=tool, at=moment, caller="peer local", ms=1, outcome=outcome)


async def test_calls_are_counted_by_hour_and_quiet_hours_too() -> None:
    for minutes, outcome in ((0, "ok"), (30, "ok"), (40, "refused"), (60 * 25, "ok")):
        await noted("double", NOW - timedelta(minutes=minutes), outcome)
    hours = await in_db(selectors.calls_per_hour)(rows=ToolCall.objects.all(), now=NOW)
    assert len(hours) == 24
    assert [(hour.begins.hour, hour.calls, hour.failed) for hour in hours[-2:]] == [
        (11, 1, 1),
        (12, 2, 0),
    ]
    assert sum(hour.calls for hour in hours) == 3


def test_the_busiest_hour_is_as_high_as_the_chart() -> None:
    hours = [Hour(NOW, calls, failed) for calls, failed in ((4, 1), (2, 0), (0, 0))]
    chart = charts.draw(hours)
    assert [(bar.height, bar.failed_height) for bar in chart.bars] == [
        ("75.00", "25.00"),
        ("50.00", "0.00"),
        ("0.00", "0.00"),
    ]
    assert (chart.calls, chart.failed, chart.most) == (6, 1, 4)


def test_without_calls_the_chart_has_no_bars() -> None:
    assert charts.draw([Hour(NOW, 0, 0)]).bars[0].height == "0.00"


def test_the_admin_lists_calls_with_a_chart_of_what_is_filtered(admin_client: Browser) -> None:
    now = timezone.now()
    for tool, outcome in (("double", "ok"), ("double", "refused"), ("miss", "not_found")):
        ToolCall.objects.create(tool=tool, at=now, caller="peer local", ms=3, outcome=outcome)
    page = admin_client.get("/admin/mcp_gateway/toolcall/").content.decode()
    assert "3 calls, 2 failed" in page
    assert "<svg" in page
    filtered = admin_client.get("/admin/mcp_gateway/toolcall/?tool=double").content.decode()
    assert "2 calls, 1 failed" in filtered
    assert admin_client.get("/admin/mcp_gateway/toolcall/add/").status_code == 403
