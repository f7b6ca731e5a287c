"""`make run` and the README's curls for a plain user, from a clean copy, in a path with a space.

`make test` does it with the Python of the system, `make test-pythons` with every one it finds.
"""

import faulthandler
import os
import sys

import pytest

from tests.setup.first_minute import first_minute
from tests.setup.pythons import chosen

PYTHONS = os.environ.get("PYTHONS", "")


@pytest.mark.parametrize("python", chosen(PYTHONS))
def test_make_run_serves_and_every_curl_of_the_readme_succeeds(
    python: str, capsys: pytest.CaptureFixture[str]
) -> None:
    faulthandler.cancel_dump_traceback_later()  # downloads may take longer than other tests may
    measured = first_minute(python)
    with capsys.disabled():
        if PYTHONS:
            sys.stdout.write(f"\n{measured}\n")
