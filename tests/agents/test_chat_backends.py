"""Chat on a real PostgreSQL: the same records, pages and search, through a server."""

from collections.abc import Callable
from pathlib import Path

import httpx
import psycopg

from tests.backends import wait_until
from tests.config.servers import environment, serving
from tests.terminals.served import cli


def test_chat_is_recorded_paged_and_searched_on_postgresql(
    tmp_path: Path, new_database: Callable[[str], str]
) -> None:
    postgres = new_database("chat")
    env = environment(tmp_path / "data", DATABASE_URL=postgres)
    socket = env["WEBTMUX_TMUX_SOCKET"]
    with (
        serving(["manage.py", "serve", "--port", "0"], env) as running,
        httpx.Client(base_url=running.address) as client,
    ):
        made = client.post("/api/sessions", json={"name": "pg", "command": "exec sh"}).json()
        key, pane = made["window"]["key"], made["paneId"][1:]
        for line in ("echo first needle", "echo second"):
            sent = client.post(f"/api/panes/{pane}/send", json={"text": line, "submit": True})
            assert sent.status_code == 200

        def said() -> list[str]:
            found = client.get(f"/api/windows/{key}/messages").json()["messages"]
            return [message["text"] for message in found]

        whole = ["echo first needle", "first needle", "echo second", "second"]
        wait_until(lambda: said()[-4:] == whole, "the conversation")
        page = client.get(f"/api/windows/{key}/chat", params={"limit": 1}).json()
        assert (len(page["messages"]), page["hasMore"]) == (1, True)

        def found(q: str, **more: str) -> list[str]:
            told = client.get("/api/chat", params={"q": q, "role": "user", **more}).json()
            return [item["text"] for item in told["items"]]

        assert found("needle") == found("need*") == found('"first needle"') == ["echo first needle"]
        assert found("echo") == ["echo second", "echo first needle"]
        assert found("needle", window=key) == ["echo first needle"]
        assert found("it's 'quoted' & | ! :*") == []
        with psycopg.connect(postgres) as connection:
            [(index,)] = connection.execute(
                "SELECT count(*) FROM pg_indexes WHERE indexname = 'agents_chat_words'"
            ).fetchall()
        assert index == 1
        cli(socket, "kill-server")
