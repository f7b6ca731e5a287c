"""Adoption by value: what becomes of known rows when tmux shows these windows."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from terminals.adoption import (
    Adopt,
    Create,
    CreateProject,
    KnownProject,
    KnownWindow,
    MarkGone,
    ReleaseProject,
    Update,
    UpdateProject,
    free_name,
    plan_projects,
    plan_windows,
)
from tests.factories import window_row

OLD, NOW = "1-1", "2-2"


def known(
    pk: int,
    tmux_id: str,
    name: str = "sh",
    *,
    session: str = "work",
    index: int = 0,
    life: str = NOW,
    alive: bool = True,
    closed: bool = False,
) -> KnownWindow:
    return KnownWindow(
        pk=pk, session=session, tmux_id=tmux_id, index=index, name=name, life=life, alive=alive,
        closed=closed,
    )  # fmt: skip


def project(
    pk: int, session: str, tmux_id: str, *, name: str = "", life: str = NOW
) -> KnownProject:
    return KnownProject(pk=pk, name=name or session, session=session, tmux_id=tmux_id, life=life)


# --- windows within one life ------------------------------------------------------------------


def test_what_has_not_changed_needs_no_action() -> None:
    assert plan_windows([known(1, "@1")], [window_row("@1")], life=NOW) == []


def test_a_new_window_is_created() -> None:
    row = window_row("@2", "vim")
    assert plan_windows([known(1, "@1")], [window_row("@1"), row], life=NOW) == [Create(row)]


def test_a_renamed_moved_or_selected_window_is_updated() -> None:
    before = [known(1, "@1"), known(2, "@2", index=1), known(3, "@3", index=2)]
    live = [
        window_row("@1", "vim"),
        window_row("@2", index=7),
        window_row("@3", index=2, active=True),
    ]
    assert plan_windows(before, live, life=NOW) == [
        Update(1, live[0]), Update(3, live[2]), Update(2, live[1]),
    ]  # fmt: skip


def test_swapped_indexes_follow_the_ids() -> None:
    before = [known(1, "@1", "a", index=0), known(2, "@2", "b", index=1)]
    live = [window_row("@1", "a", index=1), window_row("@2", "b", index=0)]
    assert set(plan_windows(before, live, life=NOW)) == {Update(1, live[0]), Update(2, live[1])}


def test_a_closed_window_is_gone_for_good() -> None:
    assert plan_windows([known(1, "@1")], [], life=NOW) == [MarkGone(1, closed=True)]


def test_a_new_window_of_a_closed_ones_name_is_another_window() -> None:
    before = [known(1, "@1", "build", alive=False, closed=True)]
    row = window_row("@2", "build")
    assert plan_windows(before, [row], life=NOW) == [Create(row)]
    assert plan_windows([replace(before[0], life=OLD)], [row], life=NOW) == [Create(row)]


def test_a_window_that_was_thought_gone_is_adopted_again_by_its_id() -> None:
    row = window_row("@1")
    assert plan_windows([known(1, "@1", alive=False)], [row], life=NOW) == [Adopt(1, row)]
    wrongly_closed = known(1, "@1", alive=False, closed=True)
    assert plan_windows([wrongly_closed], [row], life=NOW) == [Adopt(1, row)]


def test_a_linked_window_is_one_row_and_stays_where_it_was() -> None:
    here = window_row("@1", session="b", session_id="$2", index=0)
    there = window_row("@1", session="a", session_id="$1", index=5)
    assert plan_windows([], [here, there], life=NOW) == [Create(there)]
    assert plan_windows([known(1, "@1", session="b")], [here, there], life=NOW) == []


def test_a_window_moved_to_another_session_keeps_its_row() -> None:
    row = window_row("@1", session="b", session_id="$2")
    assert plan_windows([known(1, "@1", session="a")], [row], life=NOW) == [Update(1, row)]


# --- windows after a restart ------------------------------------------------------------------


def test_after_a_restart_a_window_is_found_by_session_and_name() -> None:
    before = [
        known(1, "@1", "editor", index=4, life=OLD),
        known(2, "@2", "editor", index=4, session="ops", life=OLD),
    ]
    row = window_row("@9", "editor", session="ops")
    assert plan_windows(before, [row], life=NOW) == [MarkGone(1, closed=False), Adopt(2, row)]


def test_the_same_id_in_another_life_means_nothing() -> None:
    before = [known(1, "@1", "editor", index=0, life=OLD)]
    row = window_row("@1", "logs", index=3)
    assert plan_windows(before, [row], life=NOW) == [MarkGone(1, closed=False), Create(row)]


def test_of_equal_names_the_same_index_is_preferred() -> None:
    before = [known(1, "@1", index=0, life=OLD), known(2, "@2", index=3, life=OLD)]
    live = [window_row("@8", index=3), window_row("@9", index=5)]
    assert plan_windows(before, live, life=NOW) == [Adopt(2, live[0]), Adopt(1, live[1])]


def test_swapped_names_are_followed_before_indexes() -> None:
    before = [known(1, "@1", "a", index=0, life=OLD), known(2, "@2", "b", index=1, life=OLD)]
    live = [window_row("@5", "b", index=0), window_row("@6", "a", index=1)]
    assert plan_windows(before, live, life=NOW) == [Adopt(2, live[0]), Adopt(1, live[1])]


def test_a_window_of_another_name_is_found_by_its_index() -> None:
    before = [known(1, "@1", "vim", index=2, life=OLD)]
    row = window_row("@5", "bash", index=2)
    assert plan_windows(before, [row], life=NOW) == [Adopt(1, row)]


def test_of_rows_from_several_lives_the_latest_is_adopted() -> None:
    before = [
        known(2, "@1", "a", life=OLD, alive=False),
        known(1, "@1", "a", life="0-0", alive=False),
    ]
    row = window_row("@5", "a")
    assert plan_windows(before, [row], life=NOW) == [Adopt(2, row)]


def test_with_tmux_away_all_are_gone_and_none_is_closed() -> None:
    before = [known(1, "@1"), known(2, "@2", index=1), known(3, "@3", alive=False)]
    assert plan_windows(before, [], life="") == [
        MarkGone(1, closed=False),
        MarkGone(2, closed=False),
    ]


lives = st.sampled_from([OLD, NOW])
few = st.integers(0, 3)


@st.composite
def worlds(draw: st.DrawFn) -> tuple[list[KnownWindow], list[object]]:
    rows = draw(
        st.lists(
            st.tuples(few, st.sampled_from("ab"), st.sampled_from("xy"), few, lives,
                      st.booleans(), st.booleans()),
            unique_by=lambda row: (row[0], row[4]), max_size=8,
        )
    )  # fmt: skip
    before = [
        known(pk, f"@{tmux_id}", name, session=session, index=index, life=life,
              alive=alive and not closed, closed=closed)
        for pk, (tmux_id, session, name, index, life, alive, closed) in enumerate(rows)
    ]  # fmt: skip
    live = draw(
        st.lists(
            st.tuples(st.integers(0, 5), st.sampled_from("ab"), st.sampled_from("xy"), few),
            unique_by=lambda row: (row[0], row[1]), max_size=8,
        )
    )  # fmt: skip
    return before, [
        window_row(f"@{tmux_id}", name, session=session, session_id=f"${'ab'.index(session)}",
                   index=index)
        for tmux_id, session, name, index in live
    ]  # fmt: skip


@given(worlds())
def test_nothing_is_adopted_twice_and_no_live_window_is_left_out(world) -> None:  # type: ignore[no-untyped-def]
    before, live = world
    plan = plan_windows(before, live, life=NOW)
    rows = [action.pk for action in plan if not isinstance(action, Create)]
    assert len(rows) == len(set(rows))
    placed = [action.window.id for action in plan if not isinstance(action, MarkGone)]
    assert len(placed) == len(set(placed))
    settled = {row.tmux_id for row in before if row.life == NOW and row.alive}
    assert set(placed) | settled >= {row.id for row in live}


@given(worlds())
def test_once_the_plan_is_carried_out_there_is_nothing_more_to_do(world) -> None:  # type: ignore[no-untyped-def]
    before, live = world
    after = {row.pk: row for row in before}
    for number, action in enumerate(plan_windows(before, live, life=NOW)):
        if isinstance(action, MarkGone):
            after[action.pk] = replace(after[action.pk], alive=False, closed=action.closed)
        else:
            pk = 100 + number if isinstance(action, Create) else action.pk
            row = action.window
            after[pk] = known(
                pk, row.id, row.name, session=row.session_name, index=row.index, life=NOW
            )
    assert plan_windows(list(after.values()), live, life=NOW) == []


# --- projects ---------------------------------------------------------------------------------


def test_a_new_session_becomes_a_project_of_its_name() -> None:
    assert plan_projects([], {"$1": "work"}, life=NOW) == [CreateProject("$1", "work", "work")]


def test_a_project_name_that_is_taken_gets_a_number() -> None:
    renamed = project(1, "ops", "$1", name="work")
    assert plan_projects([renamed], {"$1": "ops", "$2": "work"}, life=NOW) == [
        CreateProject("$2", "work", "work 2")
    ]
    assert free_name("a", {"a", "a 2"}) == "a 3"


def test_a_rename_within_a_life_keeps_the_project_and_its_chosen_name() -> None:
    before = [project(1, "work", "$1"), project(2, "ops", "$2", name="Operations")]
    assert plan_projects(before, {"$1": "play", "$2": "oops"}, life=NOW) == [
        UpdateProject(1, "$1", "play", "play"),
        UpdateProject(2, "$2", "oops", "Operations"),
    ]


def test_two_sessions_that_swap_their_names_keep_their_projects() -> None:
    before = [project(1, "a", "$1"), project(2, "b", "$2")]
    assert plan_projects(before, {"$1": "b", "$2": "a"}, life=NOW) == [
        UpdateProject(1, "$1", "b", "a"),
        UpdateProject(2, "$2", "a", "b"),
    ]


def test_after_a_restart_or_a_new_start_a_project_is_found_by_its_session() -> None:
    before = [project(1, "work", "$1", life=OLD), project(2, "ops", "$2")]
    assert plan_projects(before, {"$5": "work", "$6": "ops"}, life=NOW) == [
        UpdateProject(1, "$5", "work", "work"),
        UpdateProject(2, "$6", "ops", "ops"),
    ]


def test_a_session_that_takes_a_dead_ones_name_releases_its_project() -> None:
    before = [project(1, "a", "$1"), project(2, "b", "$2")]
    assert plan_projects(before, {"$2": "a"}, life=NOW) == [
        ReleaseProject(1),
        UpdateProject(2, "$2", "a", "b"),
    ]


def test_a_session_that_takes_a_renamed_ones_old_name_gets_its_own_project() -> None:
    before = [project(1, "a", "$1")]
    assert plan_projects(before, {"$1": "b", "$2": "a"}, life=NOW) == [
        UpdateProject(1, "$1", "b", "b"),
        CreateProject("$2", "a", "a 2"),
    ]
