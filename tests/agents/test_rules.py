"""The rules files: all of them load, say only what is understood, and know their processes."""

import re

import pytest

from agents import rules
from agents.rules import State, load, parse, runtimes
from agents.screen import REGIONS

KNOWN = ["claude", "gemini", "codex", "cursor", "auggie", "amp", "opencode", "copilot", "vibe",
         "pi", "omp"]  # fmt: skip
EVERY = [*runtimes(), load("generic")]


def test_there_is_a_file_for_every_runtime_in_the_order_of_their_priority() -> None:
    assert [one.runtime for one in runtimes()] == KNOWN


@pytest.mark.parametrize("one", EVERY, ids=lambda one: one.runtime)
def test_each_can_tell_work_questions_and_rest(one: rules.Rules) -> None:
    assert {State.WORKING, State.WAITING, State.IDLE} <= {rule.state for rule in one.states}
    assert one.composers
    priorities = [rule.priority for rule in one.states]
    assert priorities == sorted(priorities, reverse=True)
    for rule in one.states:
        assert rule.region.partition(":")[0] in REGIONS, rule.name
    assert {"escape", "paste_settle_ms", "enter_settle_ms", "attempts"} <= set(one.delivery)
    assert one.delivery["escape"] in {"never", "idle", "always"}


@pytest.mark.parametrize("one", EVERY, ids=lambda one: one.runtime)
def test_the_file_has_no_key_that_nobody_reads(one: rules.Rules) -> None:
    """A misspelt key would be a rule that silently does nothing."""
    table = rules._read(rules.DIRECTORY / f"{one.runtime}.toml")
    assert set(table) <= {"runtime", "order", "processes", "packages", "transcript", "composer",
                          "menu", "state", "shared", "delivery", "chat", "shell",
                          "cursor"}  # fmt: skip
    for name in {"chat", "shell"} & set(table):
        assert set(table[name]) <= {"echo", "said", "noise"}
    assert set(table["menu"]) <= {"pointer", "numbered", "asks", "hint", "inline", "choose",
                                  "steps", "keys", "title"}  # fmt: skip
    for composer in table["composer"]:
        assert set(composer) <= {"frame", "prompt", "ends", "placeholders", "popup"}
    for rule in [*table["state"], *table.get("shared", ())]:
        assert set(rule) == {"name", "state", "region", "pattern", "priority"}


def test_a_runtime_that_nobody_describes_gets_the_generic_rules() -> None:
    assert load("brandnew").runtime == "generic"
    assert load("../claude").runtime == "generic"


def test_a_shells_prompt_is_looked_for_in_every_runtime() -> None:
    assert all(one.states[0].name == "a shell's prompt" for one in EVERY)


def test_a_bad_pattern_or_state_is_refused_at_once() -> None:
    table = rules._read(rules.DIRECTORY / "claude.toml")
    broken = {**table, "state": [{**table["state"][0], "pattern": "("}]}
    with pytest.raises(re.error):
        parse(broken)
    with pytest.raises(ValueError, match="sleeping"):
        parse({**table, "state": [{**table["state"][0], "state": "sleeping"}]})
