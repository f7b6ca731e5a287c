"""Full text search over chat: FTS5 and triggers on SQLite, a GIN index on PostgreSQL.

The window and the role are words of the index too, so that a filter on them costs nothing. A later
migration that remakes the table on SQLite drops its triggers: run `index_words` again in it.
"""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

# ruff: noqa: S608 - every part is a constant of this file
SCOPE = "'w' || {row}window_id || ' r' || {row}role"
SQLITE = (
    f"""CREATE VIEW agents_chatwords AS
        SELECT id, text, {SCOPE.format(row="")} AS scope FROM agents_chatrecord""",
    """CREATE VIRTUAL TABLE agents_chatsearch USING fts5(
        text, scope, content='agents_chatwords', content_rowid='id',
        tokenize='unicode61 remove_diacritics 2')""",
    f"""CREATE TRIGGER agents_chat_added AFTER INSERT ON agents_chatrecord BEGIN
        INSERT INTO agents_chatsearch(rowid, text, scope)
        VALUES (new.id, new.text, {SCOPE.format(row="new.")}); END""",
    f"""CREATE TRIGGER agents_chat_removed AFTER DELETE ON agents_chatrecord BEGIN
        INSERT INTO agents_chatsearch(agents_chatsearch, rowid, text, scope)
        VALUES ('delete', old.id, old.text, {SCOPE.format(row="old.")}); END""",
    f"""CREATE TRIGGER agents_chat_changed AFTER UPDATE ON agents_chatrecord BEGIN
        INSERT INTO agents_chatsearch(agents_chatsearch, rowid, text, scope)
        VALUES ('delete', old.id, old.text, {SCOPE.format(row="old.")});
        INSERT INTO agents_chatsearch(rowid, text, scope)
        VALUES (new.id, new.text, {SCOPE.format(row="new.")}); END""",
)
SQLITE_BACK = (
    "DROP TRIGGER agents_chat_added",
    "DROP TRIGGER agents_chat_removed",
    "DROP TRIGGER agents_chat_changed",
    "DROP TABLE agents_chatsearch",
    "DROP VIEW agents_chatwords",
)
POSTGRESQL = (
    "CREATE INDEX agents_chat_words ON agents_chatrecord USING gin (to_tsvector('simple', text))",
)
POSTGRESQL_BACK = ("DROP INDEX agents_chat_words",)


def index_words(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    _run(editor, {"sqlite": SQLITE, "postgresql": POSTGRESQL})


def forget_words(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    _run(editor, {"sqlite": SQLITE_BACK, "postgresql": POSTGRESQL_BACK})


def _run(editor: BaseDatabaseSchemaEditor, statements: dict[str, tuple[str, ...]]) -> None:
    for statement in statements[editor.connection.vendor]:
        editor.execute(statement, params=None)


class Migration(migrations.Migration):
    dependencies = [("agents", "0002_chat_records")]
    operations = [migrations.RunPython(index_words, forget_words)]
