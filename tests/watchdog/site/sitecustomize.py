"""Installs the watchdog in the server processes that tests start; found through PYTHONPATH.

Only where a record is asked for, and only in programs of ours that run an event loop: `sys.argv`
is not set yet, and importing asyncio would delay every other Python program.
"""

import os
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

PROGRAMS = {"serve", "mcp_stdio", "run_workers", "tests.config.sample_server"}

record = os.environ.get("WEBTMUX_LOOP_WATCHDOG", "")
if record and PROGRAMS.intersection(sys.orig_argv):
    source = Path(__file__).parent.parent / "loop.py"
    spec = spec_from_file_location("webtmux_loop_watchdog", source)
    if spec is not None and spec.loader is not None:
        module = module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        module.install(module.writer(Path(record)))
