"""The rules files: each loads, has no unknown keys, and has rules for every state."""

import re
from pathlib import Path

import pytest

from agents.runtimes import loader
from agents.runtimes.loader import AgentState, load, parse, runtimes
from agents.screen.layout import REGIONS

PROTOCOL = Path(__file__).parents[3] / "docs" / "protocol.md"
EVERY = [*runtimes(), load("generic")]


def test_docs_protocol_lists_every_runtime_in_order_of_priority() -> None:
    text = " ".join(PROTOCOL.read_text(encoding="utf-8").split())
    documented = re.search(r"`runtime` is one of ([\w, -]+)\.", text)
    assert documented, "docs/protocol.md does not list the runtimes"
    assert documented[1].split(", ") == [rules.runtime for rules in runtimes()]


def test_every_runtime_has_an_order_of_its_own_and_the_name_of_its_file() -> None:
    orders = [rules.order for rules in runtimes()]
    assert len(orders) == len(set(orders))
    names = {path.stem for path in loader.DIRECTORY.glob("*.toml")}
    assert names == {rules.runtime for rules in EVERY}


@pytest.mark.parametrize("rules", runtimes(), ids=lambda rules: rules.runtime)
def test_every_runtime_can_be_started_and_says_how_it_is_installed(rules: loader.Rules) -> None:
    assert re.fullmatch(r"[a-z-]+", rules.program)
    assert rules.title
    assert rules.install


@pytest.mark.parametrize("rules", EVERY, ids=lambda rules: rules.runtime)
def test_every_runtime_has_rules_for_every_state(rules: loader.Rules) -> None:
    assert {AgentState.WORKING, AgentState.WAITING, AgentState.IDLE} <= {
        rule.state for rule in rules.states
    }
    assert rules.composers
    priorities = [rule.priority for rule in rules.states]
    assert priorities == sorted(priorities, reverse=True)
    for rule in rules.states:
        assert rule.region.partition(":")[0] in REGIONS, rule.name
    delivery = loader._read(loader.DIRECTORY / f"{rules.runtime}.toml")["delivery"]
    assert {"escape", "paste_settle_ms", "enter_settle_ms", "attempts"} <= set(delivery)
    assert rules.delivery.escape in {"never", "idle"}


@pytest.mark.parametrize("rules", EVERY, ids=lambda rules: rules.runtime)
def test_a_rules_file_has_no_unknown_keys(rules: loader.Rules) -> None:
    """A misspelt key would silently have no effect."""
    table = loader._read(loader.DIRECTORY / f"{rules.runtime}.toml")
    assert set(table) <= {
        "runtime",
        "title",
        "install",
        "order",
        "processes",
        "packages",
        "transcript",
        "composer",
        "menu",
        "state",
        "shared",
        "delivery",
        "chat",
        "shell",
        "cursor",
    }
    for chat in (table.get("chat", {}), table.get("shell", {})):
        assert set(chat) <= {"echo", "said", "noise", "margin", "tool", "output"}
    assert set(table["menu"]) <= {
        "pointer",
        "numbered",
        "asks",
        "hint",
        "inline",
        "choose",
        "steps",
        "keys",
        "title",
        "coloured",
        "form",
    }
    for composer in table["composer"]:
        assert set(composer) <= {"frame", "prompt", "ends", "placeholders", "popup"}
    for rule in [*table["state"], *table.get("shared", ())]:
        assert set(rule) - {"unless", "below", "footer", "coloured"} == {
            "name",
            "state",
            "region",
            "pattern",
            "priority",
        }


def test_a_runtime_without_a_file_uses_the_generic_rules() -> None:
    assert load("brandnew").runtime == "generic"
    assert load("../claude").runtime == "generic"


def test_every_runtime_recognises_a_shell_prompt_first() -> None:
    assert all(rules.states[0].name == "a shell's prompt" for rules in EVERY)


def test_an_invalid_pattern_or_state_is_an_error() -> None:
    table = loader._read(loader.DIRECTORY / "claude.toml")
    with pytest.raises(re.error):
        parse({**table, "state": [{**table["state"][0], "pattern": "("}]})
    with pytest.raises(ValueError, match="sleeping"):
        parse({**table, "state": [{**table["state"][0], "state": "sleeping"}]})
