"""The laboratory: python -m lab install | serve | shell | screens | suite (docs/agents.md)."""

import argparse
import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from lab import agents, panes, replay, screens, situations
from lab.agents import KINDS
from lab.model_server import ModelServer, serving
from lab.suites import SUITES

SIZES = ("120x40", "80x24", "200x50")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m lab", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("install", help="install the pinned agents into $WEBTMUX_LAB_DIR")
    serve = commands.add_parser("serve", help="run the model server alone")
    serve.add_argument("--port", type=int, default=0)
    serve.add_argument("--log", type=Path, default=Path("requests.jsonl"))
    shell = commands.add_parser("shell", help="run an agent in a private tmux, until Ctrl+C")
    shell.add_argument("agent", choices=KINDS)
    shell.add_argument("--size", default=SIZES[0])
    shell.add_argument(
        "--dialog", default="", choices=("trust", "hooks"), help="show this dialog at the start"
    )
    tour = commands.add_parser("screens", help="save the screens of an agent")
    tour.add_argument("agent", choices=KINDS)
    tour.add_argument("--to", type=Path, default=agents.directory() / "screens")
    tour.add_argument("--size", action="append", help="default: all three")
    tour.add_argument("--parts", default="start,dialogs,menus,composer")
    suite = commands.add_parser("suite", help="measure an agent, and print a table")
    suite.add_argument("agent", choices=KINDS)
    suite.add_argument("suite", choices=SUITES)
    suite.add_argument("--rounds", type=int, help="how much to do; each suite has its default")
    suite.add_argument("--size", default=SIZES[0])
    suite.add_argument("--no-hooks", action="store_true", help="by screen and journal alone")
    again = commands.add_parser("replay", help="read the saved records of a chat suite again")
    again.add_argument("file", type=Path, nargs="+", help="conversations/AGENT-SIZE/chat.json")
    again.add_argument("--verbose", action="store_true", help="also what differs")
    options = parser.parse_args()
    # So that the context managers end agents and servers.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    match options.command:
        case "install":
            agents.install()
        case "serve":
            _serve(options.log, options.port)
        case "shell":
            _shell(options.agent, options.size, options.dialog)
        case "screens":
            _screens(options.agent, options.to, options.size or SIZES, options.parts.split(","))
        case "suite":
            if options.no_hooks:
                os.environ["WEBTMUX_LAB_HOOKS"] = "0"
            _suite(options.agent, options.suite, options.size, options.rounds)
        case "replay":
            replay.main(options.file, verbose=options.verbose)
    return 0


def _serve(log: Path, port: int) -> None:
    with serving(log, port) as model:
        print(f"model server at {model.address}, log {log}", flush=True)
        _forever()


def _shell(agent: str, size: str, dialog: str) -> None:
    log = agents.directory() / "logs" / f"{agent}-shell.jsonl"
    with (
        serving(log) as model,
        panes.running(KINDS[agent], model.address, size=size, dialog=dialog) as pane,
    ):
        print(f"{agent} {agents.version(KINDS[agent])} is running. Attach or capture it with\n")
        print(f"  tmux -S {pane.socket} attach")
        print(f"  tmux -S {pane.socket} capture-pane -p")
        print(f"\nits home: {pane.place.home}\nits directory: {pane.place.work}\nrequests: {log}")
        print("prompts: lab/script.py. Ctrl+C ends it.", flush=True)
        _forever()


def _screens(agent: str, target: Path, sizes: Sequence[str], parts: Sequence[str]) -> None:
    kind = KINDS[agent]
    log = agents.directory() / "logs" / f"{agent}-screens.jsonl"
    for size in sizes:
        for dialog in kind.dialogs if "start" in parts else ():
            with (
                serving(log) as model,
                panes.running(kind, model.address, size=size, dialog=dialog) as pane,
            ):
                pane.until(lambda screen: screens.STARTS.search(screen) is not None)
                pane.settle(1.5)
                screens.Tour(pane, target).snap("waiting", dialog)
        remaining = ["dialogs"] if "dialogs" in parts else []
        remaining += ["/", *screens.MENUS[agent]] if "menus" in parts else []
        remaining += ["composer"] if "composer" in parts else []
        remaining += ["situations"] if "situations" in parts else []
        while remaining:
            with serving(log) as model, panes.running(kind, model.address, size=size) as pane:
                tour = screens.Tour(pane, target)
                tour.idle()
                time.sleep(3)  # some show a composer before they are ready
                _visit(tour, model, remaining)
        print(f"{agent} {size}: done", flush=True)


def _visit(tour: screens.Tour, model: ModelServer, remaining: list[str]) -> None:
    """Visits the parts of a tour until one fails; the rest needs a new agent."""
    while remaining:
        part = remaining.pop(0)
        try:
            if part.startswith("/"):
                tour.menu(part)
            elif part == "dialogs":
                tour.dialogs()
            elif part == "situations":
                situations.Situations(tour, model).run()
            else:
                tour.composer()
        except (RuntimeError, TimeoutError) as failure:
            print(f"{tour.pane.kind.name} {part}: {failure}", flush=True)
            return


def _suite(agent: str, suite: str, size: str, rounds: int | None) -> None:
    kind = KINDS[agent]
    table = SUITES[suite](kind, size, rounds)
    hooks = "-no-hooks" if os.environ.get("WEBTMUX_LAB_HOOKS") == "0" else ""
    text = f"{kind.name} {agents.version(kind)} at {size}{hooks}: {table.render()}\n"
    path = agents.directory() / "results" / f"{agent}-{suite}-{size}{hooks}.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n\n".join([text, *table.notes]), encoding="utf-8")
    print(f"\n{text}\nfailures, with their screens: {path}", flush=True)


def _forever() -> None:
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        sys.stdout.write("\n")


if __name__ == "__main__":
    sys.exit(main())
