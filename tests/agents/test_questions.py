"""Questions keep their id while their dialog stays, and get another one with the next dialog."""

from agents.questions import QuestionTracker, is_id, matching
from agents.runtimes.loader import load
from agents.screen.menus import Menu
from agents.screen.states import Reading, read_screen
from agents.screen.subjects import QuestionKind
from agents.witnesses.evidence import AgentEvent, EventKind, EventSource
from tests.agents.fakes.kinds import POINTER


def dialog(command: str, *, selected: int = 1) -> Reading:
    rows = ["─" * 60, " Bash command", "", f"   {command}", "", " Do you want to proceed?"]
    for number, label in enumerate(("Yes", "No"), 1):
        rows.append(f" {POINTER if number == selected else ' '} {number}. {label}")
    return read_screen([*rows, "", " Esc to cancel"], load("claude"))


def asked(command: str, *, request: str = "", timestamp: float = 1.0) -> AgentEvent:
    return AgentEvent(
        "claude",
        EventKind.PERMISSION_ASKED,
        EventSource.HOOK,
        timestamp,
        request_id=request,
        tool_name="Bash",
        tool_input={"command": command, "description": "why"},
    )


def menu_of(reading: Reading) -> Menu:
    assert reading.menu is not None
    return reading.menu


def ask(tracker: QuestionTracker, reading: Reading | None, *requests: AgentEvent) -> str:
    shown = reading or Reading(dialog("").state)
    return tracker.update(shown.menu, shown.subject, requests).id


def test_a_dialog_keeps_its_id_wherever_the_pointer_is() -> None:
    tracker = QuestionTracker("place")
    first = ask(tracker, dialog("make"))
    assert is_id(first)
    assert ask(tracker, dialog("make", selected=2)) == first
    assert ask(tracker, dialog("make test")) != first


def test_the_same_dialog_after_it_was_closed_has_another_id() -> None:
    tracker = QuestionTracker("place")
    first = ask(tracker, dialog("make"))
    tracker.close()
    assert ask(tracker, dialog("make")) != first


def test_the_same_dialog_of_another_agent_has_another_id() -> None:
    ids = {ask(QuestionTracker(place), dialog("make")) for place in ("%1 7", "%1 8", "%2 7")}
    assert len(ids) == 3


def test_a_request_keeps_its_id_when_its_dialog_appears_later() -> None:
    tracker = QuestionTracker("place")
    first = ask(tracker, None, asked("make"))
    assert ask(tracker, dialog("make"), asked("make")) == first


def test_a_hook_that_comes_after_its_dialog_does_not_change_the_id() -> None:
    tracker = QuestionTracker("place")
    first = ask(tracker, dialog("make"))
    assert ask(tracker, dialog("make"), asked("make")) == first


def test_a_second_request_with_the_same_command_has_another_id() -> None:
    tracker = QuestionTracker("place")
    first = ask(tracker, dialog("make"), asked("make", request="r1"))
    assert ask(tracker, dialog("make"), asked("make", request="r2", timestamp=2.0)) != first


def test_the_subject_comes_from_the_hook_and_the_title_from_the_dialog() -> None:
    reading = dialog("make")
    question = QuestionTracker("p").update(reading.menu, reading.subject, [asked("make")])
    assert (question.kind, question.subject) == (QuestionKind.COMMAND, "make")
    assert (question.title, question.reason) == ("Do you want to proceed?", "why")
    assert [option.label for option in question.options] == ["Yes", "No"]


def test_a_request_for_another_command_never_labels_a_dialog() -> None:
    """Two tools ask at the same time: the dialog shows one of them."""
    reading = dialog("ls -la && rm -rf x")
    for other in ("ls", "ls -la", "rm -rf x", "make"):
        question = QuestionTracker("p").update(reading.menu, reading.subject, [asked(other)])
        assert question.subject == "ls -la && rm -rf x"
    both = [asked("ls"), asked("ls -la && rm -rf x")]
    assert matching(both, menu_of(reading), reading.subject) == both[1]
