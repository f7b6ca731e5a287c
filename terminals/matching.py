"""Which lines a pattern from a stranger matches: a program of its own, which can be ended.

Run by searching.py, never imported: Python's matcher can be kept busy for years by `(a+)+$`, and
no thread of ours could be stopped. Only the standard library, so that it starts in milliseconds.
One JSON document a line: the pattern first, then lists of lines; a list of numbers for each.
"""

import json
import re
import resource
import sys

CPU_SECONDS = 10  # if whoever started it is no longer there to end it
MEMORY = 512 * 1024 * 1024


def main() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    try:
        pattern = re.compile(json.loads(sys.stdin.readline()))
    except (re.error, RecursionError, OverflowError) as problem:
        _say({"error": str(problem)})
        return
    _say({})
    for request in sys.stdin:
        _say([n for n, line in enumerate(json.loads(request)) if pattern.search(line)])


def _say(answer: object) -> None:
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
