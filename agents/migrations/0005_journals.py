"""Messages from the journals of agents, the runs that they cover, and answers to dialogs.

The column by SQL, as in 0004: Django would remake the table on SQLite, which drops the triggers.
"""

import django.db.models.deletion
from django.db import migrations, models

ADD = "ALTER TABLE agents_chatrecord ADD COLUMN answer bool NOT NULL DEFAULT false"
DROP = "ALTER TABLE agents_chatrecord DROP COLUMN answer"


class Migration(migrations.Migration):
    dependencies = [
        ("agents", "0004_callers"),
        ("terminals", "0004_window_pinned"),
    ]

    operations = [
        migrations.RunSQL(
            ADD,
            DROP,
            state_operations=[
                migrations.AddField(
                    "chatrecord",
                    "answer",
                    models.BooleanField(
                        db_default=False, default=False, verbose_name="to a dialog of an agent"
                    ),
                )
            ],
        ),
        migrations.CreateModel(
            name="AgentRun",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("pane", models.CharField(max_length=16)),
                ("runtime", models.CharField(max_length=32)),
                ("session_id", models.CharField(max_length=200)),
                ("started", models.BigIntegerField(verbose_name="ms since 1970")),
                (
                    "ended",
                    models.BigIntegerField(blank=True, null=True, verbose_name="ms since 1970"),
                ),
                (
                    "window",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="runs",
                        to="terminals.window",
                    ),
                ),
            ],
            options={
                "ordering": ("window", "started"),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("window", "pane", "session_id", "started"),
                        name="one_run_per_process",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ChatMessage",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ts", models.BigIntegerField(verbose_name="ms since 1970")),
                ("key", models.CharField(max_length=200)),
                ("pane", models.CharField(max_length=16)),
                ("session_id", models.CharField(max_length=200)),
                (
                    "role",
                    models.CharField(
                        choices=[("user", "User"), ("assistant", "Assistant")], max_length=16
                    ),
                ),
                ("kind", models.CharField(max_length=16)),
                ("text", models.TextField()),
                ("tool", models.JSONField(blank=True, null=True)),
                ("usage", models.JSONField(blank=True, null=True)),
                (
                    "window",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="messages",
                        to="terminals.window",
                    ),
                ),
            ],
            options={
                "ordering": ("window", "ts"),
                "indexes": [models.Index(fields=["ts"], name="message_ts")],
                "constraints": [
                    models.UniqueConstraint(fields=("window", "ts"), name="one_message_per_moment"),
                    models.UniqueConstraint(fields=("window", "key"), name="one_message_per_key"),
                ],
            },
        ),
    ]
