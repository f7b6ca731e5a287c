"""What has to exist is made once, and checked quickly afterwards."""

from dataclasses import replace
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from config import prepare


def test_the_directory_is_ours_alone(tmp_path: Path) -> None:
    made = tmp_path / "a" / "b"
    prepare.prepare_directory(made)
    assert made.stat().st_mode & 0o777 == 0o700
    made.chmod(0o755)
    prepare.prepare_directory(made)
    assert made.stat().st_mode & 0o777 == 0o700


@pytest.mark.django_db
def test_a_migrated_database_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise AssertionError("migrate was called")

    monkeypatch.setattr(prepare, "call_command", refuse)
    assert prepare.prepare_database() is False


@pytest.mark.django_db
def test_the_first_account_is_made_once_and_its_password_works() -> None:
    assert not prepare.has_active_user()
    password = prepare.first_account()
    admin = User.objects.get(username=prepare.ADMIN_NAME)
    assert admin.check_password(password)
    assert admin.is_superuser
    assert len(password) >= 16
    assert prepare.first_account() == ""
    assert prepare.has_active_user()


@pytest.mark.django_db
def test_no_account_is_made_when_anybody_has_one() -> None:
    User.objects.create_user("somebody", is_active=False)
    assert prepare.first_account() == ""
    assert User.objects.count() == 1
    assert not prepare.has_active_user()


@pytest.fixture
def sources(tmp_path: Path, settings: Settings) -> Path:
    folder = tmp_path / "frontend"
    folder.mkdir()
    (folder / "page.js").write_text("1")
    settings.STATICFILES_DIRS = [folder]
    settings.STATIC_ROOT = tmp_path / "data" / "static"
    settings.WEBTMUX = replace(settings.WEBTMUX, data_dir=tmp_path / "data")
    prepare.prepare_directory(tmp_path / "data")
    return folder


def test_static_files_are_collected_when_they_changed(sources: Path, settings: Settings) -> None:
    collected = Path(settings.STATIC_ROOT) / "page.js"
    assert prepare.prepare_static() is True
    assert collected.read_text() == "1"
    assert prepare.prepare_static() is False
    (sources / "page.js").write_text("22")
    assert prepare.prepare_static() is True
    assert collected.read_text() == "22"
    (sources / "page.js").unlink()
    assert prepare.prepare_static() is True
    assert not collected.exists()


def test_lost_static_files_are_collected_again(sources: Path, settings: Settings) -> None:
    prepare.prepare_static()
    root = Path(settings.STATIC_ROOT)
    root.rename(root.with_name("elsewhere"))
    assert prepare.prepare_static() is True
    assert (root / "page.js").exists()
