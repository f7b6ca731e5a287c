"""Small HTTP servers in a thread of this process: fakes of services that webtmux calls."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.waiting import LONGEST_SECONDS

# Between two checks for a shutdown. The default of 0.5 s is a pause at the end of every test.
POLL_SECONDS = 0.01
# The path, headers and body of a POST request; returns the status and the JSON of the response.
Respond = Callable[[str, Message, bytes], tuple[int, bytes]]


@contextmanager
def in_thread(server: ThreadingHTTPServer) -> Iterator[str]:
    """Runs the server until the end of the block. Yields its address."""
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(POLL_SECONDS,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(LONGEST_SECONDS)


@contextmanager
def answering_posts(respond: Respond) -> Iterator[str]:
    """A server that answers every POST request with the JSON of `respond`. Yields its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            status, data = respond(self.path, self.headers, body)
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args: object) -> None:
            """Silent: tests read the recorded requests."""

    with in_thread(ThreadingHTTPServer(("127.0.0.1", 0), Handler)) as address:
        yield address
