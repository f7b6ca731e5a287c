"""Commands are quoted so that a caller's text stays data."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import Invalid
from terminals.tmux import commands


@pytest.mark.parametrize("text", ["a\nkill-server", "a\rb", "a\0b"])
def test_a_line_break_is_refused(text: str) -> None:
    with pytest.raises(Invalid):
        commands.line([("display-message", text)])


@pytest.mark.parametrize("text", ["work", "=work", "$1; kill-server", "@", "%1\n", "1", "$1:", ""])
def test_only_an_id_is_a_target(text: str) -> None:
    with pytest.raises(Invalid):
        commands.target(text)


def test_a_pane_is_not_a_window() -> None:
    with pytest.raises(Invalid):
        commands.rename_window("%1", "x")


def test_formats_in_names_are_doubled() -> None:
    assert commands.rename_window("@1", "#(x) #{y}")[-1] == "##(x) ##{y}"
    assert "##(x)" in commands.new_session("#(x)", form="f")
    assert "##(x)" in commands.new_window("$1", form="f", cwd="#(x)")
    assert commands.pipe_pane("%1", "cat >#(x)")[-1] == "cat >##(x)"


@pytest.mark.parametrize("name", ["", "a:b", "a.b", "a\tb", "\x1b[31m", "x" * 129, "_webtmux"])
def test_a_session_name_that_tmux_would_change_is_refused(name: str) -> None:
    with pytest.raises(Invalid):
        commands.name(name, of="session")


@given(st.text(alphabet=st.characters(exclude_characters="\n\r\0", codec="utf-8")))
def test_a_quoted_argument_is_one_word(text: str) -> None:
    import shlex

    assert shlex.split(commands.quote(text)) == [text]


@pytest.mark.parametrize("key", ["Enter", "C-c", "M-Left", "C-M-x", "F12", "S-Up", "^C", "BTab"])
def test_keys_are_known_by_name(key: str) -> None:
    assert commands.is_key(key)


@pytest.mark.parametrize("word", ["ls", "enter", "F13", "C-", "-t", "C-;", ";", "#(x)", "C-\n"])
def test_other_words_are_not_keys(word: str) -> None:
    assert not commands.is_key(word)
    with pytest.raises(Invalid):
        commands.send_keys("%1", [word])
