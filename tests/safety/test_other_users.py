"""Promise 2: no other uid gains anything from sockets, directories and temporary paths.

The attacker is a real second user. It attacks a directory of the test: like /tmp its mode is 1777,
and TMUX_TMPDIR names it.
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

from config import bootstrap
from config.env import SettingError, secret_key
from core.errors import WebtmuxError
from terminals.runtime import Runtime
from terminals.tmux.driver import Tmux
from terminals.uploads.payload import Upload
from terminals.uploads.services import save
from tests.config.servers import ROOT, environment, manage, prepare, serving
from tests.safety.other_user import NOBODY, as_nobody, needs_second_user, python_as_nobody
from tests.waiting import LONGEST_SECONDS, eventually, remains

pytestmark = needs_second_user

UID = os.getuid()
PYTHON = "/usr/bin/python3"
# Listens on argv[1], creates its directory if possible, and prints the size of what it receives.
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
    """A directory like /tmp: every user can create files in it."""
    with tempfile.TemporaryDirectory(prefix="wto", ignore_cleanup_errors=True) as directory:
        os.chmod(directory, 0o1777)
        monkeypatch.setenv("TMUX_TMPDIR", directory)
        (Path(directory) / "home").mkdir(mode=0o700)
        # Shells must not read the rc files of this machine.
        monkeypatch.setenv("HOME", f"{directory}/home")
        monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
        yield Path(directory)
        for path in Path(directory).glob("tmux-*/*"):
            subprocess.run(["tmux", "-S", str(path), "kill-server"], capture_output=True)


@contextlib.contextmanager
def listening(path: Path) -> Iterator["subprocess.Popen[str]"]:
    """A server of another user; it prints what it receives."""
    command = as_nobody([PYTHON, "-I", "-c", LISTENER, str(path)])
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd="/") as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "listening\n"
            yield process
        finally:
            process.kill()


async def require_refused(tmux: Tmux, listener: "subprocess.Popen[str]", names: str = "") -> None:
    """Nothing is sent to the listener, and the error contains `names`."""
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
async def test_a_socket_directory_of_another_user_is_refused(public: Path, name: str) -> None:
    with listening(public / f"tmux-{UID}" / (name or "default")) as listener:
        await require_refused(Tmux(socket=name), listener, f"uid {NOBODY}")


async def test_a_socket_directory_of_another_user_that_looks_private_is_refused(
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


async def test_a_socket_file_of_another_user_is_refused(public: Path) -> None:
    """It was created before the mode of the directory was repaired."""
    directory = public / f"tmux-{UID}"
    directory.mkdir()
    directory.chmod(0o777)
    with listening(directory / "default") as listener:
        directory.chmod(0o700)
        await require_refused(Tmux(), listener, f"uid {NOBODY}")


async def test_a_listener_of_another_user_behind_a_file_of_ours_is_refused(public: Path) -> None:
    directory = public / f"tmux-{UID}"
    directory.mkdir()
    directory.chmod(0o777)
    with listening(directory / "default") as listener:
        directory.chmod(0o700)
        os.chown(directory / "default", UID, 0)
        await require_refused(Tmux(), listener, f"uid {NOBODY}")


async def test_a_parent_of_another_user_is_refused(public: Path) -> None:
    """Its owner can rename our directory and put another one there."""
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


async def test_a_given_path_in_a_directory_of_another_user_is_refused(public: Path) -> None:
    with listening(public / "theirs" / "socket") as listener:
        await require_refused(Tmux(socket=str(public / "theirs" / "socket")), listener)


async def test_a_given_path_in_a_public_directory_is_refused(public: Path) -> None:
    with listening(public / "socket") as listener:
        await require_refused(Tmux(socket=str(public / "socket")), listener)


async def test_a_socket_of_ours_in_a_sticky_directory_is_used(public: Path) -> None:
    """Others can create files next to it, but cannot replace it."""
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


async def test_a_given_path_behind_a_link_of_another_user_is_refused(
    public: Path, socket: str
) -> None:
    """Its owner can change the link at any time."""
    python_as_nobody("import os, sys; os.symlink(*sys.argv[1:])",
                     str(Path(socket).parent), str(public / "link"))  # fmt: skip
    await require_unusable(Tmux(socket=str(public / "link" / Path(socket).name)), "symbolic link")


async def test_a_viewer_does_not_connect_after_the_directory_was_opened(public: Path) -> None:
    tmux = Tmux()
    await tmux.start()
    try:
        session = await tmux.new_session("work", command="exec cat")
        (public / f"tmux-{UID}").chmod(0o777)
        viewer = tmux.view(session.pane_id)
        reading = asyncio.create_task(viewer.read())
        await remains(lambda: not reading.done(), 0.5)
        (public / f"tmux-{UID}").chmod(0o700)
        chunk = await asyncio.wait_for(reading, LONGEST_SECONDS)
        assert chunk is not None
        viewer.close()
    finally:
        await tmux.stop()


async def test_a_session_can_be_created_where_tmux_never_ran(public: Path) -> None:
    tmux = Tmux()
    await tmux.start()
    try:
        assert tmux.problem
        await tmux.new_session("work", command="exec cat")
        assert [row.name for row in await tmux.sessions()] == ["work"]
        info = (public / f"tmux-{UID}").stat()
        assert (info.st_uid, stat.S_IMODE(info.st_mode)) == (UID, 0o700)
    finally:
        await tmux.stop()


async def test_a_directory_that_tmux_accepts_is_accepted(public: Path) -> None:
    """Readable by the group: unusual, but no other user can replace the socket."""
    (public / f"tmux-{UID}").mkdir()
    (public / f"tmux-{UID}").chmod(0o750)
    tmux = Tmux()
    await tmux.start()
    try:
        await tmux.new_session("work", command="exec cat")
    finally:
        await tmux.stop()


async def test_another_user_cannot_connect_to_our_sockets(public: Path) -> None:
    async with running_runtime(public / "data") as runtime:
        await runtime.main.new_session("work", command="exec cat")
        await runtime.tabs.create_tab()
        for path in (runtime.main.monitor.path, runtime.tabs.tmux.monitor.path):
            assert path.is_socket()
            connecting = python_as_nobody(
                "import socket, sys; socket.socket(socket.AF_UNIX).connect(sys.argv[1])", str(path)
            )
            assert "PermissionError" in connecting.stderr
            renaming = python_as_nobody(
                "import os, sys; os.rename(sys.argv[1], sys.argv[1] + '.old')", str(path.parent)
            )
            assert "PermissionError" in renaming.stderr


async def test_the_public_text_of_a_problem_contains_no_path(public: Path) -> None:
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


@contextlib.asynccontextmanager
async def running_runtime(data_dir: Path, socket: str = "") -> AsyncIterator[Runtime]:
    """At the end the tmux server of its tabs is ended too."""
    runtime = Runtime(socket=socket, data_dir=data_dir)
    await runtime.start()
    try:
        yield runtime
    finally:
        with contextlib.suppress(WebtmuxError):
            await runtime.tabs.tmux.monitor.run(("kill-server",))
        await runtime.stop()


@pytest.fixture
async def runtime(public: Path) -> AsyncIterator[Runtime]:
    """Its data directory is in a directory that the attacker can read."""
    (public / "data").mkdir(mode=0o700)
    async with running_runtime(public / "data") as runtime:
        yield runtime


SWAPPER = """
import os, sys
place, flag = sys.argv[1:]
try:
    os.makedirs(place, 0o777)
    os.chmod(place, 0o777)
    print("created", flush=True)
except OSError:
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


async def test_a_temporary_directory_that_another_user_creates_again_runs_nothing(
    runtime: Runtime, public: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SHELL", "/bin/bash")
    tab = await runtime.tabs.create_tab()
    assert (
        await runtime.tabs.execute_command(window_id=tab.id, command="echo fine")
    ).exit_code == 0
    lost, flag = runtime.tabs.tmux.directory, public / "executed"
    shutil.rmtree(lost)
    command = as_nobody([PYTHON, "-I", "-c", SWAPPER, str(lost), str(flag)])
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd="/") as swapper:
        assert swapper.stdout is not None
        swapper.stdout.readline()
        try:
            for _ in range(20):
                done = await runtime.tabs.execute_command(window_id=tab.id, command="echo fine")
                assert done.output == b"fine\n"
        finally:
            swapper.kill()
    assert not flag.exists()


async def test_a_temporary_directory_replaced_while_a_command_waits_is_not_used(
    runtime: Runtime, public: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At each use the path must still name the directory that we opened."""
    tab = await runtime.tabs.create_tab()
    before = runtime.tabs.tmux.directory
    before.rename(before.with_name("moved"))
    before.mkdir()
    os.chown(before, NOBODY, NOBODY)
    before.chmod(0o777)
    [pane] = [row for row in await runtime.tabs.tmux.panes() if row.window_id == tab.id]
    await runtime.tabs.tmux.paste(pane.id, "pasted text")
    assert runtime.tabs.tmux.directory != before
    assert list(before.iterdir()) == []

    async def arrived() -> bool:
        return b"pasted text" in await runtime.tabs.tmux.capture(pane.id)

    await eventually(arrived)


async def test_links_planted_in_the_temporary_directory_are_not_followed(runtime: Runtime) -> None:
    await runtime.tabs.create_tab()
    [pane] = await runtime.tabs.tmux.panes()
    place = runtime.tabs.tmux.directory
    victim = place.parent / "victim"
    victim.write_text("untouched")
    for number in range(60):
        for kind in ("paste", "capture", "picture"):
            (place / f"{number}.{kind}").symlink_to(victim)
    for send in (
        lambda: runtime.tabs.tmux.paste(pane.id, "x"),
        lambda: runtime.tabs.tmux.capture(pane.id),
    ):
        with contextlib.suppress(WebtmuxError, OSError):
            await send()
    assert victim.read_text() == "untouched"


@pytest.mark.parametrize("condition", ["another user's", "open", "a link"])
async def test_a_runtime_directory_that_is_not_ours_is_not_used(
    public: Path, monkeypatch: pytest.MonkeyPatch, condition: str
) -> None:
    directory = public / "xdg"
    directory.mkdir(mode=0o700)
    if condition == "another user's":
        os.chown(directory, NOBODY, NOBODY)
    elif condition == "open":
        directory.chmod(0o777)
    else:
        directory.rename(public / "real")
        directory.symlink_to(public / "real")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(directory))
    async with running_runtime(public / "data") as runtime:
        assert runtime.main.directory.is_relative_to(public / "data")


async def test_a_private_runtime_directory_is_used(
    public: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (public / "xdg").mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(public / "xdg"))
    async with running_runtime(public / "data") as runtime:
        assert runtime.main.directory.parent == public / "xdg"
    assert list((public / "xdg").iterdir()) == []


async def test_names_taken_in_tmp_do_not_block_the_start(public: Path) -> None:
    data_dir = public / "data"
    digest = hashlib.sha256(str(data_dir.resolve()).encode()).hexdigest()[:8]
    for name in (f"webtmux-{UID}-{digest}", f"webtmux-{UID}", "webtmux", f"tmux-{UID}"):
        done = python_as_nobody("import os, sys; os.mkdir(sys.argv[1], 0o777)", str(public / name))
        assert done.returncode == 0, done.stderr
    async with running_runtime(data_dir, socket=str(data_dir / "main")) as runtime:
        assert (await runtime.tabs.create_tab()).id


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "dash", "ksh"])
async def test_commands_run_with_any_path_of_the_data_directory(
    public: Path, monkeypatch: pytest.MonkeyPatch, shell: str
) -> None:
    """One name with every character that a shell interprets; the last is a backslash."""
    path = shutil.which(shell)
    if path is None:
        pytest.skip(f"{shell} is not installed")
    monkeypatch.setenv("SHELL", path)
    data_dir = public / "a b'c\"d$HOME`x`!(é)&;*\\"
    data_dir.mkdir(mode=0o700)
    async with running_runtime(data_dir) as runtime:
        tab = await runtime.tabs.create_tab()
        done = await runtime.tabs.execute_command(
            window_id=tab.id, command="echo fine", seconds=LONGEST_SECONDS
        )
        assert (done.output, done.exit_code) == (b"fine\n", 0)


# --- files in the data directory ------------------------------------------------------------------


def open_to_others(directory: Path) -> list[str]:
    """The paths below it that have a permission for the group or others, with their modes."""
    return [
        f"{stat.S_IMODE(path.lstat().st_mode):o} {path.relative_to(directory)}"
        for path in [directory, *directory.rglob("*")]
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
        prepare(env)
        (data / "webtmux.sqlite3").chmod(0o644)
        data.chmod(0o755)
        with serving(["manage.py", "serve", "--port", "0"], env):
            assert open_to_others(data) == []
            for path in (data, *data.iterdir()):
                reading = python_as_nobody(
                    "import os, sys; p = sys.argv[1];"
                    "print(os.listdir(p) if os.path.isdir(p) else open(p, 'rb').read(9))",
                    str(path),
                )
                assert "Error" in reading.stderr, path
    finally:
        os.umask(old)


def test_a_new_database_is_private_from_the_start(public: Path) -> None:
    old = os.umask(0)
    try:
        env = environment(public / "data")
        assert manage(env, "migrate", "--verbosity", "0").returncode == 0
        assert stat.S_IMODE((public / "data" / "webtmux.sqlite3").stat().st_mode) == 0o600
        assert stat.S_IMODE((public / "data" / "secret.key").stat().st_mode) == 0o600
    finally:
        os.umask(old)


async def test_logs_of_tabs_are_private(runtime: Runtime, public: Path) -> None:
    old = os.umask(0o022)
    try:
        tab = await runtime.tabs.create_tab()
        await runtime.tabs.execute_command(window_id=tab.id, command="echo secret")
        assert open_to_others(public / "data") == []
    finally:
        os.umask(old)


@pytest.mark.parametrize("name", ["secret.key", "webtmux.sqlite3", "run", "logs"])
def test_a_file_that_another_user_created_in_the_data_directory_is_refused(
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
    done = start_and_wait(env)
    assert done.returncode != 0
    assert f"uid {NOBODY}" in done.stdout + done.stderr


def start_and_wait(env: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    """A server that is expected to exit by itself; return code 0 if it does not."""
    command = [sys.executable, "manage.py", "serve", "--port", "0"]
    try:
        return subprocess.run(
            command,
            cwd=ROOT,
            env=env,
            capture_output=True,
            text=True,
            timeout=LONGEST_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as running:
        return subprocess.CompletedProcess(command, 0, str(running.stdout), str(running.stderr))


def test_a_data_directory_of_another_user_is_refused(public: Path) -> None:
    data = public / "data"
    data.mkdir()
    os.chown(data, NOBODY, NOBODY)
    with pytest.raises(Exception, match=f"uid {NOBODY}"):
        bootstrap.prepare_directory(data)


@pytest.mark.parametrize("condition", ["a file", "a link"])
def test_a_secret_key_that_another_user_knows_is_refused(public: Path, condition: str) -> None:
    data = public / "data"
    data.mkdir()
    (public / "known").write_text("known to me")
    os.chown(public / "known", NOBODY, NOBODY)
    if condition == "a file":
        (public / "known").rename(data / "secret.key")
    else:
        (data / "secret.key").symlink_to(public / "known")
    with pytest.raises(SettingError, match=r"secret\.key"):
        secret_key(data)


@pytest.mark.parametrize("mode", [0o777, 0o755])
def test_an_upload_is_not_saved_in_a_directory_of_another_user(public: Path, mode: int) -> None:
    done = python_as_nobody(
        "import os, sys; p = sys.argv[1]; m = int(sys.argv[2])\n"
        "for each in (p, p + '/uploads'):\n    os.mkdir(each); os.chmod(each, m)",
        str(public / ".webtmux"),
        str(mode),
    )
    assert done.returncode == 0, done.stderr
    data = public / "data"
    path = save(Upload("a.png", "image/png", b"1"), directory=public, data_dir=data)
    assert path.is_relative_to(data)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_an_upload_does_not_follow_a_link_of_another_user(public: Path) -> None:
    python_as_nobody("import os, sys; os.mkdir(sys.argv[1], 0o777); os.symlink(*sys.argv[1:])",
                     str(public / "theirs"), str(public / ".webtmux"))  # fmt: skip
    path = save(Upload("a.png", "image/png", b"1"), directory=public, data_dir=public / "data")
    assert path.is_relative_to(public / "data")


def test_the_attacker_is_another_user() -> None:
    """Otherwise every refusal above would be for another reason."""
    done = python_as_nobody("import os; print(os.getuid(), os.getgroups())")
    assert done.stdout == f"{NOBODY} []\n"
