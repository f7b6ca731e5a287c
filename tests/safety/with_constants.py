"""Runs `manage.py` with other values of module constants: for limits that no setting changes.

python -m tests.safety.with_constants '{"config.server.http_connection.BODY_SECONDS": 1}' serve
"""

import json
import os
import sys
from importlib import import_module

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django
    from django.core.management import execute_from_command_line

    django.setup()
    for path, value in json.loads(sys.argv[1]).items():
        module, _, name = path.rpartition(".")
        assert hasattr(import_module(module), name), path
        setattr(import_module(module), name, value)
    execute_from_command_line(["manage.py", *sys.argv[2:]])
