"""Our modules without their comments, for the way to the browser: a fifth of what they weigh. Pure.

Not a compiler: only whole lines go, and none within a template.
"""

import re

_LINE = re.compile(r"\s*//")
_BLOCK = re.compile(r"\s*/\*")


def without_comments(text: str) -> str:
    """Lines that hold nothing but a comment are left out."""
    kept: list[str] = []
    in_template = in_block = False
    for line in text.splitlines(keepends=True):
        if in_block or (not in_template and _BLOCK.match(line)):
            end = line.find("*/")
            in_block = end < 0
            line = "" if in_block else line[end + 2 :]
            if not line.strip():
                continue
        elif not in_template and _LINE.match(line):
            continue
        kept.append(line)
        in_template ^= line.replace("\\`", "").count("`") % 2 == 1
    return "".join(kept)
