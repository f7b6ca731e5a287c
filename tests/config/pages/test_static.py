"""Files of the build keep their names; other files get a hash."""

from pathlib import Path

import pytest

from config.pages.static import Storage

FILES = {
    "build/workspace-B1aCk_-9.js": "import './view-C0ffee12.js'\nexport const one = 1\n" * 20,
    "build/view-C0ffee12.js": "export const two = 2\n" * 20,
    "build/workspace-D3adB33f.css": "p { background: url(./dot-Abcdefgh.png) }\n" * 20,
    "build/dot-Abcdefgh.png": "a picture",
    "icons/icon.svg": "<svg></svg>\n",
}


@pytest.fixture
def storage(tmp_path: Path) -> Storage:
    storage = Storage(location=str(tmp_path), base_url="/static/")
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    for _, _, problem in storage.post_process({name: (storage, name) for name in FILES}):
        assert not isinstance(problem, Exception), problem
    return storage


@pytest.mark.parametrize("name", [name for name in FILES if name.startswith("build/")])
def test_a_file_of_the_build_keeps_its_name(storage: Storage, name: str) -> None:
    assert storage.stored_name(name) == name


def test_imports_within_the_build_are_left_alone(storage: Storage, tmp_path: Path) -> None:
    assert "'./view-C0ffee12.js'" in (tmp_path / "build/workspace-B1aCk_-9.js").read_text()
    assert "dot-Abcdefgh.png" in (tmp_path / "build/workspace-D3adB33f.css").read_text()


def test_files_of_the_build_are_compressed(storage: Storage, tmp_path: Path) -> None:
    assert (tmp_path / "build/workspace-B1aCk_-9.js.gz").is_file()


def test_another_file_gets_a_hash(storage: Storage) -> None:
    assert storage.stored_name("icons/icon.svg") != "icons/icon.svg"
