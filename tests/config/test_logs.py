"""Secrets do not reach the log, whichever way they come."""

import io
import logging
from dataclasses import replace
from typing import Any

import pytest
from pytest_django import Settings

from config.logs import Redact, redact

SECRET = "s3cret-of-ours"


@pytest.fixture
def written(settings: Settings) -> tuple[logging.Logger, io.StringIO]:
    settings.WEBTMUX = replace(settings.WEBTMUX, auth_token=SECRET)
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


def test_a_record_that_cannot_be_formatted_does_not_spill_its_arguments(
    written: tuple[logging.Logger, io.StringIO],
) -> None:
    logger, stream = written
    logger.info("%d", SECRET)
    assert "cannot be formatted" in stream.getvalue()


@pytest.mark.parametrize("text", ["tokens=3", "a token was revoked", "the bearer of news is late"])
def test_ordinary_words_stay(text: str) -> None:
    assert redact(text).split()[0] == text.split()[0]
    assert "tokens" not in text or redact(text) == text


def test_every_handler_of_the_settings_has_the_filter(settings: Settings) -> None:
    for handler in settings.LOGGING["handlers"].values():
        assert handler["filters"] == ["redact"]
