"""Tasks that windows work on: the link follows its task and is removed with it."""

from typing import Any

import pytest

from core.errors import Conflict, NotFound, Refused
from notes import handoff, selectors, services
from notes.models import NoteChange, NoteSource
from notes.schemas import HandedReceipt, NotesOut, TaskChange
from notes.selectors import Notes, Owner
from notes.tasklist import Status
from terminals.models import Window
from tests.factories import ProjectFactory, WindowFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> Owner:
    return ProjectFactory.create(name="main")


@pytest.fixture
def window() -> Window:
    return WindowFactory.create()


def write(owner: Owner, notes: str) -> Notes:
    return services.write_notes(owner=owner, notes=notes, actor="tester")


def hand(owner: Owner, key: str, window: Window, **more: Any) -> Notes:
    return handoff.hand_task(owner=owner, key=key, window=window, actor="tester", **more)


def test_a_handed_task_is_in_progress_and_linked_to_its_window(
    owner: Owner, window: Window
) -> None:
    _, key = write(owner, "a\n- [ ] b").keys
    notes = hand(owner, key, window, expected_text="b")
    assert notes.sheet.body == "a\n- [ ] [WIP] b"
    handed = NotesOut.of(selectors.read_notes(owner=owner)).model_dump(mode="json")["handed"]
    assert handed == {key: {"window": window.key, "at": handed[key]["at"], "declined": False}}
    assert NoteChange.objects.latest("pk").action == "hand_task"


def test_the_receipt_of_the_prompt_is_kept_with_the_task(owner: Owner, window: Window) -> None:
    [key] = write(owner, "a").keys
    receipt = HandedReceipt(id="r1", turn_started=True, attempts=2, ms=900)
    hand(owner, key, window, agent="claude-1", receipt=receipt)
    handed = NotesOut.of(selectors.read_notes(owner=owner)).model_dump(mode="json")["handed"][key]
    assert handed["agent"] == "claude-1"
    assert handed["receipt"] == {"id": "r1", "turnStarted": True, "attempts": 2, "ms": 900}


def test_handing_over_a_task_in_progress_is_a_new_version(owner: Owner, window: Window) -> None:
    [key] = write(owner, "[WIP] a").keys
    before = selectors.read_notes(owner=owner).sheet.version
    assert hand(owner, key, window).sheet.version == before + 1


def test_the_link_follows_its_task_and_is_removed_with_it(owner: Owner, window: Window) -> None:
    first, second = write(owner, "a\nb").keys
    hand(owner, first, window)
    write(owner, "b\nnew\n[WIP] a")
    notes = selectors.read_notes(owner=owner)
    assert set(notes.sheet.handed) == {first}
    assert notes.keys[2] == first
    assert notes.keys[0] == second
    assert write(owner, "b\nnew").sheet.handed == {}


def test_a_judged_task_is_completed_or_declined(owner: Owner, window: Window) -> None:
    [key] = write(owner, "a").keys
    with pytest.raises(Refused, match="no agent has this task"):
        handoff.judge_task(owner=owner, key=key, done=True, actor="tester")
    hand(owner, key, window)
    stays = handoff.judge_task(owner=owner, key=key, done=False, actor="tester")
    assert (stays.sheet.body, stays.sheet.handed[key]["declined"]) == ("[WIP] a", True)
    done = handoff.judge_task(owner=owner, key=key, done=True, actor="tester")
    assert (done.sheet.body, done.sheet.handed[key]["declined"]) == ("[CM] a", False)


def test_removed_changed_or_notion_tasks_are_not_handed_over(owner: Owner, window: Window) -> None:
    notes = write(owner, "a")
    with pytest.raises(NotFound, match="gone"):
        hand(owner, "nokey", window)
    with pytest.raises(Conflict):
        hand(owner, notes.keys[0], window, expected_text="b")
    notes.sheet.source = NoteSource.NOTION
    notes.sheet.save()
    with pytest.raises(Refused, match="Notion"):
        hand(owner, notes.keys[0], window)


def test_a_card_changes_place_and_column_at_once_and_can_be_added_anywhere(owner: Owner) -> None:
    keys = write(owner, "a\nb\nc").keys

    def change(**arguments: Any) -> Notes:
        return services.update_task(owner=owner, change=TaskChange(**arguments), actor="tester")

    moved = change(action="move", index=2, to_index=0, status=Status.CM)
    assert (moved.sheet.body, moved.keys) == ("[CM] c\na\nb", [keys[2], keys[0], keys[1]])
    added = change(action="add", text="new", to_index=1, status=Status.BL)
    assert added.sheet.body == "[CM] c\n[BL] new\na\nb"
    assert [*added.keys[:1], *added.keys[2:]] == moved.keys


def test_boards_exclude_empty_sheets_and_closed_windows(owner: Owner) -> None:
    write(owner, "a")
    write(ProjectFactory.create(name="empty"), "# nothing")
    write(WindowFactory.create(alive=False), "gone")
    alive = WindowFactory.create()
    write(alive, "here")
    assert [sheet.owner for sheet in selectors.boards()] == [owner, alive]
