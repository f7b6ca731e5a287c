"""The Django app. It starts nothing: see config/server/lifecycle.py."""

from django.apps import AppConfig
from django.db.models.signals import post_delete, post_save


class TerminalsConfig(AppConfig):
    name = "terminals"
    verbose_name = "Terminals"

    def ready(self) -> None:
        """Bulk statements send no signals: windows/sync.py, which has them, counts its changes."""
        from terminals.models import WORKSPACE_ROWS, Project, Window

        def changed(**_: object) -> None:
            WORKSPACE_ROWS.changed()

        for model in (Project, Window):
            for signal in (post_save, post_delete):
                # Not weak: nothing else refers to the function.
                signal.connect(changed, sender=model, weak=False)
