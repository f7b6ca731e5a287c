"""The wire models of the socket cover all of its requests, and the types of the page use them."""

import json
import subprocess
import sys

from agents import ws as agents
from config.asgi import HANDLERS
from notes import ws as notes
from terminals import ws as terminals
from tools import wire_schemas


def test_every_request_of_the_socket_has_wire_models() -> None:
    exchanges = [*terminals.EXCHANGES, *agents.EXCHANGES, *notes.EXCHANGES]
    assert sorted(exchanges) == sorted(HANDLERS)


def test_every_event_has_its_own_type() -> None:
    events = wire_schemas.socket()["components"]["schemas"]["SocketEvent"]["oneOf"]
    schemas = wire_schemas.socket()["components"]["schemas"]
    kinds = [
        schemas[event["$ref"].removeprefix(wire_schemas.REF)]["properties"]["type"]["const"]
        for event in events
    ]
    assert len(set(kinds)) == len(kinds) > 10


def test_what_the_server_sends_is_required_and_what_it_accepts_may_be_left_out() -> None:
    schemas = wire_schemas.socket()["components"]["schemas"]
    assert "type" in schemas["AgentRemoved"]["required"]
    assert "ok" in schemas["HelloOut"]["required"]
    assert "notes" not in schemas["SubscribedNotesOut"].get("required", [])
    assert schemas["PromptRequest"]["required"] == ["agent", "prompt"]


def test_the_documents_are_the_same_in_every_process() -> None:
    """Else the check of the generated types would fail by chance."""
    command = [sys.executable, "-m", "tools.wire_schemas"]
    written = [subprocess.run(command, capture_output=True, check=True).stdout for _ in range(2)]
    assert written[0] == written[1]
    assert set(json.loads(written[0])) == {"api", "socket"}
