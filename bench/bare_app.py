"""`python -m bench.bare_app`: the least that daphne can do, to compare our doors with.

An ASGI application without gate, Django or SDK: `/N` is answered with N bytes of JSON.
"""

from typing import Any

from daphne.endpoints import build_endpoint_description_strings
from daphne.server import Server

HEADERS = [(b"content-type", b"application/json"), (b"cache-control", b"no-store")]


async def application(scope: Any, receive: Any, send: Any) -> None:
    while (await receive()).get("more_body"):
        pass
    body = b'"' + b"x" * (int(scope["path"][1:]) - 2) + b'"'
    headers = [*HEADERS, (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class BareServer(Server):  # type: ignore[misc]  # daphne has no types
    def announce(self) -> None:
        print(f"running on http://127.0.0.1:{self.listening_addresses[0][1]}/", flush=True)


def main() -> None:
    server = BareServer(
        application, endpoints=build_endpoint_description_strings(host="127.0.0.1", port=0)
    )
    server.ready_callable = server.announce
    server.run()


if __name__ == "__main__":
    main()
