"""How an answer to a dialog is written in the chat: "approved: touch x". Pure."""

import re

SUBJECT_LIMIT = 500  # characters
_NO = re.compile(r"(?i)(?:no|reject|deny|cancel|decline|don't|do not|exit|quit)\b")
_YES = re.compile(r"(?i)(?:yes|allow|approve|accept|proceed|confirm|trust|run)\b")
_ALWAYS = re.compile(r"(?i)always|don't ask again|session|allow all|for the rest")


def answer_text(label: str, subject: str) -> str:
    """`label` is that of the chosen option, `subject` what the agent asked permission for."""
    if _NO.match(label):
        verdict = "rejected"
    elif _YES.match(label):
        verdict = "approved always" if _ALWAYS.search(label) else "approved"
    else:
        verdict = f"answered {label!r}"
    short = subject if len(subject) <= SUBJECT_LIMIT else f"{subject[:SUBJECT_LIMIT]}…"
    return f"{verdict}: {short}" if short else verdict
