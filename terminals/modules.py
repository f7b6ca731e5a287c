"""Which ES modules a module imports, and those in turn: read from the files. Not from npm's."""

import posixpath
import re
from pathlib import Path

# At the beginning of a statement: `import(…)`, loaded later, stands within an expression.
_IMPORT = re.compile(r"""(?:^|;)(?:import|export)\b[^'"()]*?['"](\.[^'"]+)['"]""", re.MULTILINE)


def imported(entrance: str, root: Path) -> list[str]:
    """Paths below `root`, the entrance first, each once."""
    found = [entrance]
    for name in found:  # grows while it is read
        text = (root / name).read_text()
        paths = (
            posixpath.normpath(posixpath.join(posixpath.dirname(name), match))
            for match in _IMPORT.findall(text)
        )
        found += [path for path in dict.fromkeys(paths) if path not in found]
    return found
