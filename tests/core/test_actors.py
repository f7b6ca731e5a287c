"""Names for who made a change."""

import pytest

from core.actors import LONGEST, ActorDoor, actor_id, display_name


@pytest.mark.parametrize(
    ("name", "door", "client", "shown"),
    [
        ("local", ActorDoor.BROWSER, "", "You (browser)"),
        ("auth-token", ActorDoor.BROWSER, "", "You (browser)"),
        ("ada", ActorDoor.BROWSER, "", "ada (browser)"),
        ("local", ActorDoor.REST, "", "REST"),
        ("my laptop", ActorDoor.REST, "", "my laptop"),
        ("local", ActorDoor.MCP, "claude-code", "Claude Code via MCP"),
        ("stdio", ActorDoor.MCP, "codex-mcp-client", "Codex via MCP"),
        ("ci: main", ActorDoor.MCP, "my/own:client", "myownclient via MCP (ci: main)"),
        ("ci", ActorDoor.MCP, "", "ci via MCP"),
        ("", ActorDoor.MCP, "", "MCP client"),
    ],
)
def test_an_actor_has_a_name_that_a_person_understands(
    name: str, door: ActorDoor, client: str, shown: str
) -> None:
    assert display_name(actor_id(name, door, client)) == shown


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("local", "You"),
        ("auth-token", "You"),
        ("stdio", "MCP client"),
        ("my laptop", "my laptop"),
        ("backup: nightly", "backup: nightly"),
        ("Notion", "Notion"),
        ("import_notes", "Import"),
        ("", ""),
    ],
)
def test_older_rows_and_other_actors_keep_their_meaning(stored: str, shown: str) -> None:
    assert display_name(stored) == shown


def test_a_stored_actor_fits_its_column() -> None:
    assert len(actor_id("n" * 200, ActorDoor.MCP, "c" * 200)) == LONGEST
