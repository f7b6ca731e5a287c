import pytest

from agents.witnesses.hooks.message import MESSAGE_LIMIT, parse
from core.errors import Invalid


def message(*, pane: bytes = b"%3", tmux: bytes = b"/tmp/t,1,0", payload: bytes = b"{}") -> bytes:
    fields = (b"webtmux-hook-1", b"claude", b"Stop", pane, tmux, b"12 34", payload)
    return b"\0".join(fields)


def test_a_message_is_parsed() -> None:
    report = parse(message(payload=b'{"prompt": "a\\u0000b"}'))
    assert (report.runtime, report.event, report.pane_id) == ("claude", "Stop", "%3")
    assert report.tmux_socket == "/tmp/t"
    assert report.pids == (12, 34)
    assert report.payload == {"prompt": "a\0b"}


def test_a_socket_path_may_contain_commas() -> None:
    assert parse(message(tmux=b"/tmp/a,b/t,1,0")).tmux_socket == "/tmp/a,b/t"


@pytest.mark.parametrize("pane", [b"", b"3", b"%", b"%x", b"%1;kill-server", b"%9999999999999"])
def test_only_ids_of_panes_are_accepted(pane: bytes) -> None:
    assert parse(message(pane=pane)).pane_id == ""


def test_a_payload_with_too_many_values_is_dropped_but_the_event_counts() -> None:
    report = parse(message(payload=b"[" + b"1," * 50_000 + b"1]"))
    assert report.payload == {}
    assert report.event == "Stop"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"hello",
        b"webtmux-hook-2" + message()[14:],
        message()[:30],
        message(payload=b"{"),
        message(payload=b"[1]"),
        message(payload=b"[" * 5_000),
        message(payload=b'{"a": ' + b"9" * 5_000 + b"}"),
        message(payload=b'{"a": "\xff"}'),
        message(payload=b"x" * MESSAGE_LIMIT),
    ],
)
def test_other_messages_are_refused(data: bytes) -> None:
    with pytest.raises(Invalid):
        parse(data)
