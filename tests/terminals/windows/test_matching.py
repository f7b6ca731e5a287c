"""Matching known rows with live windows and sessions: the actions for each situation."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from terminals.windows.matching import (
    AdoptWindow,
    CreateProject,
    CreateWindow,
    KnownProject,
    KnownWindow,
    MarkGone,
    ReleaseProject,
    UpdateProject,
    UpdateWindow,
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
    server_run: str = NOW,
    alive: bool = True,
    closed: bool = False,
) -> KnownWindow:
    return KnownWindow(
        pk=pk, session=session, tmux_id=tmux_id, index=index, name=name,
        server_run=server_run, alive=alive, closed=closed,
    )  # fmt: skip


def project(
    pk: int, session: str, tmux_id: str, *, name: str = "", server_run: str = NOW
) -> KnownProject:
    return KnownProject(
        pk=pk, name=name or session, session=session, tmux_id=tmux_id, server_run=server_run
    )


# --- windows within one server run ------------------------------------------------------------


def test_an_unchanged_window_needs_no_action() -> None:
    assert plan_windows([known(1, "@1")], [window_row("@1")], server_run=NOW) == []


def test_a_new_window_is_created() -> None:
    row = window_row("@2", "vim")
    assert plan_windows([known(1, "@1")], [window_row("@1"), row], server_run=NOW) == [
        CreateWindow(row)
    ]


def test_a_renamed_moved_or_selected_window_is_updated() -> None:
    before = [known(1, "@1"), known(2, "@2", index=1), known(3, "@3", index=2)]
    live = [
        window_row("@1", "vim"),
        window_row("@2", index=7),
        window_row("@3", index=2, active=True),
    ]
    assert plan_windows(before, live, server_run=NOW) == [
        UpdateWindow(1, live[0]), UpdateWindow(3, live[2]), UpdateWindow(2, live[1]),
    ]  # fmt: skip


def test_swapped_indexes_follow_the_ids() -> None:
    before = [known(1, "@1", "a", index=0), known(2, "@2", "b", index=1)]
    live = [window_row("@1", "a", index=1), window_row("@2", "b", index=0)]
    assert set(plan_windows(before, live, server_run=NOW)) == {
        UpdateWindow(1, live[0]),
        UpdateWindow(2, live[1]),
    }


def test_a_closed_window_is_marked_as_closed() -> None:
    assert plan_windows([known(1, "@1")], [], server_run=NOW) == [MarkGone(1, closed=True)]


def test_a_new_window_with_the_name_of_a_closed_one_gets_a_new_row() -> None:
    before = [known(1, "@1", "build", alive=False, closed=True)]
    row = window_row("@2", "build")
    assert plan_windows(before, [row], server_run=NOW) == [CreateWindow(row)]
    assert plan_windows([replace(before[0], server_run=OLD)], [row], server_run=NOW) == [
        CreateWindow(row)
    ]


def test_a_window_wrongly_marked_as_gone_is_adopted_by_its_id() -> None:
    row = window_row("@1")
    assert plan_windows([known(1, "@1", alive=False)], [row], server_run=NOW) == [
        AdoptWindow(1, row)
    ]
    wrongly_closed = known(1, "@1", alive=False, closed=True)
    assert plan_windows([wrongly_closed], [row], server_run=NOW) == [AdoptWindow(1, row)]


def test_a_linked_window_has_one_row_and_stays_in_its_session() -> None:
    second = window_row("@1", session="b", session_id="$2", index=0)
    first = window_row("@1", session="a", session_id="$1", index=5)
    assert plan_windows([], [second, first], server_run=NOW) == [CreateWindow(first)]
    assert plan_windows([known(1, "@1", session="b")], [second, first], server_run=NOW) == []


def test_a_window_moved_to_another_session_keeps_its_row() -> None:
    row = window_row("@1", session="b", session_id="$2")
    assert plan_windows([known(1, "@1", session="a")], [row], server_run=NOW) == [
        UpdateWindow(1, row)
    ]


# --- windows after a restart ------------------------------------------------------------------


def test_after_a_restart_windows_are_matched_by_session_and_name() -> None:
    before = [
        known(1, "@1", "editor", index=4, server_run=OLD),
        known(2, "@2", "editor", index=4, session="ops", server_run=OLD),
    ]
    row = window_row("@9", "editor", session="ops")
    assert plan_windows(before, [row], server_run=NOW) == [
        MarkGone(1, closed=False),
        AdoptWindow(2, row),
    ]


def test_ids_of_another_server_run_do_not_match() -> None:
    before = [known(1, "@1", "editor", index=0, server_run=OLD)]
    row = window_row("@1", "logs", index=3)
    assert plan_windows(before, [row], server_run=NOW) == [
        MarkGone(1, closed=False),
        CreateWindow(row),
    ]


def test_among_equal_names_the_same_index_is_preferred() -> None:
    before = [known(1, "@1", index=0, server_run=OLD), known(2, "@2", index=3, server_run=OLD)]
    live = [window_row("@8", index=3), window_row("@9", index=5)]
    assert plan_windows(before, live, server_run=NOW) == [
        AdoptWindow(2, live[0]),
        AdoptWindow(1, live[1]),
    ]


def test_names_take_precedence_over_indexes() -> None:
    before = [
        known(1, "@1", "a", index=0, server_run=OLD),
        known(2, "@2", "b", index=1, server_run=OLD),
    ]
    live = [window_row("@5", "b", index=0), window_row("@6", "a", index=1)]
    assert plan_windows(before, live, server_run=NOW) == [
        AdoptWindow(2, live[0]),
        AdoptWindow(1, live[1]),
    ]


def test_a_renamed_window_is_matched_by_its_index() -> None:
    before = [known(1, "@1", "vim", index=2, server_run=OLD)]
    row = window_row("@5", "bash", index=2)
    assert plan_windows(before, [row], server_run=NOW) == [AdoptWindow(1, row)]


def test_among_rows_of_several_server_runs_the_latest_is_adopted() -> None:
    before = [
        known(2, "@1", "a", server_run=OLD, alive=False),
        known(1, "@1", "a", server_run="0-0", alive=False),
    ]
    row = window_row("@5", "a")
    assert plan_windows(before, [row], server_run=NOW) == [AdoptWindow(2, row)]


def test_without_tmux_all_windows_are_gone_but_not_closed() -> None:
    before = [known(1, "@1"), known(2, "@2", index=1), known(3, "@3", alive=False)]
    assert plan_windows(before, [], server_run="") == [
        MarkGone(1, closed=False),
        MarkGone(2, closed=False),
    ]


server_runs = st.sampled_from([OLD, NOW])
few = st.integers(0, 3)


@st.composite
def worlds(draw: st.DrawFn) -> tuple[list[KnownWindow], list[object]]:
    rows = draw(
        st.lists(
            st.tuples(few, st.sampled_from("ab"), st.sampled_from("xy"), few, server_runs,
                      st.booleans(), st.booleans()),
            unique_by=lambda row: (row[0], row[4]), max_size=8,
        )
    )  # fmt: skip
    before = [
        known(pk, f"@{tmux_id}", name, session=session, index=index, server_run=server_run,
              alive=alive and not closed, closed=closed)
        for pk, (tmux_id, session, name, index, server_run, alive, closed) in enumerate(rows)
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
def test_no_row_is_used_twice_and_no_live_window_is_left_out(world) -> None:  # type: ignore[no-untyped-def]
    before, live = world
    plan = plan_windows(before, live, server_run=NOW)
    rows = [action.pk for action in plan if not isinstance(action, CreateWindow)]
    assert len(rows) == len(set(rows))
    placed = [action.window.id for action in plan if not isinstance(action, MarkGone)]
    assert len(placed) == len(set(placed))
    settled = {row.tmux_id for row in before if row.server_run == NOW and row.alive}
    assert set(placed) | settled >= {row.id for row in live}


@given(worlds())
def test_a_second_plan_after_the_first_is_empty(world) -> None:  # type: ignore[no-untyped-def]
    before, live = world
    after = {row.pk: row for row in before}
    for number, action in enumerate(plan_windows(before, live, server_run=NOW)):
        if isinstance(action, MarkGone):
            after[action.pk] = replace(after[action.pk], alive=False, closed=action.closed)
        else:
            pk = 100 + number if isinstance(action, CreateWindow) else action.pk
            row = action.window
            after[pk] = known(
                pk, row.id, row.name, session=row.session_name, index=row.index, server_run=NOW
            )
    assert plan_windows(list(after.values()), live, server_run=NOW) == []


# --- projects ---------------------------------------------------------------------------------


def test_a_new_session_becomes_a_project_of_its_name() -> None:
    assert plan_projects([], {"$1": "work"}, server_run=NOW) == [
        CreateProject("$1", "work", "work")
    ]


def test_a_taken_project_name_gets_a_number() -> None:
    renamed = project(1, "ops", "$1", name="work")
    assert plan_projects([renamed], {"$1": "ops", "$2": "work"}, server_run=NOW) == [
        CreateProject("$2", "work", "work 2")
    ]
    assert free_name("a", {"a", "a 2"}) == "a 3"


def test_a_renamed_session_keeps_its_project_and_the_projects_own_name() -> None:
    before = [project(1, "work", "$1"), project(2, "ops", "$2", name="Operations")]
    assert plan_projects(before, {"$1": "play", "$2": "oops"}, server_run=NOW) == [
        UpdateProject(1, "$1", "play", "play"),
        UpdateProject(2, "$2", "oops", "Operations"),
    ]


def test_two_sessions_that_swap_their_names_keep_their_projects() -> None:
    before = [project(1, "a", "$1"), project(2, "b", "$2")]
    assert plan_projects(before, {"$1": "b", "$2": "a"}, server_run=NOW) == [
        UpdateProject(1, "$1", "b", "a"),
        UpdateProject(2, "$2", "a", "b"),
    ]


def test_after_a_restart_projects_are_matched_by_session_name() -> None:
    before = [project(1, "work", "$1", server_run=OLD), project(2, "ops", "$2")]
    assert plan_projects(before, {"$5": "work", "$6": "ops"}, server_run=NOW) == [
        UpdateProject(1, "$5", "work", "work"),
        UpdateProject(2, "$6", "ops", "ops"),
    ]


def test_a_session_that_takes_the_name_of_an_ended_one_releases_its_project() -> None:
    before = [project(1, "a", "$1"), project(2, "b", "$2")]
    assert plan_projects(before, {"$2": "a"}, server_run=NOW) == [
        ReleaseProject(1),
        UpdateProject(2, "$2", "a", "b"),
    ]


def test_a_session_that_takes_the_old_name_of_a_renamed_one_gets_its_own_project() -> None:
    before = [project(1, "a", "$1")]
    assert plan_projects(before, {"$1": "b", "$2": "a"}, server_run=NOW) == [
        UpdateProject(1, "$1", "b", "b"),
        CreateProject("$2", "a", "a 2"),
    ]
