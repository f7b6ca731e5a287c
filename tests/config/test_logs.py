"""Secrets do not reach the log, from any source."""

import io
import logging
import subprocess
import sys
from typing import Any

import pytest
from pytest_django import Settings

from config.logs import Redact, redact
from tests.config.servers import ROOT
from tests.waiting import LONGEST_SECONDS

SECRET = "s3cret-of-ours"


@pytest.fixture
def written(settings: Settings) -> tuple[logging.Logger, io.StringIO]:
    settings.WEBTMUX = settings.WEBTMUX.model_copy(update={"auth_token": SECRET})
    stream = io.StringIO()
    handler = logging.StreamHandler(stream)
    handler.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
    handler.addFilter(Redact())
    logger = logging.Logger("of-this-test")
    logger.addHandler(handler)
    return logger, stream


@pytest.mark.parametrize(
    ("message", "args"),
    [
        ("GET /ws?token=%s&x=1", ("abcdef",)),
        ("GET /ws?x=1&token=abcdef HTTP/1.1", ()),
        ("to /admin/login/?next=%2Fws%3Ftoken%3Dabcdef", ()),
        ("headers %r", ([(b"authorization", b"Bearer abcdef")],)),
        ("authorization: bearer abcdef", ()),
        (f"{SECRET} %s", ("and abc",)),
        ("issued wtx_abcdefabcdefabcdefabcdef", ()),
    ],
)
def test_no_secret_is_written(
    written: tuple[logging.Logger, io.StringIO], message: str, args: tuple[Any, ...]
) -> None:
    logger, stream = written
    logger.info(message, *args)
    text = stream.getvalue()
    assert text.startswith("INFO ")
    assert "abcdef" not in text
    assert SECRET not in text
    assert "[hidden]" in text


def test_a_traceback_is_redacted_too(written: tuple[logging.Logger, io.StringIO]) -> None:
    logger, stream = written
    try:
        raise ValueError(f"bad {SECRET} in ?token=abcdef")
    except ValueError:
        logger.exception("failed")
    text = stream.getvalue()
    assert "ValueError: bad [hidden] in ?token=[hidden]" in text
    assert SECRET not in text.replace('f"bad {SECRET}', "")


def test_a_record_that_cannot_be_formatted_does_not_reveal_its_arguments(
    written: tuple[logging.Logger, io.StringIO],
) -> None:
    logger, stream = written
    logger.info("%d", SECRET)
    assert "cannot be formatted" in stream.getvalue()


@pytest.mark.parametrize("text", ["tokens=3", "a token was revoked", "the bearer of news is late"])
def test_ordinary_words_are_not_redacted(text: str) -> None:
    assert redact(text).split()[0] == text.split()[0]
    assert "tokens" not in text or redact(text) == text


def test_every_handler_of_the_settings_has_the_filter(settings: Settings) -> None:
    for handler in settings.LOGGING["handlers"].values():
        assert handler["filters"] == ["redact"]


STUCK = """
import logging, logging.config, sys, time
from config.logs import BackgroundHandler
logging.basicConfig(level="INFO", handlers=[BackgroundHandler()])
began = time.monotonic()
for number in range(30_000):
    logging.info("line %d %s", number, "x" * 100)
print("done", flush=True)
"""


def test_a_blocked_log_reader_does_not_block_the_server() -> None:
    """Standard error is a pipe that is full: nothing waits for it, and lines are dropped."""
    with subprocess.Popen(
        [sys.executable, "-c", STUCK], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == b"done\n"
        lines = process.stderr.read().splitlines()
    assert lines[0].startswith(b"INFO:root:line 0 ")
    assert len(lines) < 30_000


def test_a_few_lines_are_all_written_at_exit() -> None:
    code = STUCK.replace("30_000", "300")
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        timeout=LONGEST_SECONDS,
        check=True,
    )
    assert len(done.stderr.splitlines()) == 300
