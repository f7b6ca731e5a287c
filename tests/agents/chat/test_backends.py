"""Chat on a real PostgreSQL: the same records, pages and search, through a server."""

from collections.abc import Callable
from pathlib import Path

import httpx
import psycopg

from tests.config.servers import environment, serving
from tests.terminals.served import cli
from tests.waiting import wait_until


def test_chat_is_recorded_paged_and_searched_on_postgresql(
    tmp_path: Path, new_database: Callable[[str], str]
) -> None:
    postgres = new_database("chat")
    env = environment(tmp_path / "data", DATABASE_URL=postgres)
    socket = env["WEBTMUX_TMUX_SOCKET"]
    with (
        serving(["manage.py", "serve", "--port", "0"], env) as running,
        httpx.Client(base_url=running.address, timeout=60) as client,
    ):
        created = client.post("/api/sessions", json={"name": "pg", "command": "exec sh"}).json()
        key, pane = created["window"]["key"], created["paneId"][1:]
        # Typed before the prompt or before the end of another command, a line is not where it is
        # expected on the screen.
        wait_until(lambda: cli(socket, "capture-pane", "-p", "-t", "pg:0").strip())

        def message_texts() -> list[str]:
            messages = client.get(f"/api/windows/{key}/messages").json()["messages"]
            return [message["text"] for message in messages]

        expected: list[str] = []
        for text in ("first needle", "second"):
            line = {"text": f"echo {text}", "submit": True}
            assert client.post(f"/api/panes/{pane}/send", json=line).status_code == 200
            expected.extend((f"echo {text}", text))
            wait_until(lambda: message_texts()[-len(expected) :] == expected)
        page = client.get(f"/api/windows/{key}/chat", params={"limit": 1}).json()
        assert (len(page["messages"]), page["hasMore"]) == (1, True)

        def search(q: str, **more: str) -> list[str]:
            response = client.get("/api/chat", params={"q": q, "role": "user", **more}).json()
            return [item["text"] for item in response["items"]]

        assert (
            search("needle") == search("need*") == search('"first needle"') == ["echo first needle"]
        )
        assert search("echo") == ["echo second", "echo first needle"]
        assert search("needle", window=key) == ["echo first needle"]
        assert search("it's 'quoted' & | ! :*") == []
        with psycopg.connect(postgres) as connection:
            [(index,)] = connection.execute(
                "SELECT count(*) FROM pg_indexes"
                " WHERE indexname IN ('agents_chat_words', 'agents_message_words')"
            ).fetchall()
        assert index == 2
        cli(socket, "kill-server")
