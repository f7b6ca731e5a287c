"""Installs the watchdog in the server processes that tests start; Python finds it in PYTHONPATH.

Only if the environment names a record, and only in our programs that run an event loop: importing
asyncio would delay every other Python program. `sys.argv` is not set yet.
"""

import os
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

PROGRAMS = {"serve", "mcp_stdio", "run_workers", "tests.config.server.sample_server"}

record = os.environ.get("WEBTMUX_LOOP_WATCHDOG", "")
if record and PROGRAMS.intersection(sys.orig_argv):
    source = Path(__file__).parent.parent / "loop.py"
    spec = spec_from_file_location("webtmux_loop_watchdog", source)
    if spec is not None and spec.loader is not None:
        module = module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        best = float(os.environ.get("WEBTMUX_LOOP_WATCHDOG_BEST", "inf"))
        module.install(module.write_to(Path(record)), best)
