"""A Notion of the tests' own."""

from collections.abc import Iterator

import pytest

from tests.notes.fake_notion import FakeNotion, serving


@pytest.fixture
def fake_notion() -> Iterator[FakeNotion]:
    with serving() as notion:
        yield notion
