"""Lines read from a screen: recalled ones, wrapped ones, and none that is not shown."""

from agents import submissions
from agents.rules import after_prompt, load
from agents.submissions import Place, View
from agents.typed import Doubt, Entered


def view(*rows: str, cursor: tuple[int, int], columns: int = 20, top: int = 0) -> View:
    return View(rows, top, columns, top + cursor[1], cursor[0])


def test_a_line_is_seen_at_the_cursor_also_where_its_editor_broke_it() -> None:
    shown = view("$ echo one two thre", "e four", cursor=(6, 1))
    assert submissions.is_seen(shown, 1, "echo one two three four", later=False)
    assert not submissions.is_seen(shown, 1, "echo five", later=False)


def test_a_hidden_word_is_not_seen_because_it_stands_elsewhere() -> None:
    shown = view("the key is 1234", "", "password:", cursor=(9, 2))
    assert not submissions.is_seen(shown, 2, "1234", later=False)
    assert not submissions.is_seen(shown, 2, "1234", later=True)


def test_what_was_typed_ahead_is_seen_below() -> None:
    shown = view("$ sleep 1", "$ pwd", "/", "$", cursor=(1, 3))
    assert submissions.is_seen(shown, 0, "pwd", later=True)
    assert not submissions.is_seen(shown, 0, "pwd", later=False)


def test_a_recalled_line_is_read_up_to_the_cursor() -> None:
    shown = view("$ git status --short", cursor=(12, 0))
    assert submissions.read_line(shown, Place(0, 2), up_to_cursor=True) == "git status"
    assert submissions.read_line(shown, Place(0, 2), up_to_cursor=False) == "git status --short"


def test_a_full_row_does_not_take_the_next_prompt_along() -> None:
    shown = view("$ 345678901234567890", "$ ", cursor=(2, 1))
    assert submissions.read_line(shown, Place(0, 2), up_to_cursor=False) == "345678901234567890"
    wrapped = view("$ 345678901234567890", "more", cursor=(4, 1))
    found = submissions.read_line(wrapped, Place(0, 2), up_to_cursor=False)
    assert found == "345678901234567890more"


def test_where_a_line_begins_is_known_only_if_what_was_typed_is_shown() -> None:
    assert submissions.begins(view("$ ls", cursor=(4, 0), top=7), "ls") == Place(7, 2)
    assert submissions.begins(view("$ l", cursor=(3, 0)), "ls") is None


def test_what_somebody_else_typed_stands_behind_the_prompt() -> None:
    assert after_prompt("me@host:~/code$ make test") == "make test"
    assert after_prompt("bash-5.2# ") == ""
    assert after_prompt("no prompt here") is None


def test_an_agent_was_sent_what_was_typed_or_what_stands_in_its_box() -> None:
    box = ["╭──────────────────╮", "│ > from history   │", "╰──────────────────╯"]
    rules = load("claude")
    assert submissions.from_composer(box, rules, Entered("typed")) == "typed"
    assert submissions.from_composer(box, rules, Entered("", Doubt.GREAT)) == "from history"
    assert submissions.from_composer(box, rules, Entered("")) == "from history"
