"""Pages of another origin for the browser tests: a little server, and one terminal on its page."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from playwright.sync_api import Page

TEMPLATE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>another origin</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style nonce="{nonce}">
  body {{ margin: 0; background: #222 }} tmux-adapter-web {{ height: 400px }}
</style></head><body>
<tmux-adapter-web name="work"></tmux-adapter-web><div id="elsewhere"></div>
<script nonce="{nonce}">
  window.seen = []
  window.violations = []
  const plain = (value) => value instanceof Uint8Array ? [...value] : value
  for (const type of ['terminal-input', 'terminal-resize', 'terminal-ready', 'file-upload',
                      'file-refused', 'clipboard-write']) {{
    document.addEventListener(type, (event) => {{
      const detail = Object.fromEntries(
        Object.entries(event.detail).map(([key, value]) => [key, plain(value)]))
      seen.push({{ type, detail, composed: event.composed, at: performance.now() }})
      if (type === 'clipboard-write') window.offer = event.detail
    }})
  }}
  document.addEventListener('securitypolicyviolation', (event) => {{
    violations.push(`${{event.violatedDirective}} ${{event.blockedURI}}`)
  }})
</script>
<script type="module" nonce="{nonce}">
  import * as component from '{webtmux}/tmux-adapter-web/index.js'
  window.component = component
</script></body></html>"""
# What docs/protocol.md asks of a page with a policy of its own.
POLICY = (
    "default-src 'none'; script-src 'nonce-{nonce}' {webtmux};"
    " style-src-elem 'nonce-{nonce}' {webtmux}; style-src-attr 'unsafe-inline';"
    " require-trusted-types-for 'script'; base-uri 'none'"
)


@contextmanager
def another_origin(webtmux: str) -> Iterator[str]:
    """An address whose / holds the terminal, and /strict the same under a strict policy."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            nonce = secrets.token_urlsafe(12)
            body = TEMPLATE.format(nonce=nonce, webtmux=webtmux).encode()
            self.send_response(200 if self.path in {"/", "/strict"} else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            if self.path == "/strict":
                policy = POLICY.format(nonce=nonce, webtmux=webtmux)
                self.send_header("Content-Security-Policy", policy)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: Any) -> None:
            """Nothing: the tests say what went wrong."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@dataclass
class Terminal:
    """The element as the page sees it."""

    page: Page

    def run(self, body: str, argument: Any = None) -> Any:
        """JavaScript with the element as `el` and the argument as `given`."""
        function = (
            f"async (given) => {{ const el = document.querySelector('tmux-adapter-web'); {body} }}"
        )
        return self.page.evaluate(function, argument)

    def write(self, data: bytes) -> None:
        """Returns when the terminal has parsed it."""
        self.run("await el.write(Uint8Array.from(given))", list(data))

    def seen(self, kind: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.run(
            "return seen.filter(({ type }) => type === given)", kind
        )
        return found

    def typed(self) -> bytes:
        """Everything that terminal-input said so far."""
        return b"".join(bytes(event["detail"]["data"]) for event in self.seen("terminal-input"))

    def forget(self) -> None:
        self.run("seen.length = 0")

    def wait(self, condition: str, argument: Any = None, *, seconds: float = 10) -> None:
        """Until a JavaScript expression over `el` and `given` is true."""
        function = (
            "(given) => { const el = document.querySelector('tmux-adapter-web');"
            f" return {condition} }}"
        )
        self.page.wait_for_function(function, arg=argument, timeout=seconds * 1000)

    def wait_for(self, kind: str, count: int = 1) -> list[dict[str, Any]]:
        self.wait("seen.filter(({type}) => type === given[0]).length >= given[1]", [kind, count])
        return self.seen(kind)

    def wait_for_text(self, text: str) -> None:
        self.wait(f"({ROWS}).includes(given)", text)

    def rows(self) -> list[str]:
        text: str = self.run(f"return {ROWS}")
        return [row.replace("\xa0", " ").rstrip() for row in text.split("\n")]


ROWS = (
    "[...el.shadowRoot.querySelectorAll('.xterm-rows > div')].map((row) => row.textContent)"
    ".join('\\n')"
)
