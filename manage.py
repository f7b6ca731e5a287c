#!/usr/bin/env python
"""Django's command line."""

import os
import sys

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line

    from config.env import SettingError

    try:
        execute_from_command_line(sys.argv)
    except SettingError as error:
        # A user's typing mistake in the environment: the message, without a traceback.
        sys.exit(str(error))
