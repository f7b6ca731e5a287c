"""Constraints of the database, and what the models derive."""

import pytest
from django.db import IntegrityError, transaction

from terminals.models import KEY_LENGTH, KEY_LETTERS, Window, new_key
from tests.factories import ProjectFactory, WindowFactory

pytestmark = pytest.mark.django_db


def test_keys_are_short_readable_and_unique() -> None:
    keys = {new_key() for _ in range(1000)}
    assert len(keys) == 1000
    assert all(len(key) == KEY_LENGTH and set(key) <= set(KEY_LETTERS) for key in keys)


def test_every_window_gets_its_own_key() -> None:
    first, second = WindowFactory.create(), WindowFactory.create()
    assert first.key != second.key
    assert Window.objects.get(key=first.key) == first


def test_a_project_name_is_unique() -> None:
    ProjectFactory.create(name="work", session="a")
    with pytest.raises(IntegrityError), transaction.atomic():
        ProjectFactory.create(name="work", session="b")


def test_a_session_belongs_to_one_project_of_its_server() -> None:
    ProjectFactory.create(name="a", session="work")
    ProjectFactory.create(name="b", session="work", server="tabs")
    with pytest.raises(IntegrityError), transaction.atomic():
        ProjectFactory.create(name="c", session="work")


def test_several_projects_may_have_no_session() -> None:
    ProjectFactory.create_batch(3, session="")


def test_a_window_has_one_row_per_server_run() -> None:
    WindowFactory.create(tmux_id="@1", life="1-1")
    WindowFactory.create(tmux_id="@1", life="2-2")
    with pytest.raises(IntegrityError), transaction.atomic():
        WindowFactory.create(tmux_id="@1", life="1-1")


def test_a_project_is_alive_while_one_of_its_windows_is() -> None:
    project = ProjectFactory.create()
    assert not project.alive
    WindowFactory.create(project=project, alive=False)
    assert not project.alive
    WindowFactory.create(project=project)
    assert project.alive


def test_rows_have_readable_names() -> None:
    window = WindowFactory.create(project__name="web", project__session="main", index=2, name="vim")
    assert str(window) == "main:2 vim"
    assert str(window.project) == "web"
