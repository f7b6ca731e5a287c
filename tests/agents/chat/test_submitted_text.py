"""Lines read from a screen: recalled and wrapped ones, and none that is not shown."""

from agents.chat import submitted_text
from agents.chat.line_editor import Doubt, EnteredLine
from agents.chat.submitted_text import LineStart, ScreenRows
from agents.runtimes.loader import after_prompt, load


def view(*rows: str, cursor: tuple[int, int], columns: int = 20, top: int = 0) -> ScreenRows:
    return ScreenRows(rows, top, columns, top + cursor[1], cursor[0])


def test_a_wrapped_line_is_recognised_at_the_cursor() -> None:
    shown = view("$ echo one two thre", "e four", cursor=(6, 1))
    assert submitted_text.is_shown(shown, 1, "echo one two three four", later=False)
    assert not submitted_text.is_shown(shown, 1, "echo five", later=False)


def test_a_hidden_word_shown_elsewhere_is_not_recognised() -> None:
    shown = view("the key is 1234", "", "password:", cursor=(9, 2))
    assert not submitted_text.is_shown(shown, 2, "1234", later=False)
    assert not submitted_text.is_shown(shown, 2, "1234", later=True)


def test_text_typed_ahead_is_recognised_below() -> None:
    shown = view("$ sleep 1", "$ pwd", "/", "$", cursor=(1, 3))
    assert submitted_text.is_shown(shown, 0, "pwd", later=True)
    assert not submitted_text.is_shown(shown, 0, "pwd", later=False)


def test_a_recalled_line_is_read_up_to_the_cursor() -> None:
    shown = view("$ git status --short", cursor=(12, 0))
    assert submitted_text.read_line(shown, LineStart(0, 2), up_to_cursor=True) == "git status"
    assert (
        submitted_text.read_line(shown, LineStart(0, 2), up_to_cursor=False) == "git status --short"
    )


def test_a_full_row_does_not_include_the_next_prompt() -> None:
    shown = view("$ 345678901234567890", "$ ", cursor=(2, 1))
    assert (
        submitted_text.read_line(shown, LineStart(0, 2), up_to_cursor=False) == "345678901234567890"
    )
    wrapped = view("$ 345678901234567890", "more", cursor=(4, 1))
    text = submitted_text.read_line(wrapped, LineStart(0, 2), up_to_cursor=False)
    assert text == "345678901234567890more"


def test_the_start_of_a_line_is_known_only_if_its_text_is_shown() -> None:
    assert submitted_text.line_start(view("$ ls", cursor=(4, 0), top=7), "ls") == LineStart(7, 2)
    assert submitted_text.line_start(view("$ l", cursor=(3, 0)), "ls") is None


def test_a_screen_without_the_echo_of_the_last_keys_is_behind() -> None:
    entered = EnteredLine("echo one", Doubt.LITTLE)
    assert submitted_text.is_behind("echo on", entered)
    assert not submitted_text.is_behind("echo one", entered)
    assert not submitted_text.is_behind("echo two", entered)  # an editing key did something else
    assert not submitted_text.is_behind("git", EnteredLine("g", Doubt.GREAT))


def test_the_text_after_a_prompt_is_read() -> None:
    assert after_prompt("me@host:~/code$ make test") == "make test"
    assert after_prompt("bash-5.2# ") == ""
    assert after_prompt("no prompt here") is None


def test_a_prompt_is_the_typed_text_or_the_text_of_the_composer() -> None:
    box = ["╭──────────────────╮", "│ > from history   │", "╰──────────────────╯"]
    rules = load("claude")
    assert submitted_text.from_composer(box, rules, EnteredLine("typed")) == "typed"
    assert submitted_text.from_composer(box, rules, EnteredLine("", Doubt.GREAT)) == "from history"
    assert submitted_text.from_composer(box, rules, EnteredLine("")) == "from history"
