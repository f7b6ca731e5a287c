"""The Django app. It starts nothing: what lives with the process is in config/process.py."""

from django.apps import AppConfig


class AgentsConfig(AppConfig):
    name = "agents"
    verbose_name = "Agents"
