"""Tasks that windows work on: the link follows the task, and goes with it."""

import pytest

from notes import handing, selectors, services
from notes.models import NoteChange, Source
from notes.schemas import NotesOut
from notes.selectors import Notes, Owner
from notes.services import TaskChange
from notes.tasklist import Status
from terminals.errors import Conflict, NotFound, Refused
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
    return services.write_notes(owner=owner, notes=notes, by="tester")


def hand(owner: Owner, key: str, window: Window, **more: str) -> Notes:
    return handing.hand_task(owner=owner, key=key, window=window, by="tester", **more)


def test_a_task_that_is_handed_over_is_in_progress_and_names_its_window(
    owner: Owner, window: Window
) -> None:
    _, key = write(owner, "a\n- [ ] b").keys
    notes = hand(owner, key, window, expected_text="b")
    assert notes.sheet.body == "a\n- [ ] [WIP] b"
    told = NotesOut.of(selectors.read_notes(owner=owner)).model_dump(mode="json")["handed"]
    assert told == {key: {"window": window.key, "at": told[key]["at"], "declined": False}}
    assert NoteChange.objects.latest("pk").action == "hand_task"


def test_a_task_in_progress_is_handed_over_too_and_told(owner: Owner, window: Window) -> None:
    [key] = write(owner, "[WIP] a").keys
    before = selectors.read_notes(owner=owner).sheet.version
    assert hand(owner, key, window).sheet.version == before + 1


def test_the_link_follows_its_task_and_goes_with_it(owner: Owner, window: Window) -> None:
    first, second = write(owner, "a\nb").keys
    hand(owner, first, window)
    write(owner, "b\nnew\n[WIP] a")
    notes = selectors.read_notes(owner=owner)
    assert set(notes.sheet.handed) == {first}
    assert notes.keys[2] == first
    assert notes.keys[0] == second
    assert write(owner, "b\nnew").sheet.handed == {}


def test_a_judged_task_is_done_or_stays(owner: Owner, window: Window) -> None:
    [key] = write(owner, "a").keys
    with pytest.raises(Refused, match="no agent has this task"):
        handing.judge_task(owner=owner, key=key, done=True, by="tester")
    hand(owner, key, window)
    stays = handing.judge_task(owner=owner, key=key, done=False, by="tester")
    assert (stays.sheet.body, stays.sheet.handed[key]["declined"]) == ("[WIP] a", True)
    done = handing.judge_task(owner=owner, key=key, done=True, by="tester")
    assert (done.sheet.body, done.sheet.handed[key]["declined"]) == ("[CM] a", False)


def test_what_is_gone_changed_or_notions_is_not_handed_over(owner: Owner, window: Window) -> None:
    notes = write(owner, "a")
    with pytest.raises(NotFound, match="gone"):
        hand(owner, "nokey", window)
    with pytest.raises(Conflict):
        hand(owner, notes.keys[0], window, expected_text="b")
    notes.sheet.source = Source.NOTION
    notes.sheet.save()
    with pytest.raises(Refused, match="Notion"):
        hand(owner, notes.keys[0], window)


def test_a_card_changes_place_and_column_at_once_and_may_be_added_anywhere(owner: Owner) -> None:
    keys = write(owner, "a\nb\nc").keys

    def change(**asked: object) -> Notes:
        made = TaskChange(**asked)  # type: ignore[arg-type]
        return services.update_task(owner=owner, change=made, by="tester")

    moved = change(action="move", index=2, to_index=0, status=Status.CM)
    assert (moved.sheet.body, moved.keys) == ("[CM] c\na\nb", [keys[2], keys[0], keys[1]])
    added = change(action="add", text="new", to_index=1, status=Status.BL)
    assert added.sheet.body == "[CM] c\n[BL] new\na\nb"
    assert [*added.keys[:1], *added.keys[2:]] == moved.keys


def test_boards_are_those_with_tasks_but_of_windows_that_are_gone(owner: Owner) -> None:
    write(owner, "a")
    write(ProjectFactory.create(name="empty"), "# nothing")
    write(WindowFactory.create(alive=False), "gone")
    alive = WindowFactory.create()
    write(alive, "here")
    assert [sheet.owner for sheet in selectors.boards()] == [owner, alive]
