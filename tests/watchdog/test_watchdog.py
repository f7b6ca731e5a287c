"""The watchdog itself: what it reports, what it does not, and what of that fails a test."""

import asyncio
import gc
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.config.servers import ROOT
from tests.watchdog import loop, plugin
from tests.watchdog.loop import Held


@pytest.fixture
def reports() -> Iterator[list[Held]]:
    """What was reported in this process; it is cleared so that it does not fail these tests."""
    yield plugin.own
    plugin.own.clear()


def burn(seconds: float) -> None:
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        sum(range(1000))


async def burner(seconds: float) -> None:
    await asyncio.sleep(0)
    burn(seconds)


async def test_a_coroutine_that_computes_too_long_is_reported(reports: list[Held]) -> None:
    await asyncio.create_task(burner(0.2))
    (held,) = reports
    assert held.seconds >= 0.2
    assert held.callback == "tests/watchdog/test_watchdog.py:burner"
    assert "tests/watchdog/test_watchdog.py:burn" in held.stacks[-1]
    assert "await tests/watchdog/test_watchdog.py:burner" in held.stacks[-1]


async def test_a_plain_callback_is_reported_by_its_name(reports: list[Held]) -> None:
    asyncio.get_running_loop().call_soon(burn, 0.1)
    await asyncio.sleep(0.01)
    assert [held.callback for held in reports] == ["tests/watchdog/test_watchdog.py:burn"]


async def test_waiting_is_not_reported(reports: list[Held]) -> None:
    await asyncio.sleep(0.1)
    time.sleep(0.1)
    await asyncio.to_thread(burn, 0.1)
    burn(loop.LIMIT / 10)
    assert reports == []


async def test_a_garbage_collection_is_not_reported(reports: list[Held]) -> None:
    async def collect() -> None:
        kept = [[n] for n in range(500_000)]
        end = time.thread_time() + 0.2
        while time.thread_time() < end:
            gc.collect()
        del kept

    await asyncio.create_task(collect())
    # Building the list is work of its own; most of the time was spent in collections.
    assert sum(held.seconds for held in reports) < 0.2


def held(*stacks: tuple[str, ...], callback: str = "x", server: bool = False) -> Held:
    return Held(0.1, callback, stacks, server)


@pytest.mark.parametrize(
    ("report", "counts"),
    [
        (held(("await terminals/searching.py:search", "lib/re.py:sub")), True),
        (held(("await tests/test_x.py:test", "await agents/ws.py:ask", "agents/a.py:b")), True),
        (held(("asyncio/events.py:_run", "terminals/tmux/control.py:feed")), True),
        (held(("tests/test_x.py:test", "terminals/ansi.py:strip")), False),  # the test's own doing
        (held(("await tests/test_x.py:test", "json/decoder.py:decode")), False),
        (held(callback="terminals/tmux/link.py:Link._run"), True),
        (held(("site-packages/twisted/x.py:read",), server=True), True),
        (held(server=True), True),
    ],
)
def test_only_what_the_product_does_counts(report: Held, counts: bool) -> None:
    assert plugin.counts(report) is counts


def test_what_is_allowed_by_name_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    report = held(("config/process.py:start",), server=True)
    assert plugin.counts(report)
    monkeypatch.setitem(plugin.ALLOWED, "config/process.py:start", "start-up")
    assert not plugin.counts(report)


def test_every_allowance_names_code_that_exists_and_says_why() -> None:
    for name, reason in plugin.ALLOWED.items():
        path, _, function = name.partition(":")
        if not path.startswith("openai/"):
            source = ROOT / path
            assert source.is_file(), name
            defined = f"def {function.rpartition('.')[2]}("
            assert function == "<module>" or defined in source.read_text(), name
        assert len(reason) > 10, name


def test_a_server_process_reports_to_the_test_that_started_it(tmp_path: Path) -> None:
    code = "import asyncio\nasync def main():\n sum(range(20_000_000))\nasyncio.run(main())"
    record = tmp_path / "record"
    env = {**plugin.server_environment(), plugin.RECORD: str(record)}
    subprocess.run([sys.executable, "-c", code, "other"], env=env, check=True)
    assert not record.exists()
    subprocess.run([sys.executable, "-c", code, "serve"], env=env, check=True)
    (line,) = record.read_text().splitlines()
    found = loop.read(line)
    assert found.server
    assert "main" in found.callback
    assert plugin.counts(found)


pytest_plugins = ["pytester"]


def test_a_test_that_holds_the_loop_fails(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    pytester.makeconftest('pytest_plugins = ["tests.watchdog.plugin"]')
    pytester.makeini("[pytest]\nasyncio_mode = auto\nasyncio_default_fixture_loop_scope = function")
    pytester.makepyfile(
        """
        from terminals.tmux.client import end
        import time

        class Slow:
            def done(self):
                stop = time.thread_time() + 0.2
                while time.thread_time() < stop:
                    pass
                return True

        async def test_holds():
            await end(Slow())

        async def test_does_not():
            pass
        """
    )
    done = pytester.runpytest_subprocess("-p", "no:cacheprovider", "-p", "no:django")
    done.assert_outcomes(passed=2, errors=1)
    done.stdout.fnmatch_lines(["*loop was held over 50 ms*", "*terminals/tmux/client.py:end*"])
