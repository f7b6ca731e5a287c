"""The admin: rows can be viewed and searched; what tmux decides cannot be changed."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from terminals.models import Project, Window
from tests.factories import ProjectFactory, WindowFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("admin", password="x"))
    return client


def test_the_admin_has_our_name_and_style_sheet(admin: Client) -> None:
    page = admin.get(reverse("admin:index")).content.decode()
    assert "webtmux" in page
    assert "admin/admin.css" in page
    assert "Django administration" not in page


def test_projects_are_listed_with_their_live_windows_and_searched(admin: Client) -> None:
    project = ProjectFactory.create(name="Web", session="main")
    WindowFactory.create_batch(3, project=project)
    WindowFactory.create(project=project, alive=False)
    ProjectFactory.create(name="Other")
    page = admin.get(reverse("admin:terminals_project_changelist"), {"q": "main"}).content.decode()
    assert "Web" in page
    assert "Other" not in page
    assert '<td class="field-live_windows">3</td>' in page


def test_windows_are_listed_filtered_and_searched(admin: Client) -> None:
    live, gone = WindowFactory.create(name="vim"), WindowFactory.create(name="less", alive=False)
    url = reverse("admin:terminals_window_changelist")
    assert live.key in admin.get(url, {"alive__exact": "1"}).content.decode()
    assert gone.key not in admin.get(url, {"alive__exact": "1"}).content.decode()
    assert gone.key in admin.get(url, {"q": "less"}).content.decode()


def _save(admin: Client, project: Project, name: str) -> str:
    none = {"TOTAL_FORMS": "0", "INITIAL_FORMS": "0"}
    inlines = {f"windows-{key}": value for key, value in none.items()}
    url = reverse("admin:terminals_project_change", args=[project.pk])
    return admin.post(url, {"name": name, **inlines}, follow=True).content.decode()


def test_a_project_is_renamed_through_the_service(admin: Client) -> None:
    project = ProjectFactory.create(name="work", session="work")
    assert "was changed successfully" in _save(admin, project, "Web")
    project.refresh_from_db()
    assert (project.name, project.session, project.version) == ("Web", "work", 2)


def test_an_invalid_project_name_is_not_saved(admin: Client) -> None:
    project = ProjectFactory.create(name="work")
    ProjectFactory.create(name="taken")
    for name, reason in (("a\tb", "no control characters"), ("taken", "already exists")):
        page = _save(admin, project, name)
        project.refresh_from_db()
        assert project.name == "work"
        assert reason in page
        assert "was changed successfully" not in page


def test_windows_cannot_be_edited_or_added_by_hand(admin: Client) -> None:
    window = WindowFactory.create(name="vim")
    url = reverse("admin:terminals_window_change", args=[window.pk])
    assert admin.get(url).status_code == 200
    assert admin.post(url, {"name": "x"}).status_code == 403
    assert admin.get(reverse("admin:terminals_window_add")).status_code == 403
    assert admin.get(reverse("admin:terminals_project_add")).status_code == 403


def test_only_ended_windows_and_projects_can_be_deleted(admin: Client) -> None:
    live, gone = WindowFactory.create(), WindowFactory.create(alive=False)
    for row, status in ((live, 403), (gone, 302)):
        url = reverse("admin:terminals_window_delete", args=[row.pk])
        assert admin.post(url, {"post": "yes"}).status_code == status
        assert Window.objects.filter(pk=row.pk).exists() == (status == 403)
        url = reverse("admin:terminals_project_delete", args=[row.project.pk])
        assert admin.post(url, {"post": "yes"}).status_code == status
