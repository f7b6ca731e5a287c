"""Full-text search over all chat, for SQLite (FTS5) and PostgreSQL (tsvector).

Called by selectors.py, for records and for the messages of journals. Results are ordered by row id,
newest first, which both databases can walk backwards without sorting.
"""

import re
from dataclasses import dataclass
from typing import TypeVar

from django.db import connection
from django.db.models import QuerySet
from django.db.models.expressions import RawSQL

from agents.models import ChatMessage, ChatRecord
from core.errors import Invalid

QUERY_LIMIT = 500  # characters
TERM_LIMIT = 20
# Rows of different windows may be stored slightly out of the order of their times.
SLACK_MS = 60_000
_TERM = re.compile(r'"(?P<phrase>[^"]*)"?|(?P<word>[^\s"]+)')
_LETTER = re.compile(r"\w")
Row = TypeVar("Row", ChatRecord, ChatMessage)


@dataclass(frozen=True, slots=True)
class Term:
    text: str
    prefix: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchFilters:
    window: int | None = None  # the primary key
    role: str = ""
    since: int | None = None
    before: int | None = None


def parse(query: str) -> list[Term]:
    """Words and "phrases", all of which must match; `word*` matches any ending."""
    if len(query) > QUERY_LIMIT:
        raise Invalid(f"a query has at most {QUERY_LIMIT} characters")
    all_terms = [_term(match) for match in _TERM.finditer(query.replace("\0", " "))]
    terms = [term for term in all_terms if _LETTER.search(term.text)][:TERM_LIMIT]
    if not terms:
        raise Invalid('enter a search term: words, "a phrase", or the beginning of a wor*')
    return terms


def _term(match: "re.Match[str]") -> Term:
    if (phrase := match["phrase"]) is not None:
        return Term(phrase)
    word = match["word"]
    return Term(word.rstrip("*"), prefix=word.endswith("*"))


def search(terms: list[Term], filters: SearchFilters, model: type[Row]) -> "QuerySet[Row]":
    """Matching rows, newest first. The caller limits the number."""
    rows: QuerySet[Row] = model._default_manager.order_by("-id")
    if filters.window is not None:
        rows = rows.filter(window=filters.window)
    if filters.role:
        rows = rows.filter(role=filters.role)
    if filters.since is not None:
        rows = rows.filter(ts__gte=filters.since)
    if filters.before is not None:
        rows = rows.filter(ts__lt=filters.before)
    if connection.vendor == "sqlite":
        return rows.filter(id__in=RawSQL(*_sqlite(terms, filters, model)))  # noqa: S611 - constant
    return rows.extra(where=[_POSTGRESQL[model]], params=[_tsquery(terms)])  # noqa: S610 - constant


# --- SQLite -----------------------------------------------------------------------------------

MATCHES_LIMIT = 1000  # rows from which a page is taken


_SQLITE = {
    table: f"SELECT rowid FROM {index} WHERE {index} MATCH %s"  # noqa: S608 - constants
    for table, index in (
        (ChatRecord, "agents_chatsearch"),
        (ChatMessage, "agents_messagesearch"),
    )
}


def _sqlite(
    terms: list[Term], filters: SearchFilters, model: type[ChatRecord | ChatMessage]
) -> tuple[str, list[object]]:
    """The index decides everything except the exact time."""
    words = [f"text : {_quoted(term)}" for term in terms]
    words += [f'scope : "w{filters.window}"'] if filters.window is not None else []
    words += [f'scope : "r{filters.role}"'] if filters.role else []
    sql, params = _SQLITE[model], [" AND ".join(words)]
    limits = (
        ()
        if model is ChatMessage
        else (
            ("<=", _last_row(filters.before)),
            (">=", _first_row(filters.since)),
        )
    )
    for sign, number in limits:  # an old journal may be read late: its rows are in no order of time
        if number is not None:
            sql += f" AND rowid {sign} %s"
            params.append(str(number))
    return f"{sql} ORDER BY rowid DESC LIMIT {MATCHES_LIMIT}", list(params)


def _quoted(term: Term) -> str:
    text = term.text.replace('"', '""')
    return f'"{text}" *' if term.prefix else f'"{text}"'


def _last_row(before: int | None) -> int | None:
    """The last row that can be older than `before`."""
    if before is None:
        return None
    rows = ChatRecord.objects.filter(ts__lt=before + SLACK_MS).order_by("-ts")
    return rows.values_list("id", flat=True).first() or 0


def _first_row(since: int | None) -> int | None:
    if since is None:
        return None
    rows = ChatRecord.objects.filter(ts__lt=since - SLACK_MS).order_by("-ts")
    return rows.values_list("id", flat=True).first()


# --- PostgreSQL -------------------------------------------------------------------------------

_POSTGRESQL = {
    ChatRecord: "to_tsvector('simple', agents_chatrecord.text) @@ %s::tsquery",
    ChatMessage: "to_tsvector('simple', agents_chatmessage.text) @@ %s::tsquery",
}


def _tsquery(terms: list[Term]) -> str:
    """The words of each term in order; a prefix applies to the last word."""
    return " & ".join(f"({_phrase(term)})" for term in terms)


def _phrase(term: Term) -> str:
    words = [f"'{word.lower()}'" for word in re.findall(r"\w+", term.text)]
    if term.prefix:
        words[-1] += ":*"
    return " <-> ".join(words)
