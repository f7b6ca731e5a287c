"""What must exist is created once, and checked quickly afterwards."""

from pathlib import Path

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from config import bootstrap


def test_the_directory_is_private(tmp_path: Path) -> None:
    directory = tmp_path / "a" / "b"
    bootstrap.prepare_directory(directory)
    assert directory.stat().st_mode & 0o777 == 0o700
    directory.chmod(0o755)
    bootstrap.prepare_directory(directory)
    assert directory.stat().st_mode & 0o777 == 0o700


@pytest.mark.django_db
def test_a_migrated_database_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise AssertionError("migrate was called")

    monkeypatch.setattr(bootstrap, "call_command", refuse)
    assert bootstrap.prepare_database() is False


@pytest.mark.django_db
def test_the_first_account_is_created_once_and_its_password_works() -> None:
    assert not bootstrap.has_active_user()
    password = bootstrap.first_account()
    admin = User.objects.get(username=bootstrap.ADMIN_NAME)
    assert admin.check_password(password)
    assert admin.is_superuser
    assert len(password) >= 16
    assert bootstrap.first_account() == ""
    assert bootstrap.has_active_user()


@pytest.mark.django_db
def test_no_account_is_created_if_there_is_one() -> None:
    User.objects.create_user("somebody", is_active=False)
    assert bootstrap.first_account() == ""
    assert User.objects.count() == 1
    assert not bootstrap.has_active_user()


@pytest.fixture
def sources(tmp_path: Path, settings: Settings) -> Path:
    folder = tmp_path / "frontend"
    folder.mkdir()
    (folder / "page.js").write_text("1")
    settings.STATICFILES_DIRS = [folder]
    settings.STATIC_ROOT = tmp_path / "data" / "static"
    settings.WEBTMUX = settings.WEBTMUX.model_copy(update={"data_dir": tmp_path / "data"})
    bootstrap.prepare_directory(tmp_path / "data")
    return folder


def test_static_files_are_collected_when_they_changed(sources: Path, settings: Settings) -> None:
    collected = Path(settings.STATIC_ROOT) / "page.js"
    assert bootstrap.prepare_static() is True
    assert collected.read_text() == "1"
    assert bootstrap.prepare_static() is False
    (sources / "page.js").write_text("22")
    assert bootstrap.prepare_static() is True
    assert collected.read_text() == "22"
    (sources / "page.js").unlink()
    assert bootstrap.prepare_static() is True
    assert not collected.exists()


def test_lost_static_files_are_collected_again(sources: Path, settings: Settings) -> None:
    bootstrap.prepare_static()
    root = Path(settings.STATIC_ROOT)
    root.rename(root.with_name("elsewhere"))
    assert bootstrap.prepare_static() is True
    assert (root / "page.js").exists()
