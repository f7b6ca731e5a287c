"""Chat over a real socket: existing records, then each new one."""

from tests.terminals.served import Served, client


async def test_a_subscriber_receives_a_line_and_its_output(served: Served) -> None:
    pane = served.new_pane("exec cat")
    window = served.window_of(pane)
    async with client(served) as socket:
        response = await socket.ask("subscribe-chat", window=window)
        assert (response["ok"], response["messages"], response["hasMore"]) == (True, [], False)
        await socket.type(pane, b"hello\r")

        def is_user(message: dict[str, object]) -> bool:
            return message.get("type") == "chat-added" and "'user'" in str(message)

        event = await socket.message(is_user)
        assert event["key"] == response["window"]["key"]
        assert event["record"] | {"ts": 0} == {
            "ts": 0, "role": "user", "session": "work", "window": window, "text": "hello",
        }  # fmt: skip
        shown = await socket.message(lambda message: "hello\\nhello" in str(message))
        assert shown["record"]["ts"] > event["record"]["ts"]

        assert (await socket.ask("unsubscribe-chat", window=window))["ok"] is True
        again = await socket.ask("subscribe-chat", window=response["window"]["key"])
        assert [record["text"] for record in again["messages"]][-1] == "hello\nhello"


async def test_an_unknown_window_is_refused(served: Served) -> None:
    async with client(served) as socket:
        response = await socket.ask("subscribe-chat", window="@999")
        assert (response["ok"], response["error"]) == (False, "can't find window: @999")
        missing = await socket.ask("subscribe-chat")
        assert missing["error"] == "window field required"
