"""Patterns that callers send: what they mean, what is refused, and that they stay cheap."""

import subprocess
import sys
import time

import pytest

from core import patterns
from core.errors import Invalid
from tests.config.servers import ROOT


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        ("(?i)PROD", "my-prod-1", True),
        ("prod|stage", "stage", True),
        ("^/home/[^/]+/code$", "/home/u/code", True),
        ("^/home/[^/]+/code$", "/home/u/code/x", False),
        ("(?s)a.b", "a\nb", True),
        ("a.b", "a\nb", False),
        # Syntax of RE2 that Python's engine does not know.
        ("^[[:alpha:]]+$", "abc", True),
        (r"^\pL+$", "straße", True),
        (r"^\pL+$", "a1", False),
        (r"a\z", "ba", True),
        (r"^\p{Greek}+$", "αβγ", True),
        ("(?i)straße", "STRASSE", False),
        ("^.$", "漢", True),  # a character, not a byte
        ("x", "\ud800x", True),  # half of a surrogate pair in a text does no harm
        ("", "", True),
    ],
)
def test_patterns_are_in_the_syntax_of_re2(pattern: str, text: str, matches: bool) -> None:
    assert patterns.compile(pattern).search(text) is matches


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        ("(", r"missing \)"),
        ("[", r"missing \]"),
        ("*", "no argument for repetition operator"),
        ("(?=a)", "without look-around"),
        ("(?!a)", "without look-around"),
        ("(?<=a)b", "without look-around"),
        ("(?<!a)b", "without look-around"),
        ("(?>a)b", "atomic groups"),
        ("(?(1)a)", "conditions"),
        (r"(a)\1", "without back-references"),
        (r"(?P<n>a)(?P=n)", "patterns are in RE2 syntax"),
        (r"a\Z", r"write \\z for the end"),
        (r"\u00e9", "write "),
        ("a++", "possessive"),
        ("(){30000000}", "repeat at most 1000 times"),
        ("((a{100}){10}){10}", "nested counts multiplied"),
        (r"(?:\pL{30}){30}", "use smaller repeat counts"),
        ("x" * 501, "longer than 500 characters"),
        ("\ud800", "not a character"),
    ],
)
def test_a_refusal_says_what_to_do_instead(pattern: str, problem: str) -> None:
    with pytest.raises(Invalid, match=f"^invalid path filter: .*{problem}"):
        patterns.compile(pattern, subject="path filter")


@pytest.mark.parametrize(
    "pattern",
    ["(a+)+$", "(a|a)*$", "(a|aa)+$", "a*a*a*a*a*a*a*a*b", "(.*)*x", "(?:(?:a?){10}){99}b",
     "(?:.{1,100}){1,10}x", "(?:.{0,9}){99}z", r"(?:\pL|\pN|.){333}y"],
)  # fmt: skip
def test_the_time_of_a_search_grows_with_the_text(pattern: str) -> None:
    """Eight times the text takes at most about eight times as long, and never without end."""
    compiled = patterns.compile(pattern)

    def seconds(length: int) -> float:
        text, began = "a" * length + "!", time.thread_time()
        compiled.search(text)
        return time.thread_time() - began

    seconds(500)  # the first search builds its tables
    assert seconds(4000) < 0.02 + 24 * min(seconds(500) for _ in range(3))


def test_only_the_beginning_of_a_long_text_is_searched() -> None:
    pattern = patterns.compile("x")
    assert pattern.search("a" * (patterns.TEXT_LIMIT - 1) + "x")
    assert not pattern.search("a" * patterns.TEXT_LIMIT + "x")


def test_re2_writes_nothing_to_standard_error() -> None:
    """Not about an invalid pattern, and not about one whose tables outgrow their memory."""
    code = (
        "from core import patterns\n"
        "from core.errors import Invalid\n"
        "try: patterns.compile('(')\n"
        "except Invalid: pass\n"
        "patterns.compile('(?:(?:a?){10}){99}b').search('a' * 4096)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("", "")
