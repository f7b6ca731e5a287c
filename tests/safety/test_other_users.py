"""Promise 2: no other uid gains anything from sockets, directories and temporary paths.

The attacker is a real second user. Every place that it takes over is one of the test's own: a
directory like /tmp, mode 1777, that TMUX_TMPDIR names.
"""

import asyncio
import contextlib
import hashlib
import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from config import prepare
from config.env import SettingError, secret_key
from terminals.errors import WebtmuxError
from terminals.runtime import Runtime
from terminals.tmux.driver import Tmux
from terminals.uploading import save
from terminals.uploads import Upload
from tests.config.servers import ROOT, environment, manage, serving
from tests.safety.other_user import NOBODY, as_nobody, needs_second_user, python_as_nobody
from tests.terminals.tmux.waiting import eventually

pytestmark = needs_second_user

UID = os.getuid()
PYTHON = "/usr/bin/python3"
# Listens on argv[1] in a directory that it makes if it can, and tells what it was sent.
LISTENER = """
import os, socket, sys
path = sys.argv[1]
if not os.path.isdir(os.path.dirname(path)):
    os.mkdir(os.path.dirname(path), 0o777)
    os.chmod(os.path.dirname(path), 0o777)
try:
    os.unlink(path)
except OSError:
    pass
server = socket.socket(socket.AF_UNIX)
server.bind(path)
os.chmod(path, 0o777)
server.listen()
print("listening", flush=True)
while True:
    connection, _ = server.accept()
    connection.settimeout(2)
    try:
        data = connection.recv(65536)
    except OSError:
        data = b""
    if data:
        print("got", len(data), flush=True)
"""


@pytest.fixture
def public(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A directory like /tmp: everybody may make things in it."""
    with tempfile.TemporaryDirectory(prefix="wto", ignore_cleanup_errors=True) as place:
        os.chmod(place, 0o1777)
        monkeypatch.setenv("TMUX_TMPDIR", place)
        (Path(place) / "home").mkdir(mode=0o700)
        monkeypatch.setenv("HOME", f"{place}/home")  # shells without the rc files of this machine
        monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
        yield Path(place)
        for path in Path(place).glob("tmux-*/*"):
            subprocess.run(["tmux", "-S", str(path), "kill-server"], capture_output=True)


@contextlib.contextmanager
def listening(path: Path) -> Iterator["subprocess.Popen[str]"]:
    """Somebody else's server; what it got is on its standard output."""
    command = as_nobody([PYTHON, "-I", "-c", LISTENER, str(path)])
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd="/") as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "listening\n"
            yield process
        finally:
            process.kill()


async def require_refused(tmux: Tmux, listener: "subprocess.Popen[str]", names: str = "") -> None:
    """Not a byte is sent, by no way, and the message names whose it is."""
    await tmux.start()
    try:
        with pytest.raises(WebtmuxError) as refused:
            await tmux.new_session("work")
        assert names in refused.value.message
        assert names in tmux.problem
        with pytest.raises(WebtmuxError):
            await tmux.sessions()
    finally:
        await tmux.stop()
    listener.kill()
    assert listener.stdout is not None
    assert "got" not in listener.stdout.read()


# --- tmux's socket --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["", "named"])
async def test_a_socket_directory_of_somebody_else_is_refused(public: Path, name: str) -> None:
    with listening(public / f"tmux-{UID}" / (name or "default")) as listener:
        await require_refused(Tmux(socket=name), listener, f"uid {NOBODY}")


async def test_a_socket_directory_of_somebody_else_that_looks_private_is_refused(
    public: Path,
) -> None:
    with listening(public / f"tmux-{UID}" / "default") as listener:
        (public / f"tmux-{UID}").chmod(0o700)
        await require_refused(Tmux(), listener, f"uid {NOBODY}")


async def test_a_socket_directory_that_is_a_link_is_refused(public: Path) -> None:
    python_as_nobody("import os, sys; os.symlink(*sys.argv[1:])",
                     str(public / "theirs"), str(public / f"tmux-{UID}"))  # fmt: skip
    with listening(public / "theirs" / "default") as listener:
        await require_refused(Tmux(), listener, "not a directory")


@pytest.mark.parametrize(
    ("mode", "gid"), [(0o777, 0), (0o707, 0), (0o770, NOBODY), (0o722, NOBODY)]
)
async def test_a_directory_of_ours_that_others_can_change_is_refused(
    public: Path, mode: int, gid: int
) -> None:
    directory = public / f"tmux-{UID}"
    directory.mkdir()
    os.chown(directory, UID, gid)
    directory.chmod(0o777)
    with listening(directory / "default") as listener:
        directory.chmod(mode)
        os.chown(directory / "default", UID, 0)
        await require_refused(Tmux(), listener, str(directory))


async def test_a_socket_file_of_somebody_else_is_refused(public: Path) -> None:
    """Put there while the directory was open, which was repaired since."""
    directory = public / f"tmux-{UID}"
    directory.mkdir()
    directory.chmod(0o777)
    with listening(directory / "default") as listener:
        directory.chmod(0o700)
        await require_refused(Tmux(), listener, f"uid {NOBODY}")


async def test_a_listener_of_somebody_else_behind_a_file_of_ours_is_refused(public: Path) -> None:
    directory = public / f"tmux-{UID}"
    directory.mkdir()
    directory.chmod(0o777)
    with listening(directory / "default") as listener:
        directory.chmod(0o700)
        os.chown(directory / "default", UID, 0)
        await require_refused(Tmux(), listener, f"uid {NOBODY}")


async def test_a_parent_of_somebody_else_is_refused(public: Path) -> None:
    """Its owner can rename our directory, and put another in its place."""
    (public / f"tmux-{UID}").mkdir(mode=0o700)
    os.chown(public, NOBODY, NOBODY)
    await require_unusable(Tmux(), f"uid {NOBODY}")


async def test_a_parent_that_everybody_can_change_is_refused(public: Path) -> None:
    (public / f"tmux-{UID}").mkdir(mode=0o700)
    public.chmod(0o777)
    await require_unusable(Tmux(), str(public))


async def require_unusable(tmux: Tmux, names: str) -> None:
    await tmux.start()
    try:
        with pytest.raises(WebtmuxError) as refused:
            await tmux.new_session("work")
        assert names in refused.value.message
    finally:
        await tmux.stop()


async def test_a_given_path_in_a_directory_of_somebody_else_is_refused(public: Path) -> None:
    with listening(public / "theirs" / "socket") as listener:
        await require_refused(Tmux(socket=str(public / "theirs" / "socket")), listener)


async def test_a_given_path_in_a_public_directory_is_refused(public: Path) -> None:
    with listening(public / "socket") as listener:
        await require_refused(Tmux(socket=str(public / "socket")), listener)


async def test_a_socket_of_ours_in_a_sticky_directory_is_used(public: Path) -> None:
    """Others can create files beside it, but cannot replace it."""
    path = str(public / "own")
    command = ["tmux", "-S", path, "-f", "/dev/null"]
    subprocess.run([*command, "new-session", "-d", "-s", "work", "exec cat"], check=True)
    tmux = Tmux(socket=path)
    await tmux.start()
    try:
        assert [row.name for row in await tmux.sessions()] == ["work"]
    finally:
        await tmux.stop()
        subprocess.run([*command, "kill-server"], check=True)


async def test_no_server_is_started_in_a_public_directory(public: Path) -> None:
    """Another user could put a socket there between our check and tmux's connect."""
    tmux = Tmux(socket=str(public / "new"))
    await tmux.start()
    try:
        with pytest.raises(WebtmuxError, match="can be changed by other users"):
            await tmux.new_session("work")
    finally:
        await tmux.stop()
    assert not (public / "new").exists()


async def test_a_given_path_behind_a_link_of_somebody_else_is_refused(
    public: Path, socket: str
) -> None:
    """The link leads to a safe place now, and to another one a moment later."""
    python_as_nobody("import os, sys; os.symlink(*sys.argv[1:])",
                     str(Path(socket).parent), str(public / "link"))  # fmt: skip
    await require_unusable(Tmux(socket=str(public / "link" / Path(socket).name)), "symbolic link")


async def test_a_viewer_does_not_connect_after_the_directory_was_opened(public: Path) -> None:
    tmux = Tmux()
    await tmux.start()
    try:
        made = await tmux.new_session("work", command="exec cat")
        (public / f"tmux-{UID}").chmod(0o777)
        viewer = tmux.view(made.pane_id)
        reading = asyncio.create_task(viewer.read())
        await asyncio.wait({reading}, timeout=1)
        assert not reading.done()
        (public / f"tmux-{UID}").chmod(0o700)
        chunk = await asyncio.wait_for(reading, 30)
        assert chunk is not None
        viewer.close()
    finally:
        await tmux.stop()


async def test_where_tmux_never_ran_a_session_can_be_made(public: Path) -> None:
    tmux = Tmux()
    await tmux.start()
    try:
        assert tmux.problem
        await tmux.new_session("work", command="exec cat")
        assert [row.name for row in await tmux.sessions()] == ["work"]
        found = (public / f"tmux-{UID}").stat()
        assert (found.st_uid, stat.S_IMODE(found.st_mode)) == (UID, 0o700)
    finally:
        await tmux.stop()


async def test_a_directory_that_tmux_accepts_is_accepted(public: Path) -> None:
    """Readable by the group: unusual, but nobody can replace the socket."""
    (public / f"tmux-{UID}").mkdir()
    (public / f"tmux-{UID}").chmod(0o750)
    tmux = Tmux()
    await tmux.start()
    try:
        await tmux.new_session("work", command="exec cat")
    finally:
        await tmux.stop()


async def test_somebody_else_cannot_connect_to_our_sockets(public: Path, tmp_path: Path) -> None:
    held = Runtime(socket="", data_dir=public / "data")
    await held.start()
    try:
        await held.main.new_session("work", command="exec cat")
        await held.tabs.create_tab()
        for path in (held.main.link.path, held.tabs.tmux.link.path):
            assert path.is_socket()
            told = python_as_nobody(
                "import socket, sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1])", str(path)
            )
            assert "PermissionError" in told.stderr
            moved = python_as_nobody(
                "import os, sys; os.rename(sys.argv[1], sys.argv[1] + '.old')", str(path.parent)
            )
            assert "PermissionError" in moved.stderr
    finally:
        await held.tabs.tmux.link.run(("kill-server",))
        await held.stop()


async def test_what_everybody_is_told_of_a_problem_has_no_path(public: Path) -> None:
    tmux = Tmux()
    await tmux.start()
    try:
        assert str(public) in tmux.problem
        assert tmux.public_problem == "no tmux server is running"
    finally:
        await tmux.stop()
    with listening(public / "tmux" / "default"):
        tmux = Tmux(socket=str(public / "tmux" / "default"))
        await tmux.start()
        assert str(public) in tmux.problem
        assert tmux.public_problem
        assert "/" not in tmux.public_problem
        await tmux.stop()


# --- temporary files ------------------------------------------------------------------------------


@pytest.fixture
async def held(public: Path) -> AsyncIterator[Runtime]:
    """A runtime with a tab, all of it in a directory that the attacker can look at."""
    (public / "data").mkdir(mode=0o700)
    held = Runtime(socket="", data_dir=public / "data")
    await held.start()
    yield held
    with contextlib.suppress(WebtmuxError):
        await held.tabs.tmux.link.run(("kill-server",))
    await held.stop()


SWAPPER = """
import os, sys
place, flag = sys.argv[1:]
try:
    os.makedirs(place, 0o777)
    os.chmod(place, 0o777)
    print("made", flush=True)
except OSError as error:
    print("failed", flush=True)
    sys.exit()
while True:
    for name in os.listdir(place):
        try:
            with open(place + "/evil", "w") as file:
                file.write("touch " + flag + "\\n")
            os.chmod(place + "/evil", 0o755)
            os.rename(place + "/evil", place + "/" + name)
        except OSError:
            pass
"""


async def test_a_lost_temporary_directory_made_by_somebody_else_runs_nothing(
    held: Runtime, public: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHELL", "/bin/bash")
    tab = await held.tabs.create_tab()
    assert (await held.tabs.execute_command(window_id=tab.id, command="echo fine")).exit_code == 0
    lost, flag = held.tabs.tmux.directory, public / "executed"
    shutil.rmtree(lost)
    command = as_nobody([PYTHON, "-I", "-c", SWAPPER, str(lost), str(flag)])
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd="/") as swapper:
        assert swapper.stdout is not None
        swapper.stdout.readline()
        try:
            for _ in range(20):
                done = await held.tabs.execute_command(window_id=tab.id, command="echo fine")
                assert done.output == b"fine\n"
        finally:
            swapper.kill()
    assert not flag.exists()


async def test_a_temporary_directory_replaced_while_a_command_waits_is_not_used(
    held: Runtime, public: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The path must name the directory that we hold, at each use."""
    tab = await held.tabs.create_tab()
    before = held.tabs.tmux.directory
    before.rename(before.with_name("moved"))
    before.mkdir()
    os.chown(before, NOBODY, NOBODY)
    before.chmod(0o777)
    [pane] = [row for row in await held.tabs.tmux.panes() if row.window_id == tab.id]
    await held.tabs.tmux.paste(pane.id, "pasted text")
    assert held.tabs.tmux.directory != before
    assert list(before.iterdir()) == []

    async def arrived() -> bool:
        return b"pasted text" in await held.tabs.tmux.capture(pane.id)

    await eventually(arrived)


async def test_links_planted_in_the_temporary_directory_are_not_followed(held: Runtime) -> None:
    await held.tabs.create_tab()
    [pane] = await held.tabs.tmux.panes()
    place = held.tabs.tmux.directory
    victim = place.parent / "victim"
    victim.write_text("untouched")
    for number in range(60):
        for kind in ("paste", "capture", "picture"):
            (place / f"{number}.{kind}").symlink_to(victim)
    for send in (
        lambda: held.tabs.tmux.paste(pane.id, "x"),
        lambda: held.tabs.tmux.capture(pane.id),
    ):
        with contextlib.suppress(WebtmuxError, OSError):
            await send()
    assert victim.read_text() == "untouched"


@pytest.mark.parametrize("how", ["somebody else's", "open", "a link"])
async def test_a_runtime_directory_that_is_not_ours_is_not_used(
    public: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    place = public / "xdg"
    place.mkdir(mode=0o700)
    if how == "somebody else's":
        os.chown(place, NOBODY, NOBODY)
    elif how == "open":
        place.chmod(0o777)
    else:
        place.rename(public / "real")
        place.symlink_to(public / "real")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(place))
    held = Runtime(socket="", data_dir=public / "data")
    await held.start()
    try:
        assert held.main.directory.is_relative_to(public / "data")
    finally:
        await held.stop()


async def test_a_private_runtime_directory_is_used(
    public: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (public / "xdg").mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(public / "xdg"))
    held = Runtime(socket="", data_dir=public / "data")
    await held.start()
    assert held.main.directory.parent == public / "xdg"
    await held.stop()
    assert list((public / "xdg").iterdir()) == []


async def test_names_taken_in_tmp_do_not_block_the_start(public: Path) -> None:
    data_dir = public / "data"
    digest = hashlib.sha256(str(data_dir.resolve()).encode()).hexdigest()[:8]
    for name in (f"webtmux-{UID}-{digest}", f"webtmux-{UID}", "webtmux", f"tmux-{UID}"):
        made = python_as_nobody("import os, sys; os.mkdir(sys.argv[1], 0o777)", str(public / name))
        assert made.returncode == 0, made.stderr
    held = Runtime(socket=str(public / "data" / "main"), data_dir=data_dir)
    await held.start()
    try:
        assert (await held.tabs.create_tab()).id
    finally:
        with contextlib.suppress(WebtmuxError):
            await held.tabs.tmux.link.run(("kill-server",))
        await held.stop()


@pytest.mark.parametrize("name", ["a space", "a'quote", 'a"b', "a\\", "a$HOME`x`!", "ümlaut"])
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "dash", "ksh"])
async def test_commands_run_with_any_path_of_the_data_directory(
    public: Path, monkeypatch: pytest.MonkeyPatch, shell: str, name: str
) -> None:
    path = shutil.which(shell)
    if path is None:
        pytest.skip(f"{shell} is not installed")
    monkeypatch.setenv("SHELL", path)
    (public / name).mkdir(mode=0o700)
    held = Runtime(socket="", data_dir=public / name)
    await held.start()
    try:
        tab = await held.tabs.create_tab()
        done = await held.tabs.execute_command(window_id=tab.id, command="echo fine", seconds=30)
        assert (done.output, done.exit_code) == (b"fine\n", 0)
    finally:
        with contextlib.suppress(WebtmuxError):
            await held.tabs.tmux.link.run(("kill-server",))
        await held.stop()


# --- files that stay ------------------------------------------------------------------------------


def open_to_others(place: Path) -> list[str]:
    """Everything below with a permission for group or others."""
    found = [place, *place.rglob("*")]
    return [
        f"{stat.S_IMODE(path.lstat().st_mode):o} {path.relative_to(place)}"
        for path in found
        if not path.is_symlink() and path.lstat().st_mode & 0o077
    ]


def test_a_served_data_directory_is_private_and_an_old_one_is_repaired(public: Path) -> None:
    data = public / "data"
    old = os.umask(0o022)
    try:
        for name in ("logs/main/x/pane-%1/000000", "recordings/a/recording.cast", "uploads/b.png"):
            (data / name).parent.mkdir(parents=True)
            (data / name).write_text("what a terminal printed")
        env = environment(data, WEBTMUX_TMUX_SOCKET=str(data / "main"))
        assert manage(env, "migrate", "--verbosity", "0").returncode == 0
        (data / "webtmux.sqlite3").chmod(0o644)
        data.chmod(0o755)
        with serving(["manage.py", "serve", "--port", "0"], env):
            assert open_to_others(data) == []
            for path in (data, *data.iterdir()):
                told = python_as_nobody(
                    "import os, sys; p = sys.argv[1];"
                    "print(os.listdir(p) if os.path.isdir(p) else open(p, 'rb').read(9))",
                    str(path),
                )
                assert "Error" in told.stderr, path
    finally:
        os.umask(old)


def test_a_new_database_is_private_from_its_first_moment(public: Path) -> None:
    old = os.umask(0)
    try:
        env = environment(public / "data")
        assert manage(env, "migrate", "--verbosity", "0").returncode == 0
        assert stat.S_IMODE((public / "data" / "webtmux.sqlite3").stat().st_mode) == 0o600
        assert stat.S_IMODE((public / "data" / "secret.key").stat().st_mode) == 0o600
    finally:
        os.umask(old)


async def test_logs_of_tabs_are_private(held: Runtime, public: Path) -> None:
    old = os.umask(0o022)
    try:
        tab = await held.tabs.create_tab()
        await held.tabs.execute_command(window_id=tab.id, command="echo secret")
        assert open_to_others(public / "data") == []
    finally:
        os.umask(old)


@pytest.mark.parametrize("name", ["secret.key", "webtmux.sqlite3", "run", "logs"])
def test_what_somebody_else_planted_in_the_data_directory_is_refused(
    public: Path, name: str
) -> None:
    data = public / "data"
    data.mkdir()
    data.chmod(0o777)
    planted = python_as_nobody(
        "import sys; open(sys.argv[1], 'w').write('known to me')", str(data / name)
    )
    assert planted.returncode == 0
    env = environment(data, WEBTMUX_TMUX_SOCKET=str(public / "socket"))
    done = started(env)
    assert done.returncode != 0
    assert f"uid {NOBODY}" in done.stdout + done.stderr


def started(env: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    """A start that is expected to end by itself."""
    command = [sys.executable, "manage.py", "serve", "--port", "0"]
    try:
        return subprocess.run(
            command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=60, check=False
        )
    except subprocess.TimeoutExpired as running:
        return subprocess.CompletedProcess(command, 0, str(running.stdout), str(running.stderr))


def test_a_data_directory_of_somebody_else_is_refused(public: Path) -> None:
    data = public / "data"
    data.mkdir()
    os.chown(data, NOBODY, NOBODY)
    with pytest.raises(Exception, match=f"uid {NOBODY}"):
        prepare.prepare_directory(data)


@pytest.mark.parametrize("how", ["a file", "a link"])
def test_a_secret_key_that_somebody_else_knows_is_refused(public: Path, how: str) -> None:
    data = public / "data"
    data.mkdir()
    (public / "known").write_text("known to me")
    os.chown(public / "known", NOBODY, NOBODY)
    if how == "a file":
        (public / "known").rename(data / "secret.key")
    else:
        (data / "secret.key").symlink_to(public / "known")
    with pytest.raises(SettingError, match=r"secret\.key"):
        secret_key(data)


@pytest.mark.parametrize("mode", [0o777, 0o755])
def test_an_upload_does_not_go_into_a_directory_that_somebody_else_made(
    public: Path, mode: int
) -> None:
    made = python_as_nobody(
        "import os, sys; p = sys.argv[1]; m = int(sys.argv[2])\n"
        "for each in (p, p + '/uploads'):\n    os.mkdir(each); os.chmod(each, m)",
        str(public / ".webtmux"),
        str(mode),
    )
    assert made.returncode == 0, made.stderr
    data = public / "data"
    path = save(Upload("a.png", "image/png", b"1"), here=public, data_dir=data)
    assert path.is_relative_to(data)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_an_upload_does_not_follow_a_link_of_somebody_else(public: Path) -> None:
    python_as_nobody("import os, sys; os.mkdir(sys.argv[1], 0o777); os.symlink(*sys.argv[1:])",
                     str(public / "theirs"), str(public / ".webtmux"))  # fmt: skip
    path = save(Upload("a.png", "image/png", b"1"), here=public, data_dir=public / "data")
    assert path.is_relative_to(public / "data")


def test_the_attacker_is_who_we_think() -> None:
    """Otherwise every refusal above would be for another reason."""
    told = python_as_nobody("import os; print(os.getuid(), os.getgroups())")
    assert told.stdout == f"{NOBODY} []\n"
