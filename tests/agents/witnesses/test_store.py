import asyncio

from agents.witnesses.evidence import AgentEvent, EventKind, EventSource
from agents.witnesses.store import EVENTS_PER_PANE, PANES, EventStore


def event(pane_id: str, number: int = 0) -> AgentEvent:
    return AgentEvent(
        "claude", EventKind.TURN_ENDED, EventSource.HOOK, float(number), pane_id=pane_id
    )


def test_events_are_kept_by_pane_newest_last() -> None:
    store = EventStore()
    for number, pane in enumerate(["%1", "%2", "%1"]):
        store.record(event(pane, number))
    assert [kept.timestamp for kept in store.events("%1")] == [0.0, 2.0]
    assert [kept.timestamp for kept in store.events("%2")] == [1.0]
    assert store.events("%3") == ()


def test_old_events_and_quiet_panes_are_dropped() -> None:
    store = EventStore()
    for number in range(EVENTS_PER_PANE + 5):
        store.record(event("%1", number))
    assert len(store.events("%1")) == EVENTS_PER_PANE
    assert store.events("%1")[-1].timestamp == EVENTS_PER_PANE + 4
    for number in range(PANES):
        store.record(event(f"%{number + 2}"))
    assert store.events("%1") == ()
    assert len(store.events("%2")) == 1


def test_an_event_without_a_pane_is_dropped() -> None:
    store, changed = EventStore(), asyncio.Event()
    with store.watching(changed):
        store.record(event(""))
    assert store.events("") == ()
    assert not changed.is_set()


def test_watchers_are_notified_of_records_and_forgotten_panes() -> None:
    store, changed = EventStore(), asyncio.Event()
    with store.watching(changed):
        store.record(event("%1"))
        assert changed.is_set()
        changed.clear()
        store.forget("%2")
        assert not changed.is_set()
        store.forget("%1")
        assert changed.is_set()
    changed.clear()
    store.record(event("%1"))
    assert not changed.is_set()
