"""Screens of real agents (lab/package.json), split into prompts, replies and tool calls."""

# ruff: noqa: RUF001 - the marks of the real programs

import pytest

from agents.chat.transcript import ScreenRecord, Submitted, to_messages

CLAUDE = """\
❯ Turn 15
  SAY Before. ;; RUN echo again ;; SAY After.

● Before.

● Bash(echo again)
  ⎿  again

● After.
  ✻ Brewing… (12s · esc to interrupt)
  ❯ 1. quoted

✻ Worked for 2s

❯ SAY Typed in the terminal.

● Typed in the terminal.

────────────────────────────────
❯\u00a0
────────────────────────────────
  ? for shortcuts"""
CODEX = """\
› Turn 15
  SAY Before. ;; RUN echo again ;; SAY After.


• Before.

✔ You approved codex to run echo again this time

• Ran echo again
  └ again

• After.
  ✻ Brewing… (12s · esc to interrupt)
  ❯ 1. quoted

  Worked for 2s • 20:42


› SAY Typed in the terminal.


• Typed in the terminal.

  Worked for <1s • 20:42


› Ask Codex to do anything

  lab default · /tmp/work"""
COPILOT = """\
 ❯ Turn 15                                                       20:57 ┃
   SAY Before. ;; RUN echo again ;; SAY After.                         ┃
                                                                       ┃
 ● Before.                                                             ┃
                                                                       ┃
 $ Shell Run the command 1 line…                                       ┃
   echo again                                                          ┃
                                                                       ┃
 ● After.                                                              ┃
   ✻ Brewing… (12s · esc to interrupt)                                 ┃
   ❯ 1. quoted                                                         ┃
                                                                       ┃
 ❯ SAY Typed in the terminal.                                    20:57 ┃
                                                                       ┃
 ● Typed in the terminal.                                              ┃
 /tmp/work
────────────────────────────────────────────────────────────────────────
❯
────────────────────────────────────────────────────────────────────────
 Interactive · Manual Approval · @ files · # issues                  lab"""


@pytest.mark.parametrize(
    ("runtime", "screen"), [("claude", CLAUDE), ("codex", CODEX), ("copilot", COPILOT)]
)
def test_prompts_replies_and_tools_are_told_apart(runtime: str, screen: str) -> None:
    prompt = "Turn 15\nSAY Before. ;; RUN echo again ;; SAY After."
    items: list[Submitted | ScreenRecord] = [Submitted(1000, prompt)]
    items.append(ScreenRecord(2000, tuple(screen.split("\n")), runtime, 72))
    messages = to_messages(items)
    assert [(message.role, message.text) for message in messages] == [
        ("user", prompt),
        ("assistant", "Before."),
        ("assistant", "After.\n✻ Brewing… (12s · esc to interrupt)\n❯ 1. quoted"),
        ("user", "SAY Typed in the terminal."),
        ("assistant", "Typed in the terminal."),
    ]
    times = [message.ts for message in messages]
    assert times == sorted(set(times))


def test_a_conversation_that_is_drawn_again_is_not_repeated() -> None:
    """Claude Code does so after it was resumed."""
    first = ("❯ one", "", "● First reply.", "", "❯ two", "", "● Second reply.")
    again = ("Claude Code, continued", "", *first, "", "❯ three", "", "● Third reply.")
    messages = to_messages(
        [
            Submitted(1, "one"),
            ScreenRecord(2, first[:3], "claude", 80),
            Submitted(3, "two"),
            ScreenRecord(4, first, "claude", 80),
            ScreenRecord(5, ("$ claude --continue", "loading"), "", 80),
            ScreenRecord(6, again, "claude", 80),
        ]
    )
    texts = [message.text for message in messages]
    assert texts.count("First reply.") == texts.count("Second reply.") == 1
    assert texts[-2:] == ["three", "Third reply."]
