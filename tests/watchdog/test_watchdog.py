"""The watchdog itself: what it reports, and which reports fail a test."""

import asyncio
import gc
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.config.servers import ROOT
from tests.watchdog import loop, plugin
from tests.watchdog.loop import SlowCallback


@pytest.fixture
def reports(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[SlowCallback]]:
    """The reports of this process; they are cleared so that they do not fail these tests.

    `burn` uses a fixed processor time, so the speed of the machine does not matter here.
    """
    monkeypatch.setattr(loop._Watch, "slowdown", lambda watch, during: 1.0)
    monkeypatch.setattr(loop._Watch, "stolen", lambda watch, began: 0.0)
    yield plugin.own_reports
    plugin.own_reports.clear()


def burn(seconds: float) -> None:
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        sum(range(1000))


async def burner(seconds: float) -> None:
    """In one callback, and at least until the watchdog has looked at it."""
    await asyncio.sleep(0)
    assert loop._watch is not None
    sample = loop._watch.running[threading.get_ident()]
    burn(seconds)
    while not sample.stacks:
        burn(0.01)


async def test_a_coroutine_that_computes_too_long_is_reported(reports: list[SlowCallback]) -> None:
    await asyncio.create_task(burner(0.2))
    (slow,) = reports
    assert slow.seconds >= 0.2
    assert slow.callback == "tests/watchdog/test_watchdog.py:burner"
    assert "tests/watchdog/test_watchdog.py:burn" in slow.stacks[-1]
    assert "await tests/watchdog/test_watchdog.py:burner" in slow.stacks[-1]


async def test_a_plain_callback_is_reported_by_its_name(reports: list[SlowCallback]) -> None:
    asyncio.get_running_loop().call_soon(burn, 0.1)
    await asyncio.sleep(0)
    assert [slow.callback for slow in reports] == ["tests/watchdog/test_watchdog.py:burn"]


async def test_c_code_that_holds_the_interpreter_is_reported(reports: list[SlowCallback]) -> None:
    """No other thread can read at the same time."""
    numbers = range(4_000_000)
    began = time.thread_time()
    while time.thread_time() - began < 4 * loop.LIMIT:  # large enough on this machine
        numbers = range(2 * len(numbers))
        began = time.thread_time()
        sum(numbers)
    asyncio.get_running_loop().call_soon(sum, numbers)
    await asyncio.sleep(0)
    (slow,) = [slow for slow in reports if "built-in function sum" in slow.callback]
    assert not slow.stacks


async def test_time_that_no_other_thread_noticed_is_not_reported(
    reports: list[SlowCallback], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hypervisor that does not report what it takes: the clock of the thread jumps."""
    thread_time, jump = time.thread_time, 0.0
    monkeypatch.setattr(time, "thread_time", lambda: thread_time() + jump)

    def stand_still() -> None:
        nonlocal jump
        jump += 0.2

    asyncio.get_running_loop().call_soon(stand_still)
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert jump
    assert reports == []


async def test_waiting_is_not_reported(reports: list[SlowCallback]) -> None:
    time.sleep(2 * loop.LIMIT)  # blocks the loop, but uses no processor time
    await asyncio.to_thread(burn, 2 * loop.LIMIT)
    burn(loop.LIMIT / 10)
    assert reports == []


async def test_time_that_the_hypervisor_took_is_not_reported(
    reports: list[SlowCallback], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop._Watch, "stolen", lambda watch, began: 0.2)
    await asyncio.create_task(burner(0.2))
    assert reports == []
    await asyncio.create_task(burner(0.2 + 2 * loop.LIMIT))
    assert len(reports) == 1


async def test_stolen_time_is_counted_from_the_start_of_the_callback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert loop._watch is not None
    samples = [(1.0, 10.0), (2.0, 10.5), (3.0, 12.0)]
    monkeypatch.setattr(loop._watch, "_steal", deque(samples, maxlen=3))
    monkeypatch.setattr(loop, "_steal", lambda: 12.25)
    assert [loop._watch.stolen(began) for began in (0.5, 2.5, 9.0)] == [2.25, 1.75, 0.25]


async def test_a_garbage_collection_is_not_reported(reports: list[SlowCallback]) -> None:
    async def collect() -> None:
        end = time.thread_time() + 0.2
        while time.thread_time() < end:
            gc.collect()

    await asyncio.create_task(collect())
    assert reports == []


async def test_the_limit_grows_while_the_machine_is_slower(
    reports: list[SlowCallback], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop._Watch, "slowdown", lambda watch, during: 2.5)
    await asyncio.create_task(burner(2 * loop.LIMIT))
    assert reports == []
    await asyncio.create_task(burner(4 * loop.LIMIT))
    assert [slow.slowdown for slow in reports] == [2.5]


def test_the_slowdown_is_measured_during_the_callback_and_after_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    watch = object.__new__(loop._Watch)
    for after, during, slowdown in (
        (0.001, [], 1.0),
        (0.002, [], 2.0),
        (0.001, [0.002, 0.002, 0.001], 2.0),
        (0.002, [0.001], 2.0),
        (0.001, [0.001, 0.001, 0.009], 1.0),  # one slow sample proves nothing
        (0.009, [0.009], loop.MOST_SLOWDOWN),
    ):
        watch.best = 0.001
        monkeypatch.setattr(loop, "_time_fixed_work", partial(float, after))
        assert watch.slowdown(during) == slowdown
    monkeypatch.setattr(loop, "_time_fixed_work", lambda: 0.0005)
    assert (watch.slowdown([]), watch.best) == (1.0, 0.0005)


async def test_a_slow_callback_is_accompanied_by_measurements(
    reports: list[SlowCallback], monkeypatch: pytest.MonkeyPatch
) -> None:
    measured: list[int] = []

    def slowdown(watch: object, during: list[float]) -> float:
        measured.append(len(during))
        return 1.0

    monkeypatch.setattr(loop._Watch, "slowdown", slowdown)
    await asyncio.create_task(burner(0.1))
    assert measured
    assert measured[0] > 0


def report_of(*stacks: tuple[str, ...], callback: str = "x", server: bool = False) -> SlowCallback:
    return SlowCallback(0.1, callback, stacks, server)


@pytest.mark.parametrize(
    ("report", "counts"),
    [
        (report_of(("await terminals/scrollback/search.py:search", "lib/re.py:sub")), True),
        (
            report_of(("await tests/test_x.py:test", "await agents/ws.py:ask", "agents/a.py:b")),
            True,
        ),
        (report_of(("asyncio/events.py:_run", "terminals/tmux/control.py:feed")), True),
        (
            report_of(("tests/test_x.py:test", "terminals/scrollback/ansi.py:strip")),
            False,
        ),  # called by the test
        (report_of(("await tests/test_x.py:test", "json/decoder.py:decode")), False),
        (report_of(callback="terminals/tmux/monitor.py:Link._run"), True),
        (report_of(("site-packages/twisted/x.py:read",), server=True), True),
        (report_of(server=True), True),
    ],
)
def test_only_what_the_product_does_counts(report: SlowCallback, counts: bool) -> None:
    assert plugin.counts(report) is counts


def test_what_is_allowed_by_name_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    report = report_of(("config/server/lifecycle.py:start",), server=True)
    assert plugin.counts(report)
    monkeypatch.setitem(plugin.ALLOWED, "config/server/lifecycle.py:start", "start-up")
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
    code = (
        "import asyncio, sys\n"
        "if watchdog := sys.modules.get('webtmux_loop_watchdog'): watchdog._steal = lambda: 0.0\n"
        "async def main():\n sum(range(20_000_000))\n"
        "asyncio.run(main())"
    )
    record = tmp_path / "record"
    env = {**plugin.server_environment(), plugin.RECORD: str(record)}
    subprocess.run([sys.executable, "-c", code, "other"], env=env, check=True)
    assert not record.exists()
    subprocess.run([sys.executable, "-c", code, "serve"], env=env, check=True)
    (line,) = record.read_text().splitlines()
    slow = loop.parse(line)
    assert slow.server
    assert "main" in slow.callback
    assert plugin.counts(slow)


pytest_plugins = ["pytester"]


def test_a_test_that_holds_the_loop_fails(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    pytester.makeconftest(
        'pytest_plugins = ["tests.watchdog.plugin"]\n'
        "from tests.watchdog import loop\n"
        "loop._steal = lambda: 0.0\n"
    )
    pytester.makeini("[pytest]\nasyncio_mode = auto\nasyncio_default_fixture_loop_scope = function")
    pytester.makepyfile(
        """
        from terminals.tmux.client import cancel
        import time

        class Slow:
            def done(self):
                stop = time.thread_time() + 0.3
                while time.thread_time() < stop:
                    pass
                return True

        async def test_holds():
            await cancel(Slow())

        async def test_does_not():
            pass
        """
    )
    done = pytester.runpytest_subprocess("-p", "no:cacheprovider", "-p", "no:django")
    done.assert_outcomes(passed=2, errors=1)
    done.stdout.fnmatch_lines(["*loop was held over 50 ms*", "*terminals/tmux/client.py:cancel*"])
