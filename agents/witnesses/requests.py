"""What an agent asks permission for, from the event that its hook reported. Pure.

The names of tools and of their inputs are those of each runtime; what is not known here is shown as
JSON, so that nothing is approved unseen.
"""

import difflib
import json
from collections.abc import Mapping
from typing import Any

from agents.screen.subjects import DIFF_LIMIT, QuestionKind, Subject
from agents.witnesses.evidence import AgentEvent

_KINDS = {
    QuestionKind.COMMAND: (
        "bash shell exec exec_command local_shell run_shell_command run_in_terminal powershell"
        " write_bash killshell unified_exec shell_command"
    ),
    QuestionKind.EDIT: (
        "edit multiedit notebookedit replace str_replace str_replace_editor apply_patch patch"
    ),
    QuestionKind.WRITE: "write write_file create",
    QuestionKind.FETCH: (
        "webfetch web_fetch fetch websearch web_search google_web_search fetch_url url"
    ),
    QuestionKind.PLAN: "exitplanmode exit_plan_mode plan_exit",
    QuestionKind.CHOICE: "askuserquestion ask_user request_user_input question",
}
_TOOLS = {name: kind for kind, names in _KINDS.items() for name in names.split()}

TITLES = {
    QuestionKind.COMMAND: "Run this command?",
    QuestionKind.EDIT: "Make this edit?",
    QuestionKind.WRITE: "Write this file?",
    QuestionKind.FETCH: "Fetch this?",
    QuestionKind.PLAN: "Carry out this plan?",
    QuestionKind.CHOICE: "Waiting for a choice.",
}

# The names of a field in the six runtimes; the first that is present counts.
_COMMAND = ("command", "cmd", "script")
_PATH = ("file_path", "filePath", "filepath", "path", "notebook_path", "absolute_path", "fileName")
_OLD = ("old_string", "oldString", "old_str", "oldText", "old_text")
_NEW = ("new_string", "newString", "new_str", "newText", "new_text", "new_source")
_CONTENT = ("content", "file_text", "fileText", "text")
_PATCH = ("diff", "patch", "input", "fileDiff")
_ADDRESS = ("url", "query", "prompt", "urls")
_REASON = ("description", "justification", "explanation", "reason", "rationale")


def subject_of(event: AgentEvent) -> Subject:
    """The subject of a permission request, or of a tool that is about to run."""
    fields = event.tool_input
    kind = _TOOLS.get(event.tool_name.lower(), QuestionKind.OTHER)
    if kind is QuestionKind.OTHER and _first(fields, _COMMAND):
        kind = QuestionKind.COMMAND
    title = TITLES.get(kind) or f"Use {event.tool_name or 'a tool'}?"
    subject, path, diff = "", "", ""
    if kind is QuestionKind.COMMAND:
        subject = _first(fields, _COMMAND) or _patch_in(fields)
    elif kind in {QuestionKind.EDIT, QuestionKind.WRITE}:
        path, diff = _first(fields, _PATH), _changes(fields)
        if not path:
            path = ", ".join(_patched_files(diff))
        diff = _without_frame(diff)
    elif kind is QuestionKind.FETCH:
        subject = _first(fields, _ADDRESS)
    elif kind is QuestionKind.PLAN:
        subject = _first(fields, ("plan",))
    elif kind is QuestionKind.CHOICE:
        title = _asked(fields) or title
    if not (subject or path or diff) and kind is not QuestionKind.CHOICE and fields:
        subject = json.dumps(fields, ensure_ascii=False, indent=1, default=str)
    reason = _first(fields, _REASON)
    return Subject(kind, title, subject, path, diff, reason).bounded()


def _first(fields: Mapping[str, Any], names: tuple[str, ...]) -> str:
    for name in names:
        value = fields.get(name)
        if isinstance(value, str) and value:
            return value
        if isinstance(value, list | tuple) and value:
            return _joined([str(word) for word in value])
    return ""


def _joined(words: list[str]) -> str:
    """Codex runs ["bash", "-lc", "…"]: the script is what matters, and it is shown unchanged."""
    if len(words) == 3 and words[1] in {"-lc", "-c"}:
        return words[2]
    return " ".join(
        word if word.isalnum() else json.dumps(word, ensure_ascii=False) for word in words
    )


def _changes(fields: Mapping[str, Any]) -> str:
    if patch := _patch_in(fields):
        return patch
    edits = fields.get("edits")
    pairs = edits if isinstance(edits, list) else [fields]
    parts = [
        _diff(_first(pair, _OLD), _first(pair, _NEW)) for pair in pairs if isinstance(pair, Mapping)
    ]
    if changes := "\n@@\n".join(part for part in parts if part):
        return changes
    content = _first(fields, _CONTENT)
    return "\n".join(f"+{line}" for line in content[: DIFF_LIMIT + 1].splitlines())


def _diff(old: str, new: str) -> str:
    """Only the changed lines with their context: the place in the file is not known."""
    if not (old or new):
        return ""
    if len(old) + len(new) > DIFF_LIMIT:  # comparing is quadratic
        lines = [f"-{line}" for line in old.splitlines()] + [
            f"+{line}" for line in new.splitlines()
        ]
        return "\n".join(lines)
    compared = list(difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=3))
    changes = ["@@" if line.startswith("@@") else line for line in compared[3:]]
    return "\n".join(changes)  # without the two lines of names and the first place


def _patch_in(fields: Mapping[str, Any]) -> str:
    text = _first(fields, _PATCH) or _first(fields, _COMMAND)
    return text if text.startswith(("*** Begin Patch", "--- ", "diff ", "@@", "Index: ")) else ""


def _without_frame(patch: str) -> str:
    """Without the lines of a patch that say no more than the path does.

    What a person must see stays: several files, and those that are added, deleted or moved.
    """
    lines = patch.splitlines()
    if lines[:1] != ["*** Begin Patch"]:
        return patch
    lines = lines[1:-1] if lines[-1] == "*** End Patch" else lines[1:]
    headers = [line for line in lines if line.startswith("*** ")]
    if len(headers) == 1 and lines[0].startswith("*** Update File: "):
        del lines[0]
        if lines[:1] == ["@@"]:
            del lines[0]
    return "\n".join(lines)


def _patched_files(patch: str) -> list[str]:
    marks = ("*** Add File: ", "*** Update File: ", "*** Delete File: ", "+++ b/")
    return [
        line.removeprefix(mark)
        for line in patch.splitlines()
        for mark in marks
        if line.startswith(mark)
    ]


def _asked(fields: Mapping[str, Any]) -> str:
    """The question of a tool that asks the person to choose."""
    questions = fields.get("questions")
    if isinstance(questions, list):
        texts = [str(each.get("question", "")) for each in questions if isinstance(each, Mapping)]
        return "\n".join(text for text in texts if text)
    return _first(fields, ("question",))
