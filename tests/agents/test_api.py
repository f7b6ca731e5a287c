"""REST for agents: the list and its filters, one agent, explanations, prompts and answers."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from django.core.asgi import get_asgi_application

from agents import registry
from agents.registry import Agent
from agents.runtimes.loader import AgentState
from agents.schemas import AgentOut
from terminals.runtime import Runtime
from tests.agents.corpus import samples
from tests.agents.delivery.deliveries import agent_of
from tests.agents.detection.programs import screen_program
from tests.agents.fakes.launch import launch
from tests.waiting import eventually

SCREEN = {sample.name: sample for sample in samples()}["claude-waiting-bash-80x24"]
WEB = Agent(
    "web", "claude", "/home/u/web", True, "%1", "@1", "web", 1, AgentState.IDLE, state_since=1
)
API = Agent(
    "api", "codex", "/home/u/api", False, "%2", "@2", "api", 2, AgentState.WORKING, state_since=1
)
SECOND = Agent("api:1.0", "amp", "/srv/x", False, "%3", "@3", "api", 3, state_since=1)


@pytest.fixture
async def http() -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=cast(Any, get_asgi_application()))
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost/api") as client:
        yield client
    registry.current().replace(())


@pytest.fixture
def three() -> None:
    registry.current().replace([API, SECOND, WEB])


async def test_the_list_is_empty_without_agents(http: httpx.AsyncClient) -> None:
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
async def test_an_item_has_the_same_form_as_on_the_socket(http: httpx.AsyncClient) -> None:
    items = (await http.get("/agents")).json()["items"]
    assert items[-1] == AgentOut.of(WEB).model_dump(mode="json")


async def test_an_invalid_filter_is_refused_with_the_reason(http: httpx.AsyncClient) -> None:
    answer = await http.get("/agents", params={"excludePathFilter": "["})
    assert answer.status_code == 422
    response = answer.json()["error"]["message"]
    assert response.startswith("invalid path exclude filter: missing ]")


@pytest.mark.usefixtures("three")
async def test_a_single_agent_includes_its_pane_and_window(http: httpx.AsyncClient) -> None:
    response = (await http.get("/agents/api:1.0")).json()
    assert (response["paneId"], response["windowId"], response["session"]) == ("%3", "@3", "api")


@pytest.mark.parametrize("path", ["/agents/nobody", "/agents/nobody/explain", "/agents/a%2Fb"])
async def test_an_unknown_agent_is_404(
    http: httpx.AsyncClient, path: str, runtime: Runtime
) -> None:
    answer = await http.get(path)
    assert (answer.status_code, answer.json()["error"]["message"]) == (404, "agent not found")


async def test_a_running_agent_is_explained_by_the_deciding_line(
    http: httpx.AsyncClient, runtime: Runtime, tmp_path: Path
) -> None:
    program = screen_program(tmp_path / "bin", "claude")
    session = await runtime.main.new_session("job", command=f"exec {program}")
    row = await runtime.main.pane(session.pane_id)
    registry.current().replace(
        [Agent("job", "claude", "/", False, row.id, row.window_id, "job", row.pid)]
    )
    screen = tmp_path / "screen"
    screen.write_text("\n".join(SCREEN.lines).rstrip("\n"))
    await runtime.main.type(row.id, f"{screen}\n".encode())

    async def explanation() -> dict[str, Any] | None:
        answer: dict[str, Any] = (await http.get("/agents/job/explain")).json()
        return answer if answer["state"] == "waiting" else None

    response = await eventually(explanation)
    assert response is not None
    assert response["believed"] == "unknown"
    assert response["question"] == SCREEN.question
    assert [option["label"] for option in response["options"]] == list(SCREEN.options)
    decided = next(rule for rule in response["rules"] if rule["evidence"] is not None)
    assert (decided["name"], decided["evidence"]) == (response["rule"], response["evidence"])
    assert any(SCREEN.question in line for line in response["screen"])
    detail = (await http.get("/agents/job")).json()
    assert detail["memoryBytes"] > 100_000
    assert detail["cpuSeconds"] is not None


@pytest.mark.django_db(transaction=True)
async def test_prompts_and_answers_are_delivered_with_a_receipt(
    http: httpx.AsyncClient, runtime: Runtime, tmp_path: Path
) -> None:
    fake = await launch(runtime.main, tmp_path, "claude", name="job")
    registry.current().replace([agent_of(fake)])
    sent = (await http.post("/agents/job/prompt", json={"prompt": "ask: may I?"})).json()
    assert (sent["ok"], sent["receipt"]["submitted"]) == (True, True)
    assert fake.prompts == [b"ask: may I?"]

    async def is_answered() -> bool:
        response = (await http.post("/agents/job/answer", json={"answer": "1"})).json()
        return bool(response.get("ok"))

    await eventually(is_answered)
    assert len(fake.answers) == 1
    unknown = await http.post("/agents/nobody/prompt", json={"prompt": "x"})
    assert (unknown.status_code, unknown.json()["error"]["message"]) == (404, "agent not found")
    assert (await http.post("/agents/job/prompt", json={"prompt": ""})).status_code == 422
