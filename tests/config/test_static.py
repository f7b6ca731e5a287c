"""Imports between modules name the files by their hash, however the import is written."""

from pathlib import Path

import pytest

from config.slimming import without_comments
from config.static import Storage

MODULES = {
    "page/main.js": (
        "import './one.js'\n"
        "import { a,\n  b } from '../lib/two.mjs'\n"
        "export * from './one.js'\n"
        "const later = () => import('./one.js')\n"
        "const sheet = new URL('./one.css', import.meta.url).href\n"
        "const told = 'from ./one.js'\n"
        "export const P = './one.js'\n"
    ),
    "page/packed.js": 'import{a}from"./one.js";import"../lib/two.mjs";export{a}from"./one.js";\n',
    "page/one.js": "export const one = 1\n",
    "page/one.css": "p { color: red }\n",
    "lib/two.mjs": "export const a = 1, b = 2\n",
}


@pytest.fixture
def written(tmp_path: Path) -> dict[str, str]:
    """What each module is served as."""
    storage = Storage(location=str(tmp_path), base_url="/static/")
    for name, text in MODULES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    for _, _, problem in storage.post_process({name: (storage, name) for name in MODULES}):
        assert not isinstance(problem, Exception), problem
    return {name: (tmp_path / storage.stored_name(name)).read_text() for name in MODULES}


def test_every_way_to_import_names_the_hash(written: dict[str, str]) -> None:
    lines = written["page/main.js"].splitlines()
    for line in (lines[0], lines[2], lines[3], lines[4], lines[5]):
        assert '"./one.' in line or '"../lib/two.' in line
        assert "one.js" not in line
        assert "two.mjs" not in line


def test_a_string_that_is_no_import_is_left_alone(written: dict[str, str]) -> None:
    assert "const told = 'from ./one.js'" in written["page/main.js"]
    assert "export const P = './one.js'" in written["page/main.js"]


def test_packed_modules_of_libraries_too(written: dict[str, str]) -> None:
    assert "one.js" not in written["page/packed.js"]
    assert "two.mjs" not in written["page/packed.js"]


def test_comments_stay_at_home_and_templates_are_left_alone() -> None:
    text = (
        "// What it is.\n/** Two\n * lines. */\nconst a = 1 // why\n  // alone\n"
        "const b = `\n// text\n`\nconst c = '//x' /* kept */\n"
    )
    assert without_comments(text) == (
        "const a = 1 // why\nconst b = `\n// text\n`\nconst c = '//x' /* kept */\n"
    )
