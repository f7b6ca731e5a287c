"""tmux-mcp's tools that type and read: what arrives in the pane, and which lines come back."""

import pytest

from core.errors import Invalid, NotFound, Refused
from core.wire import TEXT_LIMIT
from mcp_gateway import budgets
from mcp_gateway.tools.tmux_text import tmux_read_pane, tmux_send_keys
from terminals.schemas import KEYS_LIMIT
from terminals.tmux.driver import HIDDEN_SESSION
from tests.conftest import RunTmux
from tests.mcp_gateway.tools.calling import from_pane
from tests.waiting import eventually

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("runtime")]
PRINTER = "trap '' INT; seq {}; echo end; exec sleep 100"


async def shown(run_tmux: RunTmux, text: str, target: str = "work") -> None:
    async def there() -> bool:
        return text in run_tmux("capture-pane", "-p", "-S", "-", "-t", target)

    await eventually(there)


async def printed(run_tmux: RunTmux, lines: int) -> None:
    """A window `many` that shows the numbers up to `lines`, then `end`, and 24 rows of it."""
    run_tmux("set-option", "-g", "history-limit", "50000")
    run_tmux("new-session", "-d", "-s", "many", "-x", "80", "-y", "24", PRINTER.format(lines))
    await shown(run_tmux, "end", "many")


# --- typing -----------------------------------------------------------------------------------


async def test_words_that_name_keys_are_pressed(run_tmux: RunTmux) -> None:
    assert await tmux_send_keys("work", "echo on''e two Enter") == "Keys sent."
    await shown(run_tmux, "\none two\n")


async def test_quoted_text_is_one_word(run_tmux: RunTmux) -> None:
    await tmux_send_keys("work:0.0", "\"echo 'Enter  is' text\" Enter")
    await shown(run_tmux, "\nEnter  is text\n")


async def test_literal_text_is_typed_unchanged(run_tmux: RunTmux) -> None:
    assert await tmux_send_keys("work", "# ls Enter C-c; ", literal=True) == "Keys sent."
    await tmux_send_keys("work", "-n é#(x)", literal=True)
    await shown(run_tmux, "# ls Enter C-c; -n é#(x)")
    assert "not found" not in run_tmux("capture-pane", "-p", "-t", "work")


async def test_a_key_reaches_the_program(run_tmux: RunTmux) -> None:
    await tmux_send_keys("work", "sleep 100 Enter")
    await shown(run_tmux, "sleep 100")

    async def runs() -> bool:
        return run_tmux("display-message", "-p", "-t", "work", "#{pane_current_command}") == "sleep"

    await eventually(runs)
    await tmux_send_keys("work", "C-c")

    async def ended() -> bool:
        return not await runs()

    await eventually(ended)


async def test_a_caller_does_not_type_into_its_own_pane_by_mistake(run_tmux: RunTmux) -> None:
    own = run_tmux("display-message", "-p", "-t", "work", "#D")
    with from_pane(own):
        with pytest.raises(Refused, match="is the pane you run in"):
            await tmux_send_keys("work", "first")
        assert await tmux_send_keys("work", "# second", force=True) == "Keys sent."
    await shown(run_tmux, "# second")
    assert "first" not in run_tmux("capture-pane", "-p", "-t", "work")


async def test_invalid_keys_are_refused() -> None:
    with pytest.raises(NotFound, match="can't find pane: nowhere"):
        await tmux_send_keys("nowhere", "x")
    with pytest.raises(Refused, match="leave it alone"):
        await tmux_send_keys(f"{HIDDEN_SESSION}:0.0", "x", force=True)
    with pytest.raises(Invalid, match="characters at once"):
        await tmux_send_keys("work", "x" * (TEXT_LIMIT + 1))
    with pytest.raises(Invalid, match="keys at once"):
        await tmux_send_keys("work", "Up " * (KEYS_LIMIT + 1))


# --- reading ----------------------------------------------------------------------------------


async def test_an_empty_pane_is_reported(run_tmux: RunTmux) -> None:
    run_tmux("new-session", "-d", "-s", "blank", "exec sleep 100")
    assert await tmux_read_pane("blank") == "(empty pane)"


async def test_the_screen_is_read(run_tmux: RunTmux) -> None:
    await printed(run_tmux, 100)
    lines = (await tmux_read_pane("many")).split("\n")
    assert lines == [*map(str, range(79, 101)), "end"]


@pytest.mark.parametrize("count", [1, 5, 24, 60, 101, 500])
async def test_exactly_the_requested_number_of_last_lines_is_read(
    run_tmux: RunTmux, count: int
) -> None:
    await printed(run_tmux, 100)
    lines = (await tmux_read_pane("many", line_count=count)).split("\n")
    assert lines == [*map(str, range(1, 101)), "end"][-count:]


@pytest.mark.parametrize(
    ("start", "count", "first", "last"),
    [(0, 3, 79, 81), (-10, 4, 69, 72), (-78, 2, 1, 2), (-5000, 3, 1, 3), (20, 2, 99, 100)],
)
async def test_lines_are_read_from_a_position(
    run_tmux: RunTmux, start: int, count: int, first: int, last: int
) -> None:
    await printed(run_tmux, 100)
    response = await tmux_read_pane("many", line_count=count, start_line=start)
    assert response.split("\n") == [*map(str, range(first, last + 1))]


async def test_a_position_alone_reads_to_the_end(run_tmux: RunTmux) -> None:
    await printed(run_tmux, 100)
    response = await tmux_read_pane("many", start_line=-3)
    assert response.rstrip().split("\n") == [*map(str, range(76, 101)), "end"]


async def test_long_text_is_truncated_and_can_be_continued(run_tmux: RunTmux) -> None:
    await printed(run_tmux, 20_000)
    start, response = -50_000, ""
    for _ in range(10):
        page = await tmux_read_pane("many", start_line=start)
        assert len(page) < budgets.ANSWER + 200
        text, note, last = page.rpartition("\n(cut: ")
        response += (text if note else page) + "\n"
        if not note:
            break
        start = int(last.partition("start_line=")[2].rstrip(")"))
    assert response.split() == [*map(str, range(1, 20_001)), "end"]
    newest = await tmux_read_pane("many", line_count=20_000)
    assert newest.endswith("a negative start_line with line_count reads the rest)")
    assert "\n20000\nend\n(cut: the last 60000 of " in newest


@pytest.mark.parametrize("count", [0, -1, 100_001])
async def test_the_number_of_lines_is_limited(count: int) -> None:
    with pytest.raises(Invalid, match="line_count is 1 to 100000"):
        await tmux_read_pane("work", line_count=count)


async def test_reading_an_unknown_pane_is_reported_as_by_tmux() -> None:
    with pytest.raises(NotFound, match="can't find pane: %99"):
        await tmux_read_pane("%99")
