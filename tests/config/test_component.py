"""/tmux-adapter-web/* as other origins get it, and what --debug-serve-dir adds, really served."""

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from urllib.parse import urljoin

import httpx
import pytest

from config import component, debug
from tests.config.servers import Running, serving

SERVE = ("manage.py", "serve", "--port", "0")
IMPORT = re.compile(r"(?:from|import|URL\()\s*'(\.[^']+)'")
PAGE = {"Origin": "https://page.example"}


@pytest.fixture(scope="module")
def plain(prepared: dict[str, str]) -> Iterator[str]:
    with serving(SERVE, prepared) as running:
        yield running.address


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("samples")
    (root / "index.html").write_text("<p>a sample</p>")
    (root / "deep").mkdir()
    (root / "deep" / "page.js").write_text("export {}")
    (root / ".env").write_text("secret")
    (root / "static").mkdir()
    (root / "static" / "page.js").write_text("not for strangers")
    (root / "tmux-adapter-web").mkdir()
    (root / "tmux-adapter-web" / "page.js").write_text("not for strangers")
    outside = root.parent / "outside.txt"
    outside.write_text("outside")
    (root / "link.txt").symlink_to(outside)
    return root


@pytest.fixture(scope="module")
def debugged(prepared: dict[str, str], samples: Path) -> Iterator[Running]:
    with serving((*SERVE, "--debug-serve-dir", str(samples)), prepared) as running:
        yield running


def test_every_file_of_the_component_is_there_for_any_page(plain: str) -> None:
    for name in [*component.FILES, *component.ENTRANCES]:
        answer = httpx.get(f"{plain}/tmux-adapter-web/{name}", headers=PAGE)
        assert (answer.status_code, len(answer.content) > 0) == (200, True), name
        headers = answer.headers
        assert headers["access-control-allow-origin"] == "*"
        assert headers["cross-origin-resource-policy"] == "cross-origin"
        assert headers["cache-control"] == "no-store"
        assert headers["x-content-type-options"] == "nosniff"
        kinds = {".css": "text/css", "": "text/plain"}
        kind = kinds.get(PurePosixPath(name).suffix, "text/javascript")
        assert headers["content-type"] == f"{kind}; charset=utf-8", name


def test_every_import_of_the_component_is_on_the_list() -> None:
    """A module that is forgotten in the list would break only pages of other origins."""
    found = {}
    for name in [*component.FILES, *component.ENTRANCES]:
        if name.endswith(".js"):
            text = (component.contents(name) or b"").decode()
            found[name] = {urljoin(name, target) for target in IMPORT.findall(text)}
    assert set().union(*found.values()) <= component.FILES
    reached, waiting = set(), ["index.js"]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += found.get(name, ())
    # And nothing is on it that the component does not use.
    unused = component.FILES - reached
    assert unused == {"lib/xterm/LICENSE"}


@pytest.mark.parametrize(
    "name",
    [
        "",
        "nothing.js",
        "terminals",
        "terminals/home.css",
        "libraries.mjs",
        "lib/xterm/../../libraries.mjs",
        "../manage.py",
        "..%2fmanage.py",
        "%2e%2e/manage.py",
        "terminals/..%2f..%2fmanage.py",
        "/etc/passwd",
        "%00",
        "terminals/frames.js/",
        "TERMINALS/frames.js",
    ],
)
def test_nothing_else_is_served_under_its_address(plain: str, name: str) -> None:
    # Without httpx's own tidying of the path.
    url = httpx.URL(plain).copy_with(raw_path=f"/tmux-adapter-web/{name}".encode())
    assert httpx.get(url, headers=PAGE).status_code in {403, 404}
    assert component.contents(name) is None


def test_the_component_is_read_only(plain: str) -> None:
    answer = httpx.post(f"{plain}/tmux-adapter-web/index.js")
    assert answer.status_code in {403, 405}


def test_without_the_flag_there_is_no_debug_log_and_no_sample(plain: str) -> None:
    assert httpx.post(f"{plain}/debug/log", content="x").status_code == 404
    assert httpx.get(f"{plain}/deep/page.js").status_code == 404


def test_with_the_flag_the_samples_are_served_at_the_root(debugged: Running) -> None:
    answer = httpx.get(f"{debugged.address}/")
    assert (answer.text, answer.headers["cache-control"]) == ("<p>a sample</p>", "no-store")
    script = httpx.get(f"{debugged.address}/deep/page.js")
    assert script.headers["content-type"].startswith("text/javascript")
    assert "access-control-allow-origin" not in script.headers
    assert httpx.get(f"{debugged.address}/healthz").json() == {"ok": True}
    assert httpx.get(f"{debugged.address}/api/docs").status_code == 200
    assert httpx.get(f"{debugged.address}/tmux-adapter-web/index.js").status_code == 200


@pytest.mark.parametrize(
    "path",
    ["/.env", "/deep/../.env", "/..%2foutside.txt", "/%2e%2e/outside.txt", "/link.txt", "/deep",
     "//etc/passwd", "/%2fetc/passwd", "/nothing", "/%00"],
)  # fmt: skip
def test_the_samples_end_at_their_directory(debugged: Running, path: str) -> None:
    url = httpx.URL(debugged.address).copy_with(raw_path=path.encode())
    assert httpx.get(url).status_code == 404


def test_what_the_gate_leaves_open_does_not_lead_to_the_samples(debugged: Running) -> None:
    for path in ("/static/page.js", "/tmux-adapter-web/page.js"):
        assert httpx.get(debugged.address + path).status_code == 404


def test_samples_and_log_ask_who_is_calling(debugged: Running) -> None:
    foreign = httpx.post(f"{debugged.address}/debug/log", content="x", headers=PAGE)
    assert foreign.status_code == 403
    stranger = {"X-Forwarded-For": "192.0.2.7"}
    assert httpx.get(f"{debugged.address}/deep/page.js", headers=stranger).status_code == 401
    refused = httpx.post(f"{debugged.address}/debug/log", content="x", headers=stranger)
    assert refused.status_code == 401


def test_a_line_of_the_page_is_written_to_stderr_and_cannot_pose_as_one_of_ours(
    debugged: Running,
) -> None:
    text = "tapped \x1b[2J\u202eü\r\n2026 ERROR django: forged\x00"
    answer = httpx.post(f"{debugged.address}/debug/log", content=text.encode())
    assert answer.status_code == 204
    debugged.read_until(re.compile(r"\[UI\] tapped \[2Jü\n"), 10)
    debugged.read_until(re.compile(r"INFO ui: \[UI\] 2026 ERROR django: forged\n"), 10)
    assert "\x1b" not in debugged.output


def test_a_long_log_is_refused(debugged: Running) -> None:
    address = f"{debugged.address}/debug/log"
    most = b"\n" * debug.LOG_LIMIT
    assert httpx.post(address, content=most + b"x").status_code == 413
    assert httpx.get(address).status_code == 405
