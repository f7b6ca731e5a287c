"""The Django app. Workers are started by config/server/lifecycle.py."""

from django.apps import AppConfig


class NotesConfig(AppConfig):
    name = "notes"
    verbose_name = "Notes"
