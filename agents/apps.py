"""The Django app. It starts nothing: see config/server/lifecycle.py."""

from django.apps import AppConfig


class AgentsConfig(AppConfig):
    name = "agents"
    verbose_name = "Agents"
