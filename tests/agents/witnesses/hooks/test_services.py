"""Installation into homes that have settings already."""

import json
import os
import tomllib
from pathlib import Path

import pytest
from django.core.management import call_command

from agents.witnesses.hooks import jsonc, services
from agents.witnesses.hooks.install import RUNTIMES
from agents.witnesses.hooks.services import HookPlace, HookState
from core.errors import Invalid, Refused

FOREIGN = {"Stop": [{"hooks": [{"type": "command", "command": "say done"}]}]}

HOMES: dict[str, dict[str, str]] = {
    "empty": {},
    "existing hooks": {
        ".claude/settings.json": json.dumps({"model": "opus", "hooks": FOREIGN}, indent=4) + "\n",
        ".codex/hooks.json": json.dumps({"hooks": FOREIGN}),
        ".codex/config.toml": '# mine\nmodel = "x"\n[projects."/p"]\ntrust_level = "trusted"',
        ".gemini/settings.json": json.dumps({"hooks": {"AfterAgent": []}, "ui": {}}),
        ".copilot/hooks/mine.json": '{"version": 1}',
    },
    "comments and odd indentation": {
        ".claude/settings.json": '{\n\t  "a": 1, // one\n   "b": [ 1,\n2 ],\n}',
        ".gemini/settings.json": '/* top */ {"hooks": {"Notification": [ /* none */ ]},}\n\n\n',
        ".codex/config.toml": 'model="x" # no newline at the end',
    },
    "windows lines and bytes that are not UTF-8": {
        ".claude/settings.json": '{\r\n  "caf\udce9": "\udcff",\r\n  "hooks": {}\r\n}\r\n',
        ".codex/config.toml": 'model = "x"\r\n\r\n[tui]\r\nx = 1\r\n',
    },
    "empty files": {".claude/settings.json": "", ".codex/config.toml": ""},
}


def files(home: Path) -> dict[str, bytes]:
    ours = home / ".local"
    return {
        str(path.relative_to(home)): path.read_bytes()
        for path in home.rglob("*")
        if path.is_file() and ours not in path.parents
    }


@pytest.fixture(params=HOMES)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> HookPlace:
    home = tmp_path / "home"
    home.mkdir()
    for name, text in HOMES[request.param].items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
    return HookPlace(home, tmp_path / "data")


def test_installing_twice_and_uninstalling_leaves_every_byte_as_it_was(place: HookPlace) -> None:
    before = files(place.home)
    first = services.install_hooks(place, RUNTIMES)
    installed = files(place.home)
    assert {status.state for status in first} == {HookState.INSTALLED}
    services.install_hooks(place, RUNTIMES)
    assert files(place.home) == installed
    services.uninstall_hooks(place)
    assert files(place.home) == before
    assert not place.directory.exists()


def test_foreign_hooks_and_settings_are_kept(place: HookPlace) -> None:
    services.install_hooks(place, RUNTIMES)
    before = HOMES["existing hooks"]
    if not (place.home / ".copilot/hooks/mine.json").exists():
        return
    settings = json.loads((place.home / ".claude/settings.json").read_text())
    assert settings["model"] == "opus"
    assert settings["hooks"]["Stop"][0] == FOREIGN["Stop"][0]
    assert "/webtmux/hooks/report" in settings["hooks"]["Stop"][1]["hooks"][0]["command"]
    config = (place.home / ".codex/config.toml").read_text()
    assert config.startswith(before[".codex/config.toml"])
    # Our hook is the second of its event.
    assert f"{place.home}/.codex/hooks.json:stop:1:0" in tomllib.loads(config)["hooks"]["state"]


def test_a_file_that_was_changed_since_loses_only_what_is_ours(place: HookPlace) -> None:
    services.install_hooks(place, RUNTIMES)
    path = place.home / ".gemini/settings.json"
    settings = jsonc.parse(path.read_text()).plain()
    path.write_text(json.dumps({"new": 1, **settings}, indent=3))
    services.uninstall_hooks(place)
    after = json.loads(path.read_text())
    assert after["new"] == 1
    assert "webtmux" not in path.read_text()


def test_modes_and_links_are_kept(tmp_path: Path) -> None:
    home, dotfiles = tmp_path / "home", tmp_path / "dotfiles"
    (home / ".claude").mkdir(parents=True)
    dotfiles.mkdir()
    (dotfiles / "claude.json").write_text("{}")
    (dotfiles / "claude.json").chmod(0o640)
    (home / ".claude/settings.json").symlink_to(dotfiles / "claude.json")
    place = HookPlace(home, tmp_path / "data")
    services.install_hooks(place)
    assert (home / ".claude/settings.json").is_symlink()
    assert "webtmux" in (dotfiles / "claude.json").read_text()
    assert (dotfiles / "claude.json").stat().st_mode & 0o777 == 0o640


def test_by_default_only_agents_with_settings_get_hooks(tmp_path: Path) -> None:
    (tmp_path / ".pi").mkdir()
    place = HookPlace(tmp_path, tmp_path / "data")
    statuses = services.install_hooks(place)
    assert [status.runtime for status in statuses] == ["pi"]
    assert not (tmp_path / ".claude").exists()
    states = {status.runtime: status.state for status in services.hooks_status(place)}
    assert states["pi"] == HookState.INSTALLED
    assert states["claude"] == HookState.MISSING


def test_without_agents_nothing_is_installed(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="name it"):
        services.install_hooks(HookPlace(tmp_path, tmp_path / "data"))
    assert list(tmp_path.iterdir()) == []


def test_settings_that_cannot_be_read_are_not_touched(tmp_path: Path) -> None:
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude/settings.json").write_text('{"a": \n oops}')
    place = HookPlace(tmp_path, tmp_path / "data")
    with pytest.raises(Refused, match="line 2"):
        services.install_hooks(place, ["claude"])
    assert (tmp_path / ".claude/settings.json").read_text() == '{"a": \n oops}'
    assert services.hooks_status(place, ["claude"])[0].state is HookState.FAILED


def test_a_foreign_file_of_the_same_name_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / ".pi/agent/extensions/webtmux.js"
    path.parent.mkdir(parents=True)
    path.write_text("// something else")
    with pytest.raises(Refused, match="not ours"):
        services.install_hooks(HookPlace(tmp_path, tmp_path / "data"), ["pi"])
    assert path.read_text() == "// something else"


def test_unknown_runtimes_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="amp"):
        services.install_hooks(HookPlace(tmp_path, tmp_path / "data"), ["amp"])


def test_hooks_of_a_removed_installation_are_outdated(tmp_path: Path) -> None:
    place = HookPlace(tmp_path, tmp_path / "data")
    services.install_hooks(place, ["claude"])
    (place.directory / "report").unlink()
    assert services.hooks_status(place, ["claude"])[0].state is HookState.OUTDATED
    assert services.install_hooks(place, ["claude"])[0].state is HookState.INSTALLED


def test_a_dry_run_shows_the_diff_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".claude").mkdir()
    call_command("hooks", "install", "--dry-run", skip_checks=True)
    shown = capsys.readouterr().out
    assert f"+++ {tmp_path}/.claude/settings.json" in shown
    assert "report claude Stop" in shown
    assert os.listdir(tmp_path / ".claude") == []


def test_a_running_server_is_reachable_right_after_the_installation(tmp_path: Path) -> None:
    socket = tmp_path / "data" / "hooks" / f"{os.getpid()}.sock"
    socket.parent.mkdir(parents=True)
    socket.touch()
    place = HookPlace(tmp_path, tmp_path / "data")
    services.install_hooks(place, ["claude"])
    assert (place.directory / socket.name).readlink() == socket
