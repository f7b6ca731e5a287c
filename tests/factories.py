"""Rows for tests: of the database with factory_boy, of tmux's lists with plain functions."""
# mypy: disable-error-code="no-untyped-call"
# factory_boy types its classes, not its declarations.

from factory.declarations import SelfAttribute, Sequence, SubFactory
from factory.django import DjangoModelFactory

from terminals.models import Project, Window
from terminals.tmux.rows import PaneRow, SessionRow, WindowRow

SERVER_RUN = "100-1700000000"


class ProjectFactory(DjangoModelFactory[Project]):
    class Meta:
        model = Project

    name = Sequence(lambda number: f"project {number}")
    session = SelfAttribute("name")
    tmux_id = Sequence(lambda number: f"${number}")
    life = SERVER_RUN


class WindowFactory(DjangoModelFactory[Window]):
    class Meta:
        model = Window

    project = SubFactory(ProjectFactory)
    tmux_id = Sequence(lambda number: f"@{number}")
    life = SERVER_RUN
    index = Sequence(int)
    name = "sh"


def session_row(identifier: str = "$1", name: str = "work") -> SessionRow:
    return SessionRow(
        id=identifier, windows=1, clients=0, created=1, activity=1, group="", name=name, path="/"
    )


def window_row(
    identifier: str = "@1",
    name: str = "sh",
    *,
    session: str = "work",
    session_id: str = "$1",
    index: int = 0,
    active: bool = False,
) -> WindowRow:
    return WindowRow(
        id=identifier, session_id=session_id, index=index, panes=1, activity=1, pane_id="%1",
        flags="*" if active else "", layout="b25d,80x24,0,0,1", session_name=session, name=name,
    )  # fmt: skip


def pane_row(
    identifier: str = "%1",
    *,
    window: WindowRow,
    index: int = 0,
    active: bool = True,
) -> PaneRow:
    return PaneRow(
        id=identifier, window_id=window.id, session_id=window.session_id,
        window_index=window.index, index=index, active=active, width=80, height=24, left=0, top=0,
        pid=1, dead=False, dead_status=0, dead_signal=0, in_mode=False, piped=False,
        alternate=False, history=0, tty="/dev/pts/1", session_name=window.session_name, title="",
        command="sh", path="/",
    )  # fmt: skip
