"""A page of another origin that embeds one terminal, and a small server for it."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from playwright.sync_api import Page

from tests.waiting import LONGEST_SECONDS

TEMPLATE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>another origin</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style nonce="{nonce}">
  body {{ margin: 0; background: #222 }} tmux-adapter-web {{ height: 400px }}
</style></head><body>
<tmux-adapter-web name="work"></tmux-adapter-web><div id="elsewhere"></div>
<script nonce="{nonce}">
  window.recorded = []
  window.violations = []
  const plain = (value) => value instanceof Uint8Array ? [...value] : value
  for (const type of ['terminal-input', 'terminal-resize', 'terminal-ready', 'file-upload',
                      'file-refused', 'clipboard-write']) {{
    document.addEventListener(type, (event) => {{
      const detail = Object.fromEntries(
        Object.entries(event.detail).map(([key, value]) => [key, plain(value)]))
      recorded.push({{ type, detail, composed: event.composed, at: performance.now() }})
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
# The policy that docs/protocol.md requires of an embedding page.
POLICY = (
    "default-src 'none'; script-src 'nonce-{nonce}' {webtmux};"
    " style-src-elem 'nonce-{nonce}' {webtmux}; style-src-attr 'unsafe-inline';"
    " require-trusted-types-for 'script'; base-uri 'none'"
)


@contextmanager
def another_origin(webtmux: str) -> Iterator[str]:
    """Serves the page at /, and the same with a strict policy at /strict."""

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
            """Logs nothing."""

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
    """The terminal element on the page."""

    page: Page

    def run(self, body: str, argument: Any = None) -> Any:
        """Runs JavaScript with the variables `el` (the element) and `argument`."""
        element = "const el = document.querySelector('tmux-adapter-web')"
        function = f"async (argument) => {{ {element}; {body} }}"
        return self.page.evaluate(function, argument)

    def write(self, data: bytes) -> None:
        """Writes bytes and waits until the terminal has parsed them."""
        self.run("await el.write(Uint8Array.from(argument))", list(data))

    def events(self, kind: str) -> list[dict[str, Any]]:
        events: list[dict[str, Any]] = self.run(
            "return recorded.filter(({ type }) => type === argument)", kind
        )
        return events

    def typed(self) -> bytes:
        """The bytes of all terminal-input events so far."""
        return b"".join(bytes(event["detail"]["data"]) for event in self.events("terminal-input"))

    def clear_events(self) -> None:
        self.run("recorded.length = 0")

    def wait(
        self, condition: str, argument: Any = None, *, seconds: float = LONGEST_SECONDS
    ) -> None:
        """Waits until a JavaScript expression with `el` and `argument` is true."""
        function = (
            "(argument) => { const el = document.querySelector('tmux-adapter-web');"
            f" return {condition} }}"
        )
        self.page.wait_for_function(function, arg=argument, timeout=seconds * 1000)

    def wait_for(self, kind: str, count: int = 1) -> list[dict[str, Any]]:
        self.wait(
            "recorded.filter(({type}) => type === argument[0]).length >= argument[1]", [kind, count]
        )
        return self.events(kind)

    def wait_for_text(self, text: str) -> None:
        self.wait(f"({ROWS}).includes(argument)", text)

    def rows(self) -> list[str]:
        text: str = self.run(f"return {ROWS}")
        return [row.replace("\xa0", " ").rstrip() for row in text.split("\n")]


ROWS = (
    "[...el.shadowRoot.querySelectorAll('.xterm-rows > div')].map((row) => row.textContent)"
    ".join('\\n')"
)
