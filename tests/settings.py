"""The settings of the tests: a separate data directory, never that of the user."""

import os
import tempfile

os.environ["WEBTMUX_DATA_DIR"] = tempfile.mkdtemp(prefix="webtmux-tests-")
for name in list(os.environ):
    if name.startswith("WEBTMUX_") and name not in {"WEBTMUX_DATA_DIR"}:
        del os.environ[name]

from config.settings import *  # noqa: E402, F403
from config.settings import DATABASES, LOGGING, WEBTMUX  # noqa: E402

# A file, not memory: the services run in threads, and shared memory databases lock by table.
DATABASES["default"]["TEST"] = {"NAME": WEBTMUX.data_dir / "test.sqlite3"}
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
(WEBTMUX.data_dir / "static").mkdir()  # WhiteNoise warns where there is none

# Without the queue and its thread, which would write lines during the next test.
LOGGING["handlers"]["stderr"]["class"] = "logging.StreamHandler"  # type: ignore[index]
