"""Who submitted a line, and an index by role.

By SQL: Django would remake the table on SQLite, which drops the triggers of 0003. Both databases
add a column with a constant default without touching the rows.
"""

from django.db import migrations, models

ADD = "ALTER TABLE agents_chatrecord ADD COLUMN \"by\" varchar(255) NOT NULL DEFAULT ''"
DROP = 'ALTER TABLE agents_chatrecord DROP COLUMN "by"'


class Migration(migrations.Migration):
    dependencies = [("agents", "0003_chat_search")]
    operations = [
        migrations.RunSQL(
            ADD,
            DROP,
            state_operations=[
                migrations.AddField(
                    "chatrecord",
                    "by",
                    models.CharField(blank=True, db_default="", max_length=255),
                )
            ],
        ),
        migrations.AddIndex(
            "chatrecord",
            models.Index(fields=["window", "role", "ts", "runtime"], name="chat_roles"),
        ),
    ]
