"""Full text search over the messages of journals, as 0003 made it for records; with the messages
that exist already.

A later migration that remakes the table on SQLite drops its triggers: run `index_words` again in it.
"""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

# ruff: noqa: S608 - every part is a constant of this file
SCOPE = "'w' || {row}window_id || ' r' || {row}role"
SQLITE = (
    f"""CREATE VIEW agents_messagewords AS
        SELECT id, text, {SCOPE.format(row="")} AS scope FROM agents_chatmessage""",
    """CREATE VIRTUAL TABLE agents_messagesearch USING fts5(
        text, scope, content='agents_messagewords', content_rowid='id',
        tokenize='unicode61 remove_diacritics 2')""",
    f"""CREATE TRIGGER agents_message_added AFTER INSERT ON agents_chatmessage BEGIN
        INSERT INTO agents_messagesearch(rowid, text, scope)
        VALUES (new.id, new.text, {SCOPE.format(row="new.")}); END""",
    f"""CREATE TRIGGER agents_message_removed AFTER DELETE ON agents_chatmessage BEGIN
        INSERT INTO agents_messagesearch(agents_messagesearch, rowid, text, scope)
        VALUES ('delete', old.id, old.text, {SCOPE.format(row="old.")}); END""",
    f"""CREATE TRIGGER agents_message_changed AFTER UPDATE OF text ON agents_chatmessage BEGIN
        INSERT INTO agents_messagesearch(agents_messagesearch, rowid, text, scope)
        VALUES ('delete', old.id, old.text, {SCOPE.format(row="old.")});
        INSERT INTO agents_messagesearch(rowid, text, scope)
        VALUES (new.id, new.text, {SCOPE.format(row="new.")}); END""",
    "INSERT INTO agents_messagesearch(agents_messagesearch) VALUES ('rebuild')",
)
SQLITE_BACK = (
    "DROP TRIGGER agents_message_added",
    "DROP TRIGGER agents_message_removed",
    "DROP TRIGGER agents_message_changed",
    "DROP TABLE agents_messagesearch",
    "DROP VIEW agents_messagewords",
)
POSTGRESQL = (
    "CREATE INDEX agents_message_words ON agents_chatmessage USING gin (to_tsvector('simple', text))",
)
POSTGRESQL_BACK = ("DROP INDEX agents_message_words",)


def index_words(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    _run(editor, {"sqlite": SQLITE, "postgresql": POSTGRESQL})


def forget_words(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    _run(editor, {"sqlite": SQLITE_BACK, "postgresql": POSTGRESQL_BACK})


def _run(editor: BaseDatabaseSchemaEditor, statements: dict[str, tuple[str, ...]]) -> None:
    for statement in statements[editor.connection.vendor]:
        editor.execute(statement, params=None)


class Migration(migrations.Migration):
    dependencies = [("agents", "0005_journals")]
    operations = [migrations.RunPython(index_words, forget_words)]
