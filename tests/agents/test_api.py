"""REST for agents: the list and its filters, one agent, and why it is said to do what it does."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from django.core.asgi import get_asgi_application

from agents import registry
from agents.registry import Agent
from agents.schemas import wire
from agents.states import State
from terminals.runtime import Runtime
from tests.agents.corpus import samples
from tests.agents.deliveries import agent_of
from tests.agents.fakes.launch import launch
from tests.agents.programs import picture_show
from tests.terminals.tmux.waiting import eventually

PICTURE = {sample.name: sample for sample in samples()}["claude-waiting-bash-80x24"]
WEB = Agent("web", "claude", "/home/u/web", True, "%1", "@1", "web", 1, State.IDLE)
API = Agent("api", "codex", "/home/u/api", False, "%2", "@2", "api", 2, State.WORKING)
SECOND = Agent("api:1.0", "amp", "/srv/x", False, "%3", "@3", "api", 3)


@pytest.fixture
async def http() -> AsyncIterator[httpx.AsyncClient]:
    door = httpx.ASGITransport(app=cast(Any, get_asgi_application()))
    async with httpx.AsyncClient(transport=door, base_url="http://localhost/api") as client:
        yield client
    registry.current().replace(())


@pytest.fixture
def three() -> None:
    registry.current().replace([API, SECOND, WEB])


async def test_without_agents_the_list_is_empty(http: httpx.AsyncClient) -> None:
    answer = await http.get("/agents")
    assert answer.json() == {"items": [], "count": 0, "limit": 100, "offset": 0}


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize(
    ("filters", "names"),
    [
        ({}, ["api", "api:1.0", "web"]),
        ({"includeSessionFilter": "^a"}, ["api", "api:1.0"]),
        ({"excludeSessionFilter": "p"}, ["web"]),
        ({"includePathFilter": "/home/u"}, ["api", "web"]),
        ({"includePathFilter": "/home", "excludePathFilter": "web$"}, ["api"]),
        ({"limit": "1", "offset": "1"}, ["api:1.0"]),
    ],
)
async def test_the_list_is_filtered_and_paged(
    http: httpx.AsyncClient, filters: dict[str, str], names: list[str]
) -> None:
    items = (await http.get("/agents", params=filters)).json()["items"]
    assert [item["name"] for item in items] == names


@pytest.mark.usefixtures("three")
async def test_an_item_has_the_wire_form_of_the_socket(http: httpx.AsyncClient) -> None:
    items = (await http.get("/agents")).json()["items"]
    assert items[-1] == wire(WEB)


async def test_a_bad_filter_is_refused_with_its_reason(http: httpx.AsyncClient) -> None:
    answer = await http.get("/agents", params={"excludePathFilter": "["})
    assert answer.status_code == 422
    told = answer.json()["error"]["message"]
    assert told.startswith("invalid path exclude filter: missing ]")


@pytest.mark.usefixtures("three")
async def test_one_agent_is_told_with_its_place(http: httpx.AsyncClient) -> None:
    told = (await http.get("/agents/api:1.0")).json()
    assert (told["paneId"], told["windowId"], told["session"]) == ("%3", "@3", "api")


@pytest.mark.parametrize("path", ["/agents/nobody", "/agents/nobody/explain", "/agents/a%2Fb"])
async def test_an_agent_that_is_not_there_is_404(
    http: httpx.AsyncClient, path: str, runtime: Runtime
) -> None:
    answer = await http.get(path)
    assert (answer.status_code, answer.json()["error"]["message"]) == (404, "agent not found")


async def test_a_live_agent_is_explained_by_the_line_that_decided(
    http: httpx.AsyncClient, runtime: Runtime, tmp_path: Path
) -> None:
    program = picture_show(tmp_path / "bin", "claude")
    made = await runtime.main.new_session("job", command=f"exec {program}")
    row = await runtime.main.pane(made.pane_id)
    registry.current().replace(
        [Agent("job", "claude", "/", False, row.id, row.window_id, "job", row.pid)]
    )
    picture = tmp_path / "picture"
    picture.write_text("\n".join(PICTURE.lines).rstrip("\n"))
    await runtime.main.type(row.id, f"{picture}\n".encode())

    async def asked() -> dict[str, Any] | None:
        told: dict[str, Any] = (await http.get("/agents/job/explain")).json()
        return told if told["state"] == "waiting" else None

    told = await eventually(asked)
    assert told is not None
    assert told["believed"] == "unknown"
    assert told["question"] == PICTURE.question
    assert [option["label"] for option in told["options"]] == list(PICTURE.options)
    decided = next(rule for rule in told["rules"] if rule["evidence"] is not None)
    assert (decided["name"], decided["evidence"]) == (told["rule"], told["evidence"])
    assert any(PICTURE.question in line for line in told["screen"])
    detail = (await http.get("/agents/job")).json()
    assert detail["memoryBytes"] > 100_000
    assert detail["cpuSeconds"] is not None


@pytest.mark.django_db(transaction=True)
async def test_a_prompt_and_an_answer_are_delivered_with_a_receipt(
    http: httpx.AsyncClient, runtime: Runtime, tmp_path: Path
) -> None:
    fake = await launch(runtime.main, tmp_path, "claude", name="job")
    registry.current().replace([agent_of(fake)])
    sent = (await http.post("/agents/job/prompt", json={"prompt": "ask: may I?"})).json()
    assert (sent["ok"], sent["receipt"]["submitted"]) == (True, True)
    assert fake.prompts == [b"ask: may I?"]

    async def answered() -> bool:
        told = (await http.post("/agents/job/answer", json={"answer": "1"})).json()
        return bool(told.get("ok"))

    await eventually(answered)
    assert len(fake.answers) == 1
    unknown = await http.post("/agents/nobody/prompt", json={"prompt": "x"})
    assert (unknown.status_code, unknown.json()["error"]["message"]) == (404, "agent not found")
    assert (await http.post("/agents/job/prompt", json={"prompt": ""})).status_code == 422
