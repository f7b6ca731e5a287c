"""The terminal tools of webtmux-mcp on a real tmux."""

import asyncio
from typing import Any

import pytest

from mcp_gateway.server import Gateway
from terminals.runtime import Runtime
from terminals.tmux.driver import HIDDEN_SESSION
from tests.conftest import RunTmux
from tests.mcp_gateway.fixtures import answer, failure, someone
from tests.waiting import eventually

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def server(runtime: Runtime, run_tmux: RunTmux) -> Gateway:
    run_tmux("rename-window", "-t", "work:0", "sh")  # else tmux renames it as it pleases
    return Gateway()


def window(run_tmux: RunTmux, target: str = "work:0") -> dict[str, Any]:
    """As tmux itself reports it."""
    form = "#{session_name} #{window_id} #{window_index} #{window_name} #{window_active}"
    session, identifier, index, name, active = run_tmux(
        "display-message", "-p", "-t", target, form
    ).split()
    return {
        "session": session,
        "windowId": identifier,
        "windowIndex": int(index),
        "windowName": name,
        "active": active == "1",
        "project": session,
    }


async def shows(run_tmux: RunTmux, text: str, target: str = "work:0") -> None:
    async def look() -> bool:
        return text in run_tmux("capture-pane", "-p", "-t", target)

    await eventually(look)


async def test_list_windows_has_the_documented_fields(server: Gateway, run_tmux: RunTmux) -> None:
    run_tmux("new-window", "-d", "-t", "work:7", "-n", "editor", "exec sh")
    response = await answer(server, "list_windows")
    assert response == {"windows": [window(run_tmux), window(run_tmux, "work:7")]}
    assert HIDDEN_SESSION not in str(response)


@pytest.mark.parametrize(
    "address",
    [
        {"session": "work", "windowIndex": 7},
        {"session": "work", "windowIndex": "7"},
        {"session": "work", "windowName": "[1]"},
        {"windowName": "[1]"},
        {"windowName": "[1]", "session": None, "windowIndex": None},
    ],
)
async def test_a_window_is_found_by_any_identifier(
    server: Gateway, run_tmux: RunTmux, address: dict[str, Any]
) -> None:
    run_tmux("new-window", "-d", "-t", "work:7", "-n", "[1]", "exec sh")
    run_tmux("new-window", "-d", "-t", "work:8", "-n", "other", "exec sh")
    response = await answer(server, "select_window", mode="execute", **address)
    assert response == {"selected": window(run_tmux, "work:7")}
    assert response["selected"]["active"] is True


async def test_an_id_is_the_most_specific_identifier(server: Gateway, run_tmux: RunTmux) -> None:
    other = run_tmux("new-window", "-dP", "-F", "#{window_id}", "-t", "work:", "exec sh")
    response = await answer(
        server, "select_window", mode="execute", windowId=other, session="work", windowIndex=0
    )
    assert response["selected"]["windowId"] == other


async def test_the_current_window_is_the_one_that_is_viewed(
    server: Gateway, run_tmux: RunTmux
) -> None:
    run_tmux("new-window", "-t", "work:3", "exec sh")
    response = await answer(server, "submit_current_window", mode="execute", current=True)
    assert response == {
        "window": window(run_tmux, "work:3"),
        "submitted": True,
        "status": "entered",
    }


async def test_no_identifier_is_an_error_that_lists_the_identifiers(server: Gateway) -> None:
    response = await failure(server, "submit_current_window", mode="execute")
    assert "windowId, session + windowIndex" in response


async def test_a_name_of_several_windows_lists_them(server: Gateway, run_tmux: RunTmux) -> None:
    for _ in range(2):
        run_tmux("new-window", "-d", "-t", "work:", "-n", "twin", "exec sh")
    response = await failure(server, "select_window", mode="execute", windowName="twin")
    assert "matches 2 windows" in response
    assert "work:1 twin" in response


async def test_typed_text_is_at_the_prompt_and_nothing_runs(
    server: Gateway, run_tmux: RunTmux
) -> None:
    response = await answer(
        server, "send_to_window", mode="execute", session="work", windowIndex=0,
        text="echo $((40+2))",
    )  # fmt: skip
    assert response == {"window": window(run_tmux), "submitted": False, "status": "typed"}
    await shows(run_tmux, "echo $((40+2))")
    assert "\n42" not in run_tmux("capture-pane", "-p", "-t", "work:0")
    entered = await answer(server, "submit_current_window", mode="execute", windowName="sh")
    assert entered["status"] == "entered"
    await shows(run_tmux, "\n42")


async def test_submit_presses_enter(server: Gateway, run_tmux: RunTmux) -> None:
    response = await answer(
        server, "send_to_window", mode="execute", windowName="sh", text="echo $((1+1))x",
        submit=True,
    )  # fmt: skip
    assert (response["submitted"], response["status"]) == (True, "sent")
    await shows(run_tmux, "2x")


async def test_a_duplicate_is_ignored_and_reported(server: Gateway, run_tmux: RunTmux) -> None:
    text = {"mode": "execute", "session": "work", "windowIndex": 0, "text": "abc"}
    assert (await answer(server, "send_to_window", **text))["status"] == "typed"
    again = await answer(server, "send_to_window", **text)
    assert again == {"window": window(run_tmux), "submitted": False, "status": "duplicate_ignored"}
    assert (await answer(server, "send_to_window", **text, submit=True))["status"] == "sent"
    await shows(run_tmux, "abcabc")
    assert "abcabcabc" not in run_tmux("capture-pane", "-p", "-t", "work:0")


async def test_of_concurrent_duplicates_one_is_typed(server: Gateway, run_tmux: RunTmux) -> None:
    response = await asyncio.gather(
        *(
            answer(server, "send_to_window", mode="execute", windowName="sh", text="once")
            for _ in range(10)
        )
    )
    statuses = sorted(each["status"] for each in response)
    assert statuses == ["duplicate_ignored"] * 9 + ["typed"]


async def test_a_failed_send_may_be_retried_at_once(
    server: Gateway, run_tmux: RunTmux, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = {"mode": "execute", "windowName": "sh", "text": "again"}

    async def fails(**_: object) -> None:
        raise RuntimeError

    with monkeypatch.context() as broken:
        broken.setattr("mcp_gateway.tools.windows.panes.send_text", fails)
        await failure(server, "send_to_window", **text)
    assert (await answer(server, "send_to_window", **text))["status"] == "typed"


async def test_a_caller_cannot_type_into_its_own_pane(runtime: Runtime, run_tmux: RunTmux) -> None:
    run_tmux("rename-window", "-t", "work:0", "sh")
    own = run_tmux("display-message", "-p", "-t", "work:0", "#{pane_id}")
    server = Gateway(local=someone(pane=own))
    text = {"mode": "execute", "windowName": "sh", "text": "self"}
    assert "the pane you run in" in await failure(server, "send_to_window", **text)
    assert "the pane you run in" in await failure(
        server, "submit_current_window", mode="execute", windowName="sh"
    )
    assert (await answer(server, "send_to_window", **text, force=True))["status"] == "typed"


async def test_the_hidden_session_is_refused(server: Gateway) -> None:
    address = {"session": HIDDEN_SESSION, "windowIndex": 0}
    await failure(server, "send_to_window", mode="execute", text="x", **address)


async def test_server_info_contains_the_permissions_of_the_caller(
    server: Gateway, runtime: Runtime
) -> None:
    response = await answer(server, "server_info")
    assert response["scope"] == "admin"
    assert response["windows"] == 1
    assert response["toolSets"] == ["workspace", "notes", "agents", "tmux", "tabs"]
    assert response["tmux"]
