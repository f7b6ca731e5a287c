"""Chat over a real socket: the records there are, then each new one."""

from collections.abc import Iterator

import pytest

from tests.terminals.served import Served, client, served_tmux


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with served_tmux() as served:
        yield served


async def test_a_line_and_its_output_are_told_to_whoever_follows_the_window(served: Served) -> None:
    pane = served.new_pane("exec cat")
    window = served.window_of(pane)
    async with client(served) as socket:
        told = await socket.ask("subscribe-chat", window=window)
        assert (told["ok"], told["messages"], told["hasMore"]) == (True, [], False)
        await socket.type(pane, b"hello\r")

        def user(message: dict[str, object]) -> bool:
            return message.get("type") == "chat-added" and "'user'" in str(message)

        event = await socket.told(user)
        assert event["key"] == told["window"]["key"]
        assert event["record"] | {"ts": 0} == {
            "ts": 0, "role": "user", "session": "work", "window": window, "text": "hello",
        }  # fmt: skip
        shown = await socket.told(lambda message: "hello\\nhello" in str(message))
        assert shown["record"]["ts"] > event["record"]["ts"]

        assert (await socket.ask("unsubscribe-chat", window=window))["ok"] is True
        again = await socket.ask("subscribe-chat", window=told["window"]["key"])
        assert [record["text"] for record in again["messages"]][-1] == "hello\nhello"


async def test_a_window_that_does_not_exist_is_said_so(served: Served) -> None:
    async with client(served) as socket:
        told = await socket.ask("subscribe-chat", window="@999")
        assert (told["ok"], told["error"]) == (False, "can't find window: @999")
        missing = await socket.ask("subscribe-chat")
        assert missing["error"] == "window field required"
