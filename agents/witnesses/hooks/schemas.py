"""Wire models of the hooks' installation."""

from collections.abc import Sequence
from typing import Self

from pydantic import Field

from agents.witnesses.hooks.services import HookState, RuntimeHooks
from core.wire import RequestBody, Wire


class RuntimeHooksOut(Wire):
    runtime: str
    state: HookState
    files: list[str]  # that an installation changes
    problem: str


class HooksOut(Wire):
    """Whether agents that are started by hand report to webtmux."""

    runtimes: list[RuntimeHooksOut]

    @classmethod
    def of(cls, statuses: Sequence[RuntimeHooks]) -> Self:
        return cls(
            runtimes=[
                RuntimeHooksOut(
                    runtime=status.runtime,
                    state=status.state,
                    files=list(status.files),
                    problem=status.problem,
                )
                for status in statuses
            ]
        )


class ChosenRuntimes(RequestBody):
    """Without names: to install, the agents that have settings; to uninstall, all."""

    runtimes: list[str] = Field(default_factory=list, max_length=20)
