"""/tmux-adapter-web/* for other origins, and what --debug-serve-dir adds, on a real server."""

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from urllib.parse import urljoin

import httpx
import pytest

from config.pages import component, developer_files
from tests.config.servers import Running, serving
from tests.terminals.served import Served

SERVE = ("manage.py", "serve", "--port", "0")
IMPORT = re.compile(r"""(?:from|import|URL\()\s*["'`](\.[^"'`]+)["'`]""")
PAGE = {"Origin": "https://page.example"}
PROXIED = {"X-Forwarded-For": "192.0.2.7"}  # a request that came through a proxy
# Where a developer's file wins over ours. The dashboard of tmux-adapter has its own /shared/.
WINS = ("shared/styles.css", "shared/deep/utils.js", "connect", "recordings/x", "sw.js",
        "manifest.webmanifest", "offline", "static/page.js")  # fmt: skip
# Ours in any case: what the document names, and what acts or takes passwords.
LOSES = ("tmux-adapter-web/page.js", "tmux-adapter-web/index.js", "healthz", "readyz", "ws",
         "debug/log", "api/docs", "api/openapi.json", "api/mine", "mcp", "admin/index.html",
         "admin/login/index.html", "login", "login/index.html",
         "static/admin/css/base.css")  # fmt: skip
# One of our paths may be a folder of the developer, so both cannot be written.
SHADOWING = (*WINS, *(name for name in LOSES if name not in {"login"}))


@pytest.fixture
def plain(served: Served) -> str:
    return served.running.address


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("samples")
    (root / "index.html").write_text("<p>a sample</p>")
    (root / "deep").mkdir()
    (root / "deep" / "page.js").write_text("export {}")
    (root / ".env").write_text("secret")
    for name in SHADOWING:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("a developer's file")
    outside = root.parent / "outside.txt"
    outside.write_text("outside")
    (root / "link.txt").symlink_to(outside)
    return root


@pytest.fixture(scope="module")
def debugged(prepared: dict[str, str], samples: Path) -> Iterator[Running]:
    with serving((*SERVE, "--debug-serve-dir", str(samples)), prepared) as running:
        yield running


def test_every_file_of_the_component_is_served_to_any_page(plain: str) -> None:
    assert {*component.ENTRANCES, "xterm.css", "third-party-licenses.md"} <= set(component.files())
    for name in component.files():
        answer = httpx.get(f"{plain}/tmux-adapter-web/{name}", headers=PAGE)
        assert (answer.status_code, len(answer.content) > 0) == (200, True), name
        headers = answer.headers
        assert headers["access-control-allow-origin"] == "*"
        assert headers["cross-origin-resource-policy"] == "cross-origin"
        assert headers["cache-control"] == "no-store"
        assert headers["x-content-type-options"] == "nosniff"
        kinds = {".css": "text/css", ".md": "text/plain"}
        kind = kinds.get(PurePosixPath(name).suffix, "text/javascript")
        assert headers["content-type"] == f"{kind}; charset=utf-8", name


def test_every_import_of_the_component_is_one_of_its_files() -> None:
    """Another address would break only pages of other origins."""
    imports = {
        name: {urljoin(name, target) for target in IMPORT.findall(content.decode())}
        for name, content in component.files().items()
        if name.endswith(".js")
    }
    assert imports["index.js"]
    assert set().union(*imports.values()) <= set(component.files())


@pytest.mark.parametrize(
    "name",
    [
        "",
        "nothing.js",
        "terminals",
        "terminals/home.css",
        "manifest.json",
        "chunk-frames.js/../../static/.vite/manifest.json",
        "../static/.vite/manifest.json",
        "../manage.py",
        "..%2fmanage.py",
        "%2e%2e/manage.py",
        "terminals/..%2f..%2fmanage.py",
        "/etc/passwd",
        "%00",
        "protocol.js/",
        "PROTOCOL.js",
    ],
)
def test_no_other_file_is_served_below_its_address(plain: str, name: str) -> None:
    # raw_path: httpx would normalise the path.
    url = httpx.URL(plain).copy_with(raw_path=f"/tmux-adapter-web/{name}".encode())
    assert httpx.get(url, headers=PAGE).status_code in {403, 404}
    assert name not in component.files()


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
def test_no_file_outside_the_sample_directory_is_served(debugged: Running, path: str) -> None:
    url = httpx.URL(debugged.address).copy_with(raw_path=path.encode())
    assert httpx.get(url).status_code == 404


@pytest.mark.parametrize("name", WINS)
def test_a_developers_file_overrides_our_path(debugged: Running, name: str) -> None:
    answer = httpx.get(f"{debugged.address}/{name}")
    assert (answer.status_code, answer.text) == (200, "a developer's file")
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in answer.headers
    assert httpx.head(f"{debugged.address}/{name}").status_code == 200


@pytest.mark.parametrize("name", LOSES)
def test_a_developers_file_never_overrides_documented_or_acting_paths(
    debugged: Running, name: str
) -> None:
    for path in (f"/{name}", f"//{name}", f"/deep/../{name}", f"/{name.replace('/', '%2f')}"):
        url = httpx.URL(debugged.address).copy_with(raw_path=path.encode())
        assert "a developer's file" not in httpx.get(url).text, path


@pytest.mark.parametrize("name", WINS)
def test_other_callers_get_no_developers_file(debugged: Running, name: str) -> None:
    """Also on public paths: /shared/ has secret links, /static/ our own files."""
    for headers in (PROXIED, {**PROXIED, "Authorization": "Bearer wrong"}):
        answer = httpx.get(f"{debugged.address}/{name}", headers=headers)
        assert "a developer's file" not in answer.text
    foreign = httpx.get(f"{debugged.address}/{name}", headers=PAGE)
    assert "a developer's file" not in foreign.text


def test_only_get_and_head_reach_a_developers_file(debugged: Running) -> None:
    for method in ("POST", "PUT", "DELETE", "OPTIONS"):
        answer = httpx.request(method, f"{debugged.address}/shared/styles.css")
        assert answer.status_code in {403, 404, 405}, method
        assert "a developer's file" not in answer.text


def test_a_secret_link_works_unless_the_developer_has_that_file(debugged: Running) -> None:
    answer = httpx.get(f"{debugged.address}/shared/no-such-recording")
    assert answer.status_code == 404


def test_a_developers_page_may_have_scripts_of_its_own(debugged: Running) -> None:
    """The dashboard of tmux-adapter has its script in the page, which our policy forbids."""
    policy = httpx.get(f"{debugged.address}/").headers["content-security-policy"]
    assert policy == "frame-ancestors 'none'"


def test_samples_and_log_identify_the_caller(debugged: Running) -> None:
    foreign = httpx.post(f"{debugged.address}/debug/log", content="x", headers=PAGE)
    assert foreign.status_code == 403
    assert httpx.get(f"{debugged.address}/deep/page.js", headers=PROXIED).status_code == 401
    refused = httpx.post(f"{debugged.address}/debug/log", content="x", headers=PROXIED)
    assert refused.status_code == 401


def test_a_line_of_the_page_is_written_to_stderr_and_cannot_imitate_ours(
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
    most = b"\n" * developer_files.LOG_LIMIT
    assert httpx.post(address, content=most + b"x").status_code == 413
    assert httpx.get(address).status_code == 405
