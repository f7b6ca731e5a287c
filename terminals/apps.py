"""The Django app. It starts nothing: see config/server/lifecycle.py."""

from django.apps import AppConfig


class TerminalsConfig(AppConfig):
    name = "terminals"
    verbose_name = "Terminals"
