"""A conversation from the journal of an agent on the chat page."""

import json

from playwright.sync_api import expect

from tests.flows.chat_driver import row, write_messages
from tests.flows.page_driver import MS, PageDriver

REPLY = """\
## Result

The **fixture** opened `app.db` first, <b>then</b> closed it:

| step | time |
|---|---|
| open | 1 ms |

```py
def fixture() -> None: ...
```"""
TOOL = json.dumps({"name": "Bash", "input": "make test", "outcome": "12 passed", "status": "done"})


def test_markdown_is_rendered_and_tool_calls_are_folded(desktop: PageDriver) -> None:
    key = desktop.key_of(desktop.session())
    messages = [
        ("user", "text", "fix the fixture", None),
        ("assistant", "thinking", "let me think", None),
        ("assistant", "tool", "Bash: make test", TOOL),
        ("assistant", "text", REPLY, None),
    ]
    write_messages(desktop.served, key, messages)
    desktop.open(f"#/window/{key}/chat")
    reply = row(desktop, "Result")
    expect(reply.locator("h2")).to_have_text("Result", timeout=MS)
    expect(reply.locator("strong")).to_have_text("fixture")
    expect(reply.locator("td").first).to_have_text("open")
    expect(reply.locator("pre code")).to_have_text("def fixture() -> None: ...")
    expect(reply.locator("b")).to_have_count(0)  # HTML of a model is shown as text
    expect(reply.locator("header")).to_contain_text("journal")
    call = row(desktop, "make test")
    expect(call.get_by_text("12 passed")).to_be_hidden()
    call.locator("summary").click()
    expect(call.get_by_text("12 passed")).to_be_visible()
    expect(row(desktop, "let me think")).to_have_count(0)
