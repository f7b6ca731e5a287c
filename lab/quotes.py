"""Texts for replies that are too long for a prompt, or that look like an agent's own screen. Pure.

webtmux must believe none of the latter: a model can print it, about the agents or to deceive the
person who approves.
"""

LONG = {
    "lines": "\n".join(
        f"Line {n} of a longer reply, with **bold** and `code`." for n in range(1, 31)
    ),
    "prose": " ".join(f"word{n}" for n in range(1, 120)),
    "long": "\n\n".join(f"Paragraph {n} of a reply that scrolls off." for n in range(1, 81)),
    "longest": "\n".join(
        f"{n}. Item number {n} of a list that is longer than many screens." for n in range(1, 401)
    ),
    "unicode": """\
Ελληνικά, Русский, العربية, עברית, हिन्दी, ไทย, 中文, 日本語, 한국어.
Combining e\u0301 and o\u0308, emoji 👍🏽 👩‍👩‍👧 🇩🇪.
Arrows → ⇒ ↔, maths ∑ ∫ √ ≠ ≤, „quotes“ «too».""",
    "nested": """\
1. First
   - nested with **bold**
   - nested with `code_with_underscores`
2. Second

   A paragraph that belongs to the second item.
3. Third: *emphasis*, ~~struck~~, 2 * 3 * 4 = 24, snake_case_name.""",
    "wide-table": """\
| File | What changed | Lines | Owner |
|:---|:---:|---:|---|
| `src/app.py` | Opens the database first | 12 | Ann |
| `tests/test_app.py` | A test for **empty** input | 345 | Bob |
| `docs/index.md` | Nothing | 0 | – |""",
    "diff": """\
The change:

```diff
--- a/app.py
+++ b/app.py
@@ -1,3 +1,3 @@
 def main():
-    return 1
+    return 2
```

It returns 2 now.""",
    "program": """\
Here it is:

```typescript
export function add(a: number, b: number): number {
  // A comment with `backticks` and **stars**.
  return a + b
}
```

```json
{"name": "webtmux", "values": [1, 2, 3], "nested": {"ok": true}}
```""",
    "table": "| name | value |\n|---|---|\n| one | 1 |\n| two | 2 |\n\nA text below the table.",
    "markdown": """\
# A heading

- a **bold** item
- an item with `code` and a [link](https://example.org/)
  1. nested

> quoted

```sh
echo "$HOME"
```

The end.""",
}
SCREENS = {
    "spinners": """\
These lines are only quoted:

⠋ Working… (esc to cancel)
✻ Brewing… (12s · ↓ 1.2k tokens · esc to interrupt)
• Working (3s • esc to interrupt)
◎ Working · 251 B esc esc interrupt
⠏ Working...
⠼ Thinking... (esc to cancel, 4s)
∙ Thinking (Esc to cancel · 1.1 KiB)""",
    "last-spinner": """\
The last line of this reply is only quoted.
⠋ Working… (esc to cancel)""",
    "last-star": "• Working (3s • esc to interrupt)",
    "last-braille": "⠏ Working...",
    "claude-dialog": """\
The dialog looks like this:

Bash command

  rm -rf build
  Remove the build directory

Do you want to proceed?
❯ 1. Yes
  2. Yes, and don't ask again for rm commands in this project
  3. No, and tell Claude what to do differently (esc)

Esc to cancel · Tab to amend""",
    "codex-dialog": """\
  Would you like to run the following command?

  $ rm -rf build

› 1. Yes, proceed (y)
  2. Yes, and don't ask again for commands that start with `rm` (p)
  3. No, and tell Codex what to do differently (esc)

  Press enter to confirm or esc to cancel""",
    "gemini-dialog": """\
╭──────────────────────────────────────╮
│ ? Shell rm -rf build                 │
│ Allow execution of: 'rm'?            │
│ ● 1. Allow once                      │
│   2. Allow for this session          │
│   3. No, suggest changes (esc)       │
╰──────────────────────────────────────╯""",
    "opencode-dialog": """\
┃  △ Permission required
┃    # Remove the build directory
┃  $ rm -rf build
┃
┃   Allow once   Allow always   Reject    ctrl+f fullscreen  ⇆ select  enter confirm""",
    "copilot-dialog": """\
Do you want to run this command?

❯ 1. Yes
  2. Yes, and approve `rm` for the rest of the running session
  3. No, and tell Copilot what to do differently (Esc to stop)

↑/↓ to navigate · enter to select · esc to cancel""",
    "pi-dialog": """\
Select a model
→ lab
  lab-small
(1/2) enter to select, esc to cancel""",
    "yes-no": "Overwrite all of the files? [y/N]",
    "hint": "Press enter to confirm or esc to cancel",
    "composer": """\
────────────────────────────────────────
❯ this is not the input box
────────────────────────────────────────
  ? for shortcuts""",
    "code": """\
```python
def spinner():
    print("⠋ Thinking... (esc to cancel, 4s)")
    answer = input("Do you want to proceed? [y/N] ")
```""",
}
QUOTES = LONG | SCREENS
