"""Two browsers and an MCP client that move cards at random at the same time. No test by itself.

Every change raises the version of the sheet by one, and its writer is told which it made: if the
versions that were told are all that there are, each told once, no update was lost.
"""

import json
import random
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Response

from tests.flows.boards import COLUMNS, SEEN, Board, call_mcp

SECONDS = 240
# As a hand does it: any card to any place, without waiting for the one before.
MOVE = """(count) => {
  const any = (list) => list[Math.floor(Math.random() * list.length)]
  const screen = document.querySelector('board-screen')
  window.moving = count
  const step = () => {
    if (window.moving-- <= 0) return
    const board = screen.board
    const column = any(board)
    const card = any(board.flatMap((each) => each.cards))
    const others = column.cards.filter((each) => each.key !== card.key)
    const before = any([null, ...others])?.key ?? null
    screen.hands.choose({ what: 'move', card, status: column.status, before })
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
    told: list[int]
    astray: int  # changes that another card got than the one that was meant

    @property
    def lost(self) -> int:
        """Versions that nobody was told to have made, or that two were."""
        return len(self.versions) - len(set(self.told)) + len(self.told) - len(set(self.told))


def move_at_random(boards: Sequence[Board], *, each: int) -> Outcome:
    """`each`: moves of every browser, and of the MCP client."""
    first = boards[0]
    start = first.read()
    answers: list[Response] = []
    for board in boards:
        board.page.on(
            "response", lambda answer: answers.append(answer) if _is_change(answer) else None
        )
    agent = Agent(first, each, len(start["tasks"]))
    thread = threading.Thread(target=agent.move)
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
    done = [answer for answer in answers if answer.ok]
    told = [answer.json()["record"]["version"] for answer in done]
    seen = [board.page.evaluate(SEEN) for board in boards]
    made = range(start["version"] + 1, end["version"] + 1)
    astray = sum(_is_astray(answer) for answer in done)
    return Outcome(seen, stored, made, sorted([*told, *agent.told]), astray)


def _is_change(answer: Response) -> bool:
    return answer.request.method == "POST" and answer.url.endswith("/tasks")


def _is_astray(answer: Response) -> bool:
    asked: dict[str, Any] = answer.request.post_data_json or {}
    task = answer.json()["tasks"][asked.get("toIndex", asked["index"])]
    return bool(task["text"] != asked.get("expectedText"))


@dataclass
class Agent:
    board: Board
    count: int
    tasks: int
    told: list[int] = field(default_factory=list)

    def move(self) -> None:
        chance = random.Random(7)
        for _ in range(self.count):
            index, to_index = chance.sample(range(self.tasks), 2)
            asked: dict[str, Any] = {"index": index, "toIndex": to_index}
            asked["status"] = chance.choice(COLUMNS)
            result = call_mcp(
                self.board.desk.address,
                scope="project",
                session=self.board.project,
                action="move",
                **asked,
            )
            self.told.append(json.loads(result["content"][0]["text"])["record"]["version"])
