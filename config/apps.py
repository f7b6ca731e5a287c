"""The Django app. It starts nothing: what lives with the process is in config/process.py."""

from django.apps import AppConfig


class ConfigConfig(AppConfig):
    name = "config"
    verbose_name = "webtmux"
