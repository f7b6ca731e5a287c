"""Two browsers and an MCP client that move random cards at the same time.

Every change increments the version of the sheet, and the response has the new version. If the
responses contain every version exactly once, no update was lost.
"""

import json
import random
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Response

from tests.flows.board_driver import COLUMNS, SHOWN_CARDS, Board, call_mcp

SECONDS = 240
# Moves random cards to random places, without waiting for the previous move.
MOVE = """(count) => {
  const any = (list) => list[Math.floor(Math.random() * list.length)]
  const screen = document.querySelector('board-screen')
  window.moving = count
  const step = () => {
    if (window.moving-- <= 0) return
    const board = screen.board
    const column = any(board)
    const card = any(board.flatMap(({ cards }) => cards))
    const others = column.cards.filter(({ key }) => key !== card.key)
    const before = any([null, ...others])?.key ?? null
    screen.actions.choose({ what: 'move', card, status: column.status, before })
    setTimeout(step, Math.random() * 40)
  }
  step()
}"""
STILL = "() => window.moving < 0 && document.querySelector('.board').dataset.waiting === '0'"


@dataclass
class Outcome:
    boards: list[dict[str, list[str]]]
    stored: dict[str, list[str]]
    versions: range
    confirmed: list[int]  # versions in the responses
    misdirected: int  # changes that were applied to another card

    @property
    def lost(self) -> int:
        """Versions that are missing in the responses, or appear twice."""
        return len(self.versions) + len(self.confirmed) - 2 * len(set(self.confirmed))


def move_at_random(boards: Sequence[Board], *, each: int) -> Outcome:
    """`each`: the number of moves of every browser and of the MCP client."""
    first = boards[0]
    start = first.read()
    responses: list[Response] = []
    for board in boards:
        board.page.on(
            "response",
            lambda response: responses.append(response) if _is_change(response) else None,
        )
    client = McpClient(first, each, len(start["tasks"]))
    thread = threading.Thread(target=client.move)
    thread.start()
    for board in boards:
        board.page.evaluate(MOVE, each)
    for board in boards:
        board.page.wait_for_function(STILL, timeout=SECONDS * 1000)
    thread.join(SECONDS)
    end = first.read()
    stored = {status: [card["text"] for card in end["kanban"][status]] for status in COLUMNS}
    for board in boards:
        board.shows(**stored)
    successful = [response for response in responses if response.ok]
    confirmed = [response.json()["record"]["version"] for response in successful]
    shown = [board.page.evaluate(SHOWN_CARDS) for board in boards]
    versions = range(start["version"] + 1, end["version"] + 1)
    misdirected = sum(_is_misdirected(response) for response in successful)
    return Outcome(shown, stored, versions, sorted([*confirmed, *client.confirmed]), misdirected)


def _is_change(response: Response) -> bool:
    return response.request.method == "POST" and response.url.endswith("/tasks")


def _is_misdirected(response: Response) -> bool:
    body: dict[str, Any] = response.request.post_data_json or {}
    task = response.json()["tasks"][body.get("toIndex", body["index"])]
    return bool(task["text"] != body.get("expectedText"))


@dataclass
class McpClient:
    board: Board
    count: int
    tasks: int
    confirmed: list[int] = field(default_factory=list)

    def move(self) -> None:
        generator = random.Random(7)
        for _ in range(self.count):
            index, to_index = generator.sample(range(self.tasks), 2)
            status = generator.choice(COLUMNS)
            result = call_mcp(
                self.board.driver.address,
                scope="project",
                session=self.board.project,
                action="move",
                index=index,
                toIndex=to_index,
                status=status,
            )
            self.confirmed.append(json.loads(result["content"][0]["text"])["record"]["version"])
